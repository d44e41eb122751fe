"""Each sampler against a plain Python loop with `random.randrange` that draws the same distribution. One thread, batch 64.

Both are timed in turn in one process; a row shows medians of processor time, in milliseconds for a batch of 64 examples.
The peer stops at lists of integers: what it would take to make arrays of them is not counted against it.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from random import randrange
from typing import Any

from separatrix.tasks import make_task
from separatrix.tasks.nearest_neighbor import NearestNeighbor, costs
from separatrix.tasks.next_symbol import height_law

BATCH = 64
AT_ONCE = 20  # batches of ours between two of the peer, so that either has the machine about as long
N = 400
Example = tuple[list[int], list[int]]  # tokens, and what is asked about them


def index_lookup() -> Example:
    symbols, p = [randrange(64) for _ in range(N)], randrange(N)
    return [*symbols, 64 + p], [symbols[p]]


def associative_recall() -> Example:
    keys, labels, q = random.sample(range(2 * N), N), [randrange(2) for _ in range(N)], randrange(N)
    tokens = [token for key, label in zip(keys, labels, strict=True) for token in (key, 2 * N + label)]
    return [*tokens, keys[q]], [labels[q]]


def mqar() -> Example:
    pairs = [(key, N + randrange(2)) for key in random.sample(range(N), N // 2)]
    asked = random.sample(pairs, N // 2)
    return [token for pair in pairs + asked for token in pair][:-1], [label - N for _, label in asked]


def walk(length: int) -> list[int]:
    stack: list[int] = []
    found = []
    for _ in range(length - 2):
        choice = randrange(3) if len(stack) == 1 else 2 if stack else randrange(2)
        if choice < 2:
            stack.append(choice)
            found.append(choice)
        else:
            found.append(2 + stack.pop())
    if not stack:
        kind = randrange(2)
        return [*found, kind, 2 + kind]
    return [*found, *(2 + kind for kind in reversed(stack))]


def member(brackets: list[int]) -> bool:
    stack: list[int] = []
    for bracket in brackets:
        if bracket < 2:
            stack.append(bracket)
            if len(stack) > 2:
                return False
        elif not stack or stack.pop() != bracket - 2:
            return False
    return not stack


def dyck() -> Example:
    brackets = walk(N)
    if randrange(2):
        return brackets, [1]
    while True:
        changed = [*brackets]
        for place in random.sample(range(N), 1 + randrange(N // 10)):
            changed[place] ^= 1 + randrange(2)
        if not member(changed):
            return changed, [0]


def equality() -> Example:
    first = [randrange(2) for _ in range(N // 2)]
    second = first if randrange(2) else [randrange(2) for _ in range(N // 2)]
    return first + second, [int(first == second)]


def eq_random() -> Example:
    first = [randrange(2) for _ in range(N // 2)]
    second = first if randrange(2) else [randrange(2) for _ in range(N // 2)]
    return [*first, 2, *second], [int(first == second)]


def eq_one() -> Example:
    first = [randrange(1024) for _ in range(N // 2)]
    second, equal = [*first], randrange(2)
    if not equal:
        place = randrange(N // 2)
        second[place] = (second[place] + 1 + randrange(1023)) % 1024
    return [*first, 1024, *second], [equal]


def eq_ncp() -> Example:
    half = [randrange(1024) for _ in range(N // 2)]
    return [*half, 1024, *half], half


def intersects() -> Example:
    elements = [randrange(3) for _ in range(N // 2)]
    x, y, meet = [int(e == 2) for e in elements], [int(e == 1) for e in elements], randrange(2)
    if meet:
        place = randrange(N // 2)
        x[place] = y[place] = 1
    return x + y, [meet]


def parity() -> Example:
    bits = [randrange(2) for _ in range(N)]
    return [*bits, 2], [1 - sum(bits) % 2]


def parity_next() -> Example:
    """Of p = 1/2: given survival, states before the last are even with probability 1/3 and the last is a fair coin."""
    state, bits = 0, []
    for t in range(N):
        reached = int(randrange(3) > 0) if t < N - 1 else randrange(2)
        bits.append(state ^ reached)
        state = reached
    return bits, [2 if state == 0 and randrange(2) else randrange(2)]


def dyck_2_next() -> Example:
    """Of p = 1/4, given that the source survives N brackets: the last height has a known law, and the walk is drawn from its end."""
    (h,) = random.choices(TABLES["heights"], TABLES["shares"])
    brackets, top = brackets_to(h)
    return brackets, [randrange(2) if randrange(4) == 0 else 4 if top < 0 else 2 + top]


def brackets_to(h: int, types: int = 2) -> tuple[list[int], int]:
    """A uniform prefix of N brackets that ends at height h, and the type of the innermost bracket that stays open."""
    brackets, waiting, top = [0] * N, [], -1
    for k in range(N, 0, -1):
        if randrange(k * (h + 1)) >= h * ((k + h) // 2 + 1):
            waiting.append(randrange(types))
            brackets[k - 1] = types + waiting[-1]
            h += 1
            continue
        kind = waiting.pop() if waiting else randrange(types)
        top = kind if top < 0 and not waiting else top
        brackets[k - 1] = kind
        h -= 1
    return brackets, top


def dyck_language(types: int) -> Example:
    brackets, _ = brackets_to(0, types)
    if randrange(2):
        return [*brackets, 2 * types], [1]
    way = randrange(1 + types)
    if way == 0:  # badly nested, by reflection: the k-th bracket that closes has the type of the k-th that opens
        opens, height, climbed = [0] * N, 0, False
        for place in random.sample(range(N), N // 2 + 1):
            opens[place] = 1
        for t in range(N):
            if not climbed:
                height += 2 * opens[t] - 1
                climbed = height == 1
                opens[t] ^= 1
        kinds = [randrange(types) for _ in range(N // 2)]
        opening, closing = iter(kinds), iter(kinds)
        brackets = [next(opening) if o else types + next(closing) for o in opens]
    elif way == 1:
        place = randrange(N)
        brackets[place] = (brackets[place] + types) % (2 * types)
    else:
        sides = [[t for t in range(N) if brackets[t] == kind] for kind in (2, 3)]
        chosen = [random.choice(side) for side in sides] if all(sides) else [random.choice(sides[0] + sides[1])]
        for place in chosen:
            brackets[place] ^= 1
    return [*brackets, 2 * types], [0]


def ones() -> Example:
    bits, label = [1] * N, randrange(2)
    if not label:
        for place in random.sample(range(N), 1 + randrange(N // 10)):
            bits[place] = 0
    return [*bits, 2], [label]


def an_bn() -> Example:
    half, label = N // 2, randrange(2)
    exchanged, border = not label and randrange(2), half
    if not label and not exchanged:
        border = randrange(N)
        border += border >= half
    word = [0] * border + [1] * (N - border)
    if exchanged:
        word[randrange(half)], word[half + randrange(half)] = 1, 0
    return [*word, 2], [label]


def nearest_neighbor() -> Example:
    """Sixty vectors: the same table of sign patterns sorted by cost that our sampler has."""
    order, cost, cheaper, steps = (TABLES[name] for name in ("order", "cost", "cheaper", "steps"))
    query, place, R = randrange(len(order)), randrange(59), len(cheaper) - 2
    nearest = order[randrange(cheaper[R - steps + 1])]
    low = cheaper[cost[nearest] + steps]
    labels, tokens = [randrange(2) for _ in range(59)], []
    for i in range(59):
        tokens += [query ^ (nearest if i == place else order[randrange(low, len(order))]), len(order) + labels[i]]
    return [*tokens, query], [labels[place]]


def threshold(name: str) -> Callable[[], Example]:
    def example() -> Example:
        features, bound = TABLES[name]
        bits = [2, *(randrange(2) for _ in range(N))]
        held = 0
        for places, table in features:
            code = 0
            for place in places:
                code = 2 * code + bits[place]
            held += table[code]
        return bits, [int(held > bound)]

    return example


TABLES: dict[str, Any] = {}
PEERS: list[tuple[str, dict[str, int], Callable[[], Example], int | None]] = [
    ("index-lookup", {"length": N}, index_lookup, 20),
    ("dyck", {"length": N}, dyck, 50),
    ("parity-next", {"length": N}, parity_next, 50),
    ("dyck-2-next", {"length": N}, dyck_2_next, 50),
    ("associative-recall", {"length": N}, associative_recall, None),
    ("mqar", {"length": N}, mqar, None),
    ("nearest-neighbor", {"length": 60}, nearest_neighbor, None),
    ("equality", {"length": N}, equality, None),
    ("eq-random", {"length": N}, eq_random, None),
    ("eq-one", {"length": N}, eq_one, None),
    ("eq-ncp", {"length": N}, eq_ncp, None),
    ("intersects", {"length": N}, intersects, None),
    ("sparse-threshold", {"length": N}, threshold("sparse-threshold"), None),
    ("k-dnf", {"length": N}, threshold("k-dnf"), None),
    ("k-cnf", {"length": N}, threshold("k-cnf"), None),
    ("parity", {"length": N}, parity, None),
    ("dyck-1", {"length": N}, lambda: dyck_language(1), None),
    ("dyck-2", {"length": N}, lambda: dyck_language(2), None),
    ("ones", {"length": N}, ones, None),
    ("an-bn", {"length": N}, an_bn, None),
]


def prepare() -> None:
    """Tables that our samplers keep between batches: the peers get them too."""
    TABLES["heights"], TABLES["shares"] = zip(*height_law(0.25, N), strict=True)
    TABLES["cost"], TABLES["order"], TABLES["cheaper"] = (table.tolist() for table in costs(12))
    TABLES["steps"] = NearestNeighbor(60).steps
    for name in ("sparse-threshold", "k-dnf", "k-cnf"):
        task: Any = make_task(name, length=N)
        TABLES[name] = [(feature.places, feature.table) for feature in task.sparse_features], task.bound


def seconds(batches: int, draw: Callable[[int], object]) -> float:
    """Processor time of this thread for one batch: other programs on the machine do not count."""
    start = time.thread_time()
    for number in range(batches):
        draw(number)
    return (time.thread_time() - start) / batches


def compared(name: str, chosen: dict[str, int], peer: Callable[[], Example], rounds: int) -> tuple[float, float]:
    """Medians in milliseconds, ours and the peer's, taken in turn."""
    task = make_task(name, **chosen)
    task.sample(0, BATCH)  # kernels are compiled once
    ours, other = [], []
    for r in range(rounds):
        ours.append(seconds(AT_ONCE, lambda number, r=r: task.sample(r * AT_ONCE + number, BATCH)))
        other.append(seconds(1, lambda _: [peer() for _ in range(BATCH)]))
    return 1e3 * statistics.median(ours), 1e3 * statistics.median(other)


def rows(rounds: int) -> list[dict[str, Any]]:
    prepare()
    found = []
    for name, chosen, peer, goal in PEERS:
        ours, other = compared(name, chosen, peer, rounds)
        what = f"{name}, N = {chosen['length']}: a batch of {BATCH}"
        wanted = f"at least {goal}" if goal else "-"
        found.append({"what": what, "ours": ours, "peer": other, "unit": "ms", "ratio": other / ours, "goal": wanted})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=41)
    arguments = parser.parse_args()
    found = rows(arguments.rounds)
    if arguments.json:
        print(json.dumps(found))
        return
    for row in found:
        print(f"{row['what']:<50} {row['ours']:8.3f} {row['peer']:8.2f} {row['unit']}  ratio {row['ratio']:6.1f}  goal {row['goal']}")


if __name__ == "__main__":
    main()
