"""`separatrix predict`: the cross-entropy of a next-symbol model beside the optimum, the last-symbol level and the unigram level."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import model_or_file
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.printing import emit
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.tasks.next_symbol import NextSymbol

BUILT = "built"
Answer = tuple[dict[str, Any], list[str], dict[str, Any] | None]  # what is printed as JSON, as lines, and the certificate


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.argument("source")
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--depth", type=int, help="dyck-2-next: the deepest nesting that the built predictor handles (default: N).")
@click.option("--examples", type=int, default=2000, show_default=True, help="Prefixes on which a model of yours is measured.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of these prefixes.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the model needs and may run.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the certificate.")
@set_option
@json_option
def predict(
    model: str, source: str, length: int, depth: int | None, examples: int, seed: int, code: tuple[str, ...], out: Path | None,
    chosen: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """How far a next-symbol model is from the best possible cross-entropy, in nats, at the last symbol of a prefix.

    MODEL is `built`, for weights that attain the optimum; or a built folder, a run, or file.py:Name. Those are measured, and bounded
    from below if their attention is softmax without mask and norms.
    SOURCE is parity-next, dyck-2-next, or a .json file with a probabilistic automaton (`docs/adding.md`).
    """
    from separatrix.certificates.files import write_document
    from separatrix.checker import check_document

    document, lines, certificate = _answer(model, source, length, depth, examples, seed, code, chosen)
    if certificate is not None:
        verdict = check_document(certificate)
        if not verdict.holds:
            raise BadInput(f"the checker does not take this bound: {verdict.reason}")
        document |= {"claim": verdict.claim, "strength": verdict.strength}
        lines.append(f"{verdict.strength}: {verdict.claim}")
        lines += [f"  {entry['text']}" for entry in verdict.evidence if entry["kind"] == "covered"]
    if out is not None:
        if certificate is None:
            raise BadInput("--out: there is no bound to certify")
        write_document(out, certificate)
        lines.append(f"wrote {out}; `separatrix check {out}` derives it again")
    emit(document, lines, as_json)


def _answer(
    model: str, source: str, length: int, depth: int | None, examples: int, seed: int, code: tuple[str, ...], chosen: tuple[str, ...]
) -> Answer:
    from separatrix.tasks import make_task
    from separatrix.tasks.next_symbol import Dyck2Next, NextSymbol

    if source.endswith(".json"):
        return _built_automaton(model, source, length, chosen)
    task = make_task(source, **with_length(chosen, length))
    if not isinstance(task, NextSymbol):
        raise BadInput(f"{source} is not a random source: expected parity-next, dyck-2-next, or a .json file")
    if depth is not None and (model != BUILT or not isinstance(task, Dyck2Next)):
        raise BadInput("--depth is for `predict built dyck-2-next`")
    if model == BUILT:
        return _built(task, depth)
    if examples < 1 or seed < 0:
        raise BadInput(f"expected at least one example and a seed of at least 0, found {examples} and {seed}")
    return _measured(model, task, examples, seed, code)


def _levels(task: NextSymbol) -> tuple[dict[str, Any], list[str]]:
    levels = task.cross_entropies
    document = {"source": task.name, "length": task.length, "p": task.p, **vars(levels)}
    line = f"{task.name}, N = {task.length}, p = {task.p:g}, read at the last symbol: the optimum is {levels.optimal:.6f} nats; "
    return document, [line + f"knowing the last symbol alone gives {levels.last_symbol:.6f}, knowing none {levels.unigram:.6f}"]


def _built(task: NextSymbol, depth: int | None) -> Answer:
    from separatrix.certificates.built import sizes
    from separatrix.certificates.predictions import predictor_certificate
    from separatrix.constructions.other.predictors import dyck_2_predictor, excess_of, parity_source, predictor
    from separatrix.tasks.next_symbol import Dyck2Next, ParityNext

    document, lines = _levels(task)
    parameters: dict[str, Any] = {"length": task.length, "p": task.p}
    if isinstance(task, Dyck2Next):
        held = min(task.length, depth or task.length)
        if held < 1:
            raise BadInput(f"--depth must be at least 1, found {depth}")
        program, parameters["depth"] = dyck_2_predictor(task.p, held, task.length), held
        excess = excess_of(law for law in map(task.law, ((), (0,), (1,))) if law is not None)
    else:
        assert isinstance(task, ParityNext)
        source = parity_source(task.p)
        program, excess = predictor(source, task.length), excess_of(map(source.law, range(source.states)))
    bits = sizes(program.model)["state_bits"]
    lines.append(f"built: {program.model.config.arithmetic}, {bits} bits of state, at most {excess:.3g} nats above the optimum")
    document |= {"excess": excess, "state_bits": bits, "arithmetic": program.model.config.arithmetic}
    return document, lines, predictor_certificate(program, {"task": task.name, "parameters": parameters}, "at-most", excess)


def _built_automaton(model: str, source: str, length: int, chosen: tuple[str, ...]) -> Answer:
    from separatrix.certificates.built import sizes
    from separatrix.certificates.predictions import predictor_certificate
    from separatrix.constructions.other.predictors import excess_of, predictor
    from separatrix.tasks.languages.sources import source_file
    from separatrix.tasks.task import need_length

    if model != BUILT or chosen:
        raise BadInput(f"{source}: an automaton of your own has a built predictor only, and no parameters: expected `predict built`")
    need_length("predict", length)
    automaton = source_file(Path(source))
    program, excess = predictor(automaton, length), excess_of(map(automaton.law, range(automaton.states)))
    optimum, bits = automaton.optimum(length), sizes(program.model)["state_bits"]
    lines = [
        f"{source}, N = {length}: {automaton.states} states, optimum {optimum:.6f} nats",
        f"built: {program.model.config.arithmetic}, {bits} bits of state, at most {excess:.3g} nats above the optimum",
    ]
    claim = {"task": "source", "parameters": automaton.parameters(length)}
    document = {"source": source, "length": length, "optimal": optimum, "excess": excess, "state_bits": bits}
    return document, lines, predictor_certificate(program, claim, "at-most", excess)


def _measured(place: str, task: NextSymbol, examples: int, seed: int, code: tuple[str, ...]) -> Answer:
    from separatrix.models.model import Model
    from separatrix.refuters.floors import cross_entropy_floor, floor_certificate
    from separatrix.runs.load import load_model
    from separatrix.training.evaluation import measured_cross_entropy

    loaded = load_model(place, task, code)
    if not isinstance(loaded, Model):
        raise BadInput(f"{place}: expected a model whose layers are known, found {type(loaded).__name__}")
    if loaded.config.embedding.vocabulary != task.vocabulary or loaded.config.readout.targets != task.targets:
        raise BadInput(
            f"{place}: expected {task.vocabulary} tokens and {task.targets} targets, as {task.name} has, "
            f"found {loaded.config.embedding.vocabulary} and {loaded.config.readout.targets}"
        )
    document, lines = _levels(task)
    document["measured"] = nats = measured_cross_entropy(loaded, task, examples, seed)
    lines.append(f"{place}: {nats:.6f} nats over {examples:,} prefixes")
    try:
        floor = cross_entropy_floor(loaded, task)
    except BadInput as error:
        return document | {"floor": None}, [*lines, f"no lower bound: {error}"], None
    document |= {"floor": floor.nats, "moves": floor.moves}
    if not floor.excess > 0:
        line = f"no lower bound above the optimum at this length: by its norms, one symbol may move a log-probability by {floor.moves:.3g}"
        return document, [*lines, line], None
    lines.append(f"at least {floor.nats:.6f} nats: one symbol moves a log-probability by no more than {floor.moves:.3g}")
    return document, lines, floor_certificate(loaded, task, floor)
