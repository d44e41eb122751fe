"""The pictures of README and of the gallery, made from shipped rows: `python -m docs.site.pictures`, or `make picture`.

docs/separatrix.json   the Vega-Lite specification of the figure, its rows among it
docs/separatrix.svg    the figure; its last line is the SHA-256 of that specification
docs/gallery.md        eight figures with their questions and answers
docs/gallery/*.svg     the figures, each with the SHA-256 of its specification
docs/atlas.png         the front page, where an atlas and a browser are given
docs/atlas.json        what the front page was made from when that picture was taken
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from separatrix.atlas.drawing import picture
from separatrix.studies import study, study_rows
from separatrix.studies.panel import standing_alone

DOCS = Path(__file__).parents[1]
STUDY = "separatrix"
SPECIFICATION, FIGURE, FRONT = DOCS / f"{STUDY}.json", DOCS / f"{STUDY}.svg", DOCS / "atlas.png"
PAGE = DOCS / "gallery.md"
DIGITS = 6  # of a number: the last ones differ between machines
WINDOW = (1400, 1620)  # down to the end of the map
FRONT_FACTS = DOCS / "atlas.json"
FRONT_FILES = ("page.html", "ask.html", "pictures.html", "map.html", "style.css")  # what lays out the part that the picture shows
GALLERY = (  # studies whose rows are shipped, or computed in a second
    STUDY, "memory-of-lookup", "addresses", "representation", "recall-learned", "next-symbol", "beyond-length", "influence",
)  # fmt: skip


def specification(name: str = STUDY) -> dict[str, Any]:
    """The figure of a study as the code makes it from shipped rows."""
    chosen = study(name)
    rows = study_rows(chosen)
    found: dict[str, Any] = rounded(standing_alone(chosen.figure(rows), chosen.answer(rows).finding, chosen.measured))
    return found


def text_of(made: dict[str, Any]) -> str:
    """A specification as it is written and hashed."""
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def place(name: str) -> Path:
    """Where the figure of a study stands."""
    return FIGURE if name == STUDY else DOCS / "gallery" / f"{name}.svg"


def gallery() -> str:
    """The page of the gallery."""
    lines = ["# Gallery", "", "Eight figures, drawn by `make picture` from the rows that are shipped. The title of each is what was found."]
    for name in GALLERY:
        chosen = study(name)
        answer = chosen.answer(study_rows(chosen))
        lines += ["", f"## {chosen.question}", "", f"**{answer.verdict.capitalize()}.** {answer.finding}.", ""]
        lines += [f"![{answer.finding}]({place(name).relative_to(DOCS).as_posix()})", ""]
        lines += [answer.details, ""] if answer.details else []
        lines.append(f"`separatrix study {name}` prints the rows.")
    return "\n".join(lines) + "\n"


def rounded(value: Any) -> Any:
    """Plain data with the first digits of its numbers."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def front_facts() -> dict[str, Any]:
    """What the picture of the front page depends on: the files that lay it out, its words, and what the map counts."""
    from separatrix.architectures import COLUMNS
    from separatrix.atlas import __file__ as atlas
    from separatrix.atlas.pages.errata import errata_counts
    from separatrix.atlas.pages.front import LEAD, QUESTION
    from separatrix.ledger.cells import grid, shown_kind
    from separatrix.tasks import TASKS

    templates = Path(atlas).parent / "templates"
    kinds = Counter(shown_kind(cell) for row in grid().values() for cell in row.values())
    return {
        "layout": {name: hashlib.sha256((templates / name).read_bytes()).hexdigest() for name in FRONT_FILES},
        "words": [QUESTION, LEAD],
        "tasks": len(TASKS),
        "architectures": len(COLUMNS),
        "errata": sum(sum(row.values()) for _, row in errata_counts()),
        "cells": dict(sorted(kinds.items())),
    }


def digest(text: str) -> str:
    """The line at the end of a picture that says what it was made from."""
    return f"<!-- specification {hashlib.sha256(text.encode()).hexdigest()} -->"


def main(arguments: list[str]) -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(prog="python -m docs.site.pictures")
    parser.add_argument("--atlas", type=Path, help="A folder with an atlas, whose front page is drawn by --browser.")
    parser.add_argument("--browser", help="A Chromium, by name or path.")
    chosen = parser.parse_args(arguments)
    if (chosen.atlas is None) != (chosen.browser is None):
        parser.error("--atlas and --browser go together")
    SPECIFICATION.write_text(text_of(specification()), encoding="utf-8")
    PAGE.write_text(gallery(), encoding="utf-8")
    written = [SPECIFICATION, PAGE]
    for name in GALLERY:
        made = specification(name)
        place(name).parent.mkdir(exist_ok=True)
        place(name).write_text(f"{picture(made, 'svg').decode()}\n{digest(text_of(made))}\n", encoding="utf-8")
        written.append(place(name))
    if chosen.atlas is not None:
        size = ",".join(map(str, WINDOW))
        page = (chosen.atlas / "index.html").resolve().as_uri()
        flags = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={size}", f"--screenshot={FRONT}"]
        subprocess.run([chosen.browser, *flags, page], check=True)
        FRONT_FACTS.write_text(json.dumps(front_facts(), indent=1) + "\n", encoding="utf-8")
        written += [FRONT, FRONT_FACTS]
    print("\n".join(str(path.relative_to(DOCS.parent)) for path in written))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
