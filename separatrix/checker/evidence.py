"""What is proven about a construction's weights for every input at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from separatrix.checker.fields import exactly, same
from separatrix.checker.forward import Forward
from separatrix.checker.registers import Registers
from separatrix.checker.seal import Refused

UNITS = 10**4  # least weights are stored in units of 1/10000, rounded down
ADDRESSES = {"binary": "sign", "code": "sign", "quadratic": "quadratic", "one-hot": "one-hot", "random": "table"}
ENUMERABLE = 24  # bits of an address whose codewords are enumerated
POSITIONS = 2048  # up to which a head that asks by position is run at every one


CONSTRUCTIONS = {  # construction -> the task it computes and the statement it implements
    "index-lookup": ("index-lookup", "bhattamishra2024 Theorem 1"),
    "equality": ("equality", "bhattamishra2024 Theorem 6"),
    "equality/partition": ("partition-equality", "bhattamishra2024 Lemma 5"),
    "eq-random": ("eq-random", "bhattamishra2024 Theorem 6"),
    "eq-one": ("eq-one", "bhattamishra2024 Theorem 6"),
    "eq-ncp": ("eq-ncp", "bhattamishra2024 Theorem 6"),
    "equality/one-layer": ("equality", "bhattamishra2024 Theorem 12"),
    "index-lookup/recurrent": ("index-lookup", "bhattamishra2024 Theorem 3"),
    "associative-recall/recurrent": ("associative-recall", "bhattamishra2024 Proposition 9"),
    "dyck/one-layer": ("dyck", "bhattamishra2024 Theorem 5"),
    "equality/recurrent": ("equality", "bhattamishra2024 Theorem 11"),
    "intersects/recurrent": ("intersects", "bhattamishra2024 Theorem 2"),
    "intersects": ("intersects", "bhattamishra2024 Theorem 13"),
    "sparse-threshold": ("sparse-threshold", "bhattamishra2024 Theorem 13"),
    "k-dnf": ("k-dnf", "bhattamishra2024 Theorem 13"),
    "k-cnf": ("k-cnf", "bhattamishra2024 Theorem 13"),
    "nearest-neighbor": ("nearest-neighbor", "bhattamishra2024 Theorem 7"),
    "nearest-neighbor/label-address": ("nearest-neighbor", "bhattamishra2024 Theorem 7"),
    "mqar": ("mqar", "bhattamishra2024 Theorem 7"),
    "associative-recall": ("associative-recall", "bhattamishra2024 Theorem 7"),
}


def check_statement(statement: dict[str, Any]) -> None:
    """Refuse a construction that the checker does not know, or one under the name of another statement."""
    known = CONSTRUCTIONS.get(statement["construction"])
    if known is None:
        raise Refused(f"unknown construction {statement['construction']!r}")
    same((statement["task"], statement["cites"]), known, "statement")


def proven(
    statement: dict[str, Any], task: dict[str, Any], parameters: dict[str, Any], forward: Forward | Registers
) -> list[dict[str, Any]]:
    """The bounds that this construction's weights carry, recomputed from the weights."""
    if isinstance(forward, Registers) or statement["construction"].endswith("/recurrent"):
        return state_bits(statement, parameters, forward)
    if statement["construction"] == "index-lookup":
        weight = least_weight(forward, task["length"], parameters)
        return [] if weight is None else [{"tag": "proven", "what": "least attention weight on p, over every p", "value": weight}]
    check_parameters(parameters, forward)
    return positional_heads(forward)


def state_bits(statement: dict[str, Any], parameters: dict[str, Any], forward: Forward | Registers) -> list[dict[str, Any]]:
    """A recurrent model carries one bit for each register across every cut, and nothing else."""
    if not isinstance(forward, Registers) or not statement["construction"].endswith("/recurrent"):
        raise Refused(f"statement: {statement['construction']!r} is not built with a model of this class")
    exactly(parameters, "parameters")
    return [{"tag": "proven", "what": "bits of state at every cut", "value": forward.config["registers"]}]


def check_parameters(parameters: dict[str, Any], forward: Forward) -> None:
    """Refuse a construction's parameters that its weights belie."""
    known: dict[str, type] = {"address": str, "residual": bool}
    exactly(parameters, "parameters", **{key: known[key] for key in parameters if key in known})
    if "residual" in parameters:
        same(parameters["residual"], forward.config["residual"], "parameters.residual")
    if "address" in parameters:
        check_address(parameters["address"], forward)


def check_address(address: str, forward: Forward) -> None:
    """Every address of a position is of the kind that is claimed; tables may also hold what is no address."""
    for i, place in enumerate(forward.embedding["places"]):
        if place["address"] == "table":
            continue
        same(ADDRESSES.get(address), place["address"], "parameters.address")
        if place["address"] != "sign":
            continue
        generator = forward.weights[f"embedding.places.{i}.address.generator"]
        k, L = generator.shape
        if (address == "binary") != (k == L and bool((generator == np.eye(k)).all())):
            raise Refused(f"parameters.address: the generator of places.{i} does not fit {address!r}")


def positional_heads(forward: Forward) -> list[dict[str, Any]]:
    """For every head of layer 1 that asks and answers by position alone: the least over positions of its largest weight.

    Where such a head looks does not depend on the input, so one run of it at every position is a proof; shorter inputs have fewer
    keys. Weights are those of real arithmetic.
    """
    n, found = forward.config["length"], []
    if forward.numbers.exact or not 1 <= n <= POSITIONS or forward.config["layers"][0]["attention"] != "softmax":
        return []
    rows, gate = forward.weights["embedding.table"].astype(np.float64), forward.weights.get("embedding.gate", np.ones(1))
    if forward.embedding["numbers"] or not forward.embedding["places"] or (gate != gate[0]).any():
        return []  # tokens move the addresses
    x = forward.embed(np.zeros(n, dtype=np.int64), 1).astype(np.float64)
    for h in range(forward.config["layers"][0]["heads"]):
        query, key = (_rows_of_head(forward, role, h) for role in ("query", "key"))
        if ((rows - rows[0]) @ query.T).any() or ((rows - rows[0]) @ key.T).any():
            continue
        q, k = x @ query.T, x @ key.T
        if not (q - q[0]).any():
            continue  # it asks the same everywhere: no place is meant
        what = f"layer 1, head {h + 1}: least weight on the place that is read, over every position"
        found.append({"tag": "proven", "what": what, "value": least_largest(q @ k.T, forward.config["causal"])})
    return found


def _rows_of_head(forward: Forward, role: str, h: int) -> Any:
    m = forward.config["layers"][0]["key_width"]
    return forward.weights[f"layers.0.attention.{role}"][h * m : (h + 1) * m].astype(np.float64)


def least_largest(logits: Any, causal: bool) -> float:
    """The least over queries of the largest softmax weight, in units of 1/10000, rounded down."""
    if causal:
        logits = np.where(np.tri(len(logits), dtype=bool), logits, -np.inf)
    share = 1 / np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)
    return math.floor(UNITS * float(share.min()) - UNITS * 2.0**-40) / UNITS


def least_weight(forward: Forward, N: int, parameters: dict[str, Any]) -> float | None:
    """The least softmax weight on place p over every p and every string, in real arithmetic; None where the weights do not show it.

    The logit of place i for index p is read off the weights as a bilinear form in the addresses. For a sign address whose form
    is c times the identity it is c (k - 2 wt(G (p xor i))), so one enumeration of the codewords bounds every p.
    """
    exactly(parameters, "parameters", address=str)
    if parameters["address"] not in ADDRESSES:
        raise Refused(f"index-lookup: unknown address {parameters['address']!r}")
    same(forward.config["length"], N + 1, "config.length")
    number, place = forward.embedding["number_address"], forward.embedding["places"]
    if number is None or len(place) != 1 or any(p["shift"] or p["fold"] or p["pointers"] for p in (*place, number)):
        return None
    same(place[0]["address"], ADDRESSES[parameters["address"]], "address")
    if forward.numbers.exact or forward.config["layers"][0]["attention"] != "softmax":
        return None
    w = forward.weights
    form = (w["embedding.number.weight"] @ w["layers.0.attention.query"].T) @ w["layers.0.attention.key"] @ w["embedding.places.0.weight"].T
    constant = w["embedding.table"][-1] @ w["layers.0.attention.query"].T @ w["layers.0.attention.key"] @ w["embedding.places.0.weight"].T
    rest = w["embedding.table"] @ w["layers.0.attention.key"].T
    if rest.any() or w["embedding.gate"][-1] != 0 or (w["embedding.gate"][:-1] != 1).any():
        return None  # keys depend on more than the place: nothing is proven, the cases must speak
    if parameters["address"] == "quadratic":
        same(place[0]["address"], "quadratic", "address")
        return _quadratic(form, constant)
    c = float(form[0, 0])
    if constant.any() or (form != c * np.eye(len(form))).any():
        return None  # the logit is not c times the product of the two addresses
    if parameters["address"] in ("one-hot", "random"):
        same(place[0]["address"], {"one-hot": "one-hot", "random": "table"}[parameters["address"]], "address")
        return _measured(forward, place[0], c, N)
    if (
        parameters["address"] not in ("binary", "code")
        or (w["embedding.number.address.generator"] != w["embedding.places.0.address.generator"]).any()
    ):
        raise Refused(f"index-lookup: unknown address {parameters['address']!r}, or two generators")
    return _enumerated(w["embedding.places.0.address.generator"].astype(bool), c, N, parameters["address"] == "binary")


def _enumerated(generator: Any, c: float, N: int, binary: bool) -> float | None:
    """A sign address: the logit is c (k - 2 wt(G (p xor i))), so one enumeration of the codewords bounds every p."""
    k, L = generator.shape
    if binary and (generator != np.eye(k, L, dtype=bool)).any():
        raise Refused("index-lookup: the generator is not that of the binary address")
    if (1 << L) < N:
        raise Refused(f"index-lookup: {L} address bits cannot name {N} places")
    if L > ENUMERABLE:
        return None
    counts = np.bincount(_codeword_weights(generator), minlength=k + 1)
    if counts[0] != 1:
        raise Refused("index-lookup: two positions share an address")
    if not binary and 8 * int(np.flatnonzero(counts)[1]) < 3 * k:  # a product of at most k/4 is a distance of at least 3k/8
        raise Refused("index-lookup: the addresses are not almost orthogonal, as those of a code are")
    mass = sum(int(n) * math.exp(-2 * c * weight) for weight, n in enumerate(counts) if weight) + math.exp(-c * k)
    return math.floor(UNITS / (1 + mass)) / UNITS


def _measured(forward: Forward, place: dict[str, Any], c: float, N: int) -> float | None:
    """Any other address, place against place: the least weight is computed for every p."""
    if N > 4096:
        return None
    vectors = forward.vectors(place, "embedding.places.0", np.arange(1, N + 1)).astype(np.float64)
    logits = np.concatenate([c * vectors @ vectors.T, np.zeros((N, 1))], axis=1)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return math.floor(UNITS * float((np.diagonal(e) / e.sum(axis=1)).min()) - UNITS * 2.0**-40) / UNITS


def _quadratic(form: Any, constant: Any) -> float | None:
    """Logit eta (2 p i - i^2): the mass of the others is at most twice the sum of e^(-eta j^2)."""
    eta = -float(constant[1])
    if form[0, 0] != 2 * eta or form[0, 1] != 0 or form[1].any() or constant[0] != 0 or eta <= 0:
        return None
    mass = 2 * sum(math.exp(-eta * j * j) for j in range(1, 40))
    return math.floor(UNITS / (1 + mass)) / UNITS


def _codeword_weights(generator: Any) -> Any:
    """wt(G x) for every x: the codewords of 2^b inputs are those of 2^(b-1) and the same plus one column."""
    columns = np.packbits(generator, axis=0).T  # one row of bytes per input bit
    words = np.zeros((1, columns.shape[1]), dtype=np.uint8)
    for column in columns:
        words = np.concatenate([words, words ^ column])
    ones = np.array([int(byte).bit_count() for byte in range(256)], dtype=np.int64)
    return sum(ones[words[:, byte]] for byte in range(words.shape[1]))
