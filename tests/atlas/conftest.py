"""One atlas for all tests of this folder: certificates of several kinds, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.atlas import write_atlas
from separatrix.atlas.reading.material import Records
from separatrix.bounds.question import question_of_task
from separatrix.bounds.witnesses import certify_fooling_set
from separatrix.certificates.verify import verify
from separatrix.checker import canonical, sealed
from separatrix.constructions import build
from separatrix.tasks import make_task
from tests.atlas.browser import left_out, say_when_left_out

collect_ignore = ["test_decide.py", "test_browser.py", "test_playground.py", "test_accessibility.py"] if left_out() else []


def pytest_configure(config: pytest.Config) -> None:
    say_when_left_out(config)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sound certificates, one that was edited, one that claims too small a model, one of another kind, one with a hostile
    name, and two files that are none."""
    folder = tmp_path_factory.mktemp("certificates")
    for name, parameters in {
        "index-lookup-all": {"length": 4, "symbols": 3},
        "index-lookup-binary": {"length": 64},
        "index-lookup-quadratic": {"length": 100, "address": "quadratic"},
    }.items():
        verify(build("index-lookup", **parameters)).write(folder / f"{name}.json")
    verify(build("equality", length=12, address="binary")).write(folder / "equality.json")
    sound: dict[str, Any] = json.loads((folder / "index-lookup-binary.json").read_text())
    (folder / "edited.json").write_text(canonical({**sound, "construction": "index-lookup "}))
    (folder / "refuted.json").write_text(canonical(sealed({**sound, "sizes": {**sound["sizes"], "width": 3}})))
    equal = question_of_task(make_task("equality", length=4))
    pairs = [((a, b), (a, b)) for a in (0, 1) for b in (0, 1)]
    (folder / "fooling.json").write_text(canonical(certify_fooling_set(equal, (0, 1), pairs, 1)))
    named = {**sound, "construction": '<img src=x onerror="window.owned=1">lookup</script><script>window.owned=1</script>'}
    (folder / "<i>named&.json").write_text(canonical(sealed(named)))
    hostile = {"schema": "separatrix/certificate", "version": sound["version"], "kind": "<b>bold</b>"}
    (folder / "hostile.json").write_text(canonical(sealed(hostile)))
    (folder / "broken.json").write_text('{"schema": "separatrix/certifi')
    (folder / "rows.json").write_text('{"rows": []}')
    return folder


@pytest.fixture(scope="session")
def atlas(certificates: Path, records: Records, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a written atlas."""
    return write_atlas(tmp_path_factory.mktemp("written") / "atlas", certificates, records.folder).page.parent
