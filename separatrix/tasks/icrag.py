"""IsTree as the public data of its paper have it: ids, sequences, labels and files, and the retriever of its experiments.

The format is that of the code released with the second paper, of which no line is used. [wen2024 Experiment 1]

    [BOS] 5 - 1 4 - 0 4 - 2 5 - 3 2 - 1 [EOS] 0 4 2 1 5 3 5 1 2 4 0 [EOS] [TRUE]        n = 6, with a tour

Vertices count from 0, an edge is u - v with u > v, and `v ~ u` says that u is the father of v. What follows the first [EOS] depends on the
task's `thought`: nothing (none), a tour (tour), or searches (search); then [EOS] and the label. A visit of v by searches is

    v [STARTSEARCH] v ~ [ENDSEARCH] father   [STARTSEARCH] v - x [ENDSEARCH] next   [STARTSEARCH] next ~ [ENDSEARCH] [FAILED] next ~ v

where x is the child from which the walk returned, if it did; the second search is repeated behind the father if that is what it found.
Labels are the ids, and -100 where nothing is predicted: up to the first [EOS], on padding, and on what a search returned.

The released code has two defects, each off by default. `root_cycle="icrag"`: a cycle that closes at the root, whose father is nowhere
recorded, is written as [FAILED], as if the root had not been visited; here it is the root itself. `labels="icrag"`: [TRUE] means connected.
Its files are pickles, which may run code; here the same three arrays are a safetensors file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from separatrix.checker.seal import Refused, Unreadable
from separatrix.checker.weights import parse_safetensors
from separatrix.errors import BadInput
from separatrix.tasks.is_tree import IsTree
from separatrix.tasks.task import Integers

WORDS = (
    "[",
    "]",
    ",",
    "-",
    "[PAD]",
    "[EOS]",
    "[TRUE]",
    "[FALSE]",
    " ",
    "\n",
    "[UNK]",
    "[BOS]",
    "[STARTSEARCH]",
    "[ENDSEARCH]",
    "[FAILED]",
    "~",
)
ID = {word: number for number, word in enumerate(WORDS)}
FIRST, IGNORED = len(WORDS), -100  # the id of vertex 0; the label of what is not predicted
KINDS = {"none": "vanilla", "tour": "cot", "search": "retrieval"}
FILE, FACTS = "tensor_data.safetensors", "metadata.json"

Edges = Sequence[tuple[int, int]]  # of vertices from 0
Search = Callable[[Sequence[str]], str]  # the words so far, up to [ENDSEARCH] -> what is found


@dataclass(frozen=True)
class Icrag:
    """The public form of a task, with the defects of the released code or without."""

    task: IsTree
    root_cycle: Literal["explicit", "icrag"] = "explicit"
    labels: Literal["tree", "icrag"] = "tree"

    def __post_init__(self) -> None:
        if self.task.thought not in KINDS:
            raise BadInput(f"--format icrag: the public data have thought none, tour or search, found thought={self.task.thought}")
        if self.root_cycle not in ("explicit", "icrag") or self.labels not in ("tree", "icrag"):
            raise BadInput(f"icrag: root_cycle is explicit or icrag, labels tree or icrag; found {self.root_cycle!r} and {self.labels!r}")

    @property
    def kind(self) -> str:
        """The name of the released code for this way to answer."""
        return KINDS[self.task.thought]

    def words(self, tokens: Sequence[int]) -> list[str]:
        """The whole sequence of an input of the task."""
        listed = self.task.edge_list(tokens)
        if listed is None:
            raise BadInput(f"is-tree: expected an input of the task, found {self.task.text(tokens)[:80]!r}")
        edges = [(v - 1, u - 1) for u, v in listed]
        tour, tree = self.task.tour(listed)
        reached = self._reached(edges)
        label = reached == self.task.length if self.labels == "icrag" else tree
        chain: list[str] = []
        if self.kind != "vanilla":
            walk = [str(v - 1) for v in tour] if self.kind == "cot" else _searched(edges, self.root_cycle == "icrag")
            chain = [*walk, "[EOS]"]
        return [*prompt(edges), *chain, "[TRUE]" if label else "[FALSE]"]

    def _reached(self, edges: Edges) -> int:
        reached, grown = {0}, True
        while grown:
            new = {v for edge in edges if {*edge} & reached for v in edge} - reached
            reached, grown = reached | new, bool(new)
        return len(reached)

    def ids(self, words: Sequence[str]) -> list[int]:
        """The token ids of words."""
        return [ID[word] if word in ID else FIRST + int(word) for word in words]

    def spelled(self, ids: Sequence[int]) -> list[str]:
        """Ids as words; refuses what is none."""
        for number in ids:
            if not 0 <= number <= FIRST + self.task.length:  # the released vocabulary has one vertex to spare
                raise BadInput(f"icrag: expected ids 0..{FIRST + self.task.length} for {self.task.length} vertices, found {number}")
        return [WORDS[number] if number < FIRST else str(number - FIRST) for number in ids]

    def arrays(self, rows: Sequence[Sequence[int]], padding: Literal["right", "left"] = "right") -> dict[str, Integers]:
        """`input_ids`, `attention_mask` and `labels` of inputs of the task, padded to the longest."""
        written = [self.ids(self.words(tokens)) for tokens in rows]
        longest = max(map(len, written), default=0)
        shape = (len(written), longest)
        found = {"input_ids": np.full(shape, ID["[PAD]"]), "attention_mask": np.zeros(shape), "labels": np.full(shape, IGNORED)}
        for r, ids in enumerate(written):
            place = slice(0, len(ids)) if padding == "right" else slice(longest - len(ids), longest)
            found["input_ids"][r, place], found["attention_mask"][r, place], found["labels"][r, place] = ids, 1, labels_of(ids)
        return {name: array.astype(np.int64) for name, array in found.items()}

    def read(self, arrays: dict[str, Any]) -> list[tuple[int, ...]]:
        """The inputs of the task in such arrays; refuses rows that this form would not have written."""
        for name in ("input_ids", "attention_mask", "labels"):
            if name not in arrays or arrays[name].ndim != 2 or arrays[name].shape != arrays["input_ids"].shape:
                raise BadInput("icrag: expected input_ids, attention_mask and labels, rows of one length")
        rows = []
        for r, (ids, mask, labels) in enumerate(zip(arrays["input_ids"], arrays["attention_mask"], arrays["labels"], strict=True)):
            words = self.spelled(ids[mask == 1].tolist())
            tokens = self._prompt_of(words, r)
            if (
                words != self.words(tokens)
                or labels[mask == 1].tolist() != labels_of(self.ids(words))
                or (labels[mask != 1] != IGNORED).any()
            ):
                raise BadInput(f"icrag: row {r} is not what this form writes for its graph")
            rows.append(tokens)
        return rows

    def _prompt_of(self, words: Sequence[str], r: int) -> tuple[int, ...]:
        m = self.task.m
        head = list(words[1 : 3 * m + 1])
        numbers = head[::3] + head[2::3]
        if (
            words[:1] != ["[BOS]"]
            or words[3 * m + 1 : 3 * m + 2] != ["[EOS]"]
            or not all(map(str.isdigit, numbers))
            or {*head[1::3]} - {"-"}
        ):
            raise BadInput(f"icrag: row {r} is not a graph of {m} edges: expected [BOS], edges u - v, and [EOS]")
        text = " ".join(f"{int(v) + 1} ~ {int(u) + 1}" for u, v in zip(head[::3], head[2::3], strict=True))
        tokens = self.task.read(f"<s> {text} <sep>" if m else "<s> <sep>")
        if self.task.edge_list(tokens) is None:
            raise BadInput(f"icrag: row {r} is not an input of the task: expected different edges u - v with u > v")
        return tokens

    def save(self, folder: Path, rows: Sequence[Sequence[int]], seed: int) -> None:
        """Write the arrays and what they are into a new folder."""
        if folder.exists():
            raise BadInput(f"{str(folder)!r} exists: expected the name of a new folder")
        from safetensors.numpy import save

        written = save({name: np.ascontiguousarray(array) for name, array in self.arrays(rows).items()})
        folder.mkdir(parents=True)
        (folder / FILE).write_bytes(written)
        facts = {"task": self.kind, "n": self.task.length, "size": len(rows), "seed": seed, "parameters": self.task.parameters,
                 "root_cycle": self.root_cycle, "labels": self.labels, "padding": "right"}  # fmt: skip
        (folder / FACTS).write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    def load(self, folder: Path) -> list[tuple[int, ...]]:
        """The inputs in a folder; pickles are refused."""
        path = folder / FILE
        if not path.is_file():
            pickles = sorted(found.name for found in folder.glob("*.pt")) if folder.is_dir() else []
            what = f"found {pickles[0]}, a pickle, which may run code" if pickles else "found no such file"
            raise BadInput(f"{str(folder)!r}: expected {FILE}; {what}")
        try:
            return self.read(parse_safetensors(path.read_bytes()))
        except (Refused, Unreadable, OSError) as error:
            raise BadInput(f"{str(path)!r}: {' '.join(str(error).split())[:200]}") from error


def prompt(edges: Edges) -> list[str]:
    """A graph as the words of a prompt."""
    return ["[BOS]", *(word for u, v in edges for word in (str(max(u, v)), "-", str(min(u, v)))), "[EOS]"]


def labels_of(ids: Sequence[int]) -> list[int]:
    """What is predicted: everything behind the first [EOS] but the result of a search."""
    behind = ids.index(ID["[EOS]"]) + 1
    return [t if i >= behind and ids[i - 1] != ID["[ENDSEARCH]"] else IGNORED for i, t in enumerate(ids)]


def retrieved(words: Sequence[str]) -> str:
    """The retriever: what is found for the query that these words end with.

    `v ~` finds the father in the first `v ~ u` behind the prompt, `v -` the other end of the first edge at v in the prompt, and `v - x`
    that of the first one behind the edge between v and x. Edges are looked for in the prompt alone: queries in the chain look like edges.
    """
    start = len(words) - 1 - list(words[::-1]).index("[STARTSEARCH]")
    query, behind = list(words[start + 1 : -1]), list(words).index("[EOS]") + 1
    v = query[0]
    if query[1] == "~":
        chain = words[behind:start]
        found = (chain[i + 2] for i in range(len(chain) - 2) if chain[i : i + 2] == [v, "~"] and chain[i + 2].isdigit())
        return next(found, "[FAILED]")
    ends = [(words[i], words[i + 2]) for i in range(1, behind - 1, 3)]
    after = 1 + next((i for i, edge in enumerate(ends) if {*edge} == {v, query[2]}), len(ends)) if len(query) > 2 else 0
    return next((a if b == v else b for a, b in ends[after:] if v in (a, b)), "[FAILED]")


def _searched(edges: Edges, as_released: bool) -> list[str]:
    """The walk through the graph, written with searches."""
    words = prompt(edges)
    behind = len(words)

    def search(*query: str) -> str:
        words.extend(["[STARTSEARCH]", *query, "[ENDSEARCH]"])
        words.append(retrieved(words))
        return words[-1]

    v, child = "0", ""
    while True:
        words.append(v)
        father = search(v, "~")
        following = search(v, "-", *([child] if child else []))
        if following == father != "[FAILED]":
            following = search(v, "-", father)
        if following == "[FAILED]":
            if father == "[FAILED]":
                return words[behind:]
            v, child = father, v
            continue
        found = search(following, "~")
        if following == "0" and not as_released:
            words[-1] = found = "0"
        if found != "[FAILED]" or following == "0":
            return words[behind:]
        words += [following, "~", v]
        v, child = following, ""
