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
FIXED = f"fixed:16,4, {FLOATS}"
FORM = "recurrent"  # token by token; nothing is said of a parallel scan
SYMMETRIC = "one-symmetric-layer"

BARRIER = {  # inside the monotone barrier, and why: the update of each number of the state, from its formula
    "mamba": "h <- exp(dt A) h + dt B u with A < 0: a gate in [0, 1] from the input alone, behind a convolution",
    "mamba2": "S <- exp(dt a) S + dt B u^T with a < 0: a gate in [0, 1] from the input alone, behind a convolution",
    "linear-attention": "S <- S + phi(k) v^T and z <- z + phi(k): a gate of 1; feature map and quotient are computed token by token",
    "selective-rnn-positive": "h <- relu(A x + a) h + B x + b: a gate of at least 0 from the input alone",
}
INSIDE_WITH_POSITIONS = {
    "retnet": "S <- gamma S + k v^T with rotated q and k: monotone maps that depend on the position",
    "linear-attention-positions": "as linear attention, with learned positions in the embedding: monotone maps that depend on the position",
}
OUTSIDE = {
    "dss": "complex numbers turn: no order is kept",
    "selective-rnn": "a gate may be negative",
    SYMMETRIC: "alpha (I - beta k k^T) is not diagonal",
    "deltanet": "I - beta k k^T is not diagonal",
    "gated-deltanet": "alpha (I - beta k k^T) is not diagonal",
    "deltaproduct": "a product of reflections is not diagonal",
    "rank-one": "I - a b^T is not diagonal",
    "pd": "P permutes and merges numbers",
    "linear-rnn": "A is any matrix",
    "lstm": "a gate sees the state",
    "gru": "a gate sees the state",
    "elman": "the state is fed back",
    "transformer": "the state grows with the length",
    "transformer-log-precision": "the state grows with the length",
    "hard-attention": "the state grows with the length",
    "window": "no recurrence: a stack of windows sees a last stretch",
}
LEVELS = {
    "mamba": 1,
    "mamba2": 2,
    "selective-rnn-positive": 1,
    "deltanet": 2,
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


def _cascade(name: str) -> Rule:
    each = "one layer" if LEVELS[name] == 1 else "two layers"
    why = f"star-free: a cascade of coordinates that keep or reset, {each} for each of at most n - 1 for n states"
    return Rule("star_free", True, BUILT, why, FIXED if name == "selective-rnn-positive" else FLOATS, by=f"regular/{name}")


def _inside(name: str) -> tuple[Rule, ...]:
    counted = Rule("star_free", False, IMPOSSIBLE, "it counts a word modulo {p}, and the update is monotone", update=BARRIER[name])
    if name in LEVELS:
        return counted, _cascade(name)
    return counted, always(OPEN, "star-free, so the barrier does not exclude it; a gate of exactly 1 and of exactly 0 would be needed")


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
_UNIT = "a unit for each state and token"
_LOG = "logarithmic precision, any positions, a fixed number of layers"
_WINDOW = "L layers of windows of w tokens see the last L (w - 1) + 1 tokens, and no last stretch of bounded length decides membership"
_SOFT = "fixed precision, strict mask, no positions: exactly the R-trivial languages; this is"
_HARD = "strict masks on both sides, no positions: exactly the star-free languages; this is"
_SIGNED = "a group in it is not a 2-group: gates in [-1, 1] in floats do of groups only 2-groups (another paper's theorem, not proven here)"
_FLIPS = "every group in it is a 2-group: a cascade of bits that keep, reset or flip, one layer for each"
_PERMUTED = (
    "a cascade of coordinates that are permuted or reset, two layers for each; in floats whose 1 / sqrt(4^k) is exact, as on a CPU: the "
    "checker does not assume that, and proves short lengths alone"
)

RULES: dict[str, tuple[Rule, ...]] = {
    **{name: _inside(name) for name in BARRIER},
    **{name: _with_positions(name) for name in INSIDE_WITH_POSITIONS},
    SYMMETRIC: (
        Rule("twins", True, IMPOSSIBLE, _TWINS, "exact", layers=1),
        Rule("permutation_reset", True, BUILT, _SUFFICES, FLOATS, layers=1, by=f"regular/{SYMMETRIC}"),
        always(OPEN, "no two idempotents have one image, but some letter neither permutes nor resets: not known", "exact"),
    ),
    "deltanet": (_cascade("deltanet"), _outside("deltanet", _SEVERAL)),
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
        always(CITED, _SIGNED, "floats", cites="arXiv 2606.01765"),
    ),
    **{name: (_outside(name, "nothing is built or excluded here"),) for name in ("dss", "linear-rnn")},
    "transformer": (
        Rule("r_trivial", True, CITED, f"{_SOFT} a member", "fixed precision", "parallel", cites="arXiv 2505.23623"),
        always(CITED, f"{_SOFT} not one", "fixed precision", "parallel", cites="arXiv 2505.23623"),
    ),
    "transformer-log-precision": (
        Rule(
            "solvable", False, CONDITIONAL, f"{_LOG}: a group that is not solvable, so not unless TC0 = NC1", "log precision", "parallel",
            cites="arXiv 2404.08819",
        ),
        always(OPEN, f"{_LOG}: no group excludes it", "log precision", "parallel"),
    ),
    "hard-attention": (
        Rule("star_free", True, CITED, f"{_HARD} one; with positions, only quasi-aperiodic ones (AC0)", "exact", "parallel",
             cites="arXiv 2310.13897"),
        always(CITED, f"{_HARD} none; with positions, only quasi-aperiodic ones (AC0)", "exact", "parallel", cites="arXiv 2310.13897"),
    ),
    "window": (
        Rule("definite", False, IMPOSSIBLE, f"{_WINDOW}; without positions", form="parallel"),
        always(OPEN, "a last stretch of bounded length decides membership; weights are not built here", form="parallel"),
    ),
}  # fmt: skip
