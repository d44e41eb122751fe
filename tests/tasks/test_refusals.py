"""Bad input to this room is refused in one line that says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.tasks import make_task, task_class
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.audit.audit import audit
from separatrix.tasks.c_gram import CGram
from separatrix.tasks.index import Index
from separatrix.tasks.intersects import Intersects
from separatrix.tasks.is_tree import IsTree
from separatrix.tasks.languages.cascades import keep_or_reset
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.permutation_groups import from_images
from separatrix.tasks.languages.regular_expression import automaton
from separatrix.tasks.latest_recall import LatestRecall
from separatrix.tasks.parity import Parity

REFUSED: tuple[tuple[str, Callable[[], Any]], ...] = (
    ("audit: count must be at least 2, found 1", lambda: audit(make_task("parity", length=3), count=1)),
    ("expected a star-free language", lambda: keep_or_reset(named_language("parity"))),
    ("same degree", lambda: from_images([[2, 1], [2, 3, 1]])),
    (r"regular expression 'ab' mentions 'b', which is not in the alphabet 'a'", lambda: automaton("ab", "a")),
    (r"^associative-recall: x4 lies outside the 4 keys x and 2 labels y$", lambda: AssociativeRecall(2).read("x4 y0 x1")),
    (r"^associative-recall: expected a token id, found 'z1'$", lambda: AssociativeRecall(2).read("z1")),
    (r"filler must lie in 0\.\.2\^40, found -1", lambda: AssociativeRecall(4, filler=-1)),
    (
        "a key can be absent only if there are more symbols than pairs, found 4 of each",
        lambda: AssociativeRecall(4, symbols=4, absent=True),
    ),
    (
        "in the order reverse-expansion does not follow from its expression",
        lambda: build("arithmetic/sparse", length=3, order="reverse-expansion"),
    ),
    (r"^intersects: length N must be even, N/2 bits for each set, found 5$", lambda: Intersects(5)),
    ("found '4'", lambda: IsTree(3).read("<s> 1 ~ 4 2 ~ 3 <sep>")),
    (r"^latest-recall: labels must lie in 2\.\.2\^24, found 1$", lambda: LatestRecall(4, labels=1)),
    (r"^latest-recall: symbols must lie in 1\.\.2\^24, found 0$", lambda: LatestRecall(4, symbols=0)),
    ("parity: length N must be at least 1, found 0", lambda: Parity(0)),
    (r"^c-gram: c must lie in 2\.\.8 and be at most N = 4, found 5$", lambda: CGram(4, c=5)),
    (r"^index: length N must be at least 2, found 1$", lambda: Index(1)),
    ("parity has no cases 'worst': expected one of random, one-symbol", lambda: Parity(4).cases("worst", 0, 1)),
    (r"'pathlib:Path' is not a task: expected a class derived from separatrix.tasks.Task", lambda: task_class("pathlib:Path")),
    (
        r"^intersects has no cases 'hard': expected one of random, fair-bits, complement$",
        lambda: make_task("intersects", length=4).cases("hard", 0, 3),
    ),
)


@pytest.mark.parametrize(("says", "call"), REFUSED)
def test_bad_input_is_refused_in_words(says: str, call: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match=says):
        call()
