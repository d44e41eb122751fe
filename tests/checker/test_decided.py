"""A table of decided languages: complete, and refused with its reason where a witness is false or a language is missing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from separatrix.certificates.languages import languages_certificate
from separatrix.checker import check_document
from separatrix.checker.decided import acts, check_table, minimal, minimal_automata, numbered, twins
from separatrix.checker.seal import Refused
from separatrix.constructions.languages.mamba import recogniser
from separatrix.refuters.decided_tables import decided_lines
from separatrix.tasks.languages.automata import from_document

Line = dict[str, Any]


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """All languages of at most two states."""
    return json.loads(json.dumps(list(decided_lines(2))))


def checked(lines: list[Line], folder: Path, packed: bool = False) -> tuple[bool, str, dict[str, Any]]:
    path = folder / "languages.jsonl"
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    verdict, counts = check_table(path)
    return verdict.holds, verdict.claim or verdict.reason, counts


def language(lines: list[Line], periodic: bool) -> Line:
    return next(line for line in lines if "moves" in line and len(line["moves"]) == 2 and (line["period"] is not None) == periodic)


def certificate(lines: list[Line]) -> Line:
    return next(line for line in lines if "kind" in line)


def test_a_complete_table_is_counted(lines: list[Line], tmp_path: Path) -> None:
    for packed in (False, True):
        holds, said, counts = checked(lines, tmp_path, packed)
        assert holds, said
        assert (counts["languages"], counts["built by Mamba"], counts["impossible for monotone stacks"], counts["open"]) == (26, 12, 14, 0)
        assert said.startswith("of the 26 regular languages over two letters with at most 2 states, Mamba (float64, token by token) recog")


def test_without_its_weights_a_language_is_open(lines: list[Line], tmp_path: Path) -> None:
    holds, said, counts = checked([line for line in lines if line is not certificate(lines)], tmp_path)
    assert holds
    assert counts["open"] == 2
    assert said.endswith("; 2 are open")


CHANGES: list[tuple[str, Callable[[list[Line]], None], str]] = [
    ("a language is missing", lambda lines: lines.remove(language(lines, periodic=True)), "is missing"),
    ("a language twice", lambda lines: lines.append(language(lines, periodic=True)), "the language has a line already"),
    ("a word that does not count", lambda lines: language(lines, periodic=True)["period"].update(p=3), "p: expected 3 blocks"),
    ("a period of a star-free language", lambda lines: language(lines, periodic=False).update(period={"x": [], "u": [0], "y": [], "p": 2}),
     "lead back"),
    ("a factor less", lambda lines: language(lines, periodic=True).update(factors=[[], []]), "their product is not the letter"),
    ("twins that are not", lambda lines: language(lines, periodic=False).update(twins=[[0], [1]]), "line"),
    ("an automaton that is not minimal", lambda lines: language(lines, periodic=False).update(accepting=[0, 1]), "a minimal automaton"),
    ("three letters", lambda lines: language(lines, periodic=False).update(moves=[[0, 1, 0], [1, 0, 1]]), "two states for each state"),
    ("weights that were edited", lambda lines: certificate(lines).update(construction="mine"), "the digest does not match"),
    ("a line of something else", lambda lines: lines.append({"answer": 42}), "line"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_a_false_line_is_refused_with_its_number(
    lines: list[Line], change: Callable[[list[Line]], None], reason: str, tmp_path: Path
) -> None:
    copied = json.loads(json.dumps(lines))
    change(copied)
    holds, said, _ = checked(copied, tmp_path)
    assert not holds
    assert reason in said


def test_a_table_is_about_float64_as_its_sentence_says(lines: list[Line], tmp_path: Path) -> None:
    """Another set of weights for the same languages, right in float32, is not what is counted."""
    other = json.loads(json.dumps(certificate(lines)))
    automaton, sets = from_document(json.loads(other["automaton"]), "automaton"), [frozenset(each) for each in other["languages"]]
    narrow = languages_certificate(recogniser(automaton, sets, "float32"), automaton, sets, "")
    assert check_document(narrow).holds
    holds, said, _ = checked([narrow if line is certificate(lines) else line for line in lines], tmp_path)
    assert not holds
    assert "arithmetic: the certificate says 'float32', recomputation gives 'float64'" in said


def test_a_table_of_nothing_shows_nothing_and_weights_count_once(lines: list[Line], tmp_path: Path) -> None:
    assert checked([], tmp_path)[:2] == (False, "it has no language")
    assert checked([certificate(lines)], tmp_path)[:2] == (False, "it has no language")
    holds, said, counts = checked([*lines, certificate(lines), certificate(lines)], tmp_path)
    assert (holds, said, counts) == checked(lines, tmp_path)


def test_a_file_that_is_cut_short_is_not_readable(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * 1000)[:-9])
    verdict, _ = check_table(path)
    assert not verdict.holds
    assert not check_table(tmp_path / "nothing.jsonl.gz")[0].readable


def test_minimal_automata_are_counted_as_others_counted_them() -> None:
    """2, 24 and 1,028: Domaratzki, Kisman and Shallit, On the number of distinct languages accepted by finite automata, 2002."""
    sizes = [len(moves) for moves, _ in minimal_automata(3)]
    assert [sizes.count(n) for n in (1, 2, 3)] == [2, 24, 1028]


def test_words_act_from_left_to_right_and_states_are_numbered_breadth_first() -> None:
    moves = ((1, 2), (1, 1), (0, 2))
    assert acts(moves, [1, 0]) == (0, 1, 0)
    assert numbered(moves)
    assert not numbered(((2, 1), (1, 1), (0, 2)))
    assert minimal(((1, 0), (1, 0)), frozenset({1}))
    assert not minimal(((1, 0), (1, 0)), frozenset({0, 1}))


def test_twins_are_different_idempotents_with_one_image_where_they_are_met() -> None:
    first, parity = ((1, 2), (1, 1), (2, 2)), ((1, 0), (0, 1))  # words that begin with a; an even number of a
    twins(first, [[0], [1]], 0)
    with pytest.raises(Refused, match="expected different idempotents"):
        twins(parity, [[0], [1]], 0)  # a swap is no idempotent
    with pytest.raises(Refused, match="expected different idempotents"):
        twins(first, [[0], [0, 0]], 0)  # they act alike
    with pytest.raises(Refused, match="expected different idempotents"):
        twins(first, [[0, 1, 1, 1], [1, 1, 1, 1]], 3)  # after three letters nothing leads from the start any more
    with pytest.raises(Refused, match="expected words of at least 3 letters that end alike"):
        twins(first, [[0, 1, 1, 1], [1, 1, 1, 0]], 3)


@pytest.mark.slow
def test_the_languages_of_at_most_three_states(tmp_path: Path) -> None:
    holds, said, counts = checked(json.loads(json.dumps(list(decided_lines(3)))), tmp_path)
    assert holds, said
    assert (counts["languages"], counts["built by Mamba"], counts["impossible for monotone stacks"], counts["open"]) == (1054, 174, 880, 0)
