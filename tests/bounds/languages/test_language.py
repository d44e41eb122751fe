from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
from typing import Any

import pytest
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA

from separatrix.bounds.languages.language import language, layered_classes
from separatrix.bounds.states.profile import state_profile
from separatrix.errors import BadInput
from separatrix.tasks.languages.regular_expression import automaton

DYCK_2_2 = r"(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*"
PARITY = "0*(10*10*)*"


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    return {row["architecture"]: row["verdict"] for row in report["verdicts"]}


def random_expression(draw: random.Random, depth: int) -> str:
    """In the syntax that automata-lib, Python's `re` and we share."""
    if depth == 0:
        return draw.choice(["a", "b", "a", "b", "[ab]", "."])
    one, other = (random_expression(draw, depth - 1) for _ in range(2))
    return draw.choice([one + other, one + other, f"({one}|{other})", f"({one})*", f"({one})" + draw.choice(["?", "+", "{2}", "{1,2}"])])


def residuals(text: str, longest: int) -> int:
    """States that words of up to `longest` symbols reach and tell apart, by a table of prefixes and suffixes and Python's matcher."""
    words = ["".join(word) for n in range(longest + 1) for word in itertools.product("ab", repeat=n)]
    match = re.compile(text).fullmatch
    return len({tuple(match(prefix + suffix) is not None for suffix in words) for prefix in words})


def peer(text: str) -> DFA:
    result = DFA.from_nfa(NFA.from_regex(text, input_symbols={"a", "b"}))
    return result.to_complete().minify().to_complete()


def monoid_of_peer(result: DFA) -> set[tuple[Any, ...]]:
    states = sorted(result.states, key=str)
    maps = {tuple(states)}
    fresh = set(maps)
    while fresh:
        fresh = {tuple(result.transitions[q][symbol] for q in element) for element in fresh for symbol in "ab"} - maps
        maps |= fresh
    return maps


def test_a_hundred_random_languages_agree_with_automata_lib() -> None:
    draw, sizes, periodic = random.Random(11), set(), 0
    for _ in range(100):
        text = random_expression(draw, 4)
        report, other = language(text, alphabet="ab"), peer(text)
        states = sorted(other.states, key=str)
        maps = monoid_of_peer(other)
        assert report["states"] == len(states), text
        assert report["monoid"] == len(maps), text
        runs = [dict(zip(states, element, strict=True)) for element in maps]
        aperiodic = all(power(run, len(states)) == power(run, len(states) + 1) for run in runs)
        assert report["aperiodic"] is aperiodic, text
        assert report["bits"] == (len(states) - 1).bit_length()
        sizes.add(len(states))
        periodic += not aperiodic
    assert max(sizes) >= 10
    assert periodic >= 3


def power(run: dict[Any, Any], times: int) -> dict[Any, Any]:
    results = {q: q for q in run}
    for _ in range(times):
        results = {q: run[r] for q, r in results.items()}
    return results


def test_small_languages_have_as_many_states_as_a_table_of_suffixes_tells_apart() -> None:
    draw, checked = random.Random(5), 0
    while checked < 30:
        text = random_expression(draw, 3)
        states = language(text, alphabet="ab")["states"]
        if states <= 5:  # then words of up to four symbols reach every state and tell each two apart
            assert residuals(text, 4) == states, text
            checked += 1


def test_dyck_2_2() -> None:
    """8 states with the sink, 60 elements, star-free, not in DA, 3 bits [bhattamishra2024 Theorem 5; bhattamishra2024 Lemma 1]."""
    report = language(DYCK_2_2)
    results = {key: report[key] for key in ("states", "monoid", "aperiodic", "in_da", "bits", "commutative", "period")}
    assert results == {"states": 8, "monoid": 60, "aperiodic": True, "in_da": False, "bits": 3, "commutative": False, "period": None}
    assert verdicts(report) == {
        "recurrent": "needs exactly 3 bits of state to cover all lengths",
        "one-layer Transformer": "width x heads x (precision + log N) grows linearly with N",
        "hard-attention Transformer": "not excluded",
    }


def test_parity() -> None:
    report = language(PARITY)
    assert report["period"] == {"word": ["1"], "period": 2}
    assert verdicts(report) == {
        "recurrent": "needs exactly 1 bit of state to cover all lengths",
        "one-layer Transformer": "no bound by communication",
        "hard-attention Transformer": "impossible with fixed numbers of layers and heads",
    }


@pytest.mark.parametrize(
    ("text", "one_layer", "hard_attention"),
    [
        ("(aa)*", "no bound by communication", "not excluded"),  # the length tells
        ("1*0{0}", "no bound by communication", "not excluded"),
        ("(a|b)*a(a|b)*b(a|b)*", "no more than a logarithmic bound by communication", "not excluded"),
        ("(ab)*", "not decided", "not excluded"),  # outside DA, and yet one word of each length
        ("(a*ba*ba*)*c.*", "not decided", "impossible with fixed numbers of layers and heads"),
    ],
)
def test_what_is_known_about_transformers(text: str, one_layer: str, hard_attention: str) -> None:
    by_architecture = verdicts(language(text))
    assert by_architecture["one-layer Transformer"] == one_layer
    assert by_architecture["hard-attention Transformer"] == hard_attention


# The layered profile of Dyck-(2, 2) at exact lengths is 1, 3, 6, 3, 6, .., 3, 2 [bhattamishra2024 Theorem 2].
def test_states_at_each_cut_of_words_of_one_length() -> None:
    report = language(DYCK_2_2, length=10)
    assert report["classes"] == [1, 3, 6, 3, 6, 3, 6, 3, 6, 3, 2]
    assert report["bits_at_length"] == 3


@pytest.mark.parametrize("text", ["(a|bab)*", "(a|b)*a(a|b)(a|b)", "(aa)*b", "a*"])
def test_layered_states_are_those_of_the_exhaustive_profile(text: str) -> None:
    built = automaton(text, "ab")
    for N in (1, 4, 7):
        assert layered_classes(built, N) == state_profile(built.accepts, alphabet=(0, 1), length=N).classes


def test_where_the_monoid_is_too_large_nothing_is_claimed_about_it() -> None:
    moves = {str(q): {"c": str((q + 1) % 9), "s": str({0: 1, 1: 0}.get(q, q)), "m": str({0: 1}.get(q, q))} for q in range(9)}
    report = language(json.dumps({"alphabet": ["c", "s", "m"], "start": "0", "accepting": ["0"], "moves": moves}))
    assert [report[key] for key in ("states", "bits", "monoid", "aperiodic", "in_da")] == [9, 4, None, None, None]
    assert verdicts(report)["hard-attention Transformer"] == "not decided"


def test_the_report_is_one_json_document() -> None:
    report = language(DYCK_2_2, length=4)
    assert json.loads(json.dumps(report)) == report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(ab", "regular expression '(ab' at character 4: expected ')'"),
        ("x.json", "automaton x.json: cannot read the file (FileNotFoundError)"),
    ],
)
def test_what_is_no_language_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        language(text)
    assert str(caught.value) == message


def test_no_torch_is_needed() -> None:
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from separatrix.bounds.languages.language import language; print(language('(aa)*')['monoid'])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "2\n"
