"""`separatrix verify`: test a built model against the oracle, by the checker's own plan; the outcome is a certificate."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import CONSTRUCTION_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option
from separatrix.cli.outputs import try_folder
from separatrix.cli.printing import counted, done, progress
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.certificate import Certificate
    from separatrix.certificates.construction import Settings
    from separatrix.records.verified import Verified

from separatrix.cli.build import built_by_name, sizes_table

RIGHT = {
    "proven": "on every input",
    "exhaustive": "on every input: each of them was run",
    "tested": "on every case that was run, which are not all inputs",
    "author": "on every case that was run, by its author's own answers",
}


@click.command()
@click.argument("name", required=False, shell_complete=CONSTRUCTION_NAMES)
@click.option("--all", "everything", is_flag=True, help="Every construction, at its quick sizes.")
@click.option("--length", type=int, help=LENGTH_HELP)
@click.option("--cases", type=int, help="Run this many more cases of each family; they are not part of the certificate.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the additional cases and of the noise.")
@click.option("--arithmetic", help="float64 float32 float:e,m fixed:p,f nearest:p")
@click.option(
    "--noise",
    type=float,
    default=0.0,
    show_default=True,
    help="Perturb every weight by a normal error of this relative standard deviation.",
)
@click.option("--prove", is_flag=True, help="Exit with 1 unless a rule of the checker proves every input.")
@click.option("--budget", type=float, default=10.0, show_default=True, help="Seconds that replaying a proof may take, as in `check`.")
@click.option("--fresh", is_flag=True, help="With --all: make and judge every certificate again, also those in --out that are up to date.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder; certificates are written to its folder certificates/.")
@set_option
@reporting
def verify(
    name: str | None, everything: bool, length: int | None, cases: int | None, seed: int,
    arithmetic: str | None, noise: float, prove: bool, budget: float, fresh: bool, out: Path | None, chosen: tuple[str, ...],
) -> Report:  # fmt: skip
    """Compare a built model with the task's definition, on the checker's own test cases, and write a certificate.

    Exit code 1 if the claim fails; the certificate is then that of the counterexample. If no rule proves every input, one line
    for each rule says which hypothesis failed, and where in the model; with --prove the exit code is 1 then.

    With --all and --out, a certificate in that folder is reused if neither the code nor the settings nor the file have changed.
    """
    from separatrix.certificates.noise import perturbed
    from separatrix.certificates.verify import verify as verify_built
    from separatrix.constructions import default_length

    if everything == (name is not None):
        raise BadInput("verify expects the NAME of a construction, or --all")
    if seed < 0:
        raise BadInput(f"--seed must not be negative, found {seed}")
    if not 0 < budget < float("inf"):
        raise BadInput(f"--budget expects a number of seconds above 0, found {budget}")
    if out is not None:
        try_folder(_free(out))
    if everything:
        return _verify_all(cases, seed, prove, fresh, out)
    assert name is not None
    built = perturbed(built_by_name(name, length, arithmetic, chosen, default_length(name)), noise, seed)
    certificate = verify_built(built, cases, seed, progress, budget)
    written = None if out is None else out / "certificates" / f"{file_name(certificate)}.json"
    if written is not None:
        certificate.write(written)
    code = 0 if certificate.holds and (not prove or certificate.strength == "proven") else 1
    return Report(certificate.document, [*_parts(certificate), *([f"wrote {written}"] if written else [])], code=code)


def _verify_all(cases: int | None, seed: int, prove: bool, fresh: bool, out: Path | None) -> Report:
    """Verify and then check every construction at its quick sizes; the list shows the checker's strength."""
    from separatrix.checker import STRENGTHS
    from separatrix.constructions import quick_builds
    from separatrix.records.verified import verified

    quick = quick_builds()
    documents: list[dict[str, Any]] = []
    strengths: list[str] = []
    rows: list[tuple[str, ...]] = []
    reused = 0
    with tempfile.TemporaryDirectory() as draft:
        folder = Path(draft) if out is None else out
        for index, (name, parameters) in enumerate(quick):
            shown = f"[{index + 1}/{len(quick)}] {name} " + " ".join(f"{key}={value}" for key, value in parameters.items())
            progress(shown)
            start = time.perf_counter()
            one = (
                _more(name, parameters, cases, seed, folder) if cases is not None else verified(name, parameters, folder, file_name, fresh)
            )
            documents.append(one.document)
            strengths.append(one.verdict.strength if one.holds and one.verdict.holds else "")
            reused += one.reused
            rows.append((name, strengths[-1] or "refuted", one.verdict.claim or one.verdict.reason, one.document["digest"]))
            outcome = (
                f"{one.verdict.strength}: {one.verdict.claim}" if strengths[-1] else f"REFUTED: {one.verdict.claim or one.verdict.reason}"
            )
            done(f"{shown}: {outcome} ({'reused' if one.reused else f'{time.perf_counter() - start:.1f} s'})")
            for why in one.unproven if strengths[-1] else ():
                done(f"  not proven: {why}")
    tally = ", ".join(f"{strengths.count(s)} {s}" for s in reversed(STRENGTHS) if s in strengths)
    lines = [f"{sum(map(bool, strengths))} of {len(documents)} claims verified and checked: {tally}"]
    if reused:
        same = "same code, same settings, same bytes; `--fresh` makes and judges them again"
        lines.append(f"{reused} of them were reused with their verdicts: {same}")
    if out is not None:
        lines.append(f"certificates are in {out / 'certificates'}; `separatrix check {out / 'certificates'}/*.json` judges them")
    code = 0 if all(strengths) and (not prove or strengths.count("proven") == len(strengths)) else 1
    each = Table(("construction", "strength", "sentence", "certificate"), rows)
    return Report({"certificates": documents}, lines, code=code, data=[each])


def _more(name: str, parameters: Settings, cases: int, seed: int, folder: Path) -> Verified:
    """A construction verified with more cases than its certificate seals; nothing of that is reused."""
    from separatrix.certificates.verify import verify as verify_built
    from separatrix.checker import check_file
    from separatrix.constructions import build as make
    from separatrix.records.verified import Verified

    certificate = verify_built(make(name, **parameters), cases, seed)
    path = folder / "certificates" / f"{file_name(certificate)}.json"
    certificate.write(path)
    return Verified(path, certificate.holds, check_file(path), certificate.unproven, False)


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


def _parts(certificate: Certificate) -> list[Table | str]:
    document = certificate.document
    if document["kind"] == "counterexample":
        wrong = f"  at position {document['position']} it says {document['said']}, the answer is {document['expected']}"
        return [f"{document['claim']['task']}: REFUTED", wrong, f"  input: {str(document['tokens'])[:400]}", *_verdict(certificate)]
    cites = f" ({document['cites']})" if document.get("cites") else ""
    lines: list[Table | str] = [f"{document['construction']}{cites}, {document['program']['model']['arithmetic']}"]
    lines.append(sizes_table(document["sizes"]))
    for test in document.get("tests", []):
        drawn = f"{counted(test['count'], 'case')}, {test['distinct']:,} distinct"
        lines.append(f"  {test['family']}: {drawn}, on these the margin is at least {test['margin']}")
    if "cases" in document:
        lines.append(f"  {counted(len(document['cases']), 'case')} with the author's answers, margin at least {document['margin']}")
    for lemma in document["lemmas"]:
        lines.append(f"  lemma: {lemma['lemma']} of layer {lemma['layer']}, head {lemma['head']} is at least {lemma['weight']}")
    lines += [f"  not sealed: {more['cases']} more cases of {more['family']}, {more['errors']} wrong" for more in certificate.more]
    lines += [f"  not proven: {why}" for why in certificate.unproven]
    if certificate.counterexample is not None:
        lines.append(f"  counterexample: {certificate.counterexample}")
    return [*lines, *_verdict(certificate)]


def _verdict(certificate: Certificate) -> Iterator[str]:
    """What was found, in one sentence, and the name of the certificate."""
    document = certificate.document
    if not certificate.holds:
        yield f"REFUTED  {document['digest']}"
        return
    claim = document.get("claim", {"task": document.get("task"), "parameters": {}})
    settings = ", ".join(
        f"{key} = {_first_line(value)}" for key, value in claim["parameters"].items() if isinstance(value, str | int | float)
    )
    yield f"{certificate.strength}: {claim['task']}{f' ({settings})' if settings else ''} is right {RIGHT[certificate.strength]}"
    yield f"certificate {document['digest']}"


def _first_line(value: str | float) -> str:
    """A setting; of a machine or a circuit, which is a whole file, only how it begins."""
    first, _, rest = str(value).partition("\n")
    return f"{first[:60]} .." if rest.strip() or len(first) > 60 else first
