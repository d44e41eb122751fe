"""The architectures that bounds and constructions are about, each defined once; the modes they run in, and the quantities compared.

A lower bound says how much of a quantity every model of an architecture needs; a construction shows how much is enough.
The value of an architecture is its name on the command line and in JSON; where a mixer has the same name, it is that mixer.
A chain of thought and retrieval are modes, not architectures; a dynamic program is a task.

Notation   x  input of the layer at a token      h, S  state (vector, matrix)      q, k, v  query, key, value      t  token
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Definition(NamedTuple):
    """What an architecture is called in a heading, what it is in two sentences, its formula, and its name where there is little room."""

    title: str
    says: str
    formula: str
    short: str = ""  # the title, unless it is long


class Architecture(StrEnum):
    """The kinds of models that bounds and constructions are about."""

    RECURRENT = "recurrent"
    ONE_TRANSITION = "recurrent, one transition for all steps"
    ELMAN = "elman"
    GRU = "gru"
    LSTM = "lstm"
    LINEAR_RNN = "linear-rnn"
    LINEAR_ATTENTION = "linear-attention"
    RETNET = "retnet"
    DSS = "dss"
    MAMBA = "mamba"
    MAMBA2 = "mamba2"
    DELTANET = "deltanet"
    DELTANET_NEGATIVE = "deltanet-negative"
    GATED_DELTANET = "gated-deltanet"
    DELTAPRODUCT = "deltaproduct"
    RANK_ONE = "rank-one"
    PD = "pd"
    TRANSFORMER = "transformer"
    ONE_LAYER = "one-layer Transformer"
    TWO_LAYERS = "two-layer Transformer"
    THREE_LAYERS = "three-layer Transformer"
    HARD_ATTENTION = "hard-attention"
    WINDOW = "window"
    BLOCK_SPARSE = "block-sparse"
    HYBRID = "hybrid"

    @property
    def definition(self) -> Definition:
        """What the architecture computes, with its formula."""
        return DEFINITIONS[self]

    @property
    def heading(self) -> str:
        """The title of the architecture, as pages have it."""
        return self.definition.title

    @property
    def short(self) -> str:
        """Its name at the head of a narrow column."""
        return self.definition.short or self.heading

    def with_layers(self, layers: int) -> Architecture:
        """A Transformer by the number of its layers; any other architecture is itself."""
        return TRANSFORMERS[min(layers, len(TRANSFORMERS)) - 1] if self is Architecture.TRANSFORMER else self


class Mode(StrEnum):
    """How a model is run on a task."""

    ALONE = "alone"
    CHAIN = "chain of thought"
    RETRIEVAL = "retrieval"


class Quantity(StrEnum):
    """What is counted; the width of a layer is that of its values, which cross the cut between the two parties."""

    STATE_BITS = "state bits"
    WIDTH = "width"
    WIDTH_ONE_HEAD = "width, one head"
    WIDTH_TIMES_HEADS = "width x heads"
    WIDTH_TIMES_HEADS_FROM_4 = "width x heads, if the width is at least 4"
    REACH = "tokens that the stack can see"
    LAYERS_ONE_HEAD = "layers, one head"


TRANSFORMERS = (Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS)  # by their layers; the last has three or more
RECURRENT_KINDS = (
    Architecture.ONE_TRANSITION, Architecture.ELMAN, Architecture.GRU, Architecture.LSTM, Architecture.LINEAR_RNN,
    Architecture.LINEAR_ATTENTION, Architecture.RETNET, Architecture.DSS, Architecture.MAMBA, Architecture.MAMBA2,
    Architecture.DELTANET, Architecture.DELTANET_NEGATIVE, Architecture.GATED_DELTANET, Architecture.DELTAPRODUCT,
    Architecture.RANK_ONE, Architecture.PD,
)  # fmt: skip
COLUMN_GROUPS: tuple[tuple[str, tuple[Architecture, ...]], ...] = (  # of the map
    ("Recurrent", (Architecture.RECURRENT, Architecture.ELMAN, Architecture.GRU, Architecture.LSTM)),
    ("Linear recurrent", (
        Architecture.LINEAR_ATTENTION, Architecture.RETNET, Architecture.DSS, Architecture.MAMBA, Architecture.MAMBA2,
        Architecture.DELTANET, Architecture.DELTANET_NEGATIVE, Architecture.GATED_DELTANET,
    )),
    ("Transformer", TRANSFORMERS),
    ("Other attention", (Architecture.HARD_ATTENTION, Architecture.WINDOW, Architecture.BLOCK_SPARSE, Architecture.HYBRID)),
)  # fmt: skip
COLUMNS = tuple(one for _, members in COLUMN_GROUPS for one in members)

DEFINITIONS: dict[Architecture, Definition] = {
    Architecture.RECURRENT: Definition(
        "Any recurrent model",
        "All that it knows of the tokens read so far is a state of fixed size. The update may be any function and may know the place.",
        "h_t = f_t(h_(t-1), x_t)",
        "any recurrent",
    ),
    Architecture.ONE_TRANSITION: Definition(
        "Recurrent, one transition for all steps",
        "A recurrent model whose update does not know the place, so that it is a finite automaton. One and the same update serves words "
        "of every length.",
        "h_t = f(h_(t-1), x_t)",
    ),
    Architecture.ELMAN: Definition(
        "Elman RNN",
        "The state is one vector, updated by one matrix and a tanh. Layers are stacked without residual connections.",
        "h_t = tanh(U h_(t-1) + W x_t + b)",
    ),
    Architecture.GRU: Definition(
        "GRU",
        "An Elman network with two gates. One decides how much of the state is replaced, one how much of it the new value sees.",
        "h_t = z h_(t-1) + (1 - z) tanh(W x_t + r (U h_(t-1) + b))",
    ),
    Architecture.LSTM: Definition(
        "LSTM",
        "A cell that is added to, and gates that decide what is kept, written and shown. The state is the cell and what was shown last.",
        "c_t = f c_(t-1) + i tanh(W x_t + U h_(t-1) + b),  h_t = o tanh(c_t)",
    ),
    Architecture.LINEAR_RNN: Definition(
        "Linear RNN",
        "The state is updated by one matrix, the same for every token. All that is not linear happens between layers.",
        "h_t = A h_(t-1) + B x_t",
    ),
    Architecture.LINEAR_ATTENTION: Definition(
        "Linear attention",
        "Attention without a softmax: a matrix adds up products of keys and values, a vector the keys. Nothing is ever forgotten.",
        "S_t = S_(t-1) + phi(k_t) v_t^T,  z_t = z_(t-1) + phi(k_t),  y_t = S_t^T phi(q_t) / (z_t . phi(q_t))",
    ),
    Architecture.RETNET: Definition(
        "RetNet",
        "Linear attention that fades by a fixed factor for each head, with rotary positions. What is read is normalised, head by head.",
        "S_t = gamma S_(t-1) + k_t v_t^T,  y_t = norm(S_t^T q_t)",
    ),
    Architecture.DSS: Definition(
        "DSS",
        "A diagonal state space: every channel drives a few complex numbers that turn and fade at fixed rates. Nothing depends on the "
        "token but the input itself.",
        "h_t = Lambda h_(t-1) + B x_t,  y_t = Re(C h_t)",
    ),
    Architecture.MAMBA: Definition(
        "Mamba",
        "A diagonal state space whose step size, input and output depend on the token, behind a short convolution. Every channel fades at "
        "rates of its own.",
        "h_t = exp(delta_t A) h_(t-1) + delta_t B_t u_t,  y_t = C_t . h_t,  A < 0",
    ),
    Architecture.MAMBA2: Definition(
        "Mamba-2",
        "Mamba with one rate of fading for a whole head, so that its state is a matrix of keys and values. A short convolution stands "
        "before it.",
        "S_t = exp(delta_t a) S_(t-1) + delta_t B_t u_t^T,  y_t = S_t^T C_t,  a < 0",
    ),
    Architecture.DELTANET: Definition(
        "DeltaNet",
        "Linear attention that overwrites: what a key holds is read, and moved towards the new value. The factor beta lies between 0 "
        "and 1.",
        "S_t = S_(t-1) + beta_t k_t (v_t - S_(t-1)^T k_t)^T,  0 <= beta <= 1,  |k| = 1",
    ),
    Architecture.DELTANET_NEGATIVE: Definition(
        "DeltaNet with negative eigenvalues",
        "DeltaNet whose factor beta may be as large as 2. At 2 the update reflects the state along the key, so that it can toggle.",
        "S_t = S_(t-1) + beta_t k_t (v_t - S_(t-1)^T k_t)^T,  0 <= beta <= 2,  |k| = 1",
        "DeltaNet, negative",
    ),
    Architecture.GATED_DELTANET: Definition(
        "Gated DeltaNet",
        "DeltaNet whose state also fades, by a factor that the token chooses. A gate multiplies what is read.",
        "S_t = alpha_t (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T,  0 <= alpha, beta <= 1",
    ),
    Architecture.DELTAPRODUCT: Definition(
        "DeltaProduct",
        "Several steps of DeltaNet with negative eigenvalues for each token. So one token may apply a product of reflections.",
        "S_t = (product over j of I - beta_tj k_tj k_tj^T) S_(t-1) + sum of the writes",
    ),
    Architecture.RANK_ONE: Definition(
        "Rank-one state space",
        "The transition is a product of factors that differ from the identity by a matrix of rank one, all chosen by the token. The state "
        "is a vector.",
        "h_t = (product over j of I - a_tj b_tj^T) h_(t-1) + B x_t",
    ),
    Architecture.PD: Definition(
        "PD state space",
        "The transition is a column-wise one-hot matrix times a diagonal one, both chosen by the token. The state is a vector.",
        "h_t = P(x_t) D(x_t) h_(t-1) + B x_t",
    ),
    Architecture.TRANSFORMER: Definition(
        "Transformer",
        "Softmax attention in every layer, each followed by a feed-forward part. It is causal unless a fact says otherwise.",
        "y_t = sum over s <= t of softmax(q_t . k_s) v_s",
    ),
    Architecture.ONE_LAYER: Definition(
        "Transformer, one layer",
        "One layer of causal softmax attention, with as many heads as one likes, and a feed-forward part. The answer is read at the last "
        "token.",
        "y_t = sum over s <= t of softmax(q_t . k_s) v_s,  once",
        "1 layer",
    ),
    Architecture.TWO_LAYERS: Definition(
        "Transformer, two layers",
        "Two layers of softmax attention, each followed by a feed-forward part, causal unless a fact says otherwise. The second reads what "
        "the first has found.",
        "y_t = sum over s <= t of softmax(q_t . k_s) v_s,  twice",
        "2 layers",
    ),
    Architecture.THREE_LAYERS: Definition(
        "Transformer, three or more layers",
        "Three or more layers of softmax attention, causal unless a fact says otherwise. Their number is the same for all lengths.",
        "y_t = sum over s <= t of softmax(q_t . k_s) v_s,  three times or more",
        "3 or more layers",
    ),
    Architecture.HARD_ATTENTION: Definition(
        "Transformer with hard attention",
        "Every head reads exactly one token, the one with the largest score. Layers and heads are fixed in number; what is computed from "
        "the token read may be any function.",
        "y_t = v_s with s = argmax of score(q_t, k_s)",
        "hard attention",
    ),
    Architecture.WINDOW: Definition(
        "Transformer with a sliding window",
        "Causal softmax attention that sees the last w tokens only. So L layers see the last L (w - 1) + 1 tokens.",
        "y_t = sum over t - w < s <= t of softmax(q_t . k_s) v_s",
        "sliding window",
    ),
    Architecture.BLOCK_SPARSE: Definition(
        "Block-sparse Transformer",
        "Causal softmax attention that sees the tokens near by, and the last tokens of every block before them. Those relay what the "
        "rest of their block holds.",
        "y_t = sum over s near t, or at the end of a block, of softmax(q_t . k_s) v_s",
        "block-sparse",
    ),
    Architecture.HYBRID: Definition(
        "Hybrid: recurrent layers below attention",
        "Recurrent layers with a layer of causal softmax attention above them. The recurrent part has a state of fixed size; attention "
        "reads every token again.",
        "y_t = attention(h_1, .., h_t),  h_t = f(h_(t-1), x_t)",
        "hybrid",
    ),
}


def architecture_named(name: str | None) -> Architecture | None:
    """The architecture of a model by the name that the checker derives from its description; None if it is none of these."""
    if name is None:
        return None
    kind, _, layers = name.rpartition("-layer")[0].rpartition("-")
    if kind == "transformer":
        return Architecture.TRANSFORMER.with_layers(int(layers))
    if name in ("register-file", "relu-rnn", "selective-rnn"):
        return Architecture.RECURRENT
    return Architecture(name) if name in {*Architecture} else None
