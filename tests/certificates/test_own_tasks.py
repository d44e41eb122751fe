"""One's own task as a table: every input of full length is in the claim, and the certificate is exhaustive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest

from separatrix.certificates.own_tasks import table_of
from separatrix.certificates.verify import verify
from separatrix.checker import check_document, sealed
from separatrix.checker.seal import Refused
from separatrix.checker.specs import spec_of
from separatrix.constructions import build
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.task import Batch, Task, read_at_end


@dataclass(frozen=True)
class Last(Task):
    """N symbols; the answer is the last one, unless the first is 2: then there is none."""

    length: int
    symbols: int = 3

    name: ClassVar[str] = "last, and 'nothing' else"
    tokens: ClassVar[str] = "N"
    vocabulary = property(lambda self: self.symbols)
    targets = property(lambda self: self.symbols)

    def answer(self, tokens: Sequence[int]) -> int | None:
        return None if tokens[0] == 2 else int(tokens[-1])

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        rows = np.array([[(seed + start + r + t) % 2 for t in range(self.length)] for r in range(count)], dtype=np.int64)
        return read_at_end(rows, np.full(count, self.length), rows[:, -1])


@dataclass(frozen=True)
class Some(Last):
    """Inputs of two lengths, listed by the task itself."""

    name: ClassVar[str] = "some"

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for n in (self.length - 1, self.length):
            yield from ((1, *rest) for rest in product(range(2), repeat=n - 1))


@dataclass(frozen=True)
class Mine(IndexLookup):
    """Index lookup, as somebody else would write it."""

    name: ClassVar[str] = "mine"
    turned: ClassVar[bool] = False

    def answer(self, tokens: Sequence[int]) -> int | None:
        right = super().answer(tokens)
        return right if right is None or not self.turned else 1 - right


@dataclass(frozen=True)
class Turned(Mine):
    """The other symbol."""

    turned: ClassVar[bool] = True


def built(kind: type[Mine] = Mine) -> Any:
    """The weights of index lookup, for a task that the checker does not know."""
    known = build("index-lookup", length=3, symbols=2)
    return replace(known, task=kind(3, symbols=2), claim=replace(known.claim, task=kind.name))


def test_the_table_has_every_input_and_nothing_for_what_is_not_one() -> None:
    claim = table_of(Last(3))
    assert claim is not None
    spec = spec_of(claim["task"], claim["parameters"])
    for tokens in product(range(3), repeat=3):
        assert spec.answer(tokens) == Last(3).answer(tokens)
    assert spec.input_count == 18
    assert "'last, and \\'nothing\\' else'" in spec.title or "\"last, and 'nothing' else\"" in spec.title
    assert spec.title.endswith("given as a table of 18 inputs of 3 tokens")


def test_several_lengths_have_a_table_each() -> None:
    claim = table_of(Some(4))
    assert claim is not None
    spec = spec_of(claim["task"], claim["parameters"])
    assert spec.several_lengths
    assert [len(one["answers"]) for one in claim["parameters"]["tables"]] == [4, 8]
    assert [(tokens.tolist(), wanted) for tokens, wanted in spec.all_cases()][3:5] == [([1, 1, 1], {2: 1}), ([1, 0, 0, 0], {3: 0})]
    assert spec.answer((1, 0)) is None
    assert spec.answer((0, 0, 0)) is None
    assert spec.title.endswith("a table of 12 inputs of 3, 4 tokens")


def test_what_has_too_many_inputs_has_no_table() -> None:
    assert table_of(Last(40)) is None
    assert table_of(Last(3), inputs=17) is None
    assert table_of(Last(3), inputs=18) is not None


def test_a_certificate_is_exhaustive_and_quotes_the_author() -> None:
    certificate = verify(built())
    verdict = check_document(certificate.document)
    assert (certificate.document["strength"], verdict.holds, verdict.strength) == ("exhaustive", True, "exhaustive"), verdict.reason
    assert verdict.claim.startswith(
        "a task that its author calls 'mine', given as a table of 24 inputs of 4 tokens: right on all 24 inputs"
    )
    assert not verify(built(Turned)).holds


def test_an_answer_that_is_changed_is_refused() -> None:
    document = verify(built()).document
    (table,) = document["claim"]["parameters"]["tables"]
    for answers in ([*table["answers"][:-1]], [1 - table["answers"][0], *table["answers"][1:]]):
        parameters = {**document["claim"]["parameters"], "tables": [{**table, "answers": answers}]}
        assert not check_document(sealed({**document, "claim": {"task": "listed", "parameters": parameters}})).holds


GOOD: dict[str, Any] = {"alphabets": [[0, 2], [1, 2]], "answers": [0, 1, None, 2]}


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({**GOOD, "alphabets": [[0, 2], [2, 2]]}, "tokens of an alphabet: expected 1..1"),
        ({**GOOD, "alphabets": [[0, 2], [-1, 2]]}, "first token of an alphabet"),
        ({**GOOD, "alphabets": [[0, 4]]}, "tokens of an alphabet"),
        ({**GOOD, "alphabets": []}, "number of alphabets"),
        ({**GOOD, "alphabets": [[0, 2], 3]}, "expected the first token and how many there are"),
        ({**GOOD, "answers": [0, 1, None, 3]}, r"answers: expected 0\.\.2"),
        ({**GOOD, "answers": [0, 1, None, True]}, "found bool"),
        ({**GOOD, "answers": [0, 1, None]}, "expected 4 of them, found 3"),
        ({**GOOD, "note": 1}, "unknown field"),
    ],
)
def test_tables_that_are_none_are_refused(table: dict[str, Any], why: str) -> None:
    named = {"name": "mine", "vocabulary": 3, "targets": 3}
    assert spec_of("listed", {**named, "tables": [GOOD]}).answer((1, 2)) == 2
    with pytest.raises(Refused, match=why):
        spec_of("listed", {**named, "tables": [table]})
    with pytest.raises(Refused, match="expected tables of different lengths"):
        spec_of("listed", {**named, "tables": [GOOD, GOOD]})
