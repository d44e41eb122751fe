"""Chains of thought, drawn: the depth-first walk on its graph, and the head of a Turing machine on its tape, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin

from markupsafe import Markup

from separatrix.atlas.drawn.example import Drawn, Tokens, words_of
from separatrix.atlas.drawn.strip import BOX, PITCH, answer, box, line, note, picture, row, step
from separatrix.tasks.is_tree import IsTree
from separatrix.tasks.machine import DIRECTIONS
from separatrix.tasks.turing_machine import TuringMachine

RADIUS = 100  # of the circle on which vertices stand
BELOW = BOX + 45  # where the second part of a picture begins
MOVES = {"L": "moves left", "R": "moves right", "S": "stays"}
MOST_STEPS = 12  # of a machine; the rest is counted


def walk(task: IsTree, tokens: Tokens) -> Drawn:
    """The edges in boxes; below them the graph, with the steps of the walk at the edges that they take, and the walk itself."""
    edges = task.edge_list(tokens)
    assert edges is not None  # examples lie inside the promise
    tour, tree = task.tour(edges)
    symbols, right = words_of(task, tokens), "YES" if tree else "NO"
    parts = [*row(symbols, {len(symbols) - 1: "mark"}, places=None), *answer(len(symbols), right)]
    middle = (PITCH / 2 + RADIUS + 10, BELOW + RADIUS + BOX / 2)
    places = {v: _around(middle, 2 * pi * v / task.length) for v in range(1, task.length + 1)}
    crossed: dict[frozenset[int], list[int]] = {}
    for number, pair in enumerate(pairwise(tour), 1):
        crossed.setdefault(frozenset(pair), []).append(number)
    for u, v in edges:
        taken = crossed.get(frozenset((u, v)), [])
        parts.append(line(places[u], places[v], "quiet"))
        parts += [step(number, line(places[u], places[v], "mark")) for number in taken]
    for v, (x, y) in places.items():
        parts.append(box(x / PITCH - 0.5, y - BOX / 2, str(v), "good" if v in tour else ""))
    parts += [step(number, _ring(places[v])) for number, v in enumerate(tour[1:], 1)]
    parts += [_taken(places[u], places[v], crossed[frozenset((u, v))]) for u, v in edges if frozenset((u, v)) in crossed]
    listed = " ".join(map(str, tour))
    parts.append(_written(tour, (2 * RADIUS + 60) / PITCH, BELOW + RADIUS))
    columns = max(len(symbols) + 2, (2 * RADIUS + 60) / PITCH + 1 + len(listed) / 4)
    why = f"The walk from vertex 1 is {listed}; the answer is {right}."
    return Drawn(picture(parts, columns, -4, BELOW + 2 * RADIUS + BOX + 10, why), why, tuple(_moves(tour)))


def _moves(tour: Sequence[int]) -> Iterator[str]:
    """Each step of a walk in words."""
    met = {tour[0]}
    for u, v in pairwise(tour):
        yield f"from {u} back to {v}" if v in met else f"from {u} to {v}, met for the first time"
        met.add(v)


def tape(task: TuringMachine, tokens: Tokens) -> Drawn:
    """The word in boxes; below it the tape before each step, with the head marked, and the state beside it."""
    log, word = task.log(tokens), task.word(tokens)
    assert log is not None  # examples lie inside the promise
    assert word is not None
    machine, symbols = task.table, words_of(task, tokens)
    right = "YES" if log[-1].state == machine.accept else "NO"
    parts = [*row(symbols, {len(symbols) - 1: "mark"}, places=None), *answer(len(symbols), right)]
    cells, state, head, steps = dict(enumerate(word, 1)), machine.start, 1, []
    for number, move in enumerate(log[:MOST_STEPS], 1):
        y = BELOW + (number - 1) * (BOX + 6)
        boxes = [
            box(column, y, cells.get(cell, machine.blank), "mark" if cell == head else "quiet") for column, cell in enumerate(task.cells)
        ]
        parts.append(step(number, *boxes, _beside(len(task.cells), y, f"{state}: writes {move.written}, {move.direction}, {move.state}")))
        steps.append(f"in state {state} it reads {move.read}, writes {move.written}, {MOVES[move.direction]}, and is in state {move.state}")
        cells[head], state, head = move.written, move.state, head + DIRECTIONS[move.direction]
    shown = min(len(log), MOST_STEPS)
    more = f", of which {shown} are drawn" if shown < len(log) else ""
    why = f"The machine halts after {len(log)} steps{more}; the answer is {right}."
    columns = max(len(symbols) + 2, len(task.cells) + 8)
    return Drawn(picture(parts, columns, -4, BELOW + shown * (BOX + 6) + 4, why), why, tuple(steps))


def _around(middle: tuple[float, float], angle: float) -> tuple[float, float]:
    return middle[0] + RADIUS * sin(angle), middle[1] - RADIUS * cos(angle)


def _ring(place: tuple[float, float]) -> Markup:
    """Where the walk has come to; seen at its own step only."""
    return Markup('<circle class="here" cx="{:g}" cy="{:g}" r="26"/>').format(*place)


def _taken(start: tuple[float, float], end: tuple[float, float], steps: Sequence[int]) -> Markup:
    """The steps that take an edge, at its middle."""
    numbers = [Markup('<tspan data-step="{0}">{1}{0}</tspan>').format(number, ", " if i else "") for i, number in enumerate(steps)]
    return note((start[0] + end[0]) / 2 / PITCH - 0.5, (start[1] + end[1]) / 2 + 4, Markup("").join(numbers), "mark over")


def _written(tour: Sequence[int], column: float, y: float) -> Markup:
    """The walk as it is written, vertex by vertex."""
    rest = [Markup('<tspan data-step="{}"> {}</tspan>').format(number, v) for number, v in enumerate(tour[1:], 1)]
    return note(column, y, Markup("walk: {}{}").format(tour[0], Markup("").join(rest)), "", "start")


def _beside(column: float, y: float, text: str) -> Markup:
    return note(column + 0.2, y + BOX / 2 + 5, text, "", "start")
