"""Turing machines by a linear recurrent network, and by one with a head: every token of the chain against the machine's own log."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_document, check_text, sealed
from separatrix.constructions import build, construction
from separatrix.errors import BadInput

BUSY_BEAVER = """
start = "A"
accept = "halt"
reject = "never"
blank = "0"
input = "01"
[moves.A]
0 = ["B", "1", "R"]
1 = ["B", "1", "L"]
[moves.B]
0 = ["A", "1", "L"]
1 = ["C", "0", "L"]
[moves.C]
0 = ["halt", "1", "R"]
1 = ["D", "1", "L"]
[moves.D]
0 = ["D", "1", "R"]
1 = ["A", "0", "R"]
"""


ways = pytest.mark.parametrize("name", ["turing-machine/linear-rnn", "turing-machine/hybrid"])


def words(built: object, text: str) -> list[str]:
    task = built.task  # type: ignore[attr-defined]
    return task.text(built.generate(task.read(text))).split()  # type: ignore[attr-defined,no-any-return]


def test_an_input_on_which_the_machine_leaves_its_cells_or_does_not_halt_is_refused() -> None:
    """A palindrome of four symbols: the machine looks at the blanks beside its input, and takes more than three steps."""
    narrow, short = build("turing-machine/linear-rnn", length=4, margin=0), build("turing-machine/linear-rnn", length=4, steps=3)
    prompt = narrow.task.read("<s> 0 1 1 0")
    with pytest.raises(BadInput, match=r"turing-machine: this input has no answer: the machine leaves its cells 1\.\.4, .* margin=0"):
        narrow.generate(prompt)
    with pytest.raises(BadInput, match=r"the machine does not halt within steps=3"):
        short.generate(prompt)
    enough = build("turing-machine/linear-rnn", length=4)
    assert enough.task.target_text(enough.answer(prompt)) == "YES"  # type: ignore[arg-type]


@ways
@pytest.mark.parametrize("arithmetic", ["float64", pytest.param("nearest:65,strict", marks=pytest.mark.slow)])
def test_palindromes_are_found_out_step_by_step(name: str, arithmetic: str) -> None:
    built = build(name, length=3, arithmetic=arithmetic)
    for word in product("01", repeat=3) if arithmetic == "float64" else ("010", "011"):
        prompt = built.task.read(" ".join(("<s>", *word)))
        chain = built.task.text(built.generate(prompt)).split()
        log = built.task.log(prompt)  # type: ignore[attr-defined]
        assert chain[:-2] == [w for move in log for w in (f"r:{move.read}", f"w:{move.written}", f"q:{move.state}", move.direction)]
        assert chain[-2:] == ["YES" if word[0] == word[2] else "NO", "</s>"]
        assert len(chain) == 4 * len(log) + 2


@pytest.mark.slow
@ways
def test_a_longer_palindrome_takes_hundreds_of_tokens(name: str) -> None:
    built = build(name, length=14)
    for text, answer in (("01100100100110", "YES"), ("01100101100110", "NO")):
        chain = words(built, " ".join(("<s>", *text)))
        assert chain == built.task.text(built.task.chain(built.task.read(" ".join(("<s>", *text)))) or ()).split()
        assert chain[-2] == answer
    assert len(words(built, "<s> 0 1 1 0 0 1 0 0 1 0 0 1 1 0")) > 4 * 100


@ways
def test_a_machine_that_writes_to_the_left_of_its_input(name: str) -> None:
    built = build(name, length=3, machine="increment", padding=2)
    assert words(built, "<s> 1 0 1 # #")[-6:] == ["r:0", "w:1", "q:no", "S", "NO", "</s>"]
    assert words(built, "<s> 1 1 1 # #")[-6:] == ["r:_", "w:1", "q:yes", "S", "YES", "</s>"]


@ways
def test_the_busy_beaver_of_four_states_runs_107_steps_and_writes_13_ones(name: str, tmp_path: Path) -> None:
    (tmp_path / "beaver.toml").write_text(BUSY_BEAVER)
    built = build(name, length=1, machine=str(tmp_path / "beaver.toml"), margin=16, steps=107)
    chain = words(built, "<s> 0")
    assert len(chain) == 4 * 107 + 2
    ones, head = set(), 1
    for w, direction in zip(chain[1:-2:4], chain[3:-2:4], strict=True):
        ones = ones | {head} if w == "w:1" else ones - {head}
        head += {"L": -1, "R": 1}[direction]
    assert len(ones) == 13  # by Brady 1983
    short = construction("turing-machine/linear-rnn").task_at(length=1, machine=BUSY_BEAVER, margin=16, steps=106)
    assert short.answer(short.read("<s> 0")) is None


@ways
def test_the_certificate_contains_the_machine_and_the_checker_runs_it(name: str) -> None:
    certificate = verify(build(name, length=3))
    verdict = check_text(certificate.to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert (
        "of 8 states and 3 symbols within 25 steps and margin 1 on either side of the input, N = 3, step by step: right on all 8 inputs"
        in verdict.claim
    )
    text = certificate.document["claim"]["parameters"]["machine"]
    for old, new, reason in (
        ('["no", "1", "R"]', '["yes", "1", "R"]', "the program says"),  # another machine
        ('["no", "1", "R"]', '["lost", "1", "R"]', "an unknown state, symbol or direction"),
        ('0 = ["return", "_", "L"]\n', "", "no move of state"),
        ('reject = "no"', 'reject = "yes"', "expected two states that halt"),
    ):
        document = {**certificate.document, "claim": {"task": "turing-machine", "parameters": {
            **certificate.document["claim"]["parameters"], "machine": text.replace(old, new, 1)}}}  # fmt: skip
        refused = check_document(sealed({key: value for key, value in document.items() if key != "digest"}))
        assert not refused.holds
        assert reason in refused.reason, refused.reason


def test_the_state_is_linear_in_the_cells_and_does_not_see_the_padding() -> None:
    declared = construction("turing-machine/linear-rnn")
    bits = {n: declared.sizes(declared.task_at(length=n).parameters)["state_bits"] for n in (2, 3, 10)}  # type: ignore[index]
    assert bits[10] - bits[3] == 7 * (bits[3] - bits[2]) == 7 * 64  # a cell is one number
    padded = declared.task_at(length=3, padding=1000)
    assert declared.sizes(padded.parameters) == declared.sizes(declared.task_at(length=3).parameters)


def test_a_changed_weight_is_noticed() -> None:
    built = build("turing-machine/linear-rnn", length=3)
    built.model.layers[1].mixer.transition.data[2, 2] = 0.0  # type: ignore[union-attr]  # a cell forgets
    assert not trial(built, [{"kind": "all", "seed": 0, "count": 8}]).holds
