"""The tasks at sizes that the tests of this folder share."""

from __future__ import annotations

import json
from typing import Any

from separatrix.checker.specs import Spec, names, spec_of
from separatrix.tasks import Task, make_task, task_class

Setting = tuple[str, dict[str, Any]]
GIVEN = {"table", "listed", "dynamic-program"}  # what the author of a certificate states as data
DRAWN: list[Setting] = [  # sizes at which the draws are compared: smallest, odd ones, and past 64 words at once
    ("index-lookup", {"length": 1, "symbols": 2}),
    ("index-lookup", {"length": 16, "symbols": 3}),
    ("index-lookup", {"length": 60, "symbols": 64}),
    ("index-lookup", {"length": 130, "symbols": 5, "distribution": "training"}),
    ("equality", {"length": 10, "symbols": 3}),
    ("equality", {"length": 200, "symbols": 2}),
    ("eq-random", {"length": 40, "symbols": 2, "distribution": "training"}),
    ("eq-random", {"length": 2, "symbols": 5, "distribution": "evaluation"}),
    ("eq-one", {"length": 44, "symbols": 7, "distribution": "training"}),
    ("eq-one", {"length": 160, "symbols": 1024, "distribution": "evaluation"}),
    ("eq-ncp", {"length": 42, "symbols": 9, "distribution": "training"}),
    ("eq-ncp", {"length": 150, "symbols": 1024, "distribution": "evaluation"}),
    ("partition-equality", {"length": 20, "symbols": 3, "instance": 4}),
    ("partition-equality", {"length": 6, "symbols": 2, "first": (1, 4, 5)}),
    ("partition-equality", {"length": 150}),
    ("intersects", {"length": 2}),
    ("intersects", {"length": 140}),
    ("sparse-threshold", {"length": 9}),
    ("sparse-threshold", {"length": 2, "k": 5}),
    ("sparse-threshold", {"length": 70, "k": 2, "instance": 3, "threshold": 20}),
    ("sparse-threshold", {"length": 6, "features": "1,3:0110; 2,4:0001; 4:01; 6,1,2:01101001", "threshold": 1}),
    ("k-dnf", {"length": 16}),
    ("k-dnf", {"length": 5, "formula": "x1 & !x3 | ! x2 & x4|x5&!x5"}),
    ("k-cnf", {"length": 16, "k": 2, "terms": 9, "instance": 5}),
    ("k-cnf", {"length": 5, "formula": "(x1 | !x3) & (x2 | x4)"}),
    *(
        ("dyck", {"length": N, "types": n, "depth": k, "positives": positives})
        for positives in ("walk", "fair-walk", "uniform")
        for N, n, k in ((2, 2, 2), (20, 2, 2), (30, 1, 2), (24, 3, 4), (16, 2, 1), (40, 5, 3))
    ),
    ("latest-recall", {"length": 1}),
    ("latest-recall", {"length": 9, "symbols": 4, "labels": 3}),
    ("state-based-recall", {"length": 1, "swaps": 1}),
    ("state-based-recall", {"length": 9, "registers": 7, "symbols": 5, "swaps": 60}),
    ("state-based-recall", {"length": 4}),
    ("mqar", {"length": 2}),
    ("mqar", {"length": 16}),
    ("mqar", {"length": 10, "symbols": 50, "labels": 7}),
    ("associative-recall", {"length": 1}),
    ("associative-recall", {"length": 9, "symbols": 9, "labels": 3}),
    ("associative-recall", {"length": 5, "filler": 7}),
    ("associative-recall", {"length": 4, "symbols": 5, "absent": True}),
    ("mqar", {"length": 8, "filler": 70, "labels": 3}),
    ("mqar", {"length": 8, "symbols": 6, "filler": 3, "absent": True}),
    ("mqar", {"length": 8, "symbols": 5, "absent": True}),  # one key is absent, so that at most one query asks for it
    ("nearest-neighbor", {"length": 2, "dimension": 3, "gamma": 0.7}),
    ("nearest-neighbor", {"length": 80, "dimension": 14, "gamma": 0.001}),
    ("nearest-neighbor", {"length": 9, "dimension": 4, "gamma": 1.9}),
    ("nearest-neighbor", {"length": 30, "dimension": 6, "gamma": 0.1, "distribution": "training"}),
    ("nearest-neighbor", {"length": 2, "dimension": 3, "gamma": 0.7, "distribution": "training"}),
    ("parity", {"length": 1}),
    ("parity", {"length": 90}),
    *(("dyck-next", {"length": N, "types": n, "depth": k}) for N, n, k in ((2, 2, 2), (20, 2, 2), (24, 3, 4), (16, 2, 1), (70, 1, 30))),
    *(("dyck-2", {"length": N}) for N in (2, 10, 40)),
    *(("dyck-1", {"length": N}) for N in (2, 10, 40)),
    ("regular", {"length": 1, "language": "a|b*"}),
    ("regular", {"length": 30, "language": "(ab|b)*a?", "alphabet": "cab"}),
    ("regular", {"length": 24, "language": "(0|1(01*0)*1)*", "negatives": "near"}),
    ("regular", {"length": 9, "language": "[ab]{2,4}.*", "alphabet": "abc", "negatives": "near"}),  # one word in few leaves by one change
    ("regular", {"length": 70, "language": "@dyck-2-2", "negatives": "near"}),
    ("regular", {"length": 8, "language": "@even-length"}),  # every word is a member
    ("state-tracking", {"length": 1, "language": "@s3"}),
    ("state-tracking", {"length": 30, "language": "(ab|b)*a?", "alphabet": "cab"}),
    *(("index", {"length": n, "thought": thought}) for n in (2, 70) for thought in ("none", "search")),
    *(("recall-next", {"length": n, "thought": thought}) for n in (2, 70) for thought in ("none", "search")),
    *(("c-gram", {"length": n, "c": c, "thought": thought}) for n, c in ((3, 3), (70, 5)) for thought in ("none", "search")),
    *(("counting", {"length": n, "thought": thought}) for n in (2, 70) for thought in ("none", "search")),
    ("circuit", {"length": 7}),
    ("circuit", {"length": 5, "circuit": "recurrent-mod-3", "thought": "chain"}),
    ("circuit", {"length": 3, "circuit": "recurrent-add-4", "thought": "chain"}),
    ("circuit", {"length": 4, "circuit": 'gates = ["x4", "one", "xor 1 2", "x2", "or 3 4", "not 5", "and 6 2"]', "thought": "chain"}),
    ("is-tree", {"length": 3}),
    ("is-tree", {"length": 9}),
    ("is-tree", {"length": 7, "graphs": "two-star", "thought": "tour"}),
    ("is-tree", {"length": 6, "edges": 9, "thought": "tour"}),
    ("is-tree", {"length": 12, "thought": "tour"}),
    ("is-tree", {"length": 7, "thought": "search"}),
    ("is-tree", {"length": 9, "graphs": "message"}),
    ("is-tree", {"length": 5, "edges": 6, "thought": "search"}),
    ("is-tree", {"length": 7, "thought": "lists"}),
    ("is-tree", {"length": 6, "edges": 4, "thought": "lists", "vertices": "touched"}),
    ("is-tree", {"length": 6, "edges": 4, "thought": "search", "vertices": "touched"}),
    ("is-tree", {"length": 8, "graphs": "two-star"}),
    ("turing-machine", {"length": 6, "padding": 3}),
    ("turing-machine", {"length": 5, "thought": "chain"}),
    ("turing-machine", {"length": 4, "thought": "search", "padding": 2, "margin": 3}),
    ("turing-machine", {"length": 4, "thought": "turning", "padding": 2, "margin": 3}),
    ("turing-machine", {"length": 1, "machine": "increment", "thought": "turning"}),
    ("turing-machine", {"length": 4, "machine": "increment", "thought": "chain", "steps": 7}),  # 1111 takes 10 steps
]
SMALL: list[Setting] = [  # few enough inputs to list them all
    ("index-lookup", {"length": 3, "symbols": 3}),
    ("index-lookup", {"length": 1, "symbols": 2}),
    ("index-lookup", {"length": 11, "symbols": 2, "distribution": "training"}),
    ("equality", {"length": 8}),
    ("equality", {"length": 4, "symbols": 3}),
    ("eq-random", {"length": 4, "symbols": 3}),
    ("eq-random", {"length": 10, "symbols": 2, "distribution": "training"}),
    ("eq-one", {"length": 4, "symbols": 2, "distribution": "training"}),
    ("eq-ncp", {"length": 6, "symbols": 3}),
    ("eq-ncp", {"length": 10, "symbols": 2, "distribution": "training"}),
    ("eq-ncp", {"length": 2, "symbols": 3}),
    ("partition-equality", {"length": 6, "instance": 3}),
    ("partition-equality", {"length": 4, "symbols": 3, "first": (2, 3)}),
    ("intersects", {"length": 8}),
    ("sparse-threshold", {"length": 6}),
    ("k-dnf", {"length": 6}),
    ("k-cnf", {"length": 6}),
    ("dyck", {"length": 6}),
    ("dyck", {"length": 6, "types": 1, "depth": 1}),
    ("dyck", {"length": 4, "types": 3, "depth": 3}),
    ("latest-recall", {"length": 3, "symbols": 2}),
    ("state-based-recall", {"length": 2, "registers": 3, "swaps": 3}),
    ("state-based-recall", {"length": 1, "registers": 4, "symbols": 3, "swaps": 2}),
    ("mqar", {"length": 4, "symbols": 3}),
    ("mqar", {"length": 2, "labels": 3}),
    ("mqar", {"length": 6, "symbols": 3}),
    ("associative-recall", {"length": 2}),
    ("associative-recall", {"length": 2, "symbols": 2, "labels": 3}),
    ("nearest-neighbor", {"length": 3, "dimension": 2, "gamma": 1.0}),
    ("nearest-neighbor", {"length": 2, "dimension": 2, "gamma": 1.0}),
    ("nearest-neighbor", {"length": 3, "dimension": 3, "gamma": 0.7, "distribution": "training"}),
    ("parity", {"length": 7}),
    ("regular", {"length": 6, "language": "(ab|b)*a?"}),
    ("state-tracking", {"length": 6, "language": "(ab|b)*a?"}),
    ("state-tracking", {"length": 5, "language": "b|ab|aab|bab"}),  # of the expressions that are left, some are the same language
    ("regular", {"length": 5, "language": "@golden-mean"}),
    ("regular", {"length": 4, "language": "(a.)*|.", "alphabet": "abc"}),
    ("index", {"length": 3}),
    ("recall-next", {"length": 3}),
    ("c-gram", {"length": 4, "c": 3}),
    ("counting", {"length": 3}),
    ("circuit", {"length": 4}),
    ("circuit", {"length": 5, "circuit": "recurrent-mod-3"}),
    ("is-tree", {"length": 3}),
    ("is-tree", {"length": 4, "edges": 2}),
    ("is-tree", {"length": 4, "graphs": "message"}),
    ("is-tree", {"length": 4, "graphs": "two-star", "thought": "lists"}),
    ("is-tree", {"length": 4, "edges": 2, "thought": "tour", "vertices": "touched"}),
    ("turing-machine", {"length": 4}),
    ("turing-machine", {"length": 3, "machine": "increment", "padding": 1, "steps": 6}),
]


def both(name: str, chosen: dict[str, Any]) -> tuple[Task, Spec]:
    """A task and the checker's oracle of it."""
    task = make_task(name, **chosen)
    return task, spec_of(name, json.loads(json.dumps(task.parameters)))


def named(setting: Setting) -> str:
    """How a setting is called in a list of tests."""
    name, chosen = setting
    return f"{name}({', '.join(f'{key}={value}' for key, value in chosen.items())})"


def _listed_nowhere(settings: list[Setting], at: str) -> list[Setting]:
    """Tasks with an oracle that have no setting of their own: at the sizes that they name themselves."""
    rest = sorted(names() - GIVEN - {name for name, _ in settings})
    return [(name, dict(getattr(task_class(name), at))) for name in rest]


DRAWN += _listed_nowhere(DRAWN, "drawn_at")
SMALL += _listed_nowhere(SMALL, "enumerated_at")
