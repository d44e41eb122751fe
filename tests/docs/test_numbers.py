"""Every count that README and docs give of our own things is the ledger's."""

from __future__ import annotations

import re

import pytest

from separatrix.architectures import Architecture
from separatrix.constructions import CONSTRUCTIONS
from separatrix.ledger.certified import certified
from separatrix.papers import PAPERS, statements
from separatrix.state.from_config import FAMILIES
from separatrix.studies import studies
from separatrix.tasks import TASKS
from tests.docs.reading import PAGES, ROOT

OF_OTHERS = ("docs/related.md", "docs/errata.md", "docs/more-is-known.md", "docs/released-code.md")
COUNTED = re.compile(
    r"\b(\d[\d,]*) (?:of them |are |of our )?"
    r"(built models|certificates|proven|exhaustive|tested|tasks|constructions|studies|statements|papers|architectures|model types)\b"
)


def truth() -> dict[str, int]:
    """What the package counts."""
    built = [one for one in certified() if one.construction in CONSTRUCTIONS]
    by_strength = {strength: sum(one.strength == strength for one in built) for strength in ("proven", "exhaustive", "tested")}
    return {
        "built models": len(built),
        "certificates": len(built),
        **by_strength,
        "tasks": len(TASKS),
        "constructions": len(CONSTRUCTIONS),
        "studies": len(studies()),
        "statements": len(statements()),
        "papers": len(PAPERS),
        "architectures": len(Architecture),
        "model types": len(FAMILIES),
    }


def test_counts_in_prose_are_those_of_the_package() -> None:
    counted, met = truth(), 0
    for page in PAGES:
        if page.relative_to(ROOT).as_posix() in OF_OTHERS:
            continue
        prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for number, what in COUNTED.findall(prose):
            assert int(number.replace(",", "")) == counted[what], f"{page.name}: {number} {what}, there are {counted[what]}"
            met += 1
    assert met >= 4


@pytest.mark.parametrize("said", ["Of the 162 built models", "76 are proven", "1,000 tasks"])
def test_a_count_is_recognised(said: str) -> None:
    assert COUNTED.search(said)
