"""Building, verifying and explaining constructions."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.printing import done, emit, json_option, progress, set_option, table
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.certificates.certificate import Certificate
    from separatrix.certificates.claim import Built


def _build(name: str, length: int | None, arithmetic: str | None, chosen: tuple[str, ...]) -> Built:
    from separatrix.constructions import build as make

    given: dict[str, Any] = dict(settings(chosen))
    if length is not None:
        given["length"] = length
    if arithmetic is not None:
        given["arithmetic"] = arithmetic
    return make(name, **given)


@click.command()
@click.argument("name")
@click.option("--length", type=int, required=True, help="The paper's N.")
@click.option("--arithmetic", help="float64 float32 bfloat16 float16 float:e,m fixed:p,f nearest:p")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for model.safetensors and claim.json.")
@set_option
@json_option
def build(name: str, length: int, arithmetic: str | None, out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Exact weights of a construction, with its size in bits."""
    built = _build(name, length, arithmetic, chosen)
    if out is not None:
        built.save(out)
    document = {
        **built.sizes(),
        "construction": name,
        "cites": built.claim.cites,
        "arithmetic": built.claim.arithmetic,
        "facts": built.claim.facts,
    }
    lines = [f"{name}: {built.claim.cites}, {built.claim.arithmetic}"]
    lines += table(("what", "value"), [*built.sizes().items(), *((key, f"{value:.6g}") for key, value in built.claim.facts.items())])
    if out is not None:
        lines.append(f"wrote {out / 'model.safetensors'} and {out / 'claim.json'}")
    emit(document, lines, as_json)


@click.command()
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="Every construction, at its quick sizes.")
@click.option("--length", type=int, help="The paper's N.")
@click.option("--cases", type=int, help="Random cases beside the adversarial families; default fits the length.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--arithmetic", help="float64 float32 bfloat16 float16 float:e,m fixed:p,f nearest:p")
@click.option(
    "--noise", type=float, default=0.0, show_default=True, help="Perturb every weight by a normal error of this relative deviation."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for certificates.")
@set_option
@json_option
def verify(
    name: str | None, everything: bool, length: int | None, cases: int | None, seed: int,
    arithmetic: str | None, noise: float, out: Path | None, chosen: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """A built model against the oracle; the outcome is a certificate. Exit code 1 where the claim fails."""
    from separatrix.certificates.noise import perturbed
    from separatrix.certificates.verify import verify as put_to_the_test
    from separatrix.constructions import default_length

    if everything == (name is not None):
        raise BadInput("verify expects the NAME of a construction, or --all")
    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    if everything:
        return _verify_all(cases, seed, out, as_json)
    assert name is not None
    built = perturbed(_build(name, default_length(name) if length is None else length, arithmetic, chosen), noise, seed)
    certificate = put_to_the_test(built, cases, seed, progress)
    if out is not None:
        certificate.write(_free(out) / f"{file_name(certificate)}.json")
    emit(certificate.document, _told(certificate), as_json)
    return 0 if certificate.holds else 1


def _verify_all(cases: int | None, seed: int, out: Path | None, as_json: bool) -> int:
    from separatrix.certificates.verify import verify as put_to_the_test
    from separatrix.constructions import build as make
    from separatrix.constructions.quick import QUICK

    found = []
    for index, (name, parameters) in enumerate(QUICK):
        shown = f"[{index + 1}/{len(QUICK)}] {name} " + " ".join(f"{key}={value}" for key, value in parameters.items())
        progress(shown)
        start = time.perf_counter()
        certificate = put_to_the_test(make(name, **parameters), cases, seed)
        if out is not None:
            certificate.write(_free(out) / "certificates" / f"{file_name(certificate)}.json")
        found.append(certificate)
        verdict, met = "holds" if certificate.holds else "REFUTED", certificate.document["result"]["cases"]
        done(f"{shown}: {verdict} ({met} cases, {time.perf_counter() - start:.1f} s)")
    lines = [f"{sum(c.holds for c in found)} of {len(found)} claims hold"]
    if out is not None:
        lines.append(f"certificates are in {out / 'certificates'}; `separatrix check {out / 'certificates'}/*.json` judges them")
    emit({"certificates": [c.document for c in found]}, lines, as_json)
    return 0 if all(c.holds for c in found) else 1


@click.command()
@click.argument("name")
@click.option("--input", "text", help="The input as text; an example of the task where it is left out.")
@click.option("--length", type=int, help="The paper's N; default: what the input needs, or 16.")
@click.option("--arithmetic", help="float64 float32 ...")
@set_option
@json_option
def explain(name: str, text: str | None, length: int | None, arithmetic: str | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """One run, step by step: what each head read, each slot's value, with the proof's sentence."""
    built, tokens = _example(name, text, length, arithmetic, chosen)
    steps = built.explain(tokens)
    document = {
        "input": built.task.text(tokens),
        "steps": [{"title": step.title, "says": step.says, "values": step.values} for step in steps],
        "expected": built.task.answer(tokens),
    }
    lines = [built.task.text(tokens)]
    for number, step in enumerate(steps, 1):
        lines += [f"{number}. {step.title}: {step.says}", *(f"     {key}: {value}" for key, value in step.values.items())]
    emit(document, lines, as_json)


def _example(
    name: str, text: str | None, length: int | None, arithmetic: str | None, chosen: tuple[str, ...]
) -> tuple[Built, tuple[int, ...]]:
    """A construction and an input of it; without a length, the first length that makes the text a valid input."""
    if text is None:
        built = _build(name, 16 if length is None else length, arithmetic, chosen)
        return built, built.task.sample(0, 1).row(0)
    words = len(text.split())
    refused: BadInput | None = None
    for candidate in (length,) if length is not None else (words - 1, words, (words + 1) // 2, words // 2):
        try:
            built = _build(name, candidate, arithmetic, chosen)
            tokens = built.task.read(text)
        except BadInput as error:
            refused = refused or error
            continue
        if built.task.answer(tokens) is not None:
            return built, tokens
        refused = refused or BadInput(f"{built.task.name}: {built.task.text(tokens)!r} is not a valid input")
    assert refused is not None
    raise refused


def file_name(certificate: Certificate) -> str:
    """A readable name that tells certificates apart: what was built, how long, in which numbers, and the start of the digest."""
    document = certificate.document
    given = [
        document["statement"]["construction"],
        *document["parameters"].values(),
        document["task_parameters"]["length"],
        document["arithmetic"],
    ]
    return "-".join(re.sub(r"[^A-Za-z0-9.]+", "-", str(part))[:24] for part in (*given, document["digest"][:8]))


def _free(out: Path) -> Path:
    """The folder, refused at once where a file stands in its place."""
    if out.exists() and not out.is_dir():
        raise BadInput(f"--out: {str(out)!r} is not a folder")
    return out


def _told(certificate: Certificate) -> list[str]:
    document, result = certificate.document, certificate.document["result"]
    lines = [f"{document['statement']['construction']} ({document['statement']['cites']}), {document['arithmetic']}"]
    lines += [f"  {key}: {value}" for key, value in document["sizes"].items()]
    for entry in document["evidence"]:
        lines.append(f"  {entry['tag']}: {entry['what']}" + (f" >= {entry['value']}" if "value" in entry else f", {entry['count']} cases"))
    lines.append(f"  {result['cases']} cases, {result['errors']} wrong, margin at least {result['margin']}")
    if certificate.counterexample is not None:
        lines.append(f"  counterexample: {certificate.counterexample}")
    return [*lines, f"{'holds' if certificate.holds else 'REFUTED'}  {document['digest']}"]
