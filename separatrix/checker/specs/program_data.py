"""Any dynamic program, as data: its states in order, the positions that each reads, and two expressions.

`transition` and `read_out` are lists of nodes; a node is a list of its operation and of numbers of earlier nodes or integers, and the last
node is the result. Positions count from 1: the entries, the separator, which reads as 0, and the states.

    ["coordinate", c]  ["read", r]  ["value"]  ["constant", v]  ["sum", a, b]  ["multiple", factor, a]  ["product", a, b]  ["larger", a, b]
    ["positive", a]: 1 where a >= 1, else 0       ["zero", a]: 1 where a = 0        ["both", a, b]: a b       ["opposite", a]: 1 - a
    ["where", c, a, b]: a where c is not 0, else b                ["table", a, first, [entries]]: entry a - first, or the nearest one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from separatrix.checker.fields import within
from separatrix.checker.seal import Refused
from separatrix.checker.specs.parameters import Field, Integer, Text
from separatrix.checker.specs.programs import MOST_STATES, SYMBOLS, Row, program
from separatrix.checker.specs.spec import Spec, Task

LARGEST = 1 << 53  # of any value
NODES, WIDEST = 4096, 64  # nodes of an expression; coordinates or reads of a state
OPERATIONS: dict[str, Callable[..., int]] = {
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "larger": max,
    "positive": lambda a: int(a >= 1),
    "zero": lambda a: int(a == 0),
    "both": lambda a, b: a * b,
    "opposite": lambda a: 1 - a,
    "where": lambda c, a, b: a if c else b,
}
CHILDREN = {"opposite": 1, "positive": 1, "zero": 1, "where": 3}  # how many nodes an operation takes, if not two
NODE = 500  # work of one node for one state
Node = list[Any]
Step = Callable[[list[int], Sequence[int], Sequence[int], int], int]


def dynamic_program(
    entries: int, symbols: int, states: list[Any], positions: list[Any], transition: list[Any], read_out: list[Any]
) -> Spec:  # fmt: skip
    """The author chooses the program; what its values are is computed here."""
    n = entries
    rows, reads = _rows(states, "states", -LARGEST, LARGEST), _rows(positions, "positions", 1, n + 1 + len(states))
    if len(reads) != len(rows) or len({tuple(state) for state in rows}) != len(rows):
        raise Refused("states: expected different states, and positions for each")
    for t, places in enumerate(reads):
        if max(places) > n + 1 + t:
            raise Refused(f"positions: state {t + 1} reads a state that does not come before it")
    moves, last = _expression(transition, "transition", len(rows[0]), len(reads[0])), _expression(read_out, "read_out", 0, 0)

    def table(tokens: Sequence[int]) -> Iterator[Row]:
        payload = [*tokens, 0]
        for state, places in zip(rows, reads, strict=True):
            value = _value(moves, state, [payload[place - 1] for place in places], 0)
            payload.append(value)
            yield tuple(state), value

    title = f"a dynamic program given as data, {n} entries below {symbols}, {len(rows)} states with {len(reads[0])} reads"
    result = partial(_value, last, [], [])
    return program(title, n, symbols, len(rows[0]), len(rows), LARGEST, table, result, node=NODE * len(moves))


def _rows(rows: list[Any], where: str, least: int, most: int) -> list[list[int]]:
    within(len(rows), 1, MOST_STATES, f"number of {where}")
    width = len(rows[0]) if isinstance(rows[0], list) else 0
    within(width, 1, WIDEST, f"width of {where}")
    for row in rows:
        if not isinstance(row, list) or len(row) != width or any(type(v) is not int or not least <= v <= most for v in row):
            raise Refused(f"{where}: expected rows of {width} integers {least}..{most}, found {row!r:.80}")
    return rows


def _expression(nodes: list[Any], where: str, coordinates: int, reads: int) -> list[Step]:
    """A list of nodes in which every node refers to earlier ones only."""
    within(len(nodes), 1, NODES, f"nodes of {where}")
    known = {"coordinate": coordinates, "read": reads, "value": int(not reads)}
    for place, node in enumerate(nodes):
        if not isinstance(node, list) or not node or not isinstance(node[0], str) or not _is_node(node[0], node[1:], place, known):
            raise Refused(f"{where}: node {place} is not an operation on earlier nodes and integers up to 2^53: {node!r:.80}")
    return [_step(*node) for node in nodes]


def _is_node(operation: str, rest: list[Any], place: int, known: dict[str, int]) -> bool:
    entries = rest.pop() if operation == "table" and rest else [0]  # `rest` is a copy
    if not isinstance(entries, list) or not 1 <= len(entries) <= NODES:
        return False
    if any(type(v) is not int or abs(v) > LARGEST for v in (*rest, *entries)):
        return False
    if operation in known:
        return len(rest) == (operation != "value") and known[operation] > max(rest, default=0) >= 0 and min(rest, default=0) >= 0
    if operation == "constant":
        return len(rest) == 1
    if operation in ("multiple", "table"):  # a factor and a node, a node and the first key
        return len(rest) == 2 and 0 <= rest[operation == "multiple"] < place
    return operation in OPERATIONS and len(rest) == CHILDREN.get(operation, 2) and all(0 <= child < place for child in rest)


def _value(steps: list[Step], state: Sequence[int], reads: Sequence[int], value: int) -> int:
    """The last node, for one state."""
    done: list[int] = []
    for step in steps:
        done.append(new := step(done, state, reads, value))
        if not -LARGEST <= new <= LARGEST:
            raise Refused(f"the program reaches {new:.3g}, beyond 2^53")
    return done[-1]


def _step(operation: str, *rest: Any) -> Step:
    """What a node computes, from the nodes before it, the coordinates of the state, its reads and the last value."""
    if operation == "table":
        a, first, entries = rest
        return lambda done, *_: int(entries[min(max(done[a] - first, 0), len(entries) - 1)])
    i, j, k = (*rest, 0, 0, 0)[:3]
    apply = OPERATIONS.get(operation, int)
    return {
        "coordinate": lambda _, state, *__: state[i],
        "read": lambda _, __, reads, ___: reads[i],
        "value": lambda _, __, ___, value: value,
        "constant": lambda *_: i,
        "multiple": lambda done, *_: i * done[j],
        1: lambda done, *_: apply(done[i]),
        2: lambda done, *_: apply(done[i], done[j]),
        3: lambda done, *_: apply(done[i], done[j], done[k]),
    }[CHILDREN.get(operation, 2) if operation in OPERATIONS else operation]


LISTS: dict[str, Field] = {key: Text(MOST_STATES, (list,)) for key in ("states", "positions", "transition", "read_out")}
TASKS = {"dynamic-program": Task({"entries": Integer(1, MOST_STATES), "symbols": SYMBOLS, **LISTS}, dynamic_program)}
