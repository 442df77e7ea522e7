"""The command line's side of `hearts.v1.ArenaService`: one channel, one token, and errors in words.

Every refusal of the server carries a sentence meant for people; it is shown as it is. Only where no server answered
does this module find words of its own.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import grpc
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.arena_service_pb2_grpc import ArenaServiceStub
from hearts_bot import secure
from hearts_bot.status import Ending

from arena.cli.errors import Failure, Misuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Request = TypeVar("Request")
Response = TypeVar("Response")

TIMEOUT: Final = 30.0
_PAGE: Final = 1000
_NO_ANSWER: Final = {
    grpc.StatusCode.CANCELLED: "went away before it answered; look again when it is back",
    grpc.StatusCode.DEADLINE_EXCEEDED: "did not answer in time; is it overloaded?",
}
_OPTIONS: Final = (("grpc.max_receive_message_length", 64 << 20),)


class Unreachable(Failure):
    """No server answered, or one that cannot do its work for now. It may come back."""


class Refused(Failure):
    """The server said no; `status` is the gRPC status, the text is the server's."""

    def __init__(self, text: str, status: grpc.StatusCode) -> None:
        super().__init__(text)
        self.status = status


class Api:
    """Calls to one server with one token."""

    def __init__(self, channel: grpc.Channel, server: str, token: str) -> None:
        self.stub: Final = ArenaServiceStub(channel)
        self.server: Final = server
        self._metadata: Final = (("authorization", f"Bearer {token}"),) if token else ()

    def ask(
        self,
        method: grpc.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        *,
        timeout: float = TIMEOUT,
    ) -> Response:
        """Call a unary method. Raises `Refused` and `Unreachable`."""
        try:
            return method(request, metadata=self._metadata, timeout=timeout)
        except grpc.RpcError as error:
            raise self._worded(error) from None

    def stream(self, method: grpc.UnaryStreamMultiCallable[Request, Response], request: Request) -> Iterator[Response]:
        """Call a server stream and yield what it sends. Raises as `ask` does, at any item."""
        call = method(request, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise self._worded(error) from None
        finally:
            call.cancel()

    def _worded(self, error: grpc.RpcError) -> Failure:
        status: grpc.StatusCode = error.code()
        text: str = error.details() or status.name
        trailers: Any = error.trailing_metadata() or ()
        if status is grpc.StatusCode.NOT_FOUND and text.startswith("there is no tournament"):
            text += "; 'arena tournament list' shows those there are"
        ending = Ending.read(status, text, trailers)
        if status is grpc.StatusCode.UNAVAILABLE and ending.retry_after is not None:
            return Unreachable(text)
        if ending.reason:
            return Refused(text, status)
        if status is grpc.StatusCode.UNAVAILABLE:
            return self._unreachable(text)
        if status in _NO_ANSWER:
            return Unreachable(f"the arena at {self.server} {_NO_ANSWER[status]}")
        if status is grpc.StatusCode.UNIMPLEMENTED:
            return Failure(f"what answers at {self.server} is no arena, or an older one ({text})")
        return Refused(text, status)

    def _unreachable(self, text: str) -> Unreachable:
        if "CERTIFICATE_VERIFY_FAILED" in text or "Hostname Verification" in text:
            found = re.search(r"(?:CERTIFICATE_VERIFY_FAILED|Hostname Verification\b[^:]*): *([^:]+)", text)
            why = f" ({found[1].strip().rstrip('.')})" if found else ""
            return Unreachable(
                f"the certificate of the arena at {self.server} is not trusted{why}; set "
                "ARENA_CA_FILE to the file of the authority that signed it, and use a name that it is made out to"
            )
        if hint := secure.hint(text, self.server):
            return Unreachable(f"the arena at {self.server} cannot be spoken to: {hint}")
        why = text.rpartition(": ")[2]  # the rest is gRPC's own way to it
        return Unreachable(
            f"no arena answers at {self.server} ({why}); start one with 'arena serve', or set ARENA_SERVER"
        )


def read_token(file: Path | None) -> str:
    """Return the token in *file*. Raises `Misuse` with the way out."""
    if file is None:
        raise Misuse("no token: set ARENA_TOKEN_FILE or --token-file; 'arena serve' writes DATA_DIR/admin.token")
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise Misuse(f"cannot read the token file {file}: {reason}; give another with --token-file") from None
    if not token.isascii() or not token or any(c.isspace() for c in token):
        raise Misuse(f"{file} does not hold a token: one line 'arena_ROLE_...' is expected")
    return token


@contextmanager
def connect(server: str, token_file: Path | None) -> Iterator[Api]:
    """Yield the way to *server*. Raises `Misuse` for an address, a token file or certificates that cannot be."""
    _check_address(server)
    with dial(secure.secured(server, os.environ), read_token(token_file)) as api:
        yield api


@contextmanager
def dial(server: str, token: str) -> Iterator[Api]:
    """Yield the way to *server* with *token* in hand, encrypted if it is `tls://HOST:PORT`. Raises `Misuse`."""
    with _channel(server) as channel:
        yield Api(channel, server, token)


def _channel(server: str) -> grpc.Channel:
    if not secure.is_secure(server):
        return grpc.insecure_channel(server, options=_OPTIONS)
    try:
        credentials = secure.credentials(os.environ)
    except secure.CannotRead as error:
        raise Misuse(str(error)) from None
    return grpc.secure_channel(server.removeprefix(secure.TLS), credentials, options=_OPTIONS)


def _check_address(server: str) -> None:
    host, _, port = server.removeprefix(secure.TLS).rpartition(":")
    if not host or "/" in host or not port.isdigit() or not 0 < int(port) < 65536:
        raise Misuse(
            f"{server!r} is not a server's address; write HOST:PORT or tls://HOST:PORT, for example 127.0.0.1:7070"
        )


def pages(fetch: Callable[[str], tuple[Any, str]]) -> Iterator[Any]:
    """Yield the entries of all pages: *fetch* takes a page token and returns entries and the next one."""
    token = ""
    while True:
        entries, token = fetch(token)
        yield from entries
        if not token:
            return


def all_owners(api: Api) -> list[pb.Owner]:
    """Return all owners that the caller may see."""

    def fetch(token: str) -> tuple[Any, str]:
        page = api.ask(api.stub.ListOwners, pb.ListOwnersRequest(page_size=_PAGE, page_token=token))
        return page.owners, page.next_page_token

    return list(pages(fetch))


def all_bots(api: Api, owner: str = "") -> list[pb.Bot]:
    """Return all bots that the caller may see, or those of one owner."""

    def fetch(token: str) -> tuple[Any, str]:
        request = pb.ListBotsRequest(owner=owner, page_size=_PAGE, page_token=token)
        page = api.ask(api.stub.ListBots, request)
        return page.bots, page.next_page_token

    return list(pages(fetch))


def find_owner(api: Api, text: str) -> str:
    """Return the id of the owner that *text* names, by id or name."""
    found = [owner.owner for owner in all_owners(api) if text in (owner.owner, owner.name)]
    if not found:
        raise Failure(f"there is no owner {text!r}; 'arena owners list' shows those there are")
    return found[0]


def find_bot(api: Api, text: str) -> str:
    """Return the id of the bot that *text* names: by id, by name where only one has it, or as OWNER/NAME."""
    owner, slash, name = text.partition("/")
    if slash:
        named = [bot for bot in all_bots(api, find_owner(api, owner)) if bot.name == name]
    else:
        named = [bot for bot in all_bots(api) if text in (bot.bot, bot.name)]
    if not named:
        raise Failure(f"there is no bot {text!r}; 'arena bots list' shows those there are")
    if len(named) > 1:
        raise Failure(f"{len(named)} bots are named {text!r}; say which as OWNER/{text}, or by its id {named[0].bot}")
    return named[0].bot
