"""Which verdict follows from which fact about a language, for each architecture, as data: `decide` reads it, and so does the page.

The first rule of an architecture that applies is its row. A rule that names a construction says that its weights do it; `decide` then
builds and runs them.
"""

from __future__ import annotations

from dataclasses import dataclass

BUILT, IMPOSSIBLE, CONDITIONAL, CITED, OPEN = (
    "built at all lengths",
    "impossible at all lengths",
    "impossible, conditional",
    "cited",
    "open",
)
ANY = "any finite format"
FLOATS = "float32, float64"
SATURATING = "fixed:16,4"
FIXED = f"{SATURATING}, {FLOATS}"
FORM = "recurrent"  # token by token; nothing is said of a parallel scan
SYMMETRIC = "one-symmetric-layer"

BARRIER = {  # inside the monotone barrier, and why: the update of each number of the state, from its formula
    "mamba": "h <- exp(dt A) h + dt B u with A < 0: a gate in [0, 1] from the input alone, behind a convolution",
    "mamba2": "S <- exp(dt a) S + dt B u^T with a < 0: a gate in [0, 1] from the input alone, behind a convolution",
    "linear-attention": "S <- S + phi(k) v^T and z <- z + phi(k): a gate of 1; feature map and quotient are computed token by token",
    "selective-rnn-positive": "h <- relu(A x + a) h + B x + b: a gate of at least 0 from the input alone; no operator tells -0 from 0",
}
INSIDE_WITH_POSITIONS = {
    "retnet": "S <- gamma S + k v^T with rotated q and k: monotone maps that depend on the position",
    "linear-attention-positions": "as linear attention, with learned positions in the embedding: monotone maps that depend on the position",
}
OUTSIDE = {
    "dss": "complex numbers turn: no order is kept",
    "complex-diagonal": "complex numbers turn: no order is kept",
    "selective-rnn": "a gate may be negative",
    SYMMETRIC: "alpha (I - beta k k^T) is not diagonal",
    "deltanet": "I - beta k k^T is not diagonal",
    "deltanet-negative": "I - beta k k^T is not diagonal",
    "gated-deltanet": "alpha (I - beta k k^T) is not diagonal",
    "deltaproduct": "a product of reflections is not diagonal",
    "rank-one": "I - a b^T is not diagonal",
    "pd": "P permutes and merges numbers",
    "linear-rnn": "A is any matrix",
    "lstm": "a gate sees the state",
    "gru": "a gate sees the state",
    "elman": "the state is fed back",
    "stack": "any mixers, an LSTM among them",
    "transformer": "the state grows with the length",
    "transformer-log-precision": "the state grows with the length",
    "hard-attention": "the state grows with the length",
    "block-sparse": "the state grows with the length",
    "window": "no recurrence: a stack of windows sees a last stretch",
}
LEVELS = {
    "mamba": 1,
    "mamba2": 2,
    "selective-rnn-positive": 1,
    "deltanet": 2,
    "deltanet-negative": 2,
    "gated-deltanet": 2,
    "deltaproduct": 2,
}  # layers for a coordinate of a cascade


@dataclass(frozen=True)
class Rule:
    """The row of an architecture if a fact about the language has this value; a fact that is not known has neither."""

    fact: str  # its name in `Facts`, or nothing: always
    value: bool
    verdict: str
    why: str  # {p} is the modulus that the language counts
    arithmetic: str = ANY
    form: str = FORM
    layers: int | None = None
    cites: str = ""
    by: str = ""  # the construction
    update: str = ""  # what the architecture does with its state, where the reason rests on it
    says: str = ""  # what a cited theorem answers, yes or no
    hypotheses: tuple[str, ...] = ()  # of what is cited, or is conditional


def always(
    verdict: str,
    why: str,
    arithmetic: str = ANY,
    form: str = FORM,
    layers: int | None = None,
    cites: str = "",
    by: str = "",
    update: str = "",
) -> Rule:
    """A rule without a condition."""
    return Rule("", True, verdict, why, arithmetic, form, layers, cites, by, update)


def cited(fact: str, value: bool, says: str, why: str, cites: str, hypotheses: tuple[str, ...], form: str = FORM) -> Rule:
    """The rule of a theorem that others proved, whose first hypothesis is about numbers; without a fact it always applies."""
    return Rule(fact, value, CITED, why, hypotheses[0], form, cites=cites, says=says, hypotheses=hypotheses)


def _cascade(name: str) -> Rule:
    each = "one layer" if LEVELS[name] == 1 else "two layers"
    why = f"star-free: a cascade of coordinates that keep or reset, {each} for each of at most n - 1 for n states"
    return Rule("star_free", True, BUILT, why, FIXED if name == "selective-rnn-positive" else FLOATS, by=f"regular/{name}")


def _inside(name: str) -> tuple[Rule, ...]:
    counted = Rule("star_free", False, IMPOSSIBLE, "it counts a word modulo {p}, and the update is monotone", update=BARRIER[name])
    if name in LEVELS:
        return counted, _cascade(name)
    return counted, always(
        OPEN, "star-free, so the barrier does not exclude it; what is built here needs gates of 0 and 1, and its gate is always 1"
    )


def _with_positions(name: str) -> tuple[Rule, ...]:
    grouped = (
        "words of one length act as a group, and monotone maps that depend on the position do not (by Ramsey's theorem, for any table of "
        "positions; no certificate)"
    )
    left = "quasi-aperiodic, so the barrier with positions does not exclude it; no weights are built here"
    return Rule("quasi_aperiodic", False, IMPOSSIBLE, grouped, update=INSIDE_WITH_POSITIONS[name]), always(OPEN, left)


def _outside(name: str, left: str) -> Rule:
    return always(OPEN, f"outside the barrier; {left}", update=OUTSIDE[name])


def _one_hot(name: str, why: str) -> tuple[Rule, ...]:
    return (always(BUILT, why, FLOATS, layers=1, by=f"regular/{name}"),)


_TWINS = (
    "DeltaNet, gated DeltaNet and DeltaProduct in one layer without convolution and positions, with finitely many states: two idempotents "
    "have one image, and a map that moves no two points apart cannot undo that"
)
_ONE = "in one layer; in floats whose 1 / sqrt(4^k) is exact, as on a CPU: the checker does not assume that, and proves short lengths alone"
_SUFFICES = "every letter permutes or resets, as reflections and projections can"
_SEVERAL = "beyond star-free languages nothing is built here for all lengths, and nothing excluded"
_SATURATED = "a unit for each state and token, in numbers that saturate: there the update is not linear"
_UNIT = "a unit for each state and token"
_WINDOW = "L layers of windows of w tokens see the last L (w - 1) + 1 tokens, and no last stretch of bounded length decides membership"
_SOFT = ("arXiv 2505.23623", ("fixed precision", "softmax attention", "strict future mask", "no positions"), "parallel")
_HARD = (
    "arXiv 2310.13897",
    ("exact", "the leftmost or rightmost largest score is read", "strict masks on both sides", "no positions"),
    "parallel",
)
_LOG = ("log precision", "a fixed number of layers", "any positions")
_SIGNED = ("arXiv 2606.01765", ("floats", "real gates in [-1, 1] that the input alone chooses"))
_COMPLEX = (
    "arXiv 2603.01959",
    ("finite precision", "complex diagonal gates that the input alone chooses", "any decoder", "as its abstract states it"),
)
_R_TRIVIAL = "exactly the R-trivial languages; this is"
_STAR_FREE = "exactly the star-free languages; this is"
_QUASI = "with positions, only quasi-aperiodic ones (AC0)"
_ABELIAN = "of groups exactly those with a subnormal series of Abelian factors, a layer for each; this"
_FLIPS = "every group in it is a 2-group: a cascade of bits that keep, reset or flip, one layer for each"
_REFLECTED = (
    "every group in it is a 2-group: a cascade of bits that keep, reset or flip, two layers for each; in floats whose 1 / sqrt(4^k) is "
    "exact, as on a CPU: the checker does not assume that, and proves short lengths alone"
)
_PERMUTED = (
    "a cascade of coordinates that are permuted or reset, two layers for each; in floats whose 1 / sqrt(4^k) is exact, as on a CPU: the "
    "checker does not assume that, and proves short lengths alone"
)

_CONSTANT = Rule("constant", True, BUILT, "all words have one answer: a read-out that ignores what it reads", layers=0)

_RULES: dict[str, tuple[Rule, ...]] = {
    **{name: _inside(name) for name in BARRIER},
    **{name: _with_positions(name) for name in INSIDE_WITH_POSITIONS},
    SYMMETRIC: (
        Rule("twins", True, IMPOSSIBLE, _TWINS, "exact", layers=1),
        Rule("permutation_reset", True, BUILT, _SUFFICES, FLOATS, layers=1, by=f"regular/{SYMMETRIC}"),
        always(OPEN, "no two idempotents have one image, but some letter neither permutes nor resets: not known", "exact"),
    ),
    "deltanet": (_cascade("deltanet"), _outside("deltanet", _SEVERAL)),
    "deltanet-negative": (
        Rule("star_free", True, BUILT, "star-free: with beta at most 1", FLOATS, by="regular/deltanet"),
        Rule("two_groups", True, BUILT, _REFLECTED, FLOATS, by="regular/deltanet-negative"),
        _outside("deltanet-negative", "beyond 2-groups nothing is built here for all lengths, and nothing excluded"),
    ),
    "gated-deltanet": (_cascade("gated-deltanet"), _outside("gated-deltanet", _SEVERAL)),
    "deltaproduct": (
        Rule("permutation_reset", True, BUILT, f"{_SUFFICES}, {_ONE}", FLOATS, layers=1, by="regular/deltaproduct"),
        _cascade("deltaproduct"),
        always(BUILT, _PERMUTED, FLOATS, by="regular/deltaproduct"),
    ),
    "rank-one": _one_hot("rank-one", "at most n - 1 factors a token on one-hot states"),
    "pd": _one_hot("pd", "a column-one-hot matrix for each token"),
    **{name: _one_hot(name, _UNIT) for name in ("lstm", "elman", "gru")},
    "selective-rnn": (
        Rule("star_free", True, BUILT, "star-free: by positive gates alone", FIXED, by="regular/selective-rnn-positive"),
        Rule("two_groups", True, BUILT, _FLIPS, FIXED, by="regular/selective-rnn"),
        cited("", True, "no", "of groups only 2-groups; a group in this one is not", *_SIGNED),
    ),
    "dss": (_outside("dss", "nothing is built or excluded here"),),
    "linear-rnn": (always(BUILT, _SATURATED, SATURATING, layers=1, by="regular/linear-rnn"),),
    "complex-diagonal": (
        Rule("group", False, OPEN, "not a group: of what complex gates do beyond groups nothing is cited", "finite precision"),
        cited("solvable", True, "yes", f"{_ABELIAN} is one", *_COMPLEX),
        cited("solvable", False, "no", f"{_ABELIAN} is none", *_COMPLEX),
        always(OPEN, "a group of which it is not known whether it is solvable", "finite precision"),
    ),
    "stack": (always(BUILT, "layers of one's choice, so also those of an LSTM alone", FLOATS, layers=1, by="regular/lstm"),),
    "transformer": (
        cited("r_trivial", True, "yes", f"{_R_TRIVIAL} one", *_SOFT),
        cited("r_trivial", False, "no", f"{_R_TRIVIAL} none", *_SOFT),
    ),
    "transformer-log-precision": (
        Rule(
            "solvable", False, CONDITIONAL, "a group in it is not solvable: not unless TC0 = NC1", _LOG[0], "parallel",
            cites="arXiv 2404.08819", says="no", hypotheses=(*_LOG, "TC0 is not NC1"),
        ),
        Rule("solvable", True, OPEN, "no group excludes it, in logarithmic precision with a fixed number of layers", _LOG[0], "parallel"),
        always(OPEN, "a group in it is too large to say whether it is solvable", _LOG[0], "parallel"),
    ),
    "hard-attention": (
        cited("star_free", True, "yes", f"{_STAR_FREE} one; {_QUASI}", *_HARD),
        cited("star_free", False, "no", f"{_STAR_FREE} none; {_QUASI}", *_HARD),
    ),
    "block-sparse": (always(OPEN, "its mask shows positions modulo the block; nothing is built or excluded here", form="parallel"),),
    "window": (
        Rule("definite", False, IMPOSSIBLE, f"{_WINDOW}; without positions", form="parallel"),
        always(OPEN, "a last stretch of bounded length decides membership; weights are not built here", form="parallel"),
    ),
}  # fmt: skip
RULES = {name: (_CONSTANT, *rules) for name, rules in _RULES.items()}
