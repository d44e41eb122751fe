"""Certificates of recognisers: one set of weights that decides several languages of one automaton, at every length.

The languages have the same moves and differ in the accepting states. The model has two targets for each of them, not a member and a
member, in this order; so each language has its own two rows of the read-out, and everything below is shared. The proof is a simulation
(replay/simulation.py) over words of one symbol or more, each followed by the end symbol, which leaves the state as it is. The empty word is
one step from the start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import free_text, require_equal
from separatrix.checker.kinds.program import digits, hypotheses, shown_margin
from separatrix.checker.models.reading import load, outline
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.leads import Margin, leads_of, margin_of
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.replay.simulation import Stepper, read, replayed
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, counted, number
from separatrix.checker.specs.automata import language_of
from separatrix.checker.specs.forms.automaton import Automaton, EveryLength, Phase

FIELDS: dict[str, Any] = {"automaton": str, "languages": list, "construction": str, "program": dict, "weights": dict, "proof": dict}
Moves = tuple[tuple[int, ...], ...]


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless the right answer of every language leads after every move that ends a word."""
    free_text(document["construction"], "construction")
    moves, sets = recognised(document)
    letters, states = len(moves[0]), len(moves)
    draft = outline(document["program"])
    require_equal(draft.description.embedding.vocabulary, letters + 1, "the model's vocabulary")
    require_equal(draft.description.readout.targets, 2 * len(sets), "the model's targets")
    require_equal(draft.decoder.kind, "position", "decoder.kind")
    program = load(draft, document["weights"], beside, budget)
    model = program.model
    try:
        stepper = Stepper(model)
        invariant = read(document["proof"], stepper.width, model)
        if not invariant.every:
            raise Refused("proof.lengths: expected every")
        met, logits = replayed(stepper, walk(moves), invariant, budget)
        nothing = stepper.step(stepper.start(), arrays.array([letters]))[1]
    except (Unfit, Unproven) as error:
        raise Refused(f"proof: {error}") from error
    last = [i for i, move in enumerate(met) if move.ends]
    ends = ((logits[arrays.array(last)], [met[i].state for i in last]), (nothing, [0]))
    margin = min(led(model.ops, said, after, accepting, k) for said, after in ends for k, accepting in enumerate(sets))
    sentence = (
        f"{counted(len(sets), 'language')} of one automaton with {counted(states, 'state')}: right on every word of every length, by at "
        f"least {digits(margin)}; {counted(len(draft.description.layers), 'layer')}, width {number(draft.description.width)}, "
        f"{model.ops.name}"
    )
    shown = (
        f"automaton and model stay in {number(len(invariant.moves))} listed pairs of states: every move from one of them leads to another"
    )
    return Shown(
        sentence,
        "proven",
        ({"kind": "proof", "text": shown, "rule": "simulation", "margin": shown_margin(margin)}, *hypotheses(program, "")),
    )


def recognised(document: dict[str, Any]) -> tuple[Moves, list[frozenset[int]]]:
    """The moves and the accepting states of each language; states are numbered as the automaton lists them."""
    _, (rows, _) = language_of(document["automaton"], None)
    moves: Moves = rows[:-1]  # the last one is for missing moves
    if any(r >= len(moves) for row in moves for r in row):
        raise Refused("automaton: expected a move for every state and symbol")
    met = [0]
    for q in met:  # grows during the loop
        met += {*moves[q]} - {*met}
    if len(met) < len(moves):  # sets that differ in states that are never met would be one language
        raise Refused(f"automaton: expected {len(moves)} states that words lead to, found {len(met)}")
    sets = []
    for accepting in document["languages"]:
        if type(accepting) is not list or any(type(q) is not int or not 0 <= q < len(moves) for q in accepting):
            raise Refused(f"languages: expected lists of states 0..{len(moves) - 1}")
        sets.append(frozenset(accepting))
    if not sets or len(set(sets)) < len(sets):
        raise Refused("languages: expected at least one set of accepting states, and no set twice")
    return moves, sets


def walk(moves: Moves) -> Automaton:
    """Words of every length; the end symbol leaves the state as it is."""
    S = len(moves[0])
    phases = (Phase(range(S), repeats=True), Phase(range(S, S + 1), repeats=False))

    def step(state: int, token: int) -> int:
        return moves[state][token] if token < S else state

    return Automaton((range(S), range(S, S + 1)), 0, step, lambda state: state, every=EveryLength("an automaton", phases))


def led(ops: Numbers, logits: Box, after: list[Any], accepting: frozenset[int], k: int) -> Margin:
    """By how much the right answer to language k leads; refused if it may trail."""
    two = logits[:, 2 * k : 2 * k + 2]
    margin = margin_of(ops, leads_of(ops, two, arrays.array([int(q in accepting) for q in after])))
    if not margin > 0:
        raise Refused(f"language {k + 1}: the right answer may trail by {float(-margin):.3g}")
    return margin
