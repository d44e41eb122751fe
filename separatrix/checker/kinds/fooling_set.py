"""Certificates of fooling sets: every pair has the value, and of any two pairs a crossed input has another answer.

A protocol that ends in the same leaf on two pairs also ends there on both crossed inputs. So every pair has its own leaf, and there is
one more leaf with another answer: a protocol of c bits has at most 2^c leaves. An input outside the promise has no answer.

That no fooling set is larger is claimed only with a cover: rectangles, none with an input of another answer, with weights that add up to
the denominator or more on every input of the value. A fooling set has at most one pair in each rectangle, so its size times the
denominator is at most the sum of all weights. With weights and denominator 1 it is a plain cover by rectangles.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, require_fields, string, within
from separatrix.checker.kinds.partition import places, together, worded
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, counted, number
from separatrix.checker.specs import Spec, function
from separatrix.checker.specs.answers import all_answers, answer_work
from separatrix.checker.specs.counts import bits, in_bits
from separatrix.checker.statements import Witness, check_lower

MOST = 1 << 12  # pairs
WEIGHT, RECTANGLES = 1 << 31, 1 << 16  # of a cover; sums of this many stay far below 2^63
PARSED = 500  # work to read one token of a document
FIELDS: dict[str, Any] = {
    "claim": dict, "cites": str, "alice": list, "value": int, "pairs": list, "rectangles": int, "bits": int, "cover": (dict, type(None))
}  # fmt: skip
Parts = tuple[tuple[int, ...], tuple[int, ...]]
Cells = arrays.Truths


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its pairs fool every protocol with fewer bits, and its cover, if any, excludes larger sets."""
    task, value, pairs = function(document["claim"]), document["value"], document["pairs"]
    parts = places(document["alice"], task.tokens)
    size = within(len(pairs), 2, MOST, "pairs")  # one pair shows nothing
    budget.allow(size * size * answer_work(task) + PARSED * size * task.tokens, 0)
    check_pairs(task, parts, pairs, value)
    require_equal(document["rectangles"], size + 1, "rectangles")
    require_equal(document["bits"], bits(size + 1), "bits")
    cited = check_lower(document["cites"], Witness("fooling-set", task, document["bits"], parts[0]))
    who_holds = f"one party holds {worded(parts[0])} of {task.tokens}, the other the rest"
    sentence = f"{task.title}: where {who_holds}, every deterministic protocol exchanges at least {in_bits(document['bits'])}"
    evidence = [{"kind": "fooling set", "text": f"{number(size)} pairs with the answer {value}, and one more rectangle", "size": size}]
    if document["cover"] is not None:
        check_cover(task, parts, value, size, document["cover"], budget)
        sentence += f"; no fooling set for the answer {value} has more than {number(size)} pairs"
        evidence.append({"kind": "cover", "text": f"{counted(len(document['cover']['rectangles']), 'rectangle')} leave no room for more"})
    return Shown(sentence, "proven", (*evidence, *cited))


def check_pairs(task: Spec, parts: Parts, pairs: list[Any], value: int) -> None:
    """Refuse pairs that do not have the value, or that a protocol may treat the same."""
    places: list[Parts] = []
    alphabets = task.alphabets
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise Refused("pairs: expected Alice's tokens and Bob's")
        x, y = (string(half, [alphabets[i] for i in part], "pairs") for half, part in zip(pair, parts, strict=True))
        if task.truth(together(x, y, *parts)) != value:
            raise Refused(f"pairs: {pair!s:.80} does not have the answer {value}")
        places.append((x, y))
    for i, (x, y) in enumerate(places):
        for x2, y2 in places[:i]:
            if not any(task.truth(together(*crossed, *parts)) not in (value, None) for crossed in ((x, y2), (x2, y))):
                raise Refused(
                    f"pairs: {[list(x), list(y)]!s:.80} and {[list(x2), list(y2)]!s:.80} do not fool: no crossed input has another answer"
                )


def check_cover(task: Spec, parts: Parts, value: int, size: int, cover: Any, budget: Budget) -> None:
    """Refuse a cover that contains another answer, misses an input with the value, or gives too weak a bound."""
    require_fields(cover, "cover", denominator=int, rectangles=list)
    whole, rectangles = within(cover["denominator"], 1, WEIGHT, "cover.denominator"), cover["rectangles"]
    within(len(rectangles), 1, RECTANGLES, "number of rectangles")
    budget.allow(_work(task, rectangles), 0)
    has_value, loose = cells(task, parts, value, budget)
    covered, total = arrays.zeros(loose.shape), 0
    for rectangle in rectangles:
        block = arrays.ix_(
            *(_numbers(rectangle[side], task, part, f"cover.{side}") for side, part in zip(("alice", "bob"), parts, strict=True))
        )
        if not loose[block].all():
            raise Refused(f"cover: a rectangle holds an input with another answer than {value}")
        covered[block] += within(rectangle["weight"], 1, WEIGHT, "cover.weight")
        total += rectangle["weight"]
    if (covered[has_value] < whole).any():
        raise Refused(f"cover: an input with the answer {value} is covered by less than the denominator")
    if total >= (size + 1) * whole:
        raise Refused(f"cover: it leaves room for {total // whole} pairs, the fooling set has {size}")


def cells(task: Spec, parts: Parts, value: int, budget: Budget) -> tuple[Cells, Cells]:
    """By Alice's strings and Bob's, both in order: the inputs with the value, and those without another answer."""
    answers, sizes = all_answers(task, budget), tuple(map(len, task.alphabets))
    rows = math.prod(sizes[i] for i in parts[0])

    def laid_out(marked: list[bool]) -> Cells:
        return arrays.array(marked).reshape(sizes).transpose(parts[0] + parts[1]).reshape(rows, -1)

    return laid_out([answer == value for answer in answers]), laid_out([answer in (value, None) for answer in answers])


def _work(task: Spec, rectangles: list[Any]) -> int:
    """Work to read the strings of all rectangles and to check all their inputs."""
    work = 0
    for rectangle in rectangles:
        require_fields(rectangle, "cover.rectangles", alice=list, bob=list, weight=int)
        rows, columns = len(rectangle["alice"]), len(rectangle["bob"])
        work += PARSED * (rows + columns) * task.tokens + 20 * rows * columns + 20_000
    return work


def _numbers(strings: list[Any], task: Spec, part: tuple[int, ...], where: str) -> arrays.Integers:
    """The numbers, in order, of the strings of one party; none may repeat."""
    alphabets, numbers = [task.alphabets[i] for i in part], []
    for tokens in strings:
        place = 0
        for token, alphabet in zip(string(tokens, alphabets, where), alphabets, strict=True):
            place = place * len(alphabet) + token - alphabet.start
        numbers.append(place)
    if not numbers or len(set(numbers)) < len(numbers):
        raise Refused(f"{where}: expected different strings, and at least one")
    return arrays.integers(numbers)
