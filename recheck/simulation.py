"""The rule `simulation`: automaton and model never leave the listed pairs of states, by induction over the tokens."""

import math
from fractions import Fraction
from typing import Any

from flint import arb

from recheck.languages import Automaton
from recheck.mixers import KINDS
from recheck.network import Network
from recheck.numbers import Exact, Value, Vector
from recheck.verdicts import Refused, Uncovered, exactly, require, whole

ROUNDS = 12  # in which boxes may grow
Phase = tuple[range, bool]  # its tokens, and whether it repeats


def replay(automaton: Automaton, ends: bool, length: int, net: Network, proof: Any) -> Fraction:
    """Every move, from every box; returns a lower bound of the least lead of the right answer, or of those of several languages."""
    exactly(proof, "rule lengths moves low high", "proof")
    require(not net.places and net.number is None, "simulation: the model has positions")
    if not all(layer.kind in KINDS for layer in net.layers):
        raise Uncovered("simulation of a model with other layers")
    moves = proof["moves"]
    boxes = _boxes(net, proof, len(moves) if isinstance(moves, list) else 0)
    require(proof["lengths"] in ("every", "stated"), "lengths: every or stated")
    words = range(automaton.letters)
    phases: list[Phase] = [(words, True)] if proof["lengths"] == "every" else [(words, False)] * length
    phases += [(range(len(words), len(words) + 1), False)] if ends else []
    for _ in range(ROUNDS):
        before = list(boxes)
        least = _replayed(automaton, ends, phases, net, moves, boxes)
        if all(a is b for a, b in zip(before, boxes, strict=True)):
            return least
    raise Uncovered("the boxes of the proof, enlarged by our own roundings, are not stable")


def _replayed(automaton: Automaton, ends: bool, phases: list[Phase], net: Network, moves: Any, boxes: list[Vector]) -> Fraction:
    """One round. A box of floats that misses a little of what we reach, as our roundings are larger ones, is replaced by a larger one."""
    state: list[Any] = [None] * len(boxes)
    phase: list[int | None] = [None] * len(boxes)
    state[0], phase[0] = automaton.first, -1
    start = [number for layer in net.layers for number in layer.start()]
    boxes[0] = _within(net, start, boxes[0], "pair 0: its box misses the first state")
    least: Fraction | None = None
    answers = set()
    for i, named in enumerate(moves):
        at = phase[i]
        if at is None:
            raise Refused(f"pair {i} is not reached from one before it")
        due = [(at, s) for s in phases[at][0]] if at >= 0 and phases[at][1] else []
        due += [(at + 1, s) for s in phases[at + 1][0]] if at + 1 < len(phases) else []
        require(isinstance(named, list) and len(named) == len(due), f"pair {i}: expected {len(due)} moves")
        for (then, token), goal in zip(due, named, strict=True):
            require(0 < whole(goal, f"pair {i}") < len(boxes), f"pair {i}: a move leads to pair {goal}")
            after = state[i] if ends and token == automaton.letters else automaton.move(state[i], token)
            if phase[goal] is None:
                require(goal > i, f"pair {goal} is not reached from one before it")
                state[goal], phase[goal] = after, then
            require((state[goal], phase[goal]) == (after, then), f"pair {i}, token {token}: pair {goal} has another state or phase")
            reached, logits = _stepped(net, boxes[i], token)
            boxes[goal] = _within(net, reached, boxes[goal], f"pair {i}, token {token}: the model leaves the box of pair {goal}")
            if then == len(phases) - 1:
                accepted = automaton.accepts(after)
                for k, right in enumerate(accepted if isinstance(accepted, tuple) else (int(accepted),)):
                    answers.add(right)
                    require(len(logits) > 2 * k + 1, "simulation: expected two targets")
                    lead, most = net.numbers.lead(logits[2 * k + right], logits[2 * k + 1 - right])
                    require(most > 0, f"pair {i}, token {token}: the right answer does not lead")
                    if lead <= 0:
                        raise Uncovered(f"pair {i}, token {token}: the lead of the right answer is not clear in balls")
                    least = lead if least is None else min(least, lead)
    require(least is not None and len(answers) == 2, "simulation: one answer, or none")
    return least or Fraction(0)


def _boxes(net: Network, proof: dict[str, Any], count: int) -> list[Vector]:
    low, high = proof["low"], proof["high"]
    high = low if high is None else high
    size = sum(layer.size() for layer in net.layers)
    require(isinstance(low, list) and isinstance(high, list) and len(low) == len(high) == count > 0, "proof: a box for each pair")
    require(all(isinstance(row, list) and len(row) == size for row in (*low, *high)), f"proof: a box has {size} numbers")
    if isinstance(net.numbers, Exact):
        require(high == low, "proof: boxes are points in an exact format")
        return [[whole(a, "low", net.numbers.low) for a in row] for row in low]
    pairs = [list(zip(below, above, strict=True)) for below, above in zip(low, high, strict=True)]
    for a, b in (pair for box in pairs for pair in box):
        require(type(a) in (int, float) and type(b) in (int, float) and math.isfinite(a) and a <= b < math.inf, "proof: not a box")
    return [[arb(a).union(arb(b)) for a, b in box] for box in pairs]


def _within(net: Network, found: Vector, box: Vector, reason: str) -> Vector:
    """The box, if the numbers lie in it; else a larger one, if they leave it by no more than roundings may explain.

    A box as a ball may be a little larger than the author's; as every move starts from the larger one, the induction is the same.
    """
    if net.numbers.exact:
        require(found == box, reason)
        return box
    if all(b.contains(a) for a, b in zip(found, box, strict=True)):
        return box
    for a, b in zip(found, box, strict=True):
        over = max(float(a.upper() - b.upper()), float(b.lower() - a.lower()))
        if over > float(net.numbers.unit.sqrt() * 64 * (1 + abs(b).upper())):
            require(bool(b.overlaps(a)), reason)
            raise Uncovered(reason + ", or our balls are too wide")
    wider = [b.union(a) for a, b in zip(found, box, strict=True)]
    return [
        b if b.contains(c) else c + arb(0, (8 * net.numbers.unit * abs(c) + 2**40 * net.numbers.tiny).upper())
        for b, c in zip(box, wider, strict=True)
    ]


def _stepped(net: Network, state: Vector, token: int) -> tuple[Vector, Vector]:
    x, after, at = net.embed(token, 1), list[Value](), 0
    for layer in net.layers:
        part, x = layer.step(state[at : at + layer.size()], x, 0)
        at += layer.size()
        after += part
    return after, net.read(x)
