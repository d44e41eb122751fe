"""`separatrix verify`: test a built model against the oracle, by the checker's own plan; the outcome is a certificate."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import CONSTRUCTION_NAMES
from separatrix.cli.options import LENGTH_HELP, json_option, set_option
from separatrix.cli.printing import done, emit, progress
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.certificate import Certificate
    from separatrix.checker import Verdict

from separatrix.cli.build import built_by_name


@click.command()
@click.argument("name", required=False, shell_complete=CONSTRUCTION_NAMES)
@click.option("--all", "everything", is_flag=True, help="Every construction, at its quick sizes.")
@click.option("--length", type=int, help=LENGTH_HELP)
@click.option("--cases", type=int, help="Run this many more cases of each family; they are not sealed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the additional cases and of the noise.")
@click.option("--arithmetic", help="float64 float32 float:e,m fixed:p,f nearest:p")
@click.option(
    "--noise",
    type=float,
    default=0.0,
    show_default=True,
    help="Perturb every weight by a normal error of this relative standard deviation.",
)
@click.option("--prove", is_flag=True, help="Exit with 1 if no rule of the checker proves every input.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the certificate; with --all, for its folder certificates/.")
@set_option
@json_option
def verify(
    name: str | None, everything: bool, length: int | None, cases: int | None, seed: int,
    arithmetic: str | None, noise: float, prove: bool, out: Path | None, chosen: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Test a built model against the oracle, by the checker's own plan; the outcome is a certificate.

    Exit code 1 if the claim fails; the certificate is then that of the counterexample. If no rule proves every input, one line
    for each rule says which hypothesis failed, and where in the model; with --prove the exit code is 1 then.
    """
    from separatrix.certificates.noise import perturbed
    from separatrix.certificates.verify import verify as verify_built
    from separatrix.constructions import default_length

    if everything == (name is not None):
        raise BadInput("verify expects the NAME of a construction, or --all")
    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    if everything:
        return _verify_all(cases, seed, prove, out, as_json)
    assert name is not None
    built = perturbed(built_by_name(name, length, arithmetic, chosen, default_length(name)), noise, seed)
    certificate = verify_built(built, cases, seed, progress)
    written = None if out is None else _free(out) / f"{file_name(certificate)}.json"
    if written is not None:
        certificate.write(written)
    emit(certificate.document, [*_report_lines(certificate), *([f"wrote {written}"] if written else [])], as_json)
    return 0 if certificate.holds and (not prove or certificate.strength == "proven") else 1


def _verify_all(cases: int | None, seed: int, prove: bool, out: Path | None, as_json: bool) -> int:
    """Verify and then check every construction at its quick sizes; the list shows the checker's strength."""
    from separatrix.certificates.verify import verify as verify_built
    from separatrix.checker import STRENGTHS
    from separatrix.constructions import build as make
    from separatrix.constructions import quick_builds

    quick = quick_builds()
    certificates: list[Certificate] = []
    strengths: list[str] = []
    for index, (name, parameters) in enumerate(quick):
        shown = f"[{index + 1}/{len(quick)}] {name} " + " ".join(f"{key}={value}" for key, value in parameters.items())
        progress(shown)
        start = time.perf_counter()
        certificate = verify_built(make(name, **parameters), cases, seed)
        verdict = _checked(certificate, None if out is None else _free(out) / "certificates")
        certificates.append(certificate)
        strengths.append(verdict.strength if certificate.holds and verdict.holds else "")
        outcome = f"{verdict.strength}: {verdict.claim}" if strengths[-1] else f"REFUTED: {verdict.claim or verdict.reason}"
        done(f"{shown}: {outcome} ({time.perf_counter() - start:.1f} s)")
        for why in certificate.unproven if strengths[-1] else ():
            done(f"  not proven: {why}")
    tally = ", ".join(f"{strengths.count(s)} {s}" for s in reversed(STRENGTHS) if s in strengths)
    lines = [f"{sum(map(bool, strengths))} of {len(certificates)} claims verified and checked: {tally}"]
    if out is not None:
        lines.append(f"certificates are in {out / 'certificates'}; `separatrix check {out / 'certificates'}/*.json` judges them")
    emit({"certificates": [c.document for c in certificates]}, lines, as_json)
    return 0 if all(strengths) and (not prove or strengths.count("proven") == len(strengths)) else 1


def _checked(certificate: Certificate, folder: Path | None) -> Verdict:
    """The checker's verdict on a certificate written to a folder, or to a temporary one."""
    from separatrix.checker import check_file

    with tempfile.TemporaryDirectory() as draft:
        path = (Path(draft) if folder is None else folder) / f"{file_name(certificate)}.json"
        certificate.write(path)
        return check_file(path)


def file_name(certificate: Certificate) -> str:
    """A readable, distinct file name: what was built, its length, its number format, and the start of the digest."""
    document = certificate.document
    model, places = document["program"]["model"], document["program"]["model"]["embedding"]["places"]
    sizes = document.get("claim", {}).get("parameters", {})
    parts = [
        document.get("construction", document["kind"]),
        *sorted({place["address"] for place in places}),
        sizes.get("length", model["length"]),
        model["arithmetic"],
    ]
    return "-".join(re.sub(r"[^A-Za-z0-9.]+", "-", str(part))[:24] for part in (*parts, document["digest"][:8]))


def _free(out: Path) -> Path:
    """The folder; refuses a path that is a file."""
    if out.exists() and not out.is_dir():
        raise BadInput(f"--out: {str(out)!r} is not a folder")
    return out


def _report_lines(certificate: Certificate) -> list[str]:
    document = certificate.document
    if document["kind"] == "counterexample":
        wrong = f"  at position {document['position']} it says {document['said']}, the answer is {document['expected']}"
        lines = [f"{document['claim']['task']}: REFUTED", wrong, f"  input: {str(document['tokens'])[:400]}"]
        return [*lines, f"REFUTED  {document['digest']}"]
    cites = f" ({document['cites']})" if document.get("cites") else ""
    lines = [f"{document['construction']}{cites}, {document['program']['model']['arithmetic']}"]
    lines += [f"  {key}: {'grows with the input' if value is None else value}" for key, value in document["sizes"].items()]
    for test in document.get("tests", []):
        lines.append(f"  {test['family']}: {test['count']} cases, {test['distinct']} distinct, margin at least {test['margin']}")
    if "cases" in document:
        lines.append(f"  {len(document['cases'])} cases with the author's answers, margin at least {document['margin']}")
    for lemma in document["lemmas"]:
        lines.append(f"  lemma: {lemma['lemma']} of layer {lemma['layer']}, head {lemma['head']} is at least {lemma['weight']}")
    lines += [f"  not sealed: {more['cases']} more cases of {more['family']}, {more['errors']} wrong" for more in certificate.more]
    lines += [f"  not proven: {why}" for why in certificate.unproven]
    if certificate.counterexample is not None:
        lines.append(f"  counterexample: {certificate.counterexample}")
    return [*lines, f"{certificate.strength if certificate.holds else 'REFUTED'}  {document['digest']}"]
