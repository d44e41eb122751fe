"""State tracking decided: for each architecture, whether it recognises a regular language at all lengths, and what shows it.

    (aa)*    Mamba: impossible at all lengths, in any finite number format; one layer of rank-one factors: built

An architecture is on one side of the monotone barrier by its formula, read here once (`BARRIER`). A verdict is

    built at all lengths         weights of a construction of the package, and an exact check of all pairs of states that can be reached
    impossible at all lengths    a proof, of which the witness is given; a certificate where the checker has a kind for it
    impossible, conditional      unless two classes of circuits are one
    cited                        a theorem that others proved, under the hypotheses that the row names
    open                         none of these, and the question that is left
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from separatrix.bounds.languages.classes import TwinImages, definite, permutation_reset, r_trivial, twin_images
from separatrix.bounds.languages.groups import solvable
from separatrix.bounds.languages.monoid import Monoid, syntactic_monoid
from separatrix.errors import BadInput, did_you_mean
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import Cascade, keep_or_reset, seen_by, serial
from separatrix.tasks.languages.factors import factors_per_token
from separatrix.tasks.languages.given import GivenLanguage
from separatrix.tasks.languages.periods import Period, TooLarge, period
from separatrix.tasks.languages.permutation_groups import PermutationGroup

BUILT, IMPOSSIBLE, CONDITIONAL, CITED, OPEN = (
    "built at all lengths",
    "impossible at all lengths",
    "impossible, conditional",
    "cited",
    "open",
)
ANY = "any finite format"
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


@dataclass(frozen=True)
class Row:
    """What is known of one architecture on one language."""

    architecture: str
    verdict: str
    why: str
    arithmetic: str = ANY
    form: str = FORM
    lengths: str = "all"
    layers: int | None = None
    width: int | None = None
    certificate: str | None = None
    cites: str = ""

    @property
    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Facts:
    """What decides: computed once for a language. None where the monoid is too large to say."""

    automaton: Automaton
    period: Period | None
    star_free: bool
    monoid: int | None
    quasi_aperiodic: bool | None
    definite: bool | None
    r_trivial: bool
    permutation_reset: bool
    twins: TwinImages | None
    twins_known: bool
    solvable: bool | None
    factors: int
    cascade: Cascade | None = field(compare=False, default=None)
    derived: tuple[int, ...] | None = None

    @property
    def document(self) -> dict[str, Any]:
        """The facts as JSON."""
        letters = self.automaton.alphabet
        return {
            "states": self.automaton.states,
            "monoid": self.monoid,
            "star_free": self.star_free,
            "quasi_aperiodic": self.quasi_aperiodic,
            "definite": self.definite,
            "r_trivial": self.r_trivial,
            "permutation_reset": self.permutation_reset,
            "solvable": self.solvable,
            "factors": self.factors,
            "period": None if self.period is None else self.period.document(letters),
            "twin_images": None if self.twins is None else self.twins.document(letters),
            "derived": None if self.derived is None else list(self.derived),
        }


def facts_of(given: GivenLanguage) -> Facts:
    """Everything that the rows need; BadInput if the language is too large to decide."""
    automaton, group = given.automaton, given.group
    if group is not None:
        return _facts_of_group(automaton, group)
    monoid = syntactic_monoid(automaton)
    if monoid is None:
        raise BadInput("the syntactic monoid has more than 100,000 elements: such a language is not decided; give a group as permutations")
    return _facts(automaton, monoid, monoid.aperiodic)


def _facts(automaton: Automaton, monoid: Monoid, star_free: bool) -> Facts:
    return Facts(
        automaton,
        None if star_free else period(automaton),
        star_free,
        len(monoid),
        monoid.quasi_aperiodic,
        definite(monoid),
        r_trivial(automaton.moves),
        permutation_reset(automaton.moves),
        twin_images(monoid),
        True,
        solvable(monoid),
        factors_per_token(automaton),
        cascade_of(automaton) if star_free else None,
    )


def _facts_of_group(automaton: Automaton, group: PermutationGroup) -> Facts:
    """From the permutations, without listing the elements: all idempotents of a group are one."""
    orders = group.derived_orders
    letters = {tuple(image) for image in zip(*automaton.moves, strict=True)}
    trivial = orders[0] == 1
    return Facts(
        automaton,
        None if trivial else period(automaton),
        trivial,
        orders[0],
        len(letters) == 1,  # words of one length act alike
        trivial,
        trivial,
        True,
        None,
        True,
        orders[-1] == 1,
        factors_per_token(automaton),
        cascade_of(automaton) if trivial else None,
        orders,
    )


def cascade_of(automaton: Automaton) -> Cascade | None:
    """One coordinate a layer, checked on all reachable pairs; None if it is too large."""
    try:
        found = serial(keep_or_reset(automaton))
    except TooLarge:
        return None
    if not found.covers():
        raise AssertionError("a cascade does not cover its automaton")
    return found


def rows(facts: Facts) -> list[Row]:
    """One row for each architecture; those that need the package's weights checked say so, and are settled by whoever has torch."""
    return [
        *(_inside(facts, name) for name in BARRIER),
        *(_with_positions(facts, name) for name in INSIDE_WITH_POSITIONS),
        _symmetric(facts),
        *(_not_symmetric(name) for name in ("deltanet", "gated-deltanet", "deltaproduct")),
        *(_any_automaton(facts, name) for name in ("rank-one", "pd")),
        *(Row(name, OPEN, "the weights are too large to be run", arithmetic="float32, float64") for name in ("lstm", "elman")),
        Row("gru", OPEN, f"outside the barrier ({OUTSIDE['gru']}); no weights are built here"),
        _signed(facts),
        *(Row(name, OPEN, f"outside the barrier: {OUTSIDE[name]}; nothing is built or excluded here") for name in ("dss", "linear-rnn")),
        *_attention(facts),
        _window(facts),
    ]


def architectures() -> tuple[str, ...]:
    """Every architecture that has a row."""
    return (*BARRIER, *INSIDE_WITH_POSITIONS, *OUTSIDE)


def need_architecture(name: str) -> str:
    """The name, or one line that lists all."""
    if name not in architectures():
        hint = did_you_mean(name, architectures())
        raise BadInput(f"no architecture {name!r}{hint}: expected one of {', '.join(architectures())}")
    return name


def _inside(facts: Facts, name: str) -> Row:
    if not facts.star_free:
        assert facts.period is not None
        return Row(name, IMPOSSIBLE, f"it counts a word modulo {facts.period.p}, and the update is monotone: {BARRIER[name]}")
    if name == "mamba" and facts.cascade is not None:
        cascade, width = facts.cascade, mamba_width(facts.cascade)
        pairs = len(cascade.reachable)
        why = (
            f"regular/mamba, one layer for each of {len(cascade.layers)} coordinates; the cascade equals the automaton on all {pairs} "
            "reachable pairs of states"
        )
        return Row(name, BUILT, why, "float32, float64", layers=len(cascade.layers), width=width)
    asked = "a gate of exactly 1 and of exactly 0 would be needed" if name == "linear-attention" else "weights are not built here"
    return Row(name, OPEN, f"star-free, so the barrier does not exclude it; {asked}")


def mamba_width(cascade: Cascade) -> int:
    """The numbers of the stream of regular/mamba: everything that each layer and the read-out see, with the end symbol, and one."""
    letters = len(cascade.automaton.alphabet)
    return sum(len(seen_by(cascade, k)) // letters * (letters + 1) for k in range(len(cascade.layers) + 1)) + 1


def _with_positions(facts: Facts, name: str) -> Row:
    if facts.quasi_aperiodic is False:
        return Row(
            name,
            IMPOSSIBLE,
            "words of one length act as a group, and monotone maps that depend on the position do not (by Ramsey's theorem, for any table "
            f"of positions; no certificate): {INSIDE_WITH_POSITIONS[name]}",
        )
    return Row(name, OPEN, "quasi-aperiodic, so the barrier with positions does not exclude it; no weights are built here")


def _symmetric(facts: Facts) -> Row:
    """One layer of alpha (I - beta k k^T) with 0 <= alpha <= 1 and 0 <= beta <= 2, and writes: it never moves two states apart."""
    if facts.twins is not None:
        return Row(
            SYMMETRIC,
            IMPOSSIBLE,
            "DeltaNet, gated DeltaNet and DeltaProduct in one layer without convolution and positions, with finitely many states: two "
            "idempotents have one image, and a map that moves no two points apart cannot undo that",
            "exact",
            layers=1,
        )
    if facts.permutation_reset:
        return Row(
            SYMMETRIC,
            OPEN,
            "every letter permutes or resets, as reflections and projections can; the weights are too large to be run",
            "exact",
            layers=1,
        )
    return Row(SYMMETRIC, OPEN, "no two idempotents have one image, but some letter neither permutes nor resets: not known", "exact")


def _not_symmetric(name: str) -> Row:
    return Row(name, OPEN, f"outside the barrier: {OUTSIDE[name]}; several layers, or a convolution, are neither built nor excluded here")


def _any_automaton(facts: Facts, name: str) -> Row:
    return Row(name, OPEN, f"{facts.factors} factors a token suffice on one-hot states; the weights are too large to be run")


def _signed(facts: Facts) -> Row:
    why = "gates in [-1, 1] in floats: of groups, only 2-groups (another paper's theorem; here neither built nor excluded)"
    return Row("selective-rnn", CITED if not facts.star_free else OPEN, why, "floats", cites="arXiv 2606.01765")


def _attention(facts: Facts) -> list[Row]:
    trivial = "a member" if facts.r_trivial else "not one"
    soft = f"fixed precision, strict mask, no positions: exactly the R-trivial languages; this is {trivial}"
    found = [Row("transformer", CITED, soft, "fixed precision", form="parallel", cites="arXiv 2505.23623")]
    log = "logarithmic precision, any positions, a fixed number of layers"
    if facts.solvable is False:
        why = f"{log}: a group that is not solvable, so not unless TC0 = NC1"
        found.append(Row("transformer-log-precision", CONDITIONAL, why, "log precision", form="parallel", cites="arXiv 2404.08819"))
    else:
        found.append(Row("transformer-log-precision", OPEN, f"{log}: no group excludes it", "log precision", "parallel"))
    hard = "strict masks on both sides, no positions: exactly the star-free languages"
    where = f"; this is {'one' if facts.star_free else 'none'}; with positions, only quasi-aperiodic ones (AC0)"
    found.append(Row("hard-attention", CITED, hard + where, "exact", form="parallel", cites="arXiv 2310.13897"))
    return found


def _window(facts: Facts) -> Row:
    if facts.definite is False:
        why = "L layers of windows of w tokens see the last L (w - 1) + 1 tokens, and no last stretch of bounded length decides membership"
        return Row("window", IMPOSSIBLE, f"{why}; without positions", form="parallel")
    return Row("window", OPEN, "a last stretch of bounded length decides membership; weights are not built here", form="parallel")
