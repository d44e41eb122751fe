"""Restrictions that make a model of hard attention constant: depth reduction as a search.

[hahn2020 Theorem 1] [hahn2020 Lemma 4] [hahn2020 Corollary 2] [hahn2020 Notion 4] [hahn2020 Definition 3]

Of every place a table is kept: which free places its vector depends on, at most c of them, and the vector for each assignment of tokens.
A head that may attend to many places would make the next table large. Fixing the tokens on which one of its largest scores rests forces
it to look there, or at the few that are no smaller; so the search fixes, again and again, the entry that serves most of the offending
rows for the fewest tokens. In the last layer nothing may be left: the model then says the same on all completions.
The proof fixes tokens at random, and its constants start at thousands of places. Greedy choices fix tens of a hundred.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker import SCHEMA, VERSION, sealed
from separatrix.checker.weights import EMBEDDED
from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.models.saved import describe, weights_bytes
from separatrix.refuters.completions import Completions, Input
from separatrix.refuters.hard_attention import Array, HardAttention, OfModel, Vectors
from separatrix.tasks import Task, is_of_the_package

DEPENDS = 3  # c: free places on which a vector below the last layer may depend
TOP = 3  # largest scores of a row that compete to be fixed
Document = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """A vector for each assignment of tokens to the places of a support."""

    support: tuple[int, ...]
    tokens: npt.NDArray[np.int64]  # [rows, places of the support]
    vectors: Vectors

    def where(self, place: int, token: int) -> Table:
        """The table after a place is fixed."""
        if place not in self.support:
            return self
        at = self.support.index(place)
        rows = self.tokens[:, at] == token
        return Table(self.support[:at] + self.support[at + 1 :], np.delete(self.tokens[rows], at, axis=1), self.vectors[rows])


@dataclass(frozen=True)
class AfterLayer:
    """What the search has come to when a layer is done: tokens fixed so far, and the free places on which each vector depends."""

    restriction: tuple[int | None, ...]
    supports: tuple[tuple[int, ...], ...]  # of every place; after the last layer of the last one alone


@dataclass(frozen=True)
class Refutation:
    """A restriction after which the model is constant, two completions that need two answers, and how it came about."""

    restriction: tuple[int | None, ...]
    said: int
    completions: tuple[Input, Input]
    free: int
    layers: tuple[AfterLayer, ...]


def refute(model: HardAttention, task: Task, depends: int = DEPENDS) -> Refutation | None:
    """The restriction that the search finds; None where it runs out of places, or where one answer is right on all that is left."""
    return Search(model, task, depends).run()


def certificates(model: Model, task: Task, found: Refutation) -> tuple[Document, Document]:
    """The certificate of a restriction, and that of its two completions alone."""
    if not is_of_the_package(task):
        raise BadInput(f"{task.name}: the checker has no oracle for it, so nothing can be certified")
    head = {"schema": SCHEMA, "version": VERSION}
    about = _about(model, task)
    answers = [task.answer(x) for x in found.completions]
    common = {"said": found.said, "expected": answers, "strength": "proven"}
    inputs = [list(x) for x in found.completions]
    restriction = {"restriction": list(found.restriction), "completions": inputs, "free": found.free}
    return (
        sealed({**head, "kind": "restriction", **about, **restriction, **common}),
        sealed({**head, "kind": "pair", **about, "inputs": inputs, **common}),
    )


def _about(model: Model, task: Task) -> Document:
    """The fields of a document that say which model and which task."""
    raw = weights_bytes(model)
    if len(raw) > EMBEDDED:
        raise BadInput(f"the weights have {len(raw):,} bytes; a certificate of a restriction holds at most {EMBEDDED:,}")
    described = describe(model)
    described["length"] = described["length"] or task.token_count  # a trained model has no longest input
    return {
        "claim": {"task": task.name, "parameters": json.loads(json.dumps(task.parameters))},
        "program": {"model": described, "decoder": {"kind": "position"}},
        "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()},
    }


def refuted(model: Model, task: Task, depends: int = DEPENDS) -> Refutation | None:
    """A restriction that refutes one of our own models of hard attention, or None."""
    return refute(OfModel(model), task, depends)


class Search:
    """One search: what is fixed so far, and the tables after the layers done."""

    def __init__(self, model: HardAttention, task: Task, depends: int) -> None:
        if depends < 1:
            raise BadInput(f"a vector must be allowed to depend on at least 1 place, found {depends}")
        self.model, self.task, self.depends = model, task, depends
        self.inputs = Completions(task)
        self.alphabets = self.inputs.alphabets
        self.fixed: list[int | None] = [alphabet[0] if len(alphabet) == 1 else None for alphabet in self.alphabets]
        self.tables = [self._embedded(place) for place in range(len(self.alphabets))]

    def run(self) -> Refutation | None:
        """Layer by layer; the last one is read at the last place alone."""
        if self.inputs.pair(self.fixed) is None:
            return None
        n, done = len(self.tables), []
        for layer in range(self.model.layers):
            last = layer == self.model.layers - 1
            if last and not all(self._fix_some(place) for place in self.tables[-1].support):
                return None
            reduction = Reduction(self, layer, [n - 1] if last else list(range(n)), 0 if last else self.depends)
            if not reduction.run():
                return None
            self.tables = reduction.tabulated()
            done.append(AfterLayer(tuple(self.fixed), tuple(table.support for table in self.tables)))
        found = self.inputs.pair(self.fixed)
        assert found is not None
        free = sum(token is None for token in self.fixed)
        return Refutation(tuple(self.fixed), int(self.model.answers(self.tables[-1].vectors)[0]), found, free, tuple(done))

    def fix(self, places: tuple[int, ...], tokens: tuple[int, ...]) -> bool:
        """Fix tokens, unless one answer would be right on all that is left."""
        trial = list(self.fixed)
        for place, token in zip(places, tokens, strict=True):
            trial[place] = token
        if self.inputs.pair(trial) is None:
            return False
        self.fixed = trial
        for place, token in zip(places, tokens, strict=True):
            self.tables = [table.where(place, token) for table in self.tables]
        return True

    def _fix_some(self, place: int) -> bool:
        """Fix a place to any token that leaves both answers possible."""
        return any(self.fix((place,), (token,)) for token in self.alphabets[place])

    def _embedded(self, place: int) -> Table:
        tokens = self.alphabets[place]
        vectors = np.concatenate([self.model.embed(place, token) for token in tokens])
        if self.fixed[place] is not None:
            return Table((), np.zeros((1, 0), dtype=np.int64), vectors)
        return Table((place,), np.array(tokens, dtype=np.int64)[:, None], vectors)


class Reduction:
    """One layer: tokens are fixed until every reader depends on few places after it."""

    def __init__(self, search: Search, layer: int, readers: list[int], most: int) -> None:
        self.search, self.layer, self.readers, self.most = search, layer, readers, most
        n = len(search.tables)
        self.seen = {i: search.model.visible(layer, i, n) for i in readers}

    def run(self) -> bool:
        """Whether it could be done."""
        while True:
            self._compare()
            wide = [i for i in self.readers if len(self.supports[i]) > self.most]
            if not wide:
                return True
            if not self._fix_entry(wide) and not self._fix_place(wide):
                return False

    def tabulated(self) -> list[Table]:
        """The tables of the readers after the layer."""
        return [self._table(i) for i in self.readers]

    def _compare(self) -> None:
        """Which places each head may attend to, in each row of each reader, and the supports that follow."""
        tables = self.search.tables
        sizes = [len(table.vectors) for table in tables]
        self.first = np.cumsum([0, *sizes[:-1]])
        self.owner = np.repeat(np.arange(len(tables)), sizes)
        self.scores = self.search.model.scores(self.layer, np.concatenate([table.vectors for table in tables]))
        self.open: dict[int, Array] = {}  # [heads, rows, places]
        self.supports: dict[int, tuple[int, ...]] = {}
        for i in self.readers:
            self.open[i] = self._open(i)
            places = set(tables[i].support).union(*(tables[j].support for j in np.flatnonzero(self.open[i].any(axis=(0, 1)))))
            self.supports[i] = tuple(sorted(places))

    def _open(self, i: int) -> Array:
        agree = self._agreeing(i)
        scores = self.scores[:, self.first[i] : self.first[i] + len(self.search.tables[i].vectors)]
        best = np.maximum.reduceat(np.where(agree, scores, -np.inf), self.first, axis=2)
        worst = np.minimum.reduceat(np.where(agree, scores, np.inf), self.first, axis=2)
        floor = np.where(self.seen[i], worst, -np.inf).max(axis=2, keepdims=True)
        first = (self.seen[i] & (worst == floor)).argmax(axis=2)[..., None]  # of keys that tie the first is taken
        return np.asarray(self.seen[i] & ((best > floor) | ((best == floor) & (np.arange(worst.shape[2]) <= first))))

    def _agreeing(self, i: int) -> Array:
        """[rows of i, all rows]: whether two assignments agree on the places that they share."""
        tables = self.search.tables
        own = tables[i]
        agree = np.ones((len(own.vectors), len(self.owner)), dtype=bool)
        for j, table in enumerate(tables):
            for place in set(own.support) & set(table.support):
                mine, theirs = own.tokens[:, own.support.index(place)], table.tokens[:, table.support.index(place)]
                agree[:, self.first[j] : self.first[j] + len(theirs)] &= mine[:, None] == theirs[None, :]
        return agree

    def _fix_entry(self, wide: list[int]) -> bool:
        """Fix what one of the largest scores of offending rows rests on: the most votes for each token to be fixed."""
        tables, votes = self.search.tables, Counter[int]()
        for i in wide:
            agree = self._agreeing(i) & self.seen[i][self.owner]
            for h, scores in enumerate(self.scores[:, self.first[i] : self.first[i] + len(agree)]):
                several = self.open[i][h].sum(axis=1) > 1
                top = np.argsort(-np.where(agree, scores, -np.inf)[several], axis=1, kind="stable")[:, :TOP]
                for rank, entries in enumerate(top.T):
                    for entry in entries.tolist():
                        votes[entry] += TOP - rank
        worth = {
            entry: count / len(tables[self.owner[entry]].support) for entry, count in votes.items() if tables[self.owner[entry]].support
        }
        for entry in sorted(worth, key=lambda entry: (-worth[entry], entry)):
            table = tables[self.owner[entry]]
            tokens = tuple(table.tokens[entry - self.first[self.owner[entry]]].tolist())
            if self.search.fix(table.support, tokens):
                return True
        return False

    def _fix_place(self, wide: list[int]) -> bool:
        """Where no entry can be fixed: any place on which offending readers would depend."""
        counts = Counter(place for i in wide for place in self.supports[i])
        return any(self.search.fix((place,), (token,)) for place, _ in counts.most_common() for token in self.search.alphabets[place])

    def _table(self, i: int) -> Table:
        tables, alphabets, support = self.search.tables, self.search.alphabets, self.supports[i]
        every = [*itertools.product(*(alphabets[place] for place in support))]  # a single empty one where nothing is free
        tokens = np.array(every, dtype=np.int64).reshape(len(every), len(support))
        mine = [self._row(i, dict(zip(support, row, strict=True))) for row in tokens.tolist()]
        read = []
        for h in range(len(self.scores)):
            attended = []
            for row, assignment in zip(mine, tokens.tolist(), strict=True):
                at = dict(zip(support, assignment, strict=True))
                rows = [self._row(int(j), at) for j in np.flatnonzero(self.open[i][h, row - self.first[i]])]
                attended.append(rows[int(self.scores[h, row, rows].argmax())])  # the first of the largest
            read.append(np.concatenate([tables[j].vectors for j in range(len(tables))])[attended])
        own = tables[i].vectors[np.array(mine) - self.first[i]]
        return _trimmed(Table(support, tokens, self.search.model.after(self.layer, own, read)))

    def _row(self, j: int, tokens: dict[int, int]) -> int:
        """The row of table j, among all rows, in which the places of its support have these tokens."""
        table = self.search.tables[j]
        wanted = np.array([tokens[place] for place in table.support], dtype=np.int64)
        return int(self.first[j] + (table.tokens == wanted).all(axis=1).argmax())


def _trimmed(table: Table) -> Table:
    """Without the places on which no vector depends."""
    for place in table.support:
        at = table.support.index(place)
        halves = [table.where(place, token) for token in np.unique(table.tokens[:, at]).tolist()]
        if all(np.array_equal(half.vectors, halves[0].vectors) for half in halves):
            return _trimmed(replace(halves[0]))
    return table
