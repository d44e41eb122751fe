"""A large atlas: 10,000 rows of studies, 10,000 results on the map and 500 certificates; how long it takes to write, and to open.

Certificates are real ones of small models under 500 names, so each has a page of its own, and the checker judges every one of them.
The rows are those of the package, repeated. Times to open are those of the browser, from a file to the `load` event, medians of five.
There is no peer: the ratio is time / goal.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from separatrix.atlas import search
from separatrix.atlas.reading.material import Material, gather
from separatrix.atlas.render import render
from separatrix.atlas.write import pages, replace_folder
from separatrix.certificates.verify import verify
from separatrix.checker import canonical, sealed
from separatrix.constructions import build
from separatrix.records.write import record_path, write_records

ROWS, CERTIFICATES, OPENED = 10_000, 500, 5
WRITTEN, SHOWN = 120.0, 3.0  # seconds: goals
MODELS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("index-lookup", {"length": 4, "symbols": 3}),
    ("equality", {"length": 6}),
    ("parity/recurrent", {"length": 8}),
    ("ones/hard-attention", {"length": 8}),
    ("dyck/one-layer", {"length": 6}),
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def write_certificates(folder: Path) -> None:
    """Certificates of a few models, each under many names."""
    folder.mkdir()
    documents = [json.loads(verify(build(name, **settings)).to_json()) for name, settings in MODELS]
    for number, document in enumerate(islice(cycle(documents), CERTIFICATES)):
        named = {**document, "construction": f"{document['construction']}/{number:03}"}
        (folder / f"{number:03}.json").write_text(canonical(sealed(named)))


def many_results(records: Path) -> None:
    """As many learned results on the map, of a few models at many lengths."""
    path = record_path(records, "map", "learned")
    document = json.loads(path.read_text())
    rows = list(islice(cycle(document["content"]), ROWS))
    path.write_text(json.dumps({**document, "content": [{**row, "length": row["length"] + i // 50} for i, row in enumerate(rows)]}))


def many_rows(material: Material) -> Material:
    """Every study with its rows repeated until there are as many as asked for."""
    times = -(-ROWS // sum(len(one.rows) for one in material.studies))
    return replace(material, studies=tuple(replace(one, rows=one.rows * times) for one in material.studies))


def write_large(certificates: Path, records: Path, out: Path) -> int:
    """The whole atlas; returns the number of rows on its pages."""
    material = many_rows(gather(certificates, records))
    every = pages(material)
    replace_folder(out, {**render(every), search.PATH: search.search_list(every, material)})
    return sum(len(one.rows) for one in material.studies)


def opening_times(atlas: Path) -> Iterator[tuple[str, float]]:
    """Seconds from a file to the `load` event, for the front page and the largest pages of their kinds."""
    from playwright.sync_api import sync_playwright

    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        return
    largest = [max(atlas.glob(f"{kind}-*.html"), key=lambda file: file.stat().st_size) for kind in ("task", "study", "theorem")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--headless", "--no-sandbox", "--disable-gpu"])
        for file in (atlas / "index.html", atlas / "built.html", *largest):
            taken = []
            for _ in range(OPENED):
                page = browser.new_page()
                start = time.perf_counter()
                page.goto(file.as_uri())
                taken.append(time.perf_counter() - start)
                page.close()
            yield f"open {file.name}, {file.stat().st_size:,} bytes", statistics.median(taken)
        browser.close()


def row(what: str, seconds: float, goal: float) -> dict[str, Any]:
    """One line of the report."""
    return {
        "what": what,
        "ours": round(seconds, 2),
        "peer": None,
        "unit": "s",
        "ratio": round(seconds / goal, 3),
        "goal": f"under {goal:g} s",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--records", type=Path, help="Records that are there already; what is missing or out of date is computed first.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        records = work / "records"
        if chosen.records is not None:
            shutil.copytree(chosen.records, records)
        write_records(records)
        write_certificates(work / "certificates")
        many_results(records)
        start, worked = time.perf_counter(), time.process_time()
        count = write_large(work / "certificates", records, work / "atlas")
        taken, worked = time.perf_counter() - start, time.process_time() - worked
        files = [path for path in (work / "atlas").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        rows = [
            row(f"write {size:,} bytes: {count:,} rows, {ROWS:,} results, {CERTIFICATES} certificates", taken, WRITTEN),
            row("the same, seconds of the processor", worked, WRITTEN),
        ]
        rows += [row(what, seconds, SHOWN) for what, seconds in opening_times(work / "atlas")]
    if chosen.json:
        print(json.dumps(rows))
        return
    for one in rows:
        print(f"{one['what']:100}  {one['ours']:8.2f} s  ratio {one['ratio']:6.3f}  goal {one['goal']}")


if __name__ == "__main__":
    main()
