"""Constructions: the papers' upper bounds as exact weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from separatrix.certificates.construction import Construction, Settings
from separatrix.errors import BadInput
from separatrix.naming import find
from separatrix.parameters import Parameter, parameters, typed
from separatrix.tasks import Task
from separatrix.tasks.own_names import refuse_taken_names

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

CONSTRUCTIONS = {  # name -> module and declaration, which holds everything else
    "index-lookup": "separatrix.constructions.bhattamishra2024.index_lookup:INDEX_LOOKUP",
    "index-lookup/recurrent": "separatrix.constructions.bhattamishra2024.registers:INDEX_LOOKUP_RECURRENT",
    "equality": "separatrix.constructions.bhattamishra2024.equality:EQUALITY",
    "equality/one-layer": "separatrix.constructions.bhattamishra2024.equality_one_layer:EQUALITY_ONE_LAYER",
    "equality/partition": "separatrix.constructions.bhattamishra2024.partition_equality:EQUALITY_PARTITION",
    "equality/recurrent": "separatrix.constructions.bhattamishra2024.registers:EQUALITY_RECURRENT",
    "eq-random": "separatrix.constructions.bhattamishra2024.separated_equality:EQ_RANDOM",
    "eq-one": "separatrix.constructions.bhattamishra2024.separated_equality:EQ_ONE",
    "eq-ncp": "separatrix.constructions.bhattamishra2024.repeating:EQ_NCP",
    "copy": "separatrix.constructions.other.copying:COPY",
    "copy/recurrent": "separatrix.constructions.other.copying:COPY_RECURRENT",
    "intersects": "separatrix.constructions.bhattamishra2024.sparse_threshold:INTERSECTS",
    "intersects/recurrent": "separatrix.constructions.bhattamishra2024.registers:INTERSECTS_RECURRENT",
    "sparse-threshold": "separatrix.constructions.bhattamishra2024.sparse_threshold:SPARSE_THRESHOLD",
    "k-dnf": "separatrix.constructions.bhattamishra2024.sparse_threshold:K_DNF",
    "k-cnf": "separatrix.constructions.bhattamishra2024.sparse_threshold:K_CNF",
    "nearest-neighbor": "separatrix.constructions.bhattamishra2024.nearest_neighbor:NEAREST_NEIGHBOR",
    "nearest-neighbor/label-address": "separatrix.constructions.bhattamishra2024.label_address:LABEL_ADDRESS",
    "associative-recall": "separatrix.constructions.bhattamishra2024.recall:ASSOCIATIVE_RECALL",
    "associative-recall/recurrent": "separatrix.constructions.bhattamishra2024.recall_registers:ASSOCIATIVE_RECALL_RECURRENT",
    "mqar": "separatrix.constructions.bhattamishra2024.recall:MQAR",
    "index/transformer": "separatrix.constructions.wen2024.index:INDEX_TRANSFORMER",
    "index/hybrid": "separatrix.constructions.wen2024.index:INDEX_HYBRID",
    "index/retrieval": "separatrix.constructions.wen2024.index:INDEX_RETRIEVAL",
    "recall-next/transformer": "separatrix.constructions.wen2024.grams:RECALL_NEXT_TRANSFORMER",
    "recall-next/hybrid": "separatrix.constructions.wen2024.grams:RECALL_NEXT_HYBRID",
    "recall-next/retrieval": "separatrix.constructions.wen2024.grams:RECALL_NEXT_RETRIEVAL",
    "c-gram/transformer": "separatrix.constructions.wen2024.grams:C_GRAM_TRANSFORMER",
    "c-gram/hybrid": "separatrix.constructions.wen2024.grams:C_GRAM_HYBRID",
    "c-gram/retrieval": "separatrix.constructions.wen2024.grams:C_GRAM_RETRIEVAL",
    "counting/transformer": "separatrix.constructions.wen2024.counting:COUNTING_TRANSFORMER",
    "counting/hybrid": "separatrix.constructions.wen2024.counting:COUNTING_HYBRID",
    "counting/retrieval": "separatrix.constructions.wen2024.counting:COUNTING_RETRIEVAL",
    "is-tree/hybrid": "separatrix.constructions.wen2024.is_tree_lists:IS_TREE_HYBRID",
    "is-tree/hybrid/no-chain": "separatrix.constructions.wen2024.is_tree_message:IS_TREE_HYBRID_NO_CHAIN",
    "is-tree/retrieval": "separatrix.constructions.wen2024.is_tree_retrieval:IS_TREE_RETRIEVAL",
    "is-tree/transformer": "separatrix.constructions.wen2024.is_tree:IS_TREE_TRANSFORMER",
    "circuit/transformer": "separatrix.constructions.wen2024.circuit:CIRCUIT_TRANSFORMER",
    "circuit/transformer/recurrent": "separatrix.constructions.wen2024.recurrent_circuit:CIRCUIT_TRANSFORMER_RECURRENT",
    "turing-machine/retrieval": "separatrix.constructions.wen2024.turing_machine_retrieval:TURING_MACHINE_RETRIEVAL",
    "turing-machine/hybrid": "separatrix.constructions.wen2024.turing_machine:TURING_MACHINE_HYBRID",
    "turing-machine/linear-rnn": "separatrix.constructions.wen2024.turing_machine:TURING_MACHINE_LINEAR_RNN",
    "turing-machine/linear-rnn/turning": "separatrix.constructions.wen2024.turing_machine_turning:TURING_MACHINE_TURNING",
    "dyck/one-layer": "separatrix.constructions.bhattamishra2024.dyck_one_layer:DYCK_ONE_LAYER",
    "reverse-sum/standard": "separatrix.constructions.yang2024.declarations:REVERSE_SUM_STANDARD",
    "reverse-sum/linear": "separatrix.constructions.yang2024.declarations:REVERSE_SUM_LINEAR",
    "reverse-sum/sparse": "separatrix.constructions.yang2024.declarations:REVERSE_SUM_SPARSE",
    "lis/standard": "separatrix.constructions.yang2024.declarations:LIS_STANDARD",
    "lis/linear": "separatrix.constructions.yang2024.declarations:LIS_LINEAR",
    "lis/sparse": "separatrix.constructions.yang2024.declarations:LIS_SPARSE",
    "edit-distance/standard": "separatrix.constructions.yang2024.declarations:EDIT_DISTANCE_STANDARD",
    "edit-distance/linear": "separatrix.constructions.yang2024.declarations:EDIT_DISTANCE_LINEAR",
    "edit-distance/sparse": "separatrix.constructions.yang2024.declarations:EDIT_DISTANCE_SPARSE",
    "edit-distance-local/window": "separatrix.constructions.yang2024.declarations:EDIT_DISTANCE_LOCAL_WINDOW",
    "cellular-automaton/window": "separatrix.constructions.yang2024.declarations:CELLULAR_AUTOMATON_WINDOW",
    "arithmetic/sparse": "separatrix.constructions.yang2024.arithmetic:ARITHMETIC_SPARSE",
    "dyck-next/two-layer": "separatrix.constructions.other.dyck_layers:DYCK_NEXT_TWO_LAYERS",
    "dyck-2/soft-attention": "separatrix.constructions.other.dyck_layers:DYCK_2_SOFT",
    "dyck-2/recurrent": "separatrix.constructions.other.stack_number:DYCK_2_RECURRENT",
    "dyck/three-layer": "separatrix.constructions.other.dyck_layers:DYCK_THREE_LAYERS",
    "dyck/recurrent": "separatrix.constructions.other.machines:DYCK_RECURRENT",
    "parity/recurrent": "separatrix.constructions.other.machines:PARITY_RECURRENT",
    "parity/linear-recurrent": "separatrix.constructions.other.sign_flip:PARITY_SIGN_FLIP",
    "parity/soft-attention": "separatrix.constructions.other.soft_parity:PARITY_SOFT",
    "parity/one-layer": "separatrix.constructions.other.one_layer_words:PARITY_ONE_LAYER",
    "ones/one-layer": "separatrix.constructions.other.one_layer_words:ONES_ONE_LAYER",
    "regular/one-layer": "separatrix.constructions.other.one_layer_words:REGULAR_ONE_LAYER",
    "parity/linear-attention": "separatrix.constructions.other.one_layer_words:PARITY_LINEAR_ATTENTION",
    "ones/linear-attention": "separatrix.constructions.other.one_layer_words:ONES_LINEAR_ATTENTION",
    "regular/linear-attention": "separatrix.constructions.other.one_layer_words:REGULAR_LINEAR_ATTENTION",
    "an-bn/one-layer": "separatrix.constructions.other.one_layer_words:AN_BN_ONE_LAYER",
    "ones/hard-attention": "separatrix.constructions.hahn2020.counter_languages:ONES_HARD",
    "an-bn/hard-attention": "separatrix.constructions.hahn2020.counter_languages:AN_BN_HARD",
    "regular/recurrent": "separatrix.constructions.other.machines:REGULAR_RECURRENT",
    "regular/soft-attention": "separatrix.constructions.other.soft_symmetric:REGULAR_SOFT",
    "regular/elman": "separatrix.constructions.other.saturated:REGULAR_ELMAN",
    "regular/lstm": "separatrix.constructions.other.saturated:REGULAR_LSTM",
    "regular/gru": "separatrix.constructions.other.saturated:REGULAR_GRU",
    "state-tracking/elman": "separatrix.constructions.other.saturated:TRACKING_ELMAN",
    "state-tracking/gru": "separatrix.constructions.other.saturated:TRACKING_GRU",
    "state-tracking/lstm": "separatrix.constructions.other.saturated:TRACKING_LSTM",
    "state-tracking/mamba": "separatrix.constructions.languages.mamba:TRACKING_MAMBA",
    "state-tracking/mamba2": "separatrix.constructions.languages.mamba2:TRACKING_MAMBA2",
    "state-tracking/deltanet": "separatrix.constructions.languages.delta_rule:TRACKING_DELTANET",
    "state-tracking/deltanet-negative": "separatrix.constructions.languages.delta_rule:TRACKING_NEGATIVE",
    "state-tracking/gated-deltanet": "separatrix.constructions.languages.delta_rule:TRACKING_GATED",
    "state-tracking/deltaproduct": "separatrix.constructions.languages.deltaproduct:TRACKING_DELTAPRODUCT",
    "state-tracking/selective-rnn-positive": "separatrix.constructions.languages.selective_rnn:TRACKING_SELECTIVE",
    "state-tracking/selective-rnn": "separatrix.constructions.languages.selective_rnn_signed:TRACKING_SIGNED",
    "state-tracking/one-symmetric-layer": "separatrix.constructions.languages.one_hot:TRACKING_SYMMETRIC",
    "state-tracking/rank-one": "separatrix.constructions.languages.one_hot:TRACKING_RANK_ONE",
    "state-tracking/pd": "separatrix.constructions.languages.one_hot:TRACKING_PD",
    "dyck/elman": "separatrix.constructions.other.saturated:DYCK_ELMAN",
    "dyck/gru": "separatrix.constructions.other.saturated:DYCK_GRU",
    "dyck/lstm": "separatrix.constructions.other.saturated:DYCK_LSTM",
    "parity/elman": "separatrix.constructions.other.saturated:PARITY_ELMAN",
    "parity/gru": "separatrix.constructions.other.saturated:PARITY_GRU",
    "parity/lstm": "separatrix.constructions.other.saturated:PARITY_LSTM",
    "mqar/deltanet": "separatrix.constructions.named.recall_tables:MQAR_DELTANET",
    "mqar/gated-deltanet": "separatrix.constructions.named.recall_tables:MQAR_GATED_DELTANET",
    "mqar/mamba2": "separatrix.constructions.named.recall_tables:MQAR_MAMBA2",
    "mqar/mamba": "separatrix.constructions.named.recall_tables:MQAR_MAMBA",
    "associative-recall/deltanet": "separatrix.constructions.named.recall_tables:RECALL_DELTANET",
    "associative-recall/gated-deltanet": "separatrix.constructions.named.recall_tables:RECALL_GATED_DELTANET",
    "associative-recall/mamba2": "separatrix.constructions.named.recall_tables:RECALL_MAMBA2",
    "associative-recall/mamba": "separatrix.constructions.named.recall_tables:RECALL_MAMBA",
    "regular/mamba": "separatrix.constructions.languages.mamba:REGULAR_MAMBA",
    "regular/selective-rnn-positive": "separatrix.constructions.languages.selective_rnn:REGULAR_SELECTIVE",
    "regular/selective-rnn": "separatrix.constructions.languages.selective_rnn_signed:REGULAR_SIGNED",
    "regular/mamba2": "separatrix.constructions.languages.mamba2:REGULAR_MAMBA2",
    "regular/deltanet": "separatrix.constructions.languages.delta_rule:REGULAR_DELTANET",
    "regular/deltanet-negative": "separatrix.constructions.languages.delta_rule:REGULAR_NEGATIVE",
    "regular/gated-deltanet": "separatrix.constructions.languages.delta_rule:REGULAR_GATED",
    "regular/deltaproduct": "separatrix.constructions.languages.deltaproduct:REGULAR_DELTAPRODUCT",
    "regular/one-symmetric-layer": "separatrix.constructions.languages.one_hot:REGULAR_SYMMETRIC",
    "regular/linear-rnn": "separatrix.constructions.languages.saturated_lines:REGULAR_SATURATED",
    "regular/rank-one": "separatrix.constructions.languages.one_hot:REGULAR_RANK_ONE",
    "regular/pd": "separatrix.constructions.languages.one_hot:REGULAR_PD",
    "index-lookup/elman": "separatrix.constructions.named.delay_lines:LOOKUP_ELMAN",
    "index-lookup/gru": "separatrix.constructions.named.delay_lines:LOOKUP_GRU",
    "index-lookup/lstm": "separatrix.constructions.named.delay_lines:LOOKUP_LSTM",
    "copy/elman": "separatrix.constructions.named.delay_lines:COPY_ELMAN",
    "copy/gru": "separatrix.constructions.named.delay_lines:COPY_GRU",
    "copy/lstm": "separatrix.constructions.named.delay_lines:COPY_LSTM",
    "equality/elman": "separatrix.constructions.named.delay_lines:EQUALITY_ELMAN",
    "equality/gru": "separatrix.constructions.named.delay_lines:EQUALITY_GRU",
    "equality/lstm": "separatrix.constructions.named.delay_lines:EQUALITY_LSTM",
    "intersects/elman": "separatrix.constructions.named.delay_lines:INTERSECTS_ELMAN",
    "intersects/gru": "separatrix.constructions.named.delay_lines:INTERSECTS_GRU",
    "intersects/lstm": "separatrix.constructions.named.delay_lines:INTERSECTS_LSTM",
    "mqar/lstm": "separatrix.constructions.named.recall_cells:MQAR_LSTM",
    "associative-recall/lstm": "separatrix.constructions.named.recall_cells:RECALL_LSTM",
    "mqar/gru": "separatrix.constructions.named.recall_cells:MQAR_GRU",
    "associative-recall/gru": "separatrix.constructions.named.recall_cells:RECALL_GRU",
    "mqar/hybrid-mamba2": "separatrix.constructions.named.idle_halves:MQAR_HYBRID_MAMBA2",
    "mqar/hybrid-gated-deltanet": "separatrix.constructions.named.idle_halves:MQAR_HYBRID_GATED_DELTANET",
    "mqar/hybrid-linear-rnn": "separatrix.constructions.named.induction_hybrids:MQAR_HYBRID_LINEAR",
    "associative-recall/hybrid-linear-rnn": "separatrix.constructions.named.induction_hybrids:RECALL_HYBRID_LINEAR",
    "associative-recall/hybrid-mamba2": "separatrix.constructions.named.idle_halves:RECALL_HYBRID_MAMBA2",
    "associative-recall/hybrid-gated-deltanet": "separatrix.constructions.named.idle_halves:RECALL_HYBRID_GATED_DELTANET",
    "latest-recall/deltanet": "separatrix.constructions.named.overwriting:LATEST_DELTANET",
    "latest-recall/lstm": "separatrix.constructions.named.overwriting:LATEST_LSTM",
    "latest-recall/gru": "separatrix.constructions.named.overwriting:LATEST_GRU",
    "index-lookup/linear-attention": "separatrix.constructions.named.lookup_sums:LOOKUP_LINEAR_ATTENTION",
    "copy/linear-attention": "separatrix.constructions.named.lookup_sums:COPY_LINEAR_ATTENTION",
    "equality/linear-attention": "separatrix.constructions.named.lookup_sums:EQUALITY_LINEAR_ATTENTION",
    "intersects/linear-attention": "separatrix.constructions.named.lookup_sums:INTERSECTS_LINEAR_ATTENTION",
    "mqar/linear-attention": "separatrix.constructions.named.recall_sums:MQAR_LINEAR_ATTENTION",
    "associative-recall/linear-attention": "separatrix.constructions.named.recall_sums:RECALL_LINEAR_ATTENTION",
    "mqar/deltanet-2-64": "separatrix.constructions.named.unchanged_shapes:MQAR_DELTANET_2_64",
    "mqar/gated-deltanet-2-64": "separatrix.constructions.named.unchanged_shapes:MQAR_GATED_DELTANET_2_64",
    "mqar/mamba2-2-64": "separatrix.constructions.named.unchanged_shapes:MQAR_MAMBA2_2_64",
    "mqar/mamba-2-64": "separatrix.constructions.named.unchanged_shapes:MQAR_MAMBA_2_64",
    "index-lookup/deltanet": "separatrix.constructions.named.placed_tables:LOOKUP_DELTANET",
    "index-lookup/gated-deltanet": "separatrix.constructions.named.placed_tables:LOOKUP_GATED_DELTANET",
    "index-lookup/mamba2": "separatrix.constructions.named.placed_tables:LOOKUP_MAMBA2",
    "index-lookup/mamba": "separatrix.constructions.named.placed_tables:LOOKUP_MAMBA",
    "copy/deltanet": "separatrix.constructions.named.placed_tables:COPY_DELTANET",
    "copy/gated-deltanet": "separatrix.constructions.named.placed_tables:COPY_GATED_DELTANET",
    "copy/mamba2": "separatrix.constructions.named.placed_tables:COPY_MAMBA2",
    "copy/mamba": "separatrix.constructions.named.placed_tables:COPY_MAMBA",
    "equality/deltanet": "separatrix.constructions.named.placed_tables:EQUALITY_DELTANET",
    "equality/gated-deltanet": "separatrix.constructions.named.placed_tables:EQUALITY_GATED_DELTANET",
    "equality/mamba2": "separatrix.constructions.named.placed_tables:EQUALITY_MAMBA2",
    "equality/mamba": "separatrix.constructions.named.placed_tables:EQUALITY_MAMBA",
    "intersects/deltanet": "separatrix.constructions.named.placed_tables:INTERSECTS_DELTANET",
    "intersects/gated-deltanet": "separatrix.constructions.named.placed_tables:INTERSECTS_GATED_DELTANET",
    "intersects/mamba2": "separatrix.constructions.named.placed_tables:INTERSECTS_MAMBA2",
    "intersects/mamba": "separatrix.constructions.named.placed_tables:INTERSECTS_MAMBA",
    "index-lookup/retnet": "separatrix.constructions.named.retention:LOOKUP_RETNET",
    "copy/retnet": "separatrix.constructions.named.retention:COPY_RETNET",
    "equality/retnet": "separatrix.constructions.named.retention:EQUALITY_RETNET",
    "intersects/retnet": "separatrix.constructions.named.retention:INTERSECTS_RETNET",
    "copy/linear-rnn": "separatrix.constructions.named.linear_lines:COPY_LINEAR",
    "index-lookup/linear-rnn": "separatrix.constructions.named.linear_lines:LOOKUP_LINEAR",
    "equality/linear-rnn": "separatrix.constructions.named.linear_lines:EQUALITY_LINEAR",
    "intersects/linear-rnn": "separatrix.constructions.named.linear_lines:INTERSECTS_LINEAR",
    "mqar/linear-rnn": "separatrix.constructions.named.linear_recall:MQAR_LINEAR",
    "associative-recall/linear-rnn": "separatrix.constructions.named.linear_recall:RECALL_LINEAR",
    "parity/linear-rnn": "separatrix.constructions.named.linear_count:PARITY_LINEAR",
    "ones/linear-rnn": "separatrix.constructions.named.linear_count:ONES_LINEAR",
    "index-lookup/selective-rnn": "separatrix.constructions.named.linear_lines:LOOKUP_SELECTIVE",
    "state-based-recall/hybrid-pd": "separatrix.constructions.named.registers_and_reads:HYBRID_PD",
    "state-based-recall/hybrid-deltanet": "separatrix.constructions.named.registers_and_reads:HYBRID_DELTANET",
    "state-based-recall/hybrid-gated-deltanet": "separatrix.constructions.named.registers_and_reads:HYBRID_GATED_DELTANET",
    "nearest-neighbor/deltanet": "separatrix.constructions.named.nearest_kernels:NEAREST_DELTANET",
    "nearest-neighbor/gated-deltanet": "separatrix.constructions.named.nearest_kernels:NEAREST_GATED_DELTANET",
    "nearest-neighbor/mamba2": "separatrix.constructions.named.nearest_kernels:NEAREST_MAMBA2",
    "mqar/deltaproduct": "separatrix.constructions.named.product_tables:MQAR_DELTAPRODUCT",
    "associative-recall/deltaproduct": "separatrix.constructions.named.product_tables:RECALL_DELTAPRODUCT",
    "parity/deltanet": "separatrix.constructions.named.reflections:PARITY_DELTANET",
    "index-lookup/hard-attention": "separatrix.constructions.bhattamishra2024.index_lookup:INDEX_LOOKUP_HARD",
    "copy/hard-attention": "separatrix.constructions.other.copying:COPY_HARD",
    "mqar/hard-attention": "separatrix.constructions.bhattamishra2024.recall:MQAR_HARD",
    "nearest-neighbor/hard-attention": "separatrix.constructions.bhattamishra2024.nearest_neighbor:NEAREST_NEIGHBOR_HARD",
    "index/hard-attention": "separatrix.constructions.wen2024.index:INDEX_HARD",
    "recall-next/hard-attention": "separatrix.constructions.wen2024.grams:RECALL_NEXT_HARD",
    "equality/hard-attention": "separatrix.constructions.bhattamishra2024.equality:EQUALITY_HARD",
    "partition-equality/hard-attention": "separatrix.constructions.bhattamishra2024.partition_equality:PARTITION_EQUALITY_HARD",
    "intersects/hard-attention": "separatrix.constructions.bhattamishra2024.sparse_threshold:INTERSECTS_HARD",
    "k-dnf/hard-attention": "separatrix.constructions.bhattamishra2024.sparse_threshold:K_DNF_HARD",
    "k-cnf/hard-attention": "separatrix.constructions.bhattamishra2024.sparse_threshold:K_CNF_HARD",
    "eq-random/hard-attention": "separatrix.constructions.bhattamishra2024.separated_equality:EQ_RANDOM_HARD",
    "eq-one/hard-attention": "separatrix.constructions.bhattamishra2024.separated_equality:EQ_ONE_HARD",
    "c-gram/hard-attention": "separatrix.constructions.wen2024.grams:C_GRAM_HARD",
}
OF_ANOTHER_TASK = {"equality/partition": "partition-equality"}  # every other name begins with its task; a law compares them
DEFAULT_LENGTH = 64  # for a user's function, which has no declaration


def construction(name: str) -> Construction:
    """The declaration of a construction."""
    maker = _maker(name)
    if not isinstance(maker, Construction):
        raise BadInput(f"{name}: expected a declaration, found {maker!r:.60}; only `build` takes a bare function")
    return maker


def constructions(task: str | None = None) -> tuple[Construction, ...]:
    """The declarations of all constructions, or of those that compute a task; only these are loaded."""
    return tuple(construction(name) for name in CONSTRUCTIONS if task in (None, OF_ANOTHER_TASK.get(name, name.split("/")[0])))


def quick_builds() -> tuple[tuple[str, Settings], ...]:
    """What `verify --all` verifies: every construction at sizes that take seconds, as its declaration says."""
    return tuple((declaration.name, settings) for declaration in constructions() for settings in declaration.quick)


def build(name: str, **chosen: Any) -> Built:
    """Exact weights of a construction, with parameters as values or text; a user's construction may be a bare function."""
    from separatrix.certificates.built import Built

    maker = _maker(name)
    if isinstance(maker, Construction):
        return maker(**chosen)
    built = maker(**typed(maker, chosen, f"construction {name}"))
    if not isinstance(built, Built):
        raise BadInput(f"{name}: expected a dynamic program or a function that returns what a construction builds, found {built!r:.60}")
    return built


def task_of(name: str, **chosen: Any) -> Task:
    """What a construction computes at these parameters; of a declaration without any weights."""
    maker = _maker(name)
    return maker.task_at(**chosen) if isinstance(maker, Construction) else build(name, **chosen).task


def parameters_of(name: str) -> dict[str, Parameter]:
    """The parameters of `build`."""
    maker = _maker(name)
    return maker.parameters if isinstance(maker, Construction) else parameters(maker)


def default_length(name: str) -> int:
    """The length at which a construction is verified by default."""
    maker = _maker(name)
    return maker.default_length if isinstance(maker, Construction) else DEFAULT_LENGTH


def _maker(name: str) -> Construction | Callable[..., Built]:
    maker: Any = find(name, CONSTRUCTIONS, "construction")
    if isinstance(maker, type):
        from separatrix.constructions.yang2024.own_program import own_program
        from separatrix.tasks.programs.dynamic_program import DynamicProgram

        if issubclass(maker, DynamicProgram):
            refuse_taken_names(maker, name)
            return own_program(maker)
    if not callable(maker):
        raise BadInput(f"{name}: expected a construction, found {maker!r:.60}")
    return maker  # type: ignore[no-any-return]
