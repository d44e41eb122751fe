"""IsTree: whether a graph on n vertices, given as a list of `edges` different edges u ~ v with u < v, is a tree.

Tokens: `<s>` ~ <sep> YES NO, </s> where there is a chain, then the vertices; `walks.py` says what a chain is, for each `thought`.
`vertices: touched` takes 1 and the ends of edges for the vertices. `graphs: two-star` are two stars and an edge between two leaves.
`graphs: message` are the graphs of a message of n - 2 bits and a place k: leaf a is joined to centre n - 1 or n, and k to k + 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from separatrix.checker.seal import Refused
from separatrix.checker.specs.parameters import Field, Integer, Word
from separatrix.checker.specs.searches import END, START
from separatrix.checker.specs.spec import Choices, Spec, Task
from separatrix.checker.specs.walks import FURTHER, Edges, Graph, listing, neighbours, searching, tour

COUNTED = 1 << 16
SEARCH = 1 << 10  # work of the searches of one vertex, for each token
BY = {"none": "", "tour": ", by a tour", "search": ", by searches", "lists": ", by lists of neighbours"}


def is_tree(length: int, edges: int, graphs: str, thought: str, vertices: str) -> Spec:
    """A tree has n - 1 edges and no vertex apart from the others."""
    n, m = length, edges
    if m > math.comb(n, 2):
        raise Refused(f"edges: expected 0..{math.comb(n, 2)}, found {m}")
    if graphs != "any" and (n < 4 or m != n - 1):
        raise Refused("parameters: two stars have n >= 4 vertices and n - 1 edges")
    first = 5 + len(FURTHER[thought])
    spelled = ("<s>", "~", "<sep>", "YES", "NO", *FURTHER[thought], *(str(v) for v in range(1, n + 1)))
    promised: Callable[[Edges, int], bool] = {"any": _anything, "two-star": two_stars, "message": carries}[graphs]

    def pairs(tokens: Sequence[int]) -> Edges:
        return [(tokens[i] - first + 1, tokens[i + 2] - first + 1) for i in range(1, 3 * m, 3)]

    def whole(those: Edges) -> set[int]:
        return {1, *(v for edge in those for v in edge)} if vertices == "touched" else set(range(1, n + 1))

    def truth(tokens: Sequence[int]) -> int | None:
        those = pairs(tokens)
        if any(u >= v for u, v in those) or len(set(those)) < m or not promised(those, n):
            return None
        reached, frontier, beside = {1}, [1], neighbours(those, n)
        while frontier:
            new = {*beside[frontier.pop()]} - reached
            reached |= new
            frontier += new
        return 3 if reached == whole(those) and len(reached) == m + 1 else 4

    def listed() -> Iterator[tuple[int, ...]]:
        every = permutations(combinations(range(1, n + 1), 2), m)
        return (tuple(input_of([*those])) for those in every if promised([*those], n))

    def input_of(those: Edges) -> list[int]:
        return [0, *(token for u, v in those for token in (first - 1 + min(u, v), 1, first - 1 + max(u, v))), 2]

    def chain(tokens: Sequence[int]) -> tuple[int, ...]:
        if thought == "none":
            return ()
        those = pairs(tokens)
        graph = Graph(those, neighbours(those, n), whole(those), vertices == "all")
        words = {"tour": tour, "lists": listing, "search": searching}[thought](graph, [spelled[token] for token in tokens])
        written = tuple(map(spelled.index, words))
        if written[-2] != truth(tokens):
            raise AssertionError("is-tree: a chain leads to another answer than the definition")
        return written

    def shuffled(choices: Choices, those: Edges) -> list[int]:
        return input_of([those[i] for i in choices.taken(len(those), len(those))])

    def joined(choices: Choices, kind: int = 2) -> list[int]:
        """A tree: every vertex, in any order, is joined to one before it; to the first of all (0), the last (1) or any (2)."""
        order = [1 + v for v in choices.taken(n, n)]
        return shuffled(choices, [(order[i], order[(0, i - 1, choices.below(i))[kind]]) for i in range(1, n)])

    def stars(choices: Choices) -> list[int]:
        order = [n - 1, n, *range(1, n - 1)] if graphs == "message" else [1 + v for v in choices.taken(n, n)]
        leaf = 2 + choices.below(n - 3)
        return shuffled(choices, [(order[leaf], order[leaf + 1]), *((order[i], order[choices.below(2)]) for i in range(2, n))])

    def sample(choices: Choices) -> list[int]:
        if m == n - 1 and choices.below(2):
            return joined(choices)
        return input_of([_pair(i) for i in choices.taken(m, math.comb(n, 2))])

    families = {"path-or-star": lambda choices: joined(choices, choices.number % 2)} if graphs == "any" and m == n - 1 else {}
    several = {"any": "", "two-star": " of two stars", "message": " of a message and a place"}[graphs]
    alphabets = (range(1), *(range(first, first + n), range(1, 2), range(first, first + n)) * m, range(2, 3))
    spec = Spec(
        title=f"trees among graphs{several} with {'' if vertices == 'all' else 'up to '}{n} vertices and {m} edges{BY[thought]}",
        alphabets=alphabets,
        vocabulary=first + n,
        targets=first + n,
        truth=truth,
        input_count=None,
        listed=listed,
        decoder={"none": "position", "tour": "greedy", "search": "retrieval", "lists": "greedy"}[thought],
        chain=chain,
        written={"none": 0, "tour": 2 * n + 1, "search": 63 * n, "lists": 7 * (min(m, n - 1) if vertices == "all" else m) + 3}[thought],
        search=(spelled.index(START), spelled.index(END), spelled) if thought == "search" else None,
        drawing=(1 << 12) + (SEARCH * n if thought == "search" else 0),  # a few searches for each vertex, in a text as long as the chain
        sample=sample if graphs == "any" else stars,
        families={**families, "two-star": stars} if families and n >= 4 else families,
    )
    return replace(spec, input_count=_counted(n, m, graphs, listed))


def _anything(edges: Edges, n: int) -> bool:
    del edges, n
    return True


def two_stars(edges: Edges, n: int) -> bool:
    """Whether without some edge each vertex but two has degree 1, every edge has one of these two, and that edge none."""
    degree = Counter(v for edge in edges for v in edge)
    odd = {v for v in range(1, n + 1) if degree[v] != 1}
    for lone in edges if len(odd) <= 4 else ():  # the two, and the ends of that edge
        several = odd - {*lone}
        if len(several) > 2 or any(degree[v] != 2 for v in lone):
            continue
        rest = [edge for edge in edges if edge != lone]
        single = {v for edge in rest if not several & {*edge} for v in edge}  # a star of one edge: either end may be its centre
        for c, d in combinations(several | single if len(several) < 2 else several, 2):
            if several <= {c, d} and not {c, d} & {*lone} and all((c in edge) != (d in edge) for edge in rest):
                return True
    return False


def carries(edges: Edges, n: int) -> bool:
    """Whether a graph is that of a message and a place: a centre for each leaf, and an edge between leaves k and k + 1."""
    centre = [(u, v) for u, v in edges if v >= n - 1]
    between = [v - u for u, v in edges if v < n - 1]
    return between == [1] and sorted(u for u, _ in centre) == list(range(1, n - 1))


def _pair(i: int) -> tuple[int, int]:
    """Pair number i of 1 ~ 2, 1 ~ 3, 2 ~ 3, 1 ~ 4, .."""
    v = (1 + math.isqrt(1 + 8 * i)) // 2
    return i - v * (v - 1) // 2 + 1, v + 1


def _counted(n: int, m: int, graphs: str, listed: Callable[[], Iterator[tuple[int, ...]]]) -> int | None:
    count = math.perm(math.comb(n, 2), m) if m <= 40 else COUNTED + 1
    if graphs == "message" and n <= 40:
        count = (n - 3) * 2 ** (n - 2) * math.factorial(n - 1)
    if graphs == "two-star" and count <= COUNTED:
        count = sum(1 for _ in listed())
    return count if count <= COUNTED else None


FIELDS: dict[str, Field] = {
    "length": Integer(2, 1000), "edges": Integer(0, math.comb(1000, 2)), "graphs": Word(("any", "two-star", "message")),
    "thought": Word(tuple(BY)), "vertices": Word(("all", "touched")),
}  # fmt: skip
TASKS = {"is-tree": Task(FIELDS, is_tree)}
