"""Every construction keeps what its declaration says: its name, its sizes without any weights, and a length at which it works."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.architectures import RECURRENT_KINDS, Architecture, Quantity
from separatrix.bounds.number_format import number_format
from separatrix.certificates.built import Built
from separatrix.certificates.construction import Construction, Settings
from separatrix.certificates.verify import verify
from separatrix.constructions import CONSTRUCTIONS, build, compiler, construction, constructions, quick_builds
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.named import idle_halves, induction_hybrids, registers_and_reads
from separatrix.errors import BadInput
from separatrix.ledger.bounds_table import least_built, quantities
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.papers import statements
from separatrix.tasks import TASKS, task_at

QUICK = quick_builds()
RECURRENT = (Architecture.RECURRENT, *RECURRENT_KINDS)
LAYERS = {Architecture.ONE_LAYER: 1, Architecture.TWO_LAYERS: 2, Architecture.THREE_LAYERS: 3, Architecture.RECURRENT: 1}  # by name
FORMATS = (None, "float32", "fixed:50,14")  # None: float64, or the fixed point that the construction chooses
NARROW = ("bfloat16", "float:4,3", "fixed:9,5", "fixed:14,6", "fixed:60,40", "nearest:25")  # each refuses some and holds others
LONGEST = 8192
PROGRAMS = {"reverse-sum": 100, "lis": 12, "edit-distance": 10}
CELLS = ("elman", "gru", "lstm")
TABLES = ("deltanet", "gated-deltanet", "mamba2", "mamba")
CHEAP: dict[str, Settings] = {  # where the longest input would take minutes or gigabytes to build
    "index-lookup/recurrent": {"symbols": 2},
    "sparse-threshold": {"length": 512},
    "dyck/one-layer": {"length": 256},
    "dyck-2/soft-attention": {"length": 1000},  # a hidden unit for each depth
    "dyck-2/recurrent": {"length": 1000},  # two bits for each open bracket
    "equality/one-layer": {"length": 2000},  # whose numbers have 1001 bits; no format has more than 1024
    "nearest-neighbor/label-address": {"length": 128, "dimension": 6},
    "associative-recall/recurrent": {"length": 12},
    **{
        f"{program}/{attention}": {"length": length}
        for program, length in PROGRAMS.items()
        for attention in ("standard", "linear", "sparse")
    },
    "cellular-automaton/window": {"length": 100},
    "edit-distance-local/window": {"length": 10},
    "arithmetic/sparse": {"length": 8},
    **{
        f"{task}/{way}": {"length": 1024} for task in ("recall-next", "c-gram") for way in ("transformer", "hybrid", "hard-attention")
    },  # within 2^53
    **{f"turing-machine/{way}": {"length": 10} for way in ("linear-rnn", "linear-rnn/turning", "hybrid", "retrieval")},
    **{f"is-tree/{way}": {"length": 40} for way in ("transformer", "retrieval", "hybrid", "hybrid/no-chain")},
    **{name: {"length": 128} for name in ("circuit/transformer", "circuit/transformer/recurrent")},
    **{f"{task}/{cell}": {"length": 200, "symbols": 2} for task in ("index-lookup", "copy", "equality") for cell in CELLS},
    **{f"intersects/{cell}": {"length": 200} for cell in CELLS},  # a unit for each token, and all pairs of units
    **{f"{task}/{cell}": {"length": 60} for task in ("mqar", "associative-recall") for cell in ("lstm", "gru")},
    **{f"{task}/linear-attention": {"length": 2000, "symbols": 2} for task in ("index-lookup", "copy", "equality")},
    "intersects/linear-attention": {"length": 2000},
    **{f"{task}/{by}": {"length": 2000, "symbols": 2} for task in ("index-lookup", "copy", "equality") for by in TABLES},
    **{f"intersects/{by}": {"length": 2000} for by in TABLES},
    **{f"latest-recall/{by}": {"length": 120} for by in ("deltanet", "lstm", "gru")},
    **{f"state-based-recall/hybrid-{by}": {"length": 2000} for by in ("pd", "deltanet", "gated-deltanet")},
    **{f"{task}/linear-attention": {"length": 400} for task in ("mqar", "associative-recall")},
    **{f"mqar/{by}-2-64": {"length": 512} for by in TABLES},
    **{f"{task}/retnet": {"length": 2000, "symbols": 2} for task in ("index-lookup", "copy", "equality")},
    "intersects/retnet": {"length": 2000},
    **{f"{task}/linear-rnn": {"length": 200, "symbols": 2} for task in ("index-lookup", "copy", "equality")},  # all pairs of registers
    **{f"{task}/linear-rnn": {"length": 200} for task in ("intersects", "parity")},
    **{f"{task}/linear-rnn": {"length": 30} for task in ("mqar", "associative-recall")},
    "index-lookup/selective-rnn": {"length": 200, "symbols": 2},
    **{f"{task}/deltaproduct": {"length": 1000} for task in ("mqar", "associative-recall")},
    **{f"nearest-neighbor/{by}": {"length": 30, "dimension": 6, "gamma": 0.5} for by in ("deltanet", "gated-deltanet", "mamba2")},
}


# -- declarations ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_a_construction_is_declared_once_and_completely(name: str) -> None:
    declared = construction(name)
    assert declared.name == name
    assert declared.task in TASKS
    assert declared.cites in {"", *(statement.key for statement in statements())}
    assert declared.quick
    assert all({*settings} <= {*declared.parameters} for settings in declared.quick)
    assert all({*settings} <= {*declared.settings} for settings in declared.variants)
    assert {*declared.ignores} <= {*declared.fixed} <= {*task_at(declared.task, {"length": 8}).parameters}


def test_the_constructions_of_a_task_are_those_that_declare_it() -> None:
    every = constructions()
    listed = {task: [one.name for one in constructions(task)] for task in TASKS}
    assert listed == {task: [one.name for one in every if one.task == task] for task in TASKS}
    assert sum(map(len, listed.values())) == len(CONSTRUCTIONS)


def test_no_two_constructions_share_a_declaration() -> None:
    assert len({*CONSTRUCTIONS.values()}) == len(CONSTRUCTIONS) >= 20
    assert len({id(declared) for declared in constructions()}) == len(CONSTRUCTIONS)


def test_quick_builds_come_from_the_declarations_in_the_order_of_the_registry() -> None:
    assert list(dict.fromkeys(name for name, _ in QUICK)) == list(CONSTRUCTIONS)
    assert [settings for name, settings in QUICK if name == "intersects"] == [{"length": 12}, {"length": 40, "address": "quadratic"}]


WITHOUT_TORCH = """
import importlib, pkgutil, sys
sys.modules["torch"] = None
import separatrix.constructions as room

WITH_WEIGHTS = ("compiler",)  # what fills in the weights of a model
modules = [m.name for m in pkgutil.walk_packages(room.__path__, "separatrix.constructions.")]
for name in modules:
    if name.rpartition(".")[2] not in WITH_WEIGHTS:
        importlib.import_module(name)
sizes = [declared.sizes({"length": 8}) for declared in room.constructions()]
print(len(modules) - len(WITH_WEIGHTS), len(sizes), sum(size is not None for size in sizes))
"""


def test_declarations_and_sizes_need_no_torch() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    imported, declared, possible = map(int, done.stdout.split())
    assert imported > 30
    assert declared == possible == len(CONSTRUCTIONS)


# -- sizes ------------------------------------------------------------------------------------------------------------------------


def sizes_of(built: Built) -> dict[str, int]:
    """What the formula speaks of, read off a built model."""
    sizes = {name: built.sizes()[name] for name in ("layers", "heads", "width", "precision_bits")}
    if "state bits" in built.claim.facts:
        sizes["state_bits"] = built.sizes()["state_bits"]  # the model's own, at the longest input
        assert built.claim.facts["state bits"] == sizes["state_bits"]
    attends = any(isinstance(layer.mixer, MultiHeadAttention) for layer in built.model.each_layer())
    return {**sizes, "value_width": built.sizes()["value_width"]} if attends or "state_bits" not in sizes else sizes


def built_or_refused(name: str, chosen: Settings) -> Built | None:
    try:
        return build(name, **chosen)
    except BadInput:
        return None


def confronted(name: str, chosen: Settings, arithmetics: tuple[str | None, ...]) -> Iterator[Built]:
    """Hold the formula to the build, in each variant and each arithmetic; what was built comes back."""
    declared = construction(name)
    for settings in declared.variants:
        for arithmetic in arithmetics if "arithmetic" in declared.settings else (None,):
            numbers = {} if arithmetic is None else {"arithmetic": arithmetic}
            built = built_or_refused(name, {**chosen, **settings, **numbers})
            sizes = declared.sizes(chosen, settings, arithmetic)
            assert (None if sizes is None else dict(sizes)) == (None if built is None else sizes_of(built)), (chosen, settings, arithmetic)
            if built is not None:
                assert built.sizes()["layers"] == LAYERS.get(declared.architecture, built.sizes()["layers"])  # others are not about depth
                yield built


LONG = ("turing-machine/linear-rnn", "turing-machine/retrieval", "index-lookup/recurrent", "copy/recurrent")  # to build, in seconds


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in CONSTRUCTIONS])
def test_what_the_formula_says_is_what_is_built_up_to_long_inputs(name: str) -> None:
    middle = min(34, construction(name).default_length)
    for chosen in ({"length": shortest(name)}, {"length": middle}, {"length": LONGEST, **CHEAP.get(name, {})}):
        by_format: dict[str, list[Built]] = {}
        for built in confronted(name, chosen, FORMATS):
            by_format.setdefault(built.claim.arithmetic, []).append(built)
        assert by_format, chosen
        for arithmetic, builds in by_format.items():
            assert called_built(name, chosen, arithmetic) == least_of(builds), (chosen, arithmetic)


def shortest(name: str) -> int:
    """The least length, from 2 on, at which there is a task for the construction."""
    for length in range(2, 10):
        try:
            return construction(name).task_at(length=length).length
        except BadInput:
            continue
    raise AssertionError(name)


def called_built(name: str, chosen: Settings, arithmetic: str) -> dict[Quantity, int]:
    """What the table of bounds calls built with this construction alone, in this format."""
    declared = construction(name)
    best = least_built(declared.task_at(**chosen), number_format(arithmetic), [declared])
    assert {mode for _, mode, _ in best} == {declared.mode}
    if declared.architecture is not Architecture.TRANSFORMER:
        assert {architecture for architecture, _, _ in best} == {declared.architecture}
    return {quantity: row.value for (_, _, quantity), row in best.items()}


def least_of(builds: list[Built]) -> dict[Quantity, int]:
    """The least of each quantity over models that were built."""
    values: dict[Quantity, int] = {}
    for built in builds:
        for quantity, value in quantities(sizes_of(built), number_format(built.claim.arithmetic).bits):
            values[quantity] = min(value, values.get(quantity, value))
    return values


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_the_formula_refuses_what_the_build_refuses(name: str) -> None:
    for length in (6, construction(name).default_length):
        assert len([*confronted(name, {"length": length}, (None, *NARROW))]) >= 1


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("index-lookup", {"length": 40, "symbols": 3}),
        ("equality", {"length": 2, "symbols": 1000}),  # two symbols are wider than a symbol and three addresses of one bit
        ("equality", {"length": 40, "symbols": 5}),
        ("eq-one", {"length": 10, "symbols": 3}),
        ("eq-ncp", {"length": 10, "symbols": 3}),
        ("sparse-threshold", {"length": 20, "k": 5}),
        ("sparse-threshold", {"length": 20, "k": 11}),  # refused
        ("k-cnf", {"length": 9, "k": 1, "terms": 2}),
        ("mqar", {"length": 20, "labels": 9, "symbols": 200}),
        ("associative-recall", {"length": 3, "labels": 3, "symbols": 3}),
        ("nearest-neighbor", {"length": 20, "dimension": 14, "gamma": 0.001}),
        ("nearest-neighbor/label-address", {"length": 8, "dimension": 10, "gamma": 0.01}),
        ("associative-recall/recurrent", {"length": 3, "symbols": 4, "labels": 5}),
        ("associative-recall/recurrent", {"length": 200}),  # refused
        ("equality/one-layer", {"length": 10, "symbols": 9}),
        ("equality/recurrent", {"length": 10, "symbols": 9}),
    ],
)
def test_the_formula_knows_every_parameter(name: str, chosen: Settings) -> None:
    declared = construction(name)
    for own in ({}, {"residual": True}, {"address": "code"}, {"address": "one-hot", "residual": True}, {"arithmetic": "fixed:30,8"}):
        if not {*own} <= {*declared.settings}:
            continue
        built, sizes = built_or_refused(name, {**chosen, **own}), declared.sizes(chosen, own)
        assert (None if sizes is None else dict(sizes)) == (None if built is None else sizes_of(built)), own


@pytest.mark.parametrize(("pairs", "width"), [(64, 15), (512, 21), (4096, 27), (8192, 29)])
def test_recall_is_as_wide_as_two_keys_and_a_few_numbers(pairs: int, width: int) -> None:
    # 2 d + 3 with d = log2 N bits of a key: two keys, a label, its flag and a constant
    narrowest = construction("mqar").narrowest({"length": pairs})
    assert narrowest is not None
    assert narrowest[0] == {"address": "quadratic"}
    assert narrowest[1].width == width


# -- what is built ------------------------------------------------------------------------------------------------------------------


@cache
def assembled(index: int) -> tuple[Built, Assembler | None]:
    """A quick build, and the program that it was compiled from, where there is one."""
    programs: list[Assembler] = []
    whole = compiler.compiled

    def watched(net: Assembler, *rest: Any) -> Built:
        programs.append(net)
        return whole(net, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "compiled", watched)
        built = build(QUICK[index][0], **QUICK[index][1])
    return built, programs[0] if programs else None


@pytest.mark.parametrize("index", range(len(QUICK)))
def test_what_the_assembler_knows_of_the_embedding_is_true(index: int) -> None:
    """Every token at every place, or a few hundred of each, lies in the intervals of its slots."""
    built, net = assembled(index)
    if net is None:
        assert recurrent(construction(QUICK[index][0]))  # gates and states are no slots of a stream
        return
    known, places, embedding = net.embedded(), spread(1, net.length, 60), built.model.embedding
    tokens = torch.from_numpy(corners(net) if net.vectors else spread(0, net.plain + net.numbers - 1, 400))[:, None]
    for place in places.tolist():
        with torch.no_grad():
            x = embedding(tokens, start=place)[:, 0].double().numpy()
        for slot, about in known.items():
            values = x[:, built.layouts[0].where(slot)]
            assert (values >= about.low).all(), (slot, place)
            assert (values <= about.high).all(), (slot, place)


def recurrent(declared: Construction) -> bool:
    """Weights of one recurrent module, also beside attention, idle or not, whose weights are written as they are."""
    hybrids = (idle_halves.__name__, induction_hybrids.__name__, registers_and_reads.__name__)
    return declared.architecture in RECURRENT or declared.build.__module__ in hybrids


def test_every_program_of_the_assembler_was_looked_at() -> None:
    """All but register files, machines and weights written for one recurrent module, none of which has slots with intervals."""
    with_program = {QUICK[index][0] for index in range(len(QUICK)) if assembled(index)[1] is not None}
    assert with_program == {QUICK[index][0] for index in range(len(QUICK)) if assembled(index)[0].layouts}
    assert with_program >= {declared.name for declared in constructions() if not recurrent(declared)}


def corners(net: Assembler) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Vectors at the ends of what a program may read: a linear map is largest and least at such."""
    return np.array(list(itertools.product(*(sorted({int(low), int(high)}) for low, high in net.vectors))))


def spread(first: int, last: int, count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """All integers of a range, or so many of them with both ends and its neighbours."""
    if last - first < count:
        return np.arange(first, last + 1)
    near = [first, first + 1, first + 2, last - 2, last - 1, last]
    return np.unique(np.concatenate([near, np.linspace(first, last, count - 6).astype(np.int64)]))


def scores_several(built: Built) -> bool:
    """Whether the task asks before the last token too, as next-symbol tasks do."""
    return bool((built.task.sample(0, 20).mask.sum(axis=1) > 1).any())


def test_constructions_of_next_symbol_tasks_are_causal() -> None:
    """What comes later changes no output, at any place: one pass answers as if each prefix came alone."""
    met = set()
    for index, (name, settings) in enumerate(QUICK):
        built = assembled(index)[0]
        if settings["length"] > 200 or not scores_several(built):
            continue
        batch = built.task.sample(1, 3)
        n = int(batch.lengths.min())
        tokens = torch.from_numpy(batch.tokens[:, :n])
        with torch.no_grad():
            whole = built.model(tokens)
            alone = torch.stack([built.model(tokens[:, : t + 1], at=-1) for t in range(n)], dim=1)
        assert torch.allclose(whole, alone, rtol=0, atol=1e-4), name
        met.add(name)
    assert {"eq-ncp", "mqar", "copy", "copy/recurrent"} <= met


SEPARATED = ("eq-one", "eq-ncp", "eq-random")  # proven for every length up to the default, which takes a while


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name in SEPARATED else name for name in CONSTRUCTIONS])
def test_a_construction_works_at_its_default_length(name: str) -> None:
    assert verify(build(name, length=construction(name).default_length), cases=2).holds
