"""State tracking decided: for each architecture, whether it recognises a regular language at all lengths, and what shows it.

    (aa)*    Mamba: impossible at all lengths, in any finite number format; one layer of rank-one factors: built

Facts about the language are computed here; which verdict follows from them stands in verdict_rules.py. A verdict is

    built at all lengths         weights of a construction of the package, and an exact check of all pairs of states that can be reached
    impossible at all lengths    a proof, of which the witness is given; a certificate where the checker has a kind for it
    impossible, conditional      unless two classes of circuits are one
    cited                        a theorem that others proved, under the hypotheses that the row names
    open                         none of these, and the question that is left
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from separatrix.bounds.languages.classes import TwinImages, definite, permutation_reset, r_trivial, twin_images
from separatrix.bounds.languages.groups import solvable
from separatrix.bounds.languages.monoid import Monoid, syntactic_monoid
from separatrix.bounds.languages.verdict_rules import ANY, FORM, LEVELS, OPEN, RULES
from separatrix.bounds.languages.wrapping import wrapped_counter
from separatrix.errors import BadInput, did_you_mean
from separatrix.models.model_names import SHORT
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import Cascade, serial
from separatrix.tasks.languages.factors import factors_per_token
from separatrix.tasks.languages.given import GivenLanguage
from separatrix.tasks.languages.periods import Period, TooLarge, period
from separatrix.tasks.languages.permutation_groups import MOST_POINTS, PermutationGroup
from separatrix.tasks.languages.stack_cascade import star_free_cascade


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
    bits: int | None = None  # of state, in the format of the certificate
    certificate: str | None = None
    cites: str = ""
    by: str = ""  # the construction that shows it
    update: str = ""  # of the state, where the reason rests on it
    says: str = ""  # what a cited theorem answers, yes or no
    hypotheses: tuple[str, ...] = ()  # of what is cited, or is conditional
    pairs: int | None = None  # of states of the weights and of the automaton, all of which were run
    margin: float | None = None  # the least over all pairs
    claim: str | None = None  # what the checker says of the certificate of the weights

    @property
    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        return asdict(self)

    @property
    def explained(self) -> str:
        """The reason and the update that it rests on, in one line."""
        return f"{self.why}: {self.update}" if self.update else self.why


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
    two_groups: bool
    twins: TwinImages | None
    solvable: bool | None
    factors: int
    cascade: Cascade | None = field(compare=False, default=None)
    derived: tuple[int, ...] | None = None

    @property
    def known(self) -> dict[str, bool | None]:
        """The facts that rules ask for."""
        names = ("star_free", "quasi_aperiodic", "definite", "r_trivial", "permutation_reset", "two_groups", "solvable")
        known = {name: getattr(self, name) for name in names}
        return {**known, "twins": self.twins is not None, "constant": self.automaton.states == 1, "group": self.group}

    @property
    def group(self) -> bool:
        """Whether every letter permutes the states, so that the syntactic monoid is a group."""
        return all(len({*image}) == len(image) for image in zip(*self.automaton.moves, strict=True))

    @property
    def document(self) -> dict[str, Any]:
        """The facts as JSON."""
        letters, wraps = self.automaton.alphabet, wrapped_counter(self.automaton)
        return {
            "states": self.automaton.states,
            "monoid": self.monoid,
            "star_free": self.star_free,
            "quasi_aperiodic": self.quasi_aperiodic,
            "definite": self.definite,
            "r_trivial": self.r_trivial,
            "group": self.group,
            "permutation_reset": self.permutation_reset,
            "two_groups": self.two_groups,
            "solvable": self.solvable,
            "factors": self.factors,
            "period": None if self.period is None else self.period.document(letters),
            "twin_images": None if self.twins is None else self.twins.document(letters),
            "derived": None if self.derived is None else list(self.derived),
            "wraps": None if wraps is None else {"bits": wraps.bits, "steps": dict(zip(letters, wraps.steps, strict=True))},
        }


def facts_of(given: GivenLanguage) -> Facts:
    """Everything that the rows need; BadInput if the language is too large to decide."""
    automaton, group = given.automaton, given.group or group_of(given.automaton)
    if group is not None:
        return _facts_of_group(automaton, group)
    monoid = syntactic_monoid(automaton)
    if monoid is None:
        raise BadInput("the syntactic monoid has more than 100,000 elements: such a language is not decided; give a group as permutations")
    return _facts(automaton, monoid, monoid.aperiodic)


def group_of(automaton: Automaton) -> PermutationGroup | None:
    """The syntactic monoid, where every letter permutes the states."""
    letters = tuple(dict.fromkeys(zip(*automaton.moves, strict=True)))
    permutes = all(len({*image}) == automaton.states for image in letters)
    return PermutationGroup(automaton.states, letters) if permutes and automaton.states <= MOST_POINTS else None


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
        monoid.two_groups,
        twin_images(monoid),
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
        orders[0] & (orders[0] - 1) == 0,
        None,
        orders[-1] == 1,
        factors_per_token(automaton),
        cascade_of(automaton) if trivial else None,
        orders,
    )


def cascade_of(automaton: Automaton) -> Cascade | None:
    """One coordinate a layer, checked on all reachable pairs; None if it is too large."""
    try:
        found = serial(star_free_cascade(automaton))
    except TooLarge:
        return None
    if not found.covers():
        raise AssertionError("a cascade does not cover its automaton")
    return found


def rows(facts: Facts) -> list[Row]:
    """One row for each architecture; what names a construction is settled by whoever has torch, which builds and runs its weights."""
    return [_row(name, facts) for name in RULES]


def _row(name: str, facts: Facts) -> Row:
    rule = next(rule for rule in RULES[name] if not rule.fact or facts.known[rule.fact] is rule.value)
    why = rule.why.replace("{p}", str(facts.period.p)) if facts.period is not None else rule.why
    found = Row(
        name,
        rule.verdict,
        why,
        rule.arithmetic,
        rule.form,
        layers=rule.layers,
        cites=rule.cites,
        by=rule.by,
        update=rule.update,
        says=rule.says,
        hypotheses=rule.hypotheses,
    )
    if rule.fact != "star_free" or not rule.by:
        return found
    if facts.cascade is None:
        return replace(found, verdict=OPEN, why=f"{why}; here the cascade has too many states, and no weights are built", by="")
    return replace(found, layers=LEVELS[name] * len(facts.cascade.layers) if name in LEVELS else None)


def architectures() -> tuple[str, ...]:
    """Every architecture that has a row."""
    return tuple(RULES)


def need_architecture(name: str) -> str:
    """The name of the row, also from a short one such as `tf`, or one line that lists all."""
    known = SHORT.get(name, name)
    if known not in architectures():
        hint = did_you_mean(name, architectures())
        raise BadInput(f"no architecture {name!r}{hint} (expected one of {', '.join(architectures())})")
    return known
