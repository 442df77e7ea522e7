"""Write the vectors for bot authors again: `python -m tests.rules.regenerate`, or `make golden`.

They are for any language: texts, numbers, lists and objects only; `tests/vectors/README.md` describes them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.rules.making import deals, positions, records, scores

FOLDER: Final = Path(__file__).parents[1] / "vectors"


def build() -> dict[str, str]:
    """Return the texts of all files by their names below `tests/vectors`."""
    single = {"deals.json": deals.build(), "positions.json": positions.build(), "scores.json": scores.build()}
    return single | records.build()


def main() -> None:
    """Write the files, and remove those that nothing makes any more."""
    texts = build()
    for folder in ("records", "decisions"):
        for file in (FOLDER / folder).glob("*"):
            if f"{folder}/{file.name}" not in texts:
                file.unlink()
    for name, text in texts.items():
        file = FOLDER / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
