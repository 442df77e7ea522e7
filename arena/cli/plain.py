"""Wire messages as plain JSON values, the way scripts want them.

Names are those of the wire. Enum values are short lower-case words (`TOURNAMENT_STATE_RUNNING` is `running`), times
are UTC texts, all integers are numbers, and every field is there, so that a script need not guess at defaults; what is
not set is null where the wire can tell. Deprecated fields are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.timestamp_pb2 import Timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
    from google.protobuf.message import Message

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


def word(enum: EnumDescriptor, number: int) -> str:
    """Return the short word of an enum value, or the number of one that this program does not know."""
    value = enum.values_by_number.get(number)
    return str(number) if value is None else value.name.removeprefix(_prefix(enum)).lower()


def number(enum: EnumDescriptor, text: str) -> int | None:
    """Return the enum value of a short word, or None."""
    value = enum.values_by_name.get(_prefix(enum) + text.upper())
    return None if value is None else value.number


def words(enum: EnumDescriptor) -> list[str]:
    """Return the short words of an enum, without that of the value 0."""
    return [word(enum, value.number) for value in enum.values if value.number]


def plain(message: Message) -> dict[str, Plain]:
    """Return *message* as a JSON object."""
    fields: Sequence[Any] = message.DESCRIPTOR.fields
    return {field.name: _field(message, field) for field in fields if not field.GetOptions().deprecated}


def _prefix(enum: EnumDescriptor) -> str:
    zero: str = enum.values_by_number[0].name
    return zero.removesuffix("UNSPECIFIED")


def _field(message: Message, field: FieldDescriptor) -> Plain:
    value = getattr(message, field.name)
    if field.is_repeated:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            return {str(key): item for key, item in sorted(value.items())}
        return _list(value, field)
    if field.has_presence and not message.HasField(field.name):
        return None
    return _value(value, field)


def _list(values: Iterable[object], field: FieldDescriptor) -> Plain:
    return [_value(value, field) for value in values]


def _value(value: object, field: FieldDescriptor) -> Plain:
    if isinstance(value, Timestamp):
        return value.ToJsonString()
    if field.message_type is not None:
        return plain(value)  # type: ignore[arg-type]
    if field.enum_type is not None:
        return word(field.enum_type, value)  # type: ignore[arg-type]
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value  # type: ignore[return-value]
