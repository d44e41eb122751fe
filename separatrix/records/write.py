"""Writes all records of a folder, each as soon as it is computed; records that are up to date stay."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from separatrix.constructions import CONSTRUCTIONS
from separatrix.records.argument_records import CONFUSED, DIALOGUES, RESTRICTED, collision_record, dialogues_record, restriction_record
from separatrix.records.language_records import LANGUAGES, language_record
from separatrix.records.map_records import models_record
from separatrix.records.playground_records import playground_record, playground_settings
from separatrix.records.record import stored_or_computed
from separatrix.records.task_records import task_record
from separatrix.records.trace_records import drawn_settings, trace_record
from separatrix.studies import studies
from separatrix.studies.stored import computed_results
from separatrix.tasks import TASKS


class RecordJob(NamedTuple):
    """A record for the atlas: its place, and how it is computed."""

    kind: str
    name: str
    parameters: dict[str, Any]
    compute: Callable[[], Any]


def record_path(folder: Path, kind: str, name: str) -> Path:
    """The path of a record below the folder of all records."""
    return folder / kind / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', name)}.json"


def record_jobs() -> Iterator[RecordJob]:
    """Every record that `separatrix records` writes, with what computes it."""
    for task in TASKS:
        yield RecordJob("task", task, {"name": task}, partial(task_record, task))
    yield RecordJob("map", "models", {}, models_record)
    for one in LANGUAGES:
        yield RecordJob("language", one.anchor, one._asdict(), partial(language_record, one))
    yield RecordJob("argument", "restriction", RESTRICTED, partial(restriction_record, RESTRICTED))
    yield RecordJob("argument", "dialogues", {"dialogues": [list(one) for one in DIALOGUES]}, dialogues_record)
    yield RecordJob("argument", "collision", CONFUSED, partial(collision_record, CONFUSED))
    for name in CONSTRUCTIONS:
        settings = drawn_settings(name)
        parameters = {"name": name, "settings": settings}
        yield RecordJob("trace", name, parameters, partial(trace_record, name, settings))
        played = playground_settings(name)
        asked = {"name": name, "settings": played}
        yield RecordJob("playground", name, asked, partial(playground_record, name, played))
    for study in studies():
        yield RecordJob("rows", study.name, {"name": study.name, "cells": list(study.cells)}, partial(computed_results, study))


def write_records(folder: Path, progress: Callable[[str], None] | None = None) -> tuple[int, int]:
    """Compute what is missing or out of date; returns the number of records, and how many were computed."""
    total = computed = 0
    for job in record_jobs():
        start = time.perf_counter()
        _, fresh = stored_or_computed(record_path(folder, job.kind, job.name), job.kind, job.parameters, job.compute)
        total, computed = total + 1, computed + fresh
        if fresh and progress is not None:
            progress(f"{job.kind} {job.name}: {time.perf_counter() - start:.1f} s")
    return total, computed
