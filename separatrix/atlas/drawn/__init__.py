"""Drawn examples: the drawing for each task.

A task without its own drawing gets its tokens in boxes and the answer beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from separatrix.atlas.drawn import brackets, chains, features, halves, recall, words
from separatrix.atlas.drawn.example import Drawn, Tokens, words_of
from separatrix.atlas.drawn.strip import BOX, answer, picture, row
from separatrix.tasks import Task
from separatrix.tasks.alternating import Recall
from separatrix.tasks.counter_languages import AnBn, Ones
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.dyck_languages import DyckLanguage
from separatrix.tasks.equality import EqNcp, Halves
from separatrix.tasks.function import Function, palindrome
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects
from separatrix.tasks.is_tree import IsTree
from separatrix.tasks.nearest_neighbor import NearestNeighbor
from separatrix.tasks.next_symbol import Dyck2Next, ParityNext
from separatrix.tasks.parity import Parity
from separatrix.tasks.partition_equality import PartitionEquality
from separatrix.tasks.regular import Regular
from separatrix.tasks.sparse_threshold import Thresholds
from separatrix.tasks.turing_machine import TuringMachine

DRAWINGS: tuple[tuple[type[Task], Callable[[Any, Tokens], Drawn]], ...] = (  # the first that fits
    (IndexLookup, recall.index_lookup),
    (Recall, recall.recall),
    (NearestNeighbor, recall.nearest_neighbor),
    (EqNcp, halves.repeated),
    (Halves, halves.halves),
    (PartitionEquality, halves.scattered),
    (Intersects, halves.intersects),
    (Thresholds, features.thresholds),
    (Dyck, brackets.recognised),
    (DyckLanguage, brackets.recognised),
    (Dyck2Next, brackets.next_bracket),
    (Parity, words.parity),
    (ParityNext, words.parity_next),
    (Ones, words.ones),
    (AnBn, words.an_bn),
    (Regular, words.regular),
    (IsTree, chains.walk),
    (TuringMachine, chains.tape),
)


def draw_example(task: Task, tokens: Tokens) -> Drawn:
    """The drawing of one example inside the promise of its task."""
    if isinstance(task, Function) and task.called is palindrome:
        return words.palindrome(task, tokens)
    return next((draw for kind, draw in DRAWINGS if isinstance(task, kind)), plain)(task, tokens)


def plain(task: Task, tokens: Tokens) -> Drawn:
    """Boxes and the answer, for a task without its own drawing."""
    symbols, text = words_of(task, tokens), answer_text(task, tokens)
    parts = [*row(symbols, {len(symbols) - 1: "mark"}), *answer(len(symbols), text, columns=max(1, len(text) / 3))]
    why = f"The answer is {text}."
    return Drawn(picture(parts, len(symbols) + 2 + len(text) / 3, -4, BOX + 20, why), why)


def answer_text(task: Task, tokens: Tokens) -> str:
    """The right answer to an input, as text."""
    right = task.answer(tokens)
    assert right is not None  # examples lie inside the promise
    return " ".join(map(task.target_text, right)) if isinstance(right, tuple) else task.target_text(right)
