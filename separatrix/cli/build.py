"""`separatrix build`: exact weights of a construction, with its size in bits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import CONSTRUCTION_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


WORDS = {
    "representation_bits": "bits with a table of positions",
    "generated_bits": "bits with generated positions",
}  # the second as the paper counts


@click.command()
@click.argument("name", shell_complete=CONSTRUCTION_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--arithmetic", help="float64 float32 bfloat16 float16 float:e,m fixed:p,f nearest:p")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for model.safetensors and claim.json.")
@click.option(
    "--format",
    "wanted",
    type=click.Choice(["safetensors", "onnx"]),
    default="safetensors",
    show_default=True,
    help="onnx writes model.onnx as well, for float64 and float32.",
)
@click.option("--compare", type=int, metavar="M", help="Also build it for length M, and say which weights depend on the length.")
@click.option("--breaks", is_flag=True, help="Find the first length up to N at which float32, float16 and bfloat16 break it.")
@click.option("--init", "steps", type=click.IntRange(min=1), metavar="STEPS", help="Train from the built weights for this many steps.")
@click.option("--noise", type=float, help="Standard deviation of the noise added to every weight before training; default 0.")
@click.option("--rate", type=float, help="Learning rate of Adam from the built weights; default 0.001.")
@click.option("--seed", type=int, help="Seed of noise and data; default 0.")
@set_option
@reporting
def build(
    name: str,
    length: int,
    arithmetic: str | None,
    out: Path | None,
    wanted: str,
    compare: int | None,
    breaks: bool,
    steps: int | None,
    noise: float | None,
    rate: float | None,
    seed: int | None,
    chosen: tuple[str, ...],
) -> Report:
    """Exact weights of a construction, with its size in bits.

    --init trains from these weights, with or without noise, and says whether they still solve the task afterwards.
    """
    from separatrix.constructions.uniformity import compared

    if steps is None and not noise is rate is seed is None:
        raise BadInput("--noise, --rate and --seed are about training from the built weights: expected --init STEPS beside them")
    if breaks:
        if arithmetic is not None or out is not None or compare is not None or wanted == "onnx":
            raise BadInput("--breaks tries number formats and lengths itself: expected no --arithmetic, --out, --format or --compare")
        return _breaks(name, length, chosen)

    if wanted == "onnx" and out is None:
        raise BadInput("--format onnx writes a file: expected --out DIR beside it")
    if compare == length:
        raise BadInput(f"--compare expects another length than --length {length}, found the same")
    built = built_by_name(name, length, arithmetic, chosen)
    changes = None if compare is None else compared(built, built_by_name(name, compare, arithmetic, chosen))
    if out is not None:
        built.save(out, onnx=wanted == "onnx")
    document: dict[str, Any] = {
        **built.sizes(),
        "generated_bits": built.generated_bits,
        "construction": name,
        "cites": built.claim.cites,
        "arithmetic": built.claim.arithmetic,
        "facts": built.claim.facts,
    }
    title = f"{' '.join((name, *chosen))}: {', '.join(filter(None, (built.claim.cites, built.claim.arithmetic)))}"
    lines: list[Table | str] = [title, sizes_table(built.sizes() | {"generated_bits": built.generated_bits} | built.claim.facts)]
    if changes is not None:
        document |= {"uniform": changes.uniform, "depends_on_length": {tensor: changes.tensors[tensor] for tensor in changes.depends}}
        lines.append(f"from N = {length} to {compare}: " + ("all weights are the same" if changes.uniform else "these tensors change"))
        lines += [f"  {tensor}: {changes.tensors[tensor]}" for tensor in changes.depends]
    if steps is not None:
        document["init"] = descent(built, steps, noise or 0.0, 1e-3 if rate is None else rate, seed or 0)
        lines += descent_lines(document["init"])
    if out is not None:
        lines.append(f"wrote {out / 'model.safetensors'} and {out / 'claim.json'}")
        lines += [f"wrote {out / 'model.onnx'}"] if wanted == "onnx" else []
    return Report(document, lines)


def sizes_table(sizes: Mapping[str, Any]) -> Table:
    """Sizes and constants that are not 0, in words; None is a state that has no size of its own."""
    rows = [(in_words(key), "grows with the input" if value is None else value) for key, value in sizes.items() if value != 0]
    return Table(("what", "value"), rows)


def in_words(key: str) -> str:
    """`state_bits` as people say it; a name that says less than it should has words of its own."""
    return WORDS.get(key, key.replace("_", " "))


def _breaks(name: str, longest: int, chosen: tuple[str, ...]) -> Report:
    """The first lengths at which short floats break a construction."""
    from separatrix.constructions.breaking_lengths import breaking_lengths
    from separatrix.parameters import settings

    found = [*breaking_lengths(name, longest, **settings(chosen))]
    rows = [{"arithmetic": each.arithmetic, "first_refused": each.refused, "first_wrong": each.wrong} for each in found]
    shown = [(each.arithmetic, *(f"not up to {longest}" if n is None else n for n in (each.refused, each.wrong))) for each in found]
    head = ("number format", "first N that the build refuses", "first N at which rounded weights are wrong")
    return Report({"construction": name, "longest": longest, "breaks": rows}, [f"{name}, up to N = {longest}", Table(head, shown)])


def descent(built: Built, steps: int, noise: float, rate: float, seed: int) -> dict[str, Any]:
    """Training from built weights: how many of 200 fresh inputs are right before and after it; or why there is no training."""
    from separatrix.training.budget import Budget
    from separatrix.training.loop import Diverged
    from separatrix.training.recovery import Recovery, objective_of, recover

    about: dict[str, Any] = {"steps": steps, "noise": noise, "rate": rate, "seed": seed, "trained_on": objective_of(built)[0]}
    points: list[Recovery] = []
    reason = ""
    try:
        for point in recover(built, noise, Budget(steps=steps, batch=32, rate=rate, report_every=steps, validation=200), seed):
            points.append(point)
    except Diverged as stopped:
        reason = str(stopped)
    start, end = points[0].tested if points else None, None if reason else points[-1].tested
    return {**about, "start": start, "end": end, "error": None if reason else points[-1].error, "stays": end == 1, "reason": reason}


def descent_lines(found: dict[str, Any]) -> list[str]:
    """What training from built weights found, in words."""
    begin = (
        f"{found['steps']} steps of Adam at {found['rate']:g} from the built weights, noise {found['noise']:g}, on {found['trained_on']}"
    )
    if found["reason"]:
        return [f"{begin}: {found['reason']}"]
    verdict = "gradient descent stays" if found["stays"] else "gradient descent leaves"
    return [f"{begin}: right on {found['start']:.1%} of the inputs before, {found['end']:.1%} after: {verdict}"]


def built_by_name(
    name: str, length: int | None, arithmetic: str | None, chosen: tuple[str, ...], default_length: int | None = None
) -> Built:
    """A construction at the requested length, or at the default length if none is set."""
    from separatrix.constructions import build as make

    parameters = with_length(chosen, length)
    if default_length is not None:
        parameters.setdefault("length", default_length)
    if arithmetic is not None:
        if "arithmetic" in parameters:
            raise BadInput(f"--arithmetic {arithmetic} and --set arithmetic={parameters['arithmetic']} set the same parameter: use one")
        parameters["arithmetic"] = arithmetic
    return make(name, **parameters)
