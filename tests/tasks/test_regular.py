from __future__ import annotations

import collections
import itertools
import json
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.languages.regular_expression import parse
from separatrix.tasks.regular import Regular, reach, thresholds
from tests.tasks.languages.test_regular_expression import random_expression
from tests.tasks.plain_counter import Draws

DYCK_2_2 = r"(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*"
LAST_BUT_ONE = "(a|b)*a(a|b)"


def completions(task: Regular, prefix: tuple[int, ...], label: bool) -> int:
    """Words of length N with this prefix and this label, by trying them all."""
    if len(prefix) == task.length:
        return int(task.member(prefix) == label)
    return sum(completions(task, (*prefix, symbol), label) for symbol in range(len(task.letters)))


def test_examples_replay_from_the_documented_draws() -> None:
    task = Regular(5, "(a|bab|c)*")
    batch = task.sample(3, 40, start=9)
    for r in range(40):
        draws, word = Draws(task, 3, 9 + r), ()
        label = draws.high(0, 2) == 0
        for c in range(5):
            shares = [completions(task, (*word, symbol), label) for symbol in range(3)]
            drawn = draws.word(c + 2) >> 32
            symbol = next(a for a in range(3) if drawn < 2**32 * sum(shares[: a + 1]) // sum(shares))
            word = (*word, symbol)
        assert batch.row(r) == (*word, 3)
        assert batch.answer(r) == label


@pytest.mark.parametrize("label", [0, 1])
def test_words_are_uniform_on_either_side(label: int) -> None:
    task = Regular(6, LAST_BUT_ONE)
    batch = task.sample(1, 20_000)
    drawn = collections.Counter(batch.row(r) for r in range(20_000) if batch.targets[r, -1] == label)
    kinds = [tokens for tokens in task.inputs() if task.answer(tokens) == label]
    expected = drawn.total() / len(kinds)
    assert set(drawn) <= set(kinds)
    free = len(kinds) - 1
    assert sum((drawn[tokens] - expected) ** 2 / expected for tokens in kinds) < free + 5 * math.sqrt(2 * free)


def test_dyck_2_2_has_two_to_the_N_minus_1_words() -> None:
    task = Regular(6, DYCK_2_2)
    assert sum(bool(task.answer(tokens)) for tokens in task.inputs()) == 32


def test_python_reads_the_expression_in_the_same_way() -> None:
    for language in ("(ab|b)*a?", "a(a|b)*b", "(a|bb)*ab"):
        task = Regular(7, language)
        for tokens in task.inputs():
            word = "".join(task.letters[symbol] for symbol in tokens[:-1])
            assert bool(task.answer(tokens)) == (re.fullmatch(language, word) is not None), (language, word)


def test_the_second_solver_reads_an_automaton_backwards() -> None:
    task = Regular(6, json.dumps(Regular(6, "(a|bb)*ab").automaton.document()))
    assert {(task.second(tokens), task.answer(tokens)) for tokens in task.inputs()} == {(0, 0), (1, 1)}


def test_places_reached_by_an_expression_are_the_ends_of_its_words() -> None:
    draw = random.Random(8)
    for _ in range(40):
        text = random_expression(draw, 3)
        task, expression = Regular(5, text, alphabet="ab"), parse(text)
        for n in range(6):
            for word in itertools.product((0, 1), repeat=n):
                ends = reach(expression, ["ab"[symbol] for symbol in word], {0})
                assert ends == {t for t in range(n + 1) if task.member(word[:t])}, (text, word)


def test_near_negatives_are_one_symbol_away_from_a_member() -> None:
    task = Regular(8, DYCK_2_2, negatives="near")
    members = [tokens for tokens in Regular(8, DYCK_2_2).inputs() if task.answer(tokens)]
    batch = task.sample(0, 200)
    for r in range(200):
        if batch.targets[r, -1] == 0:
            assert min(sum(a != b for a, b in zip(batch.row(r), member, strict=True)) for member in members) == 1


def test_all_changes_that_leave_the_language_are_equally_likely() -> None:
    task = Regular(3, "aaa|aab|bbb")
    members = np.tile([0, 0, 0], (12_000, 1))
    drawn = np.random.default_rng(0).integers(0, 2**64, 12_000, dtype=np.uint64)
    changed, some = task._changed(members, drawn)
    counts = collections.Counter(map(tuple, changed.tolist()))
    assert some.all()
    assert set(counts) == {(1, 0, 0), (0, 1, 0)}  # aab is inside
    assert abs(counts[1, 0, 0] - 6000) < 220  # 4 standard deviations


def test_a_member_that_no_change_drives_out_is_left_alone_and_the_negative_is_uniform() -> None:
    task = Regular(2, "aa|ab|ba", negatives="near")
    changed, some = task._changed(np.array([[0, 0], [0, 1]]), np.array([0, 0], dtype=np.uint64))
    assert some.tolist() == [False, True]
    assert changed.tolist() == [[0, 0], [1, 1]]
    batch = task.sample(0, 100)
    assert {batch.row(r) for r in range(100) if batch.targets[r, -1] == 0} == {(1, 1, 2)}


@pytest.mark.parametrize(("language", "N", "label"), [("(aa)*", 3, 0), ("(aa)*", 4, 1), ("(a|b)*", 5, 1), ("a{3}", 5, 0)])
def test_where_one_side_is_empty_all_labels_are_the_other(language: str, N: int, label: int) -> None:
    for negatives in ("uniform", "near"):
        batch = Regular(N, language, negatives=negatives).sample(0, 30)
        assert batch.targets[:, -1].tolist() == [label] * 30


def test_an_automaton_is_as_good_as_an_expression_and_its_file_name_does_not_matter(tmp_path: Path) -> None:
    document = Regular(7, LAST_BUT_ONE).automaton.document()
    tasks = []
    for name in ("one.json", "other.json"):
        (tmp_path / name).write_text(json.dumps(document))
        tasks.append(Regular(7, str(tmp_path / name)))
    inline = make_task("regular", **tasks[0].parameters)
    assert tasks[0].parameters == tasks[1].parameters == inline.parameters
    assert (tasks[0].sample(1, 50).tokens == inline.sample(1, 50).tokens).all()
    assert tasks[0].automaton == Regular(7, LAST_BUT_ONE).automaton


def test_symbols_may_be_words_in_an_automaton() -> None:
    moves = {"off": {"switch": "on"}, "on": {"switch": "off"}}
    task = Regular(2, json.dumps({"alphabet": ["switch", "wait"], "start": "off", "accepting": ["off"], "moves": moves}))
    assert task.text((0, 0, 2)) == "switch switch <eos>"
    assert task.read("switch wait <eos>") == (0, 1, 2)


def test_the_table_that_many_samplers_share_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        thresholds(Regular(3, "ab*").automaton, 3)[0, 0, 0, 0] = 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"language": "(ab"}, "regular expression '(ab' at character 4: expected ')'"),
        ({"language": "nowhere.json"}, "automaton nowhere.json: cannot read the file (FileNotFoundError)"),
        ({"language": "{}"}, "automaton in the text: expected an object with alphabet, start, accepting, moves, found nothing"),
        ({"language": "nowhere.json", "alphabet": "ab"}, "an automaton has its own alphabet: leave out the other one"),
        ({"language": "ab", "length": 0}, "regular: length N must be at least 1, found 0"),
        (
            {"language": '{"alphabet": ["<eos>"], "start": "q", "accepting": ["q"], "moves": {"q": {}}}'},
            "regular: the symbol <eos> is the end of a word and cannot be in the alphabet",
        ),
    ],
)
def test_what_is_no_language_is_refused_in_one_line(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make_task("regular", **{"length": 4, **parameters})
    assert str(caught.value) == message


def test_a_table_that_would_be_too_large_is_refused() -> None:
    task = Regular(10_000, "(a|b)*a(a|b){9}")
    with pytest.raises(
        BadInput, match="sampling words of length 10000 over 1024 states and 2 symbols needs a table above 10000000 entries"
    ):
        task.sample(0, 1)
