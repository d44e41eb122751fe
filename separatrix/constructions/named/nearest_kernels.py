"""Nearest neighbour by a matrix state: a kernel so steep that the nearest vector outweighs all others together.

Notation   d  dimension      w_j  weights of the coordinates, R the sum of their squares      n = N - 1  labelled vectors
           eta  steepness: e^(-eta gamma) n <= 1/4

    kernel     k(x, y) = e^(-eta (1 - <x, y>)), the product over the coordinates that differ of r_j = e^(-2 eta w_j^2 / R)
    features   all products of one factor from each coordinate, (1, s_j) for a plus and (s_j, 1) for a minus, 2 s_j / (1 + s_j^2) = r_j:
               2^d positive numbers, so that silu lets them pass, of the same norm for every vector
    state      2^d rows and a column for each label: a label is added into its column along the features of the vector before it
    read       column y holds the sum of k(query, x_i) over the vectors with label y; that of the nearest leads

So the stream and the state are as large as the set of all 2^d vectors, however few of them are shown: up to d = 10, where attention needs a
width of order d. A narrower kernel, polynomial in <x, y>, needs a degree of order log n / gamma, which is no less for these d.
Features range over a factor 1 / (s_1 .. s_d): where that leaves the range of the format, the margin is too small.
In float32 the checker certifies Mamba-2 alone: what its bounds add to a share of 2^-60 hides the margin of DeltaNet, which runs there.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.streams import Array, Stream, assembled, bits_of, stream
from separatrix.constructions.named.table_mixers import TableMaps, heads_of, state_of, table_mixer
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig
from separatrix.tasks.nearest_neighbor import NearestNeighbor

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

MOST = 10  # dimensions
RANGE = {"float64": 1e60, "float32": 1e9}  # of the features: their squares stay within the format
UNNORMALISED = {"float64": 1e60, "float32": 1e3}  # of Mamba-2's, whose fourth powers do


def steepness(task: NearestNeighbor) -> float:
    """The vectors behind the nearest weigh a quarter of it at most."""
    return math.log(4 * max(1, task.length - 2)) / float(task.margin)


def factors(task: NearestNeighbor) -> Array:
    """s_j: the smaller root of s^2 - 2 s / r + 1."""
    r = np.exp(-2 * steepness(task) * np.array(task.weights, dtype=np.float64) ** 2 / task.norm)
    smaller: Array = r / (1 + np.sqrt(1 - r * r))
    return smaller


def features(task: NearestNeighbor) -> Array:
    """[2^d keys, 2^d], the least of them 1."""
    table: Array = np.ones((1, 1))
    for s in factors(task)[::-1]:  # the last coordinate is the highest bit of a key
        table = np.kron(table, np.array([[1.0, s], [s, 1.0]]))
    scaled: Array = table / table.min()
    return scaled


def layout(task: NearestNeighbor) -> Stream:
    """Features, labels one-hot, flags of keys and labels, and the answer."""
    return stream(task.name, 0, feature=task.keys, code=task.labels, key=1, label=1, answer=task.labels)


def nearest_by(by: str, task: NearestNeighbor, arithmetic: str) -> Built:
    """One layer, one head, no feed-forward part."""
    sizes, s = nearest_sizes(by, task, arithmetic), layout(task)
    labels, one = task.labels, np.ones((task.keys, 1))
    columns = np.eye(labels)
    maps = TableMaps(
        slot=s.rows(task.keys, feature=np.eye(task.keys)),
        values=s.rows(labels, code=columns),
        writes=s.rows(1, label=np.ones((1, 1))),
        bucket=s.rows(labels, key=np.full((labels, 1), 64.0)),
        out=s.rows(labels, answer=columns).T,
        lag=1,
    )
    mixer, weights = table_mixer(by, maps, 0)
    vectors = s.rows(task.keys, feature=features(task), key=one)
    tensors = {
        "embedding.table": np.concatenate([vectors, s.rows(labels, code=columns, label=one[:1])]),
        **weights,
        "readout.weight": s.rows(labels, answer=columns),
        "readout.bias": np.zeros(labels),
    }
    facts = {"eta": steepness(task)}
    embedding, layers = EmbeddingConfig(task.vocabulary), (LayerConfig(mixer, residual=True),)
    return assembled(task, f"{task.name}/{by}", arithmetic, {}, sizes, embedding, layers, tensors, facts)


def nearest_sizes(by: str, task: NearestNeighbor, arithmetic: str) -> Sizes:
    """A row for each possible vector."""
    p = bits_of(task.name, arithmetic)
    if task.dimension > MOST:
        raise BadInput(f"{task.name}/{by} has a row for each of 2^d vectors: expected dimension <= {MOST}, found {task.dimension}")
    spread, most = 1 / math.prod(factors(task).tolist()), UNNORMALISED if by == "mamba2" else RANGE
    if spread > most[arithmetic]:
        wide = " or float64" if arithmetic == "float32" and spread <= most["float64"] else ""
        raise BadInput(
            f"{task.name}/{by}: features range over a factor {spread:.1e}, more than {most[arithmetic]:.0e} in {arithmetic}: "
            f"expected fewer vectors, a larger gamma{wide}"
        )
    numbers = state_of(by, task.keys, task.labels)
    return Sizes(layers=1, heads=heads_of(by), width=layout(task).width, precision_bits=p, state_bits=p * numbers)


def _declared(by: str, *quick: Settings) -> Construction:
    def build(task: NearestNeighbor, arithmetic: str = "float64") -> Built:
        return nearest_by(by, task, arithmetic)

    return Construction(
        name=f"nearest-neighbor/{by}",
        computes=NearestNeighbor,
        architecture=Architecture(by),
        build=build,
        formula=partial(nearest_sizes, by),
        quick=quick,
        default_length=8,
        defaults={"dimension": 4, "gamma": 0.3},
        fixed=("distribution",),
        ignores=("distribution",),
    )


NEAREST_DELTANET = _declared("deltanet", {"length": 3, "dimension": 2, "gamma": 1.0})
NEAREST_GATED_DELTANET = _declared("gated-deltanet", {"length": 3, "dimension": 2, "gamma": 1.0})
NEAREST_MAMBA2 = _declared("mamba2", {"length": 3, "dimension": 2, "gamma": 1.0, "arithmetic": "float32"})
