"""A Turing machine whose tape is one number: the chain against the machine's own log, and the state against the number of cells."""

from __future__ import annotations

from collections import deque
from itertools import pairwise, product

import pytest

from separatrix.certificates.built import Built
from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_document
from separatrix.constructions import build, construction
from separatrix.constructions.wen2024.turing_machine_turning import turning_program
from separatrix.errors import BadInput
from separatrix.tasks.turing_machine import TuringMachine
from tests.constructions.wen2024.test_turing_machine import BUSY_BEAVER

NAME = "turing-machine/linear-rnn/turning"
STAYS = """
start = "look"
accept = "yes"
reject = "no"
blank = "_"
input = "ab"
[moves.look]
a = ["mark", "x", "S"]
b = ["look", "b", "R"]
x = ["no", "x", "S"]
_ = ["back", "_", "L"]
[moves.mark]
a = ["no", "a", "S"]
b = ["no", "b", "S"]
x = ["look", "a", "R"]
_ = ["no", "_", "S"]
[moves.back]
a = ["back", "b", "L"]
b = ["no", "b", "S"]
x = ["no", "x", "S"]
_ = ["yes", "_", "S"]
"""  # accepts a^N: stays once at every a, runs to the end, and back


def words(built: Built, word: str) -> list[str]:
    """The chain."""
    return built.task.text(built.generate(built.task.read(f"<s> {' '.join(word)}"))).split()  # type: ignore[arg-type]


def replayed(built: Built, word: str) -> str:
    """The answer of a chain whose words turn the ring: a move where a state is named, else a copy of what comes to the front."""
    task = built.task
    *said, answer, stop = words(built, word)
    assert stop == "</s>"
    table = {f"{q}/{c}": move for q, c, move in task.table.moves}  # type: ignore[attr-defined]
    ring = deque([*word, *"_" * (2 * task.parameters["margin"])] if task.table.blank == "_" else word)  # type: ignore[attr-defined]
    for token in said:
        front = ring.popleft()
        assert front == token[-1]
        ring.append(table[token].written if token in table else front)
    moves = [token for token in said if token in table]
    log = task.log(task.read(f"<s> {' '.join(word)}"))  # type: ignore[attr-defined]
    states = [task.table.start, *(move.state for move in log)]  # type: ignore[attr-defined]
    assert moves == [f"{state}/{move.read}" for state, move in zip(states, log, strict=False)]
    return answer


@pytest.mark.parametrize("word", ["".join(word) for word in product("ab", repeat=4)])
def test_a_machine_that_moves_to_both_sides_and_stays_is_followed(word: str) -> None:
    answer = replayed(build(NAME, length=4, machine=STAYS), word)
    assert answer == ("YES" if word == "aaaa" else "NO")


def test_after_a_move_to_the_left_all_cells_but_two_are_copied() -> None:
    """By hand: two cells of input and a blank on either side, a ring of four; a^2 is accepted in eight steps."""
    built = build(NAME, length=2, machine=STAYS)
    chain = words(built, "aa")
    stay = ["look/a", "=a", "=_", "=_", "mark/x"]
    assert chain[:5] == stay
    assert chain[5:10] == ["look/a", "=_", "=_", "=a", "mark/x"]
    assert chain[10:] == ["look/_", "=_", "=a", "back/a", "=_", "=_", "back/a", "=b", "=_", "back/_", "YES", "</s>"]


def test_the_state_is_five_numbers_whatever_the_cells_and_the_padding() -> None:
    """Theorem 4.1: Theta(log n) bits. On log2 n cells the least precision grows with the cells, so with log n."""
    declared = construction(NAME)
    for parameters in ({"length": 3}, {"length": 16}, {"length": 9, "padding": 503}):
        assert declared.sizes(declared.task_at(**parameters).parameters)["state_bits"] == 5 * 64  # type: ignore[index]
    least = [least_precision(m) for m in (2, 4, 6)]
    assert max(after - before for before, after in pairwise(least)) <= 4  # two cells more, of three symbols and so two bits each
    assert least == sorted(set(least))


def least_precision(cells: int) -> int:
    """The least p at which fixed:p,1 holds the program on so many symbols of 2^cells tokens; they need few steps each."""
    task = TuringMachine(length=cells, padding=2**cells - cells, steps=100, thought="turning")
    for p in range(4, 64):
        try:
            turning_program(task, f"fixed:{p},1").refuse_what_does_not_fit()
        except BadInput:
            continue
        return p
    raise AssertionError("fixed:63,1 does not hold it")


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:20,1"])
def test_palindromes_behind_padding_are_certified(arithmetic: str) -> None:
    certificate = verify(build(NAME, length=3, padding=2, arithmetic=arithmetic))
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason
    assert certificate.document["cites"] == "wen2024 Theorem 4.1"
    assert (verdict.strength, "on a ring of cells" in verdict.claim) == ("exhaustive", True)


@pytest.mark.parametrize(
    ("layer", "register", "value"), [(0, 1, 0.0), (0, 2, 0.0), (1, 0, 0.0), (2, 0, 2.0)], ids=["copies", "state", "input", "base"]
)
def test_every_register_matters(layer: int, register: int, value: float) -> None:
    built = build(NAME, length=3)
    transition = built.model.state_dict()[f"layers.{layer}.mixer.transition"]
    assert transition[register, register] != value
    transition[register, register] = value
    assert not trial(built, [{"kind": "all", "seed": 0, "count": 8}]).holds


def test_a_tape_that_the_format_cannot_hold_is_refused() -> None:
    with pytest.raises(BadInput, match="more than float64 holds exactly"):
        build(NAME, length=40)
    with pytest.raises(BadInput, match="answers with thought=turning, found thought=chain"):
        build(NAME, length=3, thought="chain")


def test_the_busy_beaver_of_four_states_turns_its_tape_thousands_of_cells() -> None:
    built = build(NAME, length=4, margin=14, machine=BUSY_BEAVER, steps=120)
    prompt = built.task.read("<s> 0 0 0 0")
    chain = built.generate(prompt)
    assert chain == built.task.chain(prompt)  # type: ignore[attr-defined]
    assert len(chain) > 107 * 15  # 107 steps, and a move to the left passes 30 cells
