"""Deterministic automata: parity, bounded Dyck, and regular languages from an expression (by derivatives) or from their JSON."""

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from recheck.verdicts import Refused, Uncovered, whole

SPECIAL = set("\\[](){}.*+?|^$@")
MOST = 4096  # states of an automaton
WITH_AUTOMATON = ("parity", "regular", "dyck")  # tasks whose simulations are replayed; those of others are judged by running all inputs
Node = tuple[Any, ...]
NOTHING: Node = ("nothing",)
EMPTY: Node = ("empty",)


@dataclass(frozen=True)
class Automaton:
    """States are any hashable values; `move` is total, and `accepts` says whether a word that ends there is a member."""

    letters: int
    first: Hashable
    move: Callable[[Any, int], Any]
    accepts: Callable[[Any], bool | tuple[int, ...]]

    def after(self, word: list[int], state: Any = None) -> Any:
        state = self.first if state is None else state
        for letter in word:
            state = self.move(state, letter)
        return state


def dyck(types: int, depth: int) -> Automaton:
    """The stack of open brackets, or None where something was wrong."""

    def move(stack: tuple[int, ...] | None, token: int) -> tuple[int, ...] | None:
        if stack is None:
            return None
        if token < types:
            return (*stack, token) if len(stack) < depth else None
        return stack[:-1] if stack and stack[-1] == token - types else None

    return Automaton(2 * types, (), move, lambda stack: stack == ())


def regular(language: object, alphabet: object) -> Automaton:
    """The automaton of a claim, from its expression or its JSON."""
    if not isinstance(language, str) or not (alphabet is None or isinstance(alphabet, str)):
        raise Refused("language: expected an expression, and an alphabet or null")
    if language.lstrip().startswith("{"):
        return _given(language)
    if language.startswith("@"):
        raise Uncovered(f"the language {language}")
    symbols = "".join(sorted(alphabet if alphabet is not None else {c for c in language if c not in SPECIAL}))
    if any(c in language for c in "\\[]{}.^$ ") or not symbols or len(set(symbols)) != len(symbols):
        raise Uncovered(f"the expression {language}")
    if alphabet is not None and list(alphabet) != sorted(alphabet):
        raise Uncovered("an alphabet out of order")
    start = _parsed(language, symbols)
    return Automaton(len(symbols), start, derivative, nullable)


def _parsed(text: str, symbols: str) -> Node:
    """Alternatives, concatenations, and *, + and ? behind an atom; for each open parenthesis the alternatives and parts so far."""
    levels: list[tuple[Node, list[Node]]] = [(NOTHING, [])]
    for c in f"{text})":
        before, parts = levels[-1]
        if c == "(":
            levels.append((NOTHING, []))
        elif c in "|)":
            levels[-1] = (either(before, reduce(lambda node, part: then(part, node), reversed(parts), EMPTY)), [])
            if c == ")" and len(levels) > 1:
                levels[-2][1].append(levels.pop()[0])
            elif c == ")":
                break
        elif c in "*+?" and parts:
            node = parts.pop()
            parts.append(star(node) if c == "*" else then(node, star(node)) if c == "+" else either(node, EMPTY))
        elif c in symbols:
            parts.append(("letter", symbols.index(c)))
        else:
            raise Uncovered(f"{c!r} in the expression {text}")
    if len(levels) != 1 or text.count("(") != text.count(")"):
        raise Uncovered(f"the expression {text}")
    return levels[0][0]


def either(a: Node, b: Node) -> Node:
    """Alternatives as a set, so that an expression has finitely many derivatives."""
    parts = {part for node in (a, b) for part in (node[1] if node[0] == "either" else {node})} - {NOTHING}
    return NOTHING if not parts else parts.pop() if len(parts) == 1 else ("either", frozenset(parts))


def then(a: Node, b: Node) -> Node:
    if NOTHING in (a, b):
        return NOTHING
    if EMPTY in (a, b):
        return b if a == EMPTY else a
    return then(a[1], then(a[2], b)) if a[0] == "then" else ("then", a, b)


def star(a: Node) -> Node:
    return EMPTY if a in (NOTHING, EMPTY) else a if a[0] == "star" else ("star", a)


def nullable(a: Node) -> bool:
    if a[0] == "either":
        return any(nullable(part) for part in a[1])
    return nullable(a[1]) and nullable(a[2]) if a[0] == "then" else a[0] in ("empty", "star")


def derivative(a: Node, letter: int) -> Node:
    if a[0] == "letter":
        return EMPTY if a[1] == letter else NOTHING
    if a[0] == "either":
        return reduce(either, (derivative(part, letter) for part in a[1]), NOTHING)
    if a[0] == "star":
        return then(derivative(a[1], letter), a)
    if a[0] == "then":
        first = then(derivative(a[1], letter), a[2])
        return either(first, derivative(a[2], letter)) if nullable(a[1]) else first
    return NOTHING


def _given(text: str) -> Automaton:
    try:
        table = json.loads(text)
        letters, start, moves = list(table["alphabet"]), str(table["start"]), table["moves"]
        accepting = {str(q) for q in table["accepting"]}
        total = {(q, i): str(row[c]) for q, row in moves.items() for i, c in enumerate(letters)}
    except (ValueError, KeyError, TypeError) as error:
        raise Uncovered(f"the automaton of the claim: {error!r}") from error
    if start not in moves or any(q not in moves for q in total.values()) or len(letters) != len(set(letters)) or len(moves) > MOST:
        raise Uncovered("the automaton of the claim")
    return Automaton(len(letters), start, lambda q, i: total[q, i], lambda q: q in accepting)


def automaton_of(task: str, parameters: dict[str, Any]) -> tuple[Automaton, bool]:
    """The automaton of a task, and whether an end token follows its words."""
    if task == "parity":
        return Automaton(2, 0, lambda q, bit: q ^ bit, lambda q: q == 0), True
    if task == "regular":
        return regular(parameters.get("language"), parameters.get("alphabet")), True
    if task == "dyck":
        return dyck(whole(parameters.get("types"), "types", 1), whole(parameters.get("depth"), "depth", 1)), False
    raise Uncovered(f"the automaton of the task {task}")
