"""Fooling sets and covers: accepted exactly where the definition holds."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from separatrix.bounds.communication.covers import Cover, Rectangle, maximal_rectangles, rectangle_cover
from separatrix.bounds.communication.matrix import communication_matrix
from separatrix.bounds.question import question_of_function, question_of_task
from separatrix.bounds.witnesses import certify_fooling_set
from separatrix.checker import VERSION, Budget, check_document, sealed
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from tests.checker.kinds.forgery import reason
from tests.checker.kinds.witnesses import fresh

Document = dict[str, Any]
SIZES = (2, 2, 2, 2)


def table_claim(answers: list[int | None]) -> Document:
    return {"task": "table", "parameters": {"sizes": list(SIZES), "answers": answers}}


def answer_of(answers: list[int | None], x: tuple[int, ...], y: tuple[int, ...]) -> int | None:
    """Alice holds places 0 and 2, Bob 1 and 3."""
    return answers[8 * x[0] + 4 * y[0] + 2 * x[1] + y[1]]


def document_of(answers: list[int | None], pairs: list[Any], cover: Any = None) -> Document:
    return sealed(
        {
            "schema": "separatrix/certificate",
            "version": VERSION,
            "kind": "fooling-set",
            "claim": table_claim(answers),
            "cites": "",
            "alice": [0, 2],
            "value": 1,
            "pairs": [[list(x), list(y)] for x, y in pairs],
            "rectangles": len(pairs) + 1,
            "bits": len(pairs).bit_length(),
            "cover": cover,
            "strength": "proven",
        }
    )


BITS = list(product((0, 1), repeat=2))


def fools(answers: list[int | None], pairs: Any) -> bool:
    """The definition: one value, and of any two pairs a crossed input has another answer."""
    crossed = ((answer_of(answers, x, v), answer_of(answers, u, y)) for (x, y), (u, v) in combinations(pairs, 2))
    return all(answer_of(answers, x, y) == 1 for x, y in pairs) and all(one in (0, 2) or other in (0, 2) for one, other in crossed)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_accepted_exactly_where_they_fool(seed: int) -> None:
    rng, accepted = random.Random(seed), 0
    for _ in range(150):
        answers = rng.choices([0, 1, 1, 2, None], k=16)
        pairs = rng.sample([(x, y) for x in BITS for y in BITS], rng.choice((2, 2, 3)))
        verdict = check_document(document_of(answers, pairs))
        assert verdict.holds == fools(answers, pairs), (answers, pairs, verdict.reason)
        accepted += verdict.holds
    assert accepted >= 3


def test_an_input_outside_the_promise_is_no_other_answer() -> None:
    """Both crossed inputs lie outside the promise: a protocol may say anything there, so nothing is fooled."""
    answers: list[int | None] = [None] * 16
    answers[0] = answers[15] = 1  # 00 with 00 and 11 with 11
    pairs = [((0, 0), (0, 0)), ((1, 1), (1, 1))]
    assert "do not fool: no crossed input has another answer" in check_document(document_of(answers, pairs)).reason
    answers[10] = 0  # 11 with 00
    assert check_document(document_of(answers, pairs)).holds
    answers[10] = 1
    assert "do not fool" in check_document(document_of(answers, pairs)).reason


def test_a_pair_outside_the_promise_does_not_have_the_value() -> None:
    answers: list[int | None] = [0] * 16
    answers[0], answers[15] = 1, None
    assert "does not have the answer 1" in check_document(document_of(answers, [((0, 0), (0, 0)), ((1, 1), (1, 1))])).reason


def test_one_pair_shows_nothing_and_the_same_pair_does_not_count_twice() -> None:
    document = fresh("fooling_set")
    pair = document["pairs"][0]
    assert reason(document, pairs=[pair], rectangles=2, bits=1) == "pairs: expected 2..4096, found 1"
    assert "do not fool" in reason(document, pairs=[pair, pair], rectangles=3, bits=2)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"pairs": [[[0, 0, 0], [0, 0, 1]], [[0, 0, 0], [0, 0, 0]]]}, "does not have the answer 1"),
        ({"pairs": [[[0, 0, 0]]] * 2}, "pairs: expected Alice's tokens and Bob's"),
        ({"pairs": [[[0, 0], [0, 0, 0]]] * 2}, "pairs: expected 3 tokens"),
        ({"pairs": [[[0, 0, 2], [0, 0, 2]]] * 2}, "pairs: token 2 is not one of 0..1"),
        ({"pairs": [[[0, 0, True], [0, 0, 1]]] * 2}, "pairs: expected a whole number, found bool"),
        ({"pairs": [[[0] * 3, [0] * 3]] * 4097}, "pairs: expected 2..4096, found 4097"),
        ({"rectangles": 8}, "rectangles: the certificate says 8, recomputation gives 9"),
        ({"bits": 3}, "bits: the certificate says 3, recomputation gives 4"),
        ({"bits": 5}, "bits: the certificate says 5, recomputation gives 4"),
        ({"strength": "exhaustive"}, "strength: the certificate says 'exhaustive'"),
        ({"value": 0}, "does not have the answer 0"),
        ({"cites": "bhattamishra2024 Theorem 12"}, "is not a statement that a witness may cite"),
        ({"cites": "bhattamishra2024 Lemma 1"}, "Lemma 1 is about dyck, found equality"),
        ({"claim": {"task": "mqar", "parameters": {"length": 4, "symbols": None, "labels": 2}}}, "asks at several positions"),
        ({"claim": {"task": "eq-random", "parameters": {"length": 40, "symbols": 2, "distribution": "training"}}}, "inputs of one length"),
        ({"claim": {"task": "parity", "parameters": {"length": 5000}}}, "tokens: expected 1..4096, found 5001"),
    ],
)
def test_every_guard_refuses_its_forgery(changed: Document, why: str) -> None:
    assert why in reason(fresh("fooling_set"), **changed)


def test_statements_are_cited_where_they_are_reached() -> None:
    """Fact 2 is N/2 bits between the halves of equality; Lemma 1 is N - 1 bits between odd and even places of Dyck-(2, 2)."""
    document = fresh("fooling_set")
    for cites in ("", "bhattamishra2024 Fact 2", "bhattamishra2024 Fact 4"):
        verdict = check_document(sealed({**document, "cites": cites}))
        assert verdict.holds
        assert [entry["cites"] for entry in verdict.evidence if entry["kind"] == "statement"] == [cites] * bool(cites)
    brackets = question_of_task(make_task("dyck", length=4))
    matrix = communication_matrix(brackets.answer, brackets.alphabets, 4, [0, 2])
    fooling = matrix.fooling_set(1)
    full = certify_fooling_set(brackets, [0, 2], fooling.pairs, 1, matrix.cover(fooling), "bhattamishra2024 Lemma 1")
    assert check_document(full).holds
    assert full["bits"] == fooling.bits == 4
    fewer = certify_fooling_set(brackets, [0, 2], fooling.pairs[:2], 1, None, "bhattamishra2024 Lemma 1")
    assert "Lemma 1 says: N - 1 bits" in check_document(fewer).reason


@pytest.mark.parametrize("length", [2, 4, 6])
def test_the_bits_of_a_fooling_set_are_those_of_its_certificate(length: int) -> None:
    """Greater-than over n bits has a fooling set of 2^n pairs: with one more rectangle that is n + 1 bits, in both places."""
    half = length // 2

    def greater(x: tuple[int, ...]) -> bool:
        return x[:half] >= x[half:]

    matrix = communication_matrix(greater, [0, 1], length, range(half))
    fooling = matrix.fooling_set(True)
    document = certify_fooling_set(question_of_function(greater, [0, 1], length), range(half), fooling.pairs, 1)
    assert fooling.bits == document["bits"] == half + 1
    assert check_document(document).holds


def test_symbols_of_any_kind_become_tokens() -> None:
    question = question_of_function(lambda x: x[0] == x[1], "abc", 2)
    matrix = communication_matrix(lambda x: x[0] == x[1], "abc", 2, [0])
    document = certify_fooling_set(question, [0], matrix.fooling_set(True).pairs, 1)
    assert document["pairs"] == [[[0], [0]], [[1], [1]], [[2], [2]]]
    assert check_document(document).holds
    with pytest.raises(BadInput, match=r"position 0 must hold one of \('a', 'b', 'c'\), found 'd'"):
        certify_fooling_set(question, [0], [(("d",), ("a",)), (("a",), ("a",))], 1)
    with pytest.raises(BadInput, match="a fooling set needs at least two pairs, found 1"):
        certify_fooling_set(question, [0], [(("a",), ("a",))], 1)


# covers


def covered(answers: list[int | None], cover: Document) -> bool:
    """The definition: no cell of another answer in a rectangle, and every cell of the value with weight 1 or more."""
    for x, y in product(BITS, BITS):
        over = [r["weight"] for r in cover["rectangles"] if list(x) in r["alice"] and list(y) in r["bob"]]
        value = answer_of(answers, x, y)
        if (value in (0, 2) and over) or (value == 1 and sum(over) < cover["denominator"]):
            return False
    return True


def largest(answers: list[int | None]) -> int:
    cells = [(x, y) for x, y in product(BITS, BITS) if answer_of(answers, x, y) == 1]
    return max((n for n in range(len(cells) + 1) if any(fools(answers, c) for c in combinations(cells, n))), default=0)


@pytest.mark.parametrize("seed", range(6))
def test_a_cover_is_accepted_exactly_where_it_covers_and_leaves_no_room(seed: int) -> None:
    rng, accepted, refused = random.Random(seed), 0, 0
    while accepted < 8 or refused < 8:
        answers = rng.choices([0, 0, 1, 1, 2, None], k=16)
        cells = [(x, y) for x, y in product(BITS, BITS) if answer_of(answers, x, y) == 1]
        pairs = max((c for n in (2, 3, 4) for c in combinations(cells, n) if fools(answers, c)), key=len, default=None)
        if pairs is None:
            continue
        value = np.array([[answer_of(answers, x, y) == 1 for y in BITS] for x in BITS])
        known = np.array([[answer_of(answers, x, y) is not None for y in BITS] for x in BITS])
        result = rectangle_cover(value, known, len(pairs))
        if result is None:
            continue
        cover = {
            "denominator": result.denominator,
            "rectangles": [
                {"alice": [list(BITS[i]) for i in r.rows], "bob": [list(BITS[i]) for i in r.columns], "weight": r.weight}
                for r in result.rectangles
            ],
        }
        assert check_document(document_of(answers, list(pairs), cover)).holds
        assert largest(answers) == len(pairs)
        accepted += 1
        rectangle = rng.choice(cover["rectangles"])  # now spoil it: leave out a row, add one, or give more weight
        side = rng.choice(("alice", "bob"))
        match rng.randrange(4):
            case 0:
                rectangle[side] = rectangle[side][1:] or [list(rng.choice(BITS))]
            case 1:
                rectangle[side] = [list(s) for s in {*map(tuple, rectangle[side]), rng.choice(BITS)}]
            case 2:
                rectangle["weight"] += cover["denominator"]
            case _:
                cover["denominator"] += 1
        total = sum(r["weight"] for r in cover["rectangles"])
        right = covered(answers, cover) and total // cover["denominator"] <= len(pairs)
        assert check_document(document_of(answers, list(pairs), cover)).holds == right
        refused += not right


def whole_cover() -> Document:
    cover: Document = fresh("largest_fooling_set")["cover"]
    return cover


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"rectangles": []}, "number of rectangles: expected 1..65536, found 0"),
        ({"denominator": 0}, "cover.denominator: expected 1..2147483648, found 0"),
        ({"denominator": 2}, "is covered by less than the denominator"),
        ({"note": 1}, "cover: unknown field 'note'"),
        ({"rectangles": [7]}, "cover.rectangles: expected an object"),
        ({"rectangles": [{"alice": [[0, 0]], "bob": [[0, 0]], "weight": 0}]}, "cover.weight: expected 1..2147483648, found 0"),
        ({"rectangles": [{"alice": [[0, 0]], "bob": [[0, 0]], "weight": True}]}, "cover.rectangles.weight: expected int, found bool"),
        ({"rectangles": [{"alice": [[0, 0]], "bob": [[0, 0]], "weight": 1, "note": 1}]}, "unknown field 'note'"),
        ({"rectangles": [{"alice": [], "bob": [[0, 0]], "weight": 1}]}, "cover.alice: expected different strings, and at least one"),
        ({"rectangles": [{"alice": [[0, 0]] * 2, "bob": [[0, 0]], "weight": 1}]}, "cover.alice: expected different strings"),
        ({"rectangles": [{"alice": [[0, 0]], "bob": [[0, 0, 0]], "weight": 1}]}, "cover.bob: expected 2 tokens"),
        ({"rectangles": [{"alice": [[0, 0]], "bob": [[0, 1]], "weight": 1}]}, "holds an input with another answer than 1"),
        ({"rectangles": [{"alice": [[0, 0]], "bob": [[0, 0]], "weight": 1}]}, "is covered by less than the denominator"),
    ],
)
def test_every_guard_of_a_cover_refuses_its_forgery(changed: Document, why: str) -> None:
    assert why in reason(fresh("largest_fooling_set"), cover={**whole_cover(), **changed})


def test_a_cover_with_room_for_one_more_pair_proves_nothing() -> None:
    document = fresh("largest_fooling_set")
    assert (len(document["pairs"]), len(whole_cover()["rectangles"]), whole_cover()["denominator"]) == (4, 4, 1)
    fewer = {"pairs": document["pairs"][:3], "rectangles": 4, "bits": 2}
    assert reason(document, **fewer) == "cover: it leaves room for 4 pairs, the fooling set has 3"
    doubled = {"denominator": 2, "rectangles": [{**r, "weight": 2} for r in whole_cover()["rectangles"]]}
    assert check_document(sealed({**document, "cover": doubled})).holds
    doubled["rectangles"].append({**doubled["rectangles"][0], "weight": 1})  # 9 / 2 is still less than 5
    assert check_document(sealed({**document, "cover": doubled})).holds
    doubled["rectangles"].append({**doubled["rectangles"][0], "weight": 1})
    assert reason(document, cover=doubled) == "cover: it leaves room for 5 pairs, the fooling set has 4"


def test_a_fractional_cover_proves_what_no_plain_cover_does() -> None:
    """By hand: five inputs in a ring, neighbours of which may be treated alike. At most two fool, three rectangles are needed to cover
    them, and five rectangles of two neighbours each cover everything twice: 5 / 2 leaves no room for three."""
    value, places = np.eye(5, dtype=bool), np.arange(5)
    known = ~np.isin((places[:, None] - places) % 5, (1, 4))  # between neighbours nothing is promised
    cover = rectangle_cover(value, known, 2)
    assert cover is not None
    assert (cover.denominator, sum(r.weight for r in cover.rectangles), cover.upper) == (2, 5, 2)
    assert rectangle_cover(value, known, 1) is None
    assert rectangle_cover(value, known, 3) is not None
    pool = [Rectangle(*block) for block in maximal_rectangles(value | ~known)]
    assert not any(Cover(1, plain).covers(value, known) for plain in combinations(pool, 2))
    question = question_of_function(lambda x: int(value[x]) if known[x] else None, list(range(5)), 2)
    document = certify_fooling_set(question, [0], [((0,), (0,)), ((2,), (2,))], 1, cover)
    assert check_document(document).claim.endswith("; no fooling set for the answer 1 has more than 2 pairs")
    assert document["cover"]["denominator"] == 2


def test_maximal_rectangles_of_a_matrix_that_is_not_square() -> None:
    """By hand: two rows over three columns, 110 and 011, have their own columns and the middle one in common."""
    loose = np.array([[1, 1, 0], [0, 1, 1]], dtype=bool)
    assert sorted(maximal_rectangles(loose)) == [((0,), (0, 1)), ((0, 1), (1,)), ((1,), (1, 2))]
    assert sorted(maximal_rectangles(loose.T)) == [((0, 1), (0,)), ((1,), (0, 1)), ((1, 2), (1,))]


def test_covers_count_cells_outside_the_promise_as_loose() -> None:
    value, known = np.array([[1, 0], [0, 1]], dtype=bool), np.array([[1, 0], [0, 1]], dtype=bool)
    assert rectangle_cover(value, known, 1) == Cover(1, (Rectangle((0, 1), (0, 1)),))
    assert rectangle_cover(value, np.ones_like(known), 1) is None
    assert not Cover(1, (Rectangle((0, 1), (0, 1)),)).covers(value, np.ones_like(known))
    assert not Cover(1, (Rectangle((0,), (0,)),)).covers(value, known)
    assert not Cover(1, (Rectangle((0, 1), (0, 1), 0),)).covers(value, known)


def test_tokens_need_not_begin_at_zero() -> None:
    """Labels are the tokens 2 and 3. Alice has two pairs of key and label, Bob asks; where a key is repeated nothing is promised."""
    question = question_of_task(make_task("associative-recall", length=2, symbols=2))
    matrix = communication_matrix(question.answer, question.alphabets, 5, range(4))
    fooling = matrix.fooling_set(1)
    cover = matrix.cover(fooling)
    assert cover is not None
    document = certify_fooling_set(question, range(4), fooling.pairs, 1, cover)
    assert check_document(document).claim.endswith("no fooling set for the answer 1 has more than 2 pairs")
    moved = [
        {**r, "alice": [[k, 5 - y, j, 5 - z] for k, y, j, z in r["alice"]]} for r in document["cover"]["rectangles"]
    ]  # the other label
    assert "another answer than 1" in reason(document, cover={**document["cover"], "rectangles": moved})


def test_the_work_is_bounded_before_anything_runs() -> None:
    """1024 pairs of 20 bits are crossed 2^20 times, at 7000 units each; 2 10^5 strings of two tokens span 10^10 inputs at 20 units."""
    halves = [list(x) for x in product((0, 1), repeat=10)]
    document = {**fresh("fooling_set"), "claim": {"task": "equality", "parameters": {"length": 20, "symbols": 2}}, "alice": [*range(10)]}
    large = sealed({**document, "pairs": [[x, x] for x in halves], "rectangles": 1025, "bits": 11})
    verdict = check_document(large, None, Budget(seconds=1))
    assert not verdict.readable
    assert verdict.reason.startswith("checking this takes about 7.35 s and 0.00 GB, above the budget of 1 s")
    assert "--budget" in verdict.reason
    wide = {**fresh("largest_fooling_set")["cover"]["rectangles"][0], "alice": [[0, 0]] * 10**5, "bob": [[0, 0]] * 10**5}
    heavy = sealed({**fresh("largest_fooling_set"), "cover": {"denominator": 1, "rectangles": [wide]}})
    assert check_document(heavy).reason.startswith("checking this takes about 201 s")


def test_a_function_of_too_many_strings_has_no_cover() -> None:
    question = question_of_task(make_task("equality", length=22))
    pairs = [((0,) * 11, (0,) * 11), ((1,) * 11, (1,) * 11)]
    document = certify_fooling_set(question, range(11), pairs, 1)
    assert check_document(document).holds
    rectangles = [{"alice": [[0] * 11], "bob": [[0] * 11], "weight": 1}]
    assert "4194304 strings exceed the limit of 2097152" in reason(document, cover={"denominator": 1, "rectangles": rectangles})
