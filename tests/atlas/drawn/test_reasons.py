"""The reasons that drawings give, on inputs whose answer can be seen by hand."""

from __future__ import annotations

import re

import pytest

from separatrix.atlas.drawn import draw_example
from separatrix.tasks import make_task


@pytest.mark.parametrize(
    ("name", "parameters", "text", "why"),
    [
        ("index-lookup", {"length": 5}, "s2 s0 s3 s1 s0 @3", "The last token queries place 3, which holds s3."),
        ("associative-recall", {"length": 2}, "x3 y0 x0 y1 x0", "The query x0 is the key at place 3. Its label y1 follows it."),
        (
            "mqar",
            {"length": 4},
            "x3 y0 x0 y1 x0 y1 x3",
            "Each of the last 2 keys asks for the label that followed it the first time: y1 y0.",
        ),
        ("equality", {"length": 6}, "0 1 1 0 0 0", "The halves differ at places 2 and 3 of each half: 0."),
        ("equality", {"length": 6}, "0 1 1 0 1 1", "The second half repeats the first: 1."),
        ("eq-one", {"length": 6}, "7 3 7 # 7 9 7", "The halves differ at place 2 of each half: 0."),
        ("partition-equality", {"length": 6, "first": (1, 3, 4)}, "0 1 1 1 0 0", "places 1 and 2 do not: 0."),
        ("intersects", {"length": 6}, "1 1 0 0 1 0", "The sets {1, 2} and {2} share 2: 1."),
        ("intersects", {"length": 6}, "0 1 1 1 0 0", "The sets {2, 3} and {1} have nothing in common: 0."),
        ("parity", {"length": 4}, "0 1 1 0 <eos>", "The number of 1s is 2, which is even: 1."),
        ("parity-next", {"length": 4}, "1 0 1 1", "The number of 1s so far is 3, which is odd: only a bit can follow."),
        ("ones", {"length": 3}, "1 0 1 <eos>", "There is a 0 at place 2: 0."),
        ("an-bn", {"length": 4}, "a a a b <eos>", "Each arc must join an a and a b; places 2 and 3 do not: 0."),
        ("an-bn", {"length": 3}, "a a b <eos>", "places 2 and 2 do not: 0."),
        ("regular", {"length": 2, "language": "(ab)*"}, "b a <eos>", "It ends in state 2, which does not accept: 0."),
        ("dyck", {"length": 6}, "([])[]", "Every bracket is matched, and at most 2 are open at once: 1."),
        ("dyck", {"length": 6}, "([)][]", "The ) at place 3 cannot close the [ at place 2: 0."),
        ("dyck", {"length": 6}, "((()))", "Place 3 is nested 3 deep, but at most 2 are allowed: 0."),
        ("dyck", {"length": 2}, "((", "The ( at place 2 is never closed: 0."),
        ("dyck-1", {"length": 4}, "( ) ) ( <eos>", "The ) at place 3 closes no open bracket: 0."),
        ("dyck-2-next", {"length": 3}, "( [ ]", "the innermost open bracket is at place 1, and only it may close."),
        ("dyck-2-next", {"length": 2}, "( )", "A bracket may open at any time; all are closed, so the end may come."),
        ("k-dnf", {"length": 4, "formula": "x1 & !x3 | x2 & x4"}, "^ 1 0 0 1", "1 of 2 hold; one is enough: 1."),
        ("k-cnf", {"length": 4, "formula": "(x1 | !x3) & (x2 | x4)"}, "^ 1 0 0 0", "1 of 2 hold; all are needed: 0."),
    ],
)
def test_the_reason_names_what_decides(name: str, parameters: dict[str, object], text: str, why: str) -> None:
    task = make_task(name, **parameters)
    assert draw_example(task, task.read(text)).why.endswith(why)


def test_terms_and_clauses_are_written_out_as_they_were_given() -> None:
    for name, formula, parts in (
        ("k-dnf", "x1 & !x3 | x2 & x4", ["x1 ∧ ¬x3: holds", "x2 ∧ x4: fails"]),
        ("k-cnf", "(x1 | !x3) & (!x2 | x4)", ["x1 ∨ ¬x3: holds", "¬x2 ∨ x4: fails"]),
    ):
        task = make_task(name, length=4, formula=formula)
        assert re.findall(r">([^<>]*: (?:holds|fails))<", str(draw_example(task, (2, 1, 1, 0, 0)).picture)) == parts


def test_the_arrow_of_a_lookup_ends_at_the_place_that_is_asked() -> None:
    task = make_task("index-lookup", length=5)
    ends = [
        float(result)
        for p in range(1, 6)
        for result in re.findall(r'class="head mark" d="M (\S+)', str(draw_example(task, task.read(f"s2 s0 s3 s1 s0 @{p}")).picture))
    ]
    assert ends == [40 * p - 20 for p in range(1, 6)]


def test_every_query_of_multi_query_recall_has_an_arrow_and_says_its_label() -> None:
    task = make_task("mqar", length=6)
    picture = str(draw_example(task, task.read("x2 y0 x1 y1 x5 y1 x1 y1 x2 y0 x5")).picture)
    assert [float(x) for x in re.findall(r'class="head mark" d="M (\S+)', picture)] == [100, 20, 180]  # columns 2, 0 and 4
    assert re.findall(r"says (y\d)", picture) == ["y1", "y0", "y1"]


def test_inner_products_stand_below_the_vectors() -> None:
    task = make_task("nearest-neighbor", length=3, dimension=2, gamma=1.0)  # vectors (+-1, +-1) / sqrt 2
    picture = str(draw_example(task, task.read("x3 y0 x1 y1 x1")).picture)
    assert re.findall(r">([+−]\d\.\d\d)<", picture) == ["+0.00", "+1.00"]


def test_the_depth_below_each_bracket_is_marked_where_it_is_too_deep() -> None:
    task = make_task("dyck", length=6)
    depths = re.findall(r'class="note (quiet|bad)"[^>]*>(\d)<', str(draw_example(task, task.read("((()))")).picture))
    assert depths == [("quiet", "1"), ("quiet", "2"), ("bad", "3"), ("quiet", "2"), ("quiet", "1"), ("quiet", "0")]
