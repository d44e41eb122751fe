"""Queries to a sequence of numbers: index, what follows a gram, counting; and the searches that answer them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from separatrix.tasks import make_task
from separatrix.tasks.c_gram import CGram
from separatrix.tasks.counting import Counting
from separatrix.tasks.index import Index
from separatrix.tasks.recall_next import RecallNext
from tests.tasks.plain_counter import Draws


@pytest.mark.parametrize(
    ("name", "chosen", "text", "answer"),
    [
        ("index", {"length": 4}, "<s> 2 4 4 1 3", "4"),
        ("recall-next", {"length": 4}, "<s> 2 4 3 4 4", "3"),
        ("c-gram", {"length": 5}, "<s> 2 4 3 4 1 4 3", "4"),
        ("counting", {"length": 4}, "<s> 2 4 4 1 4 1", "YES"),
        ("counting", {"length": 4}, "<s> 2 4 4 1 4 2", "NO"),
        ("counting", {"length": 4}, "<s> 2 4 4 1 3 0", "NO"),
        ("counting", {"length": 4}, "<s> 2 4 4 1 1 0", "YES"),
    ],
)
def test_the_examples_of_the_documentation(name: str, chosen: dict[str, int], text: str, answer: str) -> None:
    for thought in ("none", "search"):
        task = make_task(name, thought=thought, **chosen)
        said = task.answer(task.read(text))
        assert isinstance(said, int)
        assert task.target_text(said) == answer


@pytest.mark.parametrize(
    ("name", "text", "chain"),
    [
        ("index", "<s> 2 4 4 1 3", r"<StartSearch> ^(?:\S+\s){ 3 }(\S+) <EndSearch> 4 4 </s>"),
        ("recall-next", "<s> 2 4 3 4 4", r"<StartSearch> (?<!\S) 4 \s(\S+) <EndSearch> 3 3 </s>"),
        ("c-gram", "<s> 2 4 3 4 4 3", r"<StartSearch> (?<!\S) 4 \s 3 \s(\S+) <EndSearch> 4 4 </s>"),
    ],
)
def test_the_chains_of_the_documentation(name: str, text: str, chain: str) -> None:
    task = make_task(name, length=4, thought="search")
    assert task.text(task.chain(task.read(text)) or ()) == chain


def test_a_count_is_searched_by_a_pattern_that_matches_iff_it_is_above_the_threshold() -> None:
    task = Counting(4, thought="search")
    for text, answer in (("<s> 2 4 4 1 4 1", "YES"), ("<s> 2 4 4 1 4 2", "NO"), ("<s> 2 2 2 2 2 2", "YES"), ("<s> 4 4 4 4 1 0", "NO")):
        words = task.text(task.chain(task.read(text)) or ()).split()
        assert words[-2:] == [answer, "</s>"]
        assert (words[-3] == "FAILED") == (answer == "NO")


@pytest.mark.parametrize("n", [2, 5, 12])
@pytest.mark.parametrize("name", ["index", "recall-next", "c-gram", "counting"])
def test_a_search_finds_what_the_oracle_says(name: str, n: int) -> None:
    task = make_task(name, length=max(n, 3), thought="search")
    for kind in task.case_kinds:
        batch = task.cases(kind, 5, 80)
        for r in range(80):
            chain = task.chain(batch.row(r))
            assert chain is not None
            assert chain[-2] == batch.answer(r), task.text(batch.row(r))


def test_the_printed_patterns_find_something_else() -> None:
    """Index skips `<s>` too, so k - 1 words are one too few; and spaces between pattern words break a quantifier."""
    text = "<s> 2 4 4 1 3"
    assert re.search(r"^(?:\S+\s){3}(\S+)", text)[1] == "4"  # type: ignore[index]
    assert re.search(r"^(?:\S+\s){ 3 }(\S+)", text) is None
    assert re.search(r"^(?:\S+\s){1}(\S+)", "<s> 2 4 2")[1] == "2"  # type: ignore[index]
    assert re.search(r"^(?:\S+\s){0}(\S+)", "<s> 2 4 1")[1] == "<s>"  # type: ignore[index]


def test_examples_replay_from_the_documented_draws() -> None:
    index, grams, counting = Index(6), CGram(7, c=3), Counting(5)
    for r in range(30):
        draws = Draws(index, 3, r)
        assert index.sample(3, 30).row(r) == (0, *(1 + draws.high(i, 6) for i in range(6)), 1 + draws.high(6, 6))
        draws = Draws(grams, 3, r)
        x, place = [1 + draws.high(i, 7) for i in range(7)], draws.high(7, 5)
        assert grams.sample(3, 30).row(r) == (0, *x, *x[place : place + 2])
        draws = Draws(counting, 3, r)
        q, m = 1 + draws.high(0, 5), draws.high(1, 6)
        taken = sorted(range(5), key=lambda i, d=draws: d.word(3 + i))[:m]
        x = [q if i in taken else 1 + (q + draws.high(8 + i, 4)) % 5 for i in range(5)]
        t = m - 1 if draws.high(2, 2) and m else m
        assert counting.sample(3, 30).row(r) == (0, *(3 + v for v in x), 3 + q, 3 + t)  # the number 0 is the special word 3


def test_every_place_is_asked_about() -> None:
    lone = Index(7).cases("lone-symbol", 0, 7)
    assert Index(7).asked(lone).tolist() == [*range(2, 9)]
    for r in range(7):
        others = {*np.delete(lone.tokens[r, 1:8], r).tolist()}
        assert len(others) == 1
        assert int(lone.tokens[r, 1 + r]) not in others
    grams = RecallNext(5).cases("every-place", 0, 4)
    assert all(grams.tokens[r, 6] == grams.tokens[r, 1 + r] for r in range(4))


def test_half_of_the_counts_are_above_the_threshold_and_the_threshold_does_not_tell() -> None:
    task = Counting(12)
    batch = task.sample(0, 4000)
    yes = batch.targets[:, -1] == 1
    assert 0.45 < yes.mean() < 0.55
    for t in range(3, 12):
        assert 0.4 < yes[batch.tokens[:, -1] == 3 + t].mean() < 0.6


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index", "2 2 2 2 1"), ("index", "<s> 2 2 <s> 1"), ("index", "<s> 1 2 3 <s>"), ("recall-next", "<s> 1 1 2 2"),
        ("recall-next", "<s> 1 1 2 3"), ("c-gram", "<s> 1 2 3 2 3"), ("counting", "<s> 1 2 3 0 1"), ("counting", "<s> 1 2 3 1 YES"),
        ("counting", "<s> 1 2 3 1"),
    ],
)  # fmt: skip
def test_outside_the_promise_there_is_no_answer(name: str, text: str) -> None:
    task = make_task(name, length=3)
    assert task.answer(task.read(text)) is None
