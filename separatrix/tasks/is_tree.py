"""IsTree: a graph on n vertices as a list of edges; is it a tree?

[wen2024 Definition A.2] [wen2024 Definition A.1] [wen2024 Equation 4] [wen2024 Equation 10; with 3 m + 1 tokens]

    <s> 2 ~ 6 1 ~ 5 3 ~ 5 4 ~ 6 2 ~ 3 <sep>  ->  YES        n = 6

Every input has `edges` edges, n - 1 by default, u ~ v with u < v, none of them twice. With `thought=tour` the chain is a depth-first walk
from vertex 1: each vertex goes on to its next neighbour in the order of the edges, returns to the vertex it came from when there is none,
and the walk stops with NO at a neighbour that was already visited. Here it is 1 5 3 2 6 4 6 2 3 5 1 YES </s>.
Ids: `<s>` ~ <sep> YES NO (and </s>, or the words of a search), then the vertices.

With `thought=search` the chain takes the same walk and holds nothing in mind: at v it searches for v's father, which `u - v` records, then
for the next edge at v, and then for the father of the vertex found there; it goes on if that has none. With `thought=short` the same chain
leaves out what is fixed in the expressions: `father v`, `visited u`, `first v`, `after v x` (the edge at v behind the one to x), and
`again v x` where x is v's father. Queries hold neither ~ nor -, so that none is taken for an edge or a record.

With `thought=lists` the chain first writes out the lists of neighbours, `: a b w x` for every edge a ~ b from the last to the first: w is
the neighbour of a after b, x that of b after a, and . where there is none. Then it walks: from 1 to its first neighbour, and from v,
reached from u, to the neighbour of v after u, where the first one comes after the last; it ends at vertex 1 behind the last. A tree has n
- 1 edges, a walk of 2 n - 1 vertices and n lists. Where n is given and there are more or fewer edges, the chain is NO alone.

`graphs=any`: with n - 1 edges a random tree or any graph, half each; with another number any graph. `graphs=two-star`: the graphs of the
experiments, two stars and one edge between two leaves that follow each other in the order of the labels. `graphs=message`: the same with
centres n - 1 and n and leaves in order, a message of n - 2 bits and a place in it. All other graphs are outside these two promises.
`vertices=touched`: the vertices are 1 and the ends of the edges; one vocabulary, and one model, then serves graphs of every size up to n.
Draws: 0 tree or not; 1 .. n the order of the labels (least word first); n + i the place that the i-th label is joined to; 2 n + i the order
of the edges of a tree; 3 n + i that of all pairs, from (1, 2) on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb, factorial, perm
from typing import Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.capabilities import Search
from separatrix.tasks.drawing.counter import below, integers, words
from separatrix.tasks.searching import END, FAILED, SEARCH_WORDS, START, STOP, Template, Writing, filled
from separatrix.tasks.spelled import Spelled
from separatrix.tasks.task import Batch, Integers, Leak, need_examples, read_at_end, sized

EDGE, SEP, YES, NO, IS_FATHER = "~", "<sep>", "YES", "NO", "-"
LISTED, NONE = ":", "."  # begins the list entries of an edge; no neighbour comes after this one
Thought = Literal["none", "tour", "search", "short", "lists"]
Graphs = Literal["any", "two-star", "message"]
Vertices = Literal["all", "touched"]
MOST_ENUMERATED = 1 << 16
MOST_ORDERED = 1 << 11  # vertices, whose two million pairs are put in order for every graph that is drawn

# Fragments of regular expressions. `FATHER v AS_WORD` finds u in `u - v`; `FIRST v OTHER v LAST` finds u in the first `v ~ u` or `u ~ v`,
# and `AFTER x THEN v OR v NEXT x SKIP v OTHER v LAST` in the first behind `x ~ v` or `v ~ x`. A second word of the same meaning, with an
# empty group at its end, tells two searches apart.
FATHER, AS_WORD = r"(?<!\S)(\d+)\s-\s", r"(?!\S)"
VISITED = FATHER + "(?:)"
FIRST, OTHER, LAST = r"(?:(?<!\S)", r"\s~\s|(?<!\S)(?=\d+\s~\s", r"(?!\S)))(\d+)(?!\S)"
AFTER, THEN, OR, NEXT, SKIP = r"(?<!\S)(?:", r"\s~\s", "|", r"\s~[\s]", r")(?!\S).*?(?:(?<!\S)"
AFTER_FATHER = AFTER + "(?:)"
FRAGMENTS = (FATHER, AS_WORD, VISITED, FIRST, OTHER, LAST, AFTER, THEN, OR, NEXT, SKIP, AFTER_FATHER)
BEHIND = (1, THEN, 0, OR, 0, NEXT, 1, SKIP, 0, OTHER, 0, LAST)
QUERIES: dict[str, Template] = {
    "father": (FATHER, 0, AS_WORD),
    "visited": (VISITED, 0, AS_WORD),
    "first": (FIRST, 0, OTHER, 0, LAST),
    "after": (AFTER, *BEHIND),
    "again": (AFTER_FATHER, *BEHIND),
}
FURTHER: dict[Thought, tuple[str, ...]] = {  # words of the vocabulary, by how the task thinks
    "none": (),
    "tour": (STOP,),
    "search": (*SEARCH_WORDS, IS_FATHER, *FRAGMENTS),
    "short": (*SEARCH_WORDS, IS_FATHER, *QUERIES),
    "lists": (STOP, LISTED, NONE),
}


@dataclass(frozen=True)
class IsTree(Spelled):
    """Graphs of n vertices and a fixed number of edges. `path-or-star`: a path, then a star, and so on."""

    edges: int | None = None
    graphs: Graphs = "any"
    thought: Thought = "none"
    vertices: Vertices = "all"

    name = "is-tree"
    title = "IsTree"
    about = "graphs and machines"
    cites = "wen2024 Definition A.2"
    tokens = "3 edges + 2"
    length_means = "vertices"
    least_length = 2
    known_leaks = (
        Leak("A graph with n - 1 edges that leaves out a vertex is not a tree.", ("distinct-symbols",)),
        Leak("More vertices of a tree have an odd degree than of other graphs, as it has many leaves.", ("odd-counts",)),
    )
    drawn_at = sized(length=5)
    counted_at = sized(length=4)
    audited_at = sized(length=10)
    bounded_at = sized(length=64)
    enumerated_at = sized(length=3, edges=1, vertices="touched")
    sampled_at = (sized(length=3), sized(length=6, edges=4), sized(length=6, thought="tour"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.edges is None:
            object.__setattr__(self, "edges", self.length - 1)
        if not 0 <= self.m <= comb(self.length, 2):
            raise BadInput(f"is-tree: {self.length} vertices have at most {comb(self.length, 2)} edges, found edges={self.edges}")
        if self.graphs != "any" and (self.length < 4 or self.m != self.length - 1):
            raise BadInput(f"is-tree: two stars have n >= 4 vertices and n - 1 edges, found n = {self.length} and {self.m} edges")

    @property
    def m(self) -> int:
        """The number of edges."""
        assert self.edges is not None
        return self.edges

    @property
    def token_count(self) -> int:
        return 3 * self.m + 2

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens that are neither vertices nor numbers."""
        return ("<s>", EDGE, SEP, YES, NO, *FURTHER[self.thought])

    @cached_property
    def spelling(self) -> tuple[str, ...]:
        return (*self.words, *map(str, range(1, self.length + 1)))

    @property
    def case_kinds(self) -> tuple[str, ...]:
        if self.graphs != "any" or self.m != self.length - 1:
            return ("random",)
        return ("random", "tree", "path-or-star", *(("two-star",) if self.length >= 4 else ()))

    def edge_list(self, tokens: Sequence[int]) -> list[tuple[int, int]] | None:
        """The edges of an input; None if it is not one."""
        first, sep, edge = len(self.words), self.words.index(SEP), self.words.index(EDGE)
        if len(tokens) != self.token_count or tokens[0] != 0 or tokens[-1] != sep or any(t != edge for t in tokens[2:-1:3]):
            return None
        ends = [t - first + 1 for t in tokens[1:-1]]
        edges = [*zip(ends[::3], ends[2::3], strict=True)]
        if not all(1 <= u < v <= self.length for u, v in edges) or len({*edges}) < len(edges):
            return None
        return edges if self._promised(edges) else None

    def _promised(self, edges: Sequence[tuple[int, int]]) -> bool:
        return {"any": lambda _: True, "message": self._is_message, "two-star": self._is_two_star}[self.graphs](edges)

    def _is_two_star(self, edges: Sequence[tuple[int, int]]) -> bool:
        """Whether there are two centres such that one edge has none of them, and every other vertex is joined to one of them."""
        degree, every = Counter(v for edge in edges for v in edge), range(1, self.length + 1)
        likely = sorted(every, key=lambda v: -degree[v])[:5]  # one centre has at least as many edges as all but two leaves and the other
        return any(self._are_centres({c, d}, edges) for c in likely for d in every if c != d)

    def _are_centres(self, centres: set[int], edges: Sequence[tuple[int, int]]) -> bool:
        lone = [edge for edge in edges if not centres & {*edge}]
        leaves = sorted(v for edge in edges if centres & {*edge} for v in edge if v not in centres)
        return len(lone) == 1 and leaves == [v for v in range(1, self.length + 1) if v not in centres]

    def _is_message(self, edges: Sequence[tuple[int, int]]) -> bool:
        """Whether every leaf 1 .. n - 2 has one centre, and one edge joins two leaves in a row."""
        leaves = self.length - 2
        lone = [(u, v) for u, v in edges if v <= leaves]
        return len(lone) == 1 and lone[0][1] == lone[0][0] + 1 and sorted(u for u, v in edges if v > leaves) == [*range(1, leaves + 1)]

    def is_tree(self, edges: Sequence[tuple[int, int]], reached: int) -> bool:
        """Whether a graph is a tree, given how many vertices are reached from vertex 1 if it has no cycle there."""
        touched = len({1, *(v for edge in edges for v in edge)})
        return len(edges) == reached - 1 and reached == (self.length if self.vertices == "all" else touched)

    def tour(self, edges: Sequence[tuple[int, int]]) -> tuple[list[int], bool]:
        """The vertices of the walk, and whether the graph is a tree. On a tree it is the whole tour; the first cycle ends it.

        [wen2024 Algorithm 1]
        """
        next_to: dict[int, list[int]] = {v: [] for v in range(1, self.length + 1)}
        for u, v in edges:
            next_to[u].append(v)
            next_to[v].append(u)
        father, walk, before = {1: 0}, [1], 0
        while True:
            v = walk[-1]
            seen = 0 if before == father[v] else next_to[v].index(before) + 1
            candidate = next((u for u in next_to[v][seen:] if u != father[v]), 0)
            if candidate in father:
                return walk, False
            if not candidate and not father[v]:
                return walk, self.is_tree(edges, len(father))
            if candidate:
                father[candidate] = v
            before = v
            walk.append(candidate or father[v])

    def answer(self, tokens: Sequence[int]) -> int | None:
        edges = self.edge_list(tokens)
        return None if edges is None else self.words.index(YES if self.tour(edges)[1] else NO)

    def second(self, tokens: Sequence[int]) -> int:
        """Every edge of a tree joins two parts that were apart, and one part remains."""
        touched = {1, *(v for edge in self.edge_list(tokens) or [] for v in edge)}
        part = {v: v for v in range(1, self.length + 1) if self.vertices == "all" or v in touched}

        def root(v: int) -> int:
            return v if part[v] == v else root(part[v])

        for u, v in self.edge_list(tokens) or []:
            if root(u) == root(v):
                return self.words.index(NO)
            part[root(u)] = root(v)
        return self.words.index(YES if len({root(v) for v in part}) == 1 else NO)

    # -- graphs --------------------------------------------------------------------------------------------------------------------

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        key, j = self.key(seed), np.arange(start, start + count)
        if self.graphs != "any":
            return self._asked(self._two_star(key, j))
        if self.m != self.length - 1:
            return self._asked(self._any(key, j))
        tree = integers(key, j, [0], 2)[:, 0] == 1
        return self._asked(np.where(tree[:, None, None], self._tree(key, j), self._any(key, j)))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        key, j = self.key(seed), np.arange(count)
        if kind == "path-or-star":
            i = np.arange(1, self.length)
            joined = np.where(j[:, None] % 2 == 0, i - 1, 0)
            return self._asked(self._shuffled(key, j, self._joined(key, j, joined)))
        return self._asked(self._tree(key, j) if kind == "tree" else self._two_star(key, j))

    def _labels(self, key: int, j: Integers) -> Integers:
        if self.graphs == "message":
            return np.tile([self.length - 1, self.length, *range(1, self.length - 1)], (len(j), 1))
        return 1 + words(key, j, np.arange(1, self.length + 1)).argsort(axis=1, kind="stable")

    def _joined(self, key: int, j: Integers, places: Integers) -> Integers:
        """Edges [rows, n - 1, 2] from the i-th label to the one at a place before it."""
        labels, rows = self._labels(key, j), np.arange(len(j))[:, None]
        return np.stack([labels[:, 1:], labels[rows, places]], axis=2)

    def _shuffled(self, key: int, j: Integers, edges: Integers) -> Integers:
        order = words(key, j, np.arange(2 * self.length + 1, 3 * self.length)).argsort(axis=1, kind="stable")
        return np.take_along_axis(edges, order[:, :, None], axis=1)

    def _tree(self, key: int, j: Integers) -> Integers:
        i = np.arange(1, self.length)
        return self._shuffled(key, j, self._joined(key, j, below(words(key, j, self.length + i), i)))

    def _two_star(self, key: int, j: Integers) -> Integers:
        """Labels 0 and 1 are the centres; the edge in place of one between them joins leaves k and k + 1."""
        n, rows = self.length, np.arange(len(j))
        edges = self._joined(key, j, np.hstack([np.zeros((len(j), 1), dtype=np.int64), integers(key, j, np.arange(n + 2, 2 * n), 2)]))
        leaf, labels = 2 + integers(key, j, [n + 1], n - 3)[:, 0], self._labels(key, j)
        edges[:, 0] = np.stack([labels[rows, leaf], labels[rows, leaf + 1]], axis=1)
        return self._shuffled(key, j, edges)

    def _any(self, key: int, j: Integers) -> Integers:
        if self.length > MOST_ORDERED:
            raise BadInput(
                f"{self.name}: graphs=any puts all pairs of vertices in order, for at most {MOST_ORDERED:,} vertices: try graphs=two-star"
            )
        pairs = np.array([*combinations(range(1, self.length + 1), 2)])
        order = words(key, j, 3 * self.length + np.arange(len(pairs))).argsort(axis=1, kind="stable")[:, : self.m]
        edges: Integers = pairs[order]
        return edges

    def _asked(self, edges: Integers) -> Batch:
        """A batch of graphs, edges [rows, m, 2] in any direction."""
        first, tokens = len(self.words), np.zeros((len(edges), self.token_count), dtype=np.int64)
        tokens[:, 1:-1:3], tokens[:, 3::3] = first - 1 + edges.min(axis=2), first - 1 + edges.max(axis=2)
        tokens[:, 2:-1:3], tokens[:, -1] = self.words.index(EDGE), self.words.index(SEP)
        answers = np.array([self.answer(row) for row in tokens.tolist()], dtype=np.int64)
        return read_at_end(tokens, np.full(len(tokens), self.token_count), answers)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        vertices = range(len(self.words), self.vocabulary)
        return ((0,), *(vertices, (self.words.index(EDGE),), vertices) * self.m, (self.words.index(SEP),))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        first, edge, sep = len(self.words) - 1, self.words.index(EDGE), self.words.index(SEP)
        for edges in permutations(combinations(range(1, self.length + 1), 2), self.m):
            if not self._promised(edges):
                continue
            yield (0, *(t for u, v in edges for t in (first + u, edge, first + v)), sep)

    @property
    def input_count(self) -> int:
        n = self.length
        count = 2 ** (n - 2) * (n - 3) * factorial(n - 1) if self.graphs == "message" else perm(comb(n, 2), self.m)
        if count > MOST_ENUMERATED:
            return 0
        return sum(1 for _ in self.inputs()) if self.graphs == "two-star" else count

    # -- the chain -----------------------------------------------------------------------------------------------------------------

    @property
    def stop(self) -> int | None:
        return None if self.thought == "none" else self.words.index(STOP)

    @property
    def search(self) -> Search | None:
        if self.thought not in ("search", "short"):
            return None
        return Search(self.words.index(START), self.words.index(END), QUERIES if self.thought == "short" else {})

    @property
    def chain_limit(self) -> int:
        """A tour of 2 n - 1 vertices, the answer, the stop token; searches take up to 63 words a vertex, short ones 38, lists 7 an edge."""
        n = self.length
        return {"none": 0, "tour": 2 * n + 1, "search": 63 * n, "short": 38 * n, "lists": 7 * self._listable + 3}[self.thought]

    @property
    def _listable(self) -> int:
        """The most edges that a chain of lists writes out: more than n - 1 are no tree."""
        return self.m if self.vertices == "touched" else min(self.m, self.length - 1)

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        edges = None if self.thought == "none" else self.edge_list(tokens)
        if edges is None:
            return None
        if self.thought in ("search", "short"):
            return self._searching(tokens)
        if self.thought == "lists":
            return self._listing(edges)
        walk, tree = self.tour(edges)
        return self.read(" ".join([*map(str, walk), YES if tree else NO, STOP]))

    def _searching(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """The chain that asks the text for everything: the father of v, the next edge, whether its end was visited."""
        chain, v, popped, seen = Writing([self.spelling[t] for t in tokens]), "1", "", 1

        def asked(kind: str, *vertices: str) -> str:
            return chain.search(*filled(QUERIES[kind], vertices), query=(kind, *vertices) if self.thought == "short" else ())

        while True:
            chain.write(v)
            father = asked("father", v)
            u = asked("after", v, popped) if popped else asked("first", v)
            if u == father != FAILED:
                u = asked("again", v, u)
            if u == FAILED and father == FAILED:
                chain.write(YES if self.is_tree(self.edge_list(tokens) or [], seen) else NO, STOP)
                break
            if u == FAILED:
                v, popped = father, v
                continue
            if asked("visited", u) != FAILED or u == "1":
                chain.write(NO, STOP)
                break
            chain.write(v, IS_FATHER, u)
            v, popped, seen = u, "", seen + 1
        return self.read(" ".join(chain.written))

    def _listing(self, edges: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """The chain that writes out the lists of neighbours, and walks along them."""
        first: dict[int, int] = {}  # the neighbour of each vertex that was listed last, which is the first of its list in the end
        after: dict[tuple[int, int], int] = {}
        words: list[str] = []
        if self.vertices == "all" and len(edges) != self.length - 1:
            return self.read(f"{NO} {STOP}")
        for a, b in reversed(edges):
            after[a, b], after[b, a] = first.get(a, 0), first.get(b, 0)
            first[a], first[b] = b, a
            words += [LISTED, *map(str, (a, b)), *(str(u) if u else NONE for u in (after[a, b], after[b, a]))]
        walk, u = [1], first.get(1, 0)
        while u:
            v = walk[-1]
            walk.append(u)
            u = after[u, v] or (first[u] if u != 1 else 0)
        tree = len(walk) == 2 * len(edges) + 1 and self.is_tree(edges, max(1, len(first)))
        return self.read(" ".join([*words, *map(str, walk), YES if tree else NO, STOP]))
