"""Chains about a graph: three walks that find out whether it is a tree, as words. Each ends in YES or NO and </s>.

`tour`: from vertex 1; from v on to the neighbour after the one that the walk came from, in the order of the edges and without v's father,
or to the first one on arrival from the father; where there is none back to the father; NO at a neighbour that was visited before, and the
answer at vertex 1 when none is left.
`search`: the walk asks the text: at v for u in `u - v`, v's father; for the next edge at v, behind the one to the vertex from which it
returned; again, where that is the edge to the father; and for the father of the vertex found, which has one if it was visited.
`lists`: the edges follow from the last to the first as `: a b w x`, where w is the neighbour of a in the next edge that has a and x that
of b in the next that has b, or `.`; then a walk from 1 that goes from v, reached from u, to the next neighbour around v after u, in the
order of the edges and from the last on to the first, until it would leave 1 as it began.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.checker.specs.searches import END, FAILED, START, STOP, searched

FRAGMENTS = (
    r"(?<!\S)(\d+)\s-\s", r"(?!\S)", r"(?<!\S)(\d+)\s-\s(?:)", r"(?:(?<!\S)", r"\s~\s|(?<!\S)(?=\d+\s~\s", r"(?!\S)))(\d+)(?!\S)",
    r"(?<!\S)(?:", r"\s~\s", "|", r"\s~[\s]", r")(?!\S).*?(?:(?<!\S)", r"(?<!\S)(?:(?:)",
)  # fmt: skip
FURTHER: dict[str, tuple[str, ...]] = {  # words of the vocabulary, by how a program thinks
    "none": (),
    "tour": (STOP,),
    "search": (START, END, FAILED, STOP, "-", *FRAGMENTS),
    "lists": (STOP, ":", "."),
}
Edges = list[tuple[int, int]]


@dataclass(frozen=True)
class Graph:
    """Its edges in order, the neighbours of each vertex in the order of the edges, and the vertices that a tree has to reach."""

    edges: Edges
    beside: list[list[int]]
    vertices: set[int]
    given: bool = False  # whether the number of vertices is known before the edges are read

    def ending(self, tree: bool) -> tuple[str, str]:
        """The answer and the end."""
        return ("YES" if tree and len(self.edges) == len(self.vertices) - 1 else "NO"), STOP


def neighbours(edges: Edges, n: int) -> list[list[int]]:
    """The neighbours of each vertex, in the order of the edges."""
    beside: list[list[int]] = [[] for _ in range(n + 1)]
    for u, v in edges:
        beside[u].append(v)
        beside[v].append(u)
    return beside


def tour(graph: Graph, _: list[str]) -> list[str]:
    """By a stack."""
    stack, walk, visited, left = [1], [1], {1}, [iter(row) for row in graph.beside]
    while stack:
        father = stack[-2] if len(stack) > 1 else 0
        u = next((u for u in left[stack[-1]] if u != father), None)
        if u is None:
            stack.pop()
            walk += stack[-1:]
        elif u in visited:
            break
        else:
            visited.add(u)
            stack.append(u)
            walk.append(u)
    return [*map(str, walk), *graph.ending(not stack and visited == graph.vertices)]


def listing(graph: Graph, _: list[str]) -> list[str]:
    """Every edge with the neighbours that follow, then the walk around the vertices; NO alone where the edges are too few or too many."""
    if graph.given and len(graph.edges) != len(graph.vertices) - 1:
        return [*graph.ending(False)]
    written: list[str] = []
    for a, b in graph.edges[::-1]:
        later = [([*graph.beside[v], 0])[graph.beside[v].index(u) + 1] for v, u in ((a, b), (b, a))]
        written += [":", str(a), str(b), *(str(u) if u else "." for u in later)]
    walk = [1, *graph.beside[1][:1]]
    while len(walk) > 1 and (walk[-1] != 1 or walk[-2] != graph.beside[1][-1]):
        around = graph.beside[walk[-1]]
        walk.append(around[(around.index(walk[-2]) + 1) % len(around)])
    return [*written, *map(str, walk), *graph.ending(len(walk) == 2 * len(graph.edges) + 1 and set(walk) == graph.vertices)]


def searching(graph: Graph, prompt: list[str]) -> list[str]:
    """The walk that asks the text for everything."""
    text = list(prompt)
    father, visited, first, after, after_father = FRAGMENTS[0], FRAGMENTS[2], FRAGMENTS[3], FRAGMENTS[6], FRAGMENTS[11]

    def found(*fragments: str) -> str:
        text.extend(searched(text, list(fragments)))
        return text[-1]

    def beyond(begin: str, x: str, v: str) -> str:
        return found(begin, x, r"\s~\s", v, "|", v, r"\s~[\s]", x, FRAGMENTS[10], v, FRAGMENTS[4], v, FRAGMENTS[5])

    v, child, reached = "1", "", 1
    while True:
        text.append(v)
        above = found(father, v, FRAGMENTS[1])
        u = beyond(after, child, v) if child else found(first, v, FRAGMENTS[4], v, FRAGMENTS[5])
        if u == above and u != FAILED:
            u = beyond(after_father, u, v)
        if u != FAILED and (found(visited, u, FRAGMENTS[1]) != FAILED or u == "1"):
            return [*text[len(prompt) :], *graph.ending(False)]
        if u != FAILED:
            text += [v, "-", u]
            v, child, reached = u, "", reached + 1
        elif above == FAILED:
            return [*text[len(prompt) :], *graph.ending(reached == len(graph.vertices))]
        else:
            v, child = above, v
