"""Results of a study's cells: shipped with the package if cells train, else computed one by one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from separatrix.errors import BadInput
from separatrix.studies.study import Result, Row, Study, cell_digest


def computed_results(study: Study, progress: Callable[[str], None] | None = None) -> list[Result]:
    """The result of every cell, in the order of the cells."""
    if study.trains:
        return shipped_results(study)
    results = []
    for number, cell in enumerate(study.cells, 1):
        if progress is not None:
            progress(f"[{number}/{len(study.cells)}] {study.name} " + " ".join(f"{key}={value}" for key, value in cell.items()))
        results.append(study.run(cell))
    return results


def shipped_results(study: Study) -> list[Result]:
    """Training results from the files beside the code; refuses missing cells and lists them, unless the study may be partial."""
    return matched(study, shipped())


@cache
def shipped() -> Mapping[str, Result]:
    """Every shipped result by the digest of its run. A run that several studies ask for is stored once, in the file of any of them."""
    return MappingProxyType({row["digest"]: row for _, row in shipped_files()})


@cache
def shipped_files() -> tuple[tuple[str, Result], ...]:
    """Every shipped result beside the name of its file, which is that of its study."""
    places = (place for place in files("separatrix.studies").joinpath("data").iterdir() if place.name.endswith(".jsonl"))
    ordered = sorted(places, key=lambda place: place.name)
    return tuple(
        (place.name.removesuffix(".jsonl"), json.loads(line))
        for place in ordered
        for line in place.read_text(encoding="utf-8").splitlines()
    )


def matched(study: Study, stored: Mapping[str, Result]) -> list[Result]:
    """The results of a study's cells among those stored by the digest of their run."""
    missing = [cell for cell in study.cells if cell_digest(cell["run"]) not in stored]
    if missing and not study.partial:
        names = ", ".join(f"{cell['run']['model']} at N = {cell['run']['task_parameters']['length']}" for cell in missing)
        raise BadInput(f"study {study.name}: {names} has not been run; `separatrix study {study.name} --run` trains it")
    return [stored.get(cell_digest(cell["run"])) for cell in study.cells]


def study_rows(study: Study, progress: Callable[[str], None] | None = None) -> list[Row]:
    """The rows of a study, computed now."""
    return study.rows(computed_results(study, progress))
