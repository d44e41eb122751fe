"""Constructions: the papers' upper bounds as exact weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from separatrix.naming import find
from separatrix.parameters import typed

if TYPE_CHECKING:
    from separatrix.certificates.claim import Built

CONSTRUCTIONS = {
    "equality": "separatrix.constructions.bhattamishra2024.equality:equality",
    "equality/one-layer": "separatrix.constructions.bhattamishra2024.equality_one_layer:equality_one_layer",
    "equality/partition": "separatrix.constructions.bhattamishra2024.partition_equality:partition_equality",
    "eq-random": "separatrix.constructions.bhattamishra2024.separated_equality:eq_random",
    "eq-one": "separatrix.constructions.bhattamishra2024.separated_equality:eq_one",
    "eq-ncp": "separatrix.constructions.bhattamishra2024.repeating:eq_ncp",
    "associative-recall/recurrent": "separatrix.constructions.bhattamishra2024.recall_registers:recall_registers",
    "dyck/one-layer": "separatrix.constructions.bhattamishra2024.dyck_one_layer:dyck_one_layer",
    "equality/recurrent": "separatrix.constructions.bhattamishra2024.registers:equality_registers",
    "index-lookup/recurrent": "separatrix.constructions.bhattamishra2024.registers:index_lookup_registers",
    "intersects/recurrent": "separatrix.constructions.bhattamishra2024.registers:intersects_registers",
    "index-lookup": "separatrix.constructions.bhattamishra2024.index_lookup:index_lookup",
    "intersects": "separatrix.constructions.bhattamishra2024.intersects:intersects",
    "associative-recall": "separatrix.constructions.bhattamishra2024.recall:associative_recall",
    "mqar": "separatrix.constructions.bhattamishra2024.recall:mqar",
    "nearest-neighbor": "separatrix.constructions.bhattamishra2024.nearest_neighbor:nearest_neighbor",
    "nearest-neighbor/label-address": "separatrix.constructions.bhattamishra2024.label_address:label_address",
    "sparse-threshold": "separatrix.constructions.bhattamishra2024.sparse_threshold:sparse_threshold",
    "k-dnf": "separatrix.constructions.bhattamishra2024.sparse_threshold:k_dnf",
    "k-cnf": "separatrix.constructions.bhattamishra2024.sparse_threshold:k_cnf",
}


def build(name: str, **chosen: Any) -> Built:
    """Exact weights of a construction, with parameters given as values or as text."""
    maker = find(name, CONSTRUCTIONS, "construction")
    built: Built = maker(**typed(maker, chosen, f"construction {name}"))
    return built
