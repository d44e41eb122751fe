"""What is built: certificates as facts, each with the digest of its certificate and the strength that the checker gives it.

At a size without a certificate a construction is `declared`: its formula says that there are weights; `separatrix verify` would show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from separatrix.architectures import Architecture, Mode, Quantity, architecture_named
from separatrix.bounds.number_format import NumberFormat
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions import CONSTRUCTIONS, construction, constructions
from separatrix.ledger.certified import PREDICTOR, Certified, certified
from separatrix.ledger.fact import STRENGTHS, Evidence, Fact, Lengths, Strength, What
from separatrix.ledger.subject import DRAWN_ONLY
from separatrix.records.task_choices import command_of
from separatrix.tasks import Task


def built_facts(certificates: Iterable[Certified] | None = None) -> Iterator[Fact]:
    """A fact for every certificate of a built model; those of constructions that are not ours are left out."""
    for one in certified() if certificates is None else certificates:
        if one.construction in CONSTRUCTIONS:
            declared = construction(one.construction)
            state = one.sizes.get("state_bits")
            derived = architecture_named(one.architecture)  # as the checker sees it, where it does
            yield Fact(
                one.task, one.parameters, derived or declared.architecture.with_layers(one.sizes["layers"]), declared.mode, one.arithmetic,
                lengths_of(one), What.BUILT, Quantity.WIDTH if state is None else Quantity.STATE_BITS,
                one.sizes["width"] if state is None else state, _strength(one.strength), Evidence("certificate", one.digest),
                more={
                    "construction": one.construction,
                    "sizes": dict(one.sizes),
                    "claim": one.claim,
                    "cites": declared.cites,
                    "sees_all": declared.sees_all,
                },
            )  # fmt: skip


def lengths_of(one: Certified) -> Lengths:
    """All lengths where the proof is about all of them, else the one that it was built for."""
    return Lengths("all") if one.every_length else Lengths("one", one.length)


def predicted_facts() -> Iterator[Fact]:
    """The machines that predict a random source; their certificates are in the shipped index alone."""
    for one in certified():
        if one.construction == PREDICTOR:
            command = f"separatrix predict built {one.task} --length {one.length}"
            yield Fact(
                one.task, one.parameters, Architecture.ONE_TRANSITION, Mode.ALONE, one.arithmetic, Lengths("one", one.length), What.BUILT,
                Quantity.STATE_BITS, one.sizes["state_bits"], _strength(one.strength), Evidence("certificate", one.digest),
                more={"construction": command, "sizes": dict(one.sizes), "claim": one.claim, "cites": "", "sees_all": False},
            )  # fmt: skip


def built_at(task: Task, numbers: NumberFormat, declared: Iterable[Construction] | None = None) -> Iterator[Fact]:
    """What can be built for a task at its own size in these numbers: for each construction its narrowest variant."""
    for one in constructions(task.name) if declared is None else declared:
        found = narrowest(one, task, numbers)
        if found is not None:
            settings, arithmetic, sizes = found
            state = sizes.get("state_bits")
            known = certificate_at(one, task, sizes, arithmetic)
            best = best_certificate(one.name)
            command = verifying(one, task, settings, arithmetic)
            yield Fact(
                task.name, task.parameters, one.architecture.with_layers(sizes["layers"]), one.mode,
                arithmetic or f"{sizes['precision_bits']} bits",
                Lengths("one", task.length), What.BUILT, Quantity.WIDTH if state is None else Quantity.STATE_BITS,
                sizes["width"] if state is None else state, "declared" if known is None else _strength(known.strength),
                Evidence("construction", command) if known is None else Evidence("certificate", known.digest),
                more={
                    "construction": one.name,
                    "shape": one.shape,
                    "sees_all": one.sees_all,
                    "kind": "" if best is None else best.architecture or "",  # of the model, as the checker names it
                    "settings": dict(settings),
                    "arithmetic": arithmetic,
                    "sizes": dict(sizes),
                    "cites": one.cites,
                    "command": command,
                    "certified": None if best is None else elsewhere(best, task),
                },
            )  # fmt: skip


def verifying(one: Construction, task: Task, settings: Mapping[str, Any], arithmetic: str | None) -> str:
    """The command that verifies a construction in this variant and format."""
    unlike = {name: value for name, value in settings.items() if value != one.settings[name].default}
    more = "".join(f" --set {name}={value}" for name, value in unlike.items())
    format = "" if arithmetic is None or arithmetic == one.settings["arithmetic"].default else f" --arithmetic {arithmetic}"
    return command_of("verify", task).replace(f" {task.name} ", f" {one.name} ", 1) + more + format


def narrowest(one: Construction, task: Task, numbers: NumberFormat) -> tuple[dict[str, Any], str | None, Sizes] | None:
    """The variant and format of least width that hold the task in these numbers; None if there is none."""
    found = []
    for settings in one.variants:
        for arithmetic in numbers.candidates():
            sizes = one.sizes(task.parameters, settings, arithmetic)
            if sizes is not None and sizes["precision_bits"] <= numbers.bits:  # of its own numbers: registers have one bit
                found.append((dict(settings), arithmetic if "arithmetic" in one.settings else None, sizes))
    return min(found, key=lambda made: made[2]["width"], default=None)


def certificate_at(one: Construction, task: Task, sizes: Sizes, arithmetic: str | None) -> Certified | None:
    """The strongest certificate of this construction at these parameters, or at every length, and this size; None if there is none."""
    same = [
        found
        for found in certified()
        if found.construction == one.name
        and _about(found, task)
        and found.sizes["width"] == sizes["width"]
        and (arithmetic is None or found.arithmetic == arithmetic)
    ]
    return min(same, key=lambda found: STRENGTHS.index(_strength(found.strength)), default=None)


def declared_size(fact: Fact, task: Task) -> int | None:
    """The quantity of a built fact at another size of its task, by the formula of its construction.

    None where the construction refuses that size, or computes a task to which this one is reduced.
    """
    name = fact.more["construction"]
    if name not in CONSTRUCTIONS or construction(name).task != task.name:
        return None
    found = construction(name).narrowest(task.parameters)
    if found is None:
        return None
    return found[1]["width"] if fact.quantity == Quantity.WIDTH else found[1].get("state_bits")


def best_certificate(name: str) -> Certified | None:
    """The strongest certificate of a construction at any size, the longest of these."""
    of_it = [found for found in certified() if found.construction == name]
    return min(of_it, key=lambda found: (STRENGTHS.index(_strength(found.strength)), -found.length), default=None)


def elsewhere(best: Certified, task: Task) -> dict[str, Any]:
    """The strongest certificate of a construction, which is not of this task at this size, and what else it differs in."""
    certified_for, asked = _said(best.parameters), _said(task.parameters)
    other = {**certified_for, "length": 0} != {**asked, "length": 0}
    differs = ", other parameters" if other else f", {best.arithmetic}" if best.length == task.length else ""
    return {"strength": best.strength, "length": best.length, "digest": best.digest, "differs": differs}


def _about(found: Certified, task: Task) -> bool:
    """Whether a certificate is about this task: at its own length, or at every length."""
    certified_for, asked = _said(found.parameters), _said(task.parameters)
    if found.every_length:
        certified_for["length"] = asked["length"]
    return certified_for == asked


def _said(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if name not in DRAWN_ONLY}


def _strength(text: str) -> Strength:
    return next(one for one in STRENGTHS if one == text)
