"""The site stands alone: every link leads somewhere, nothing is fetched from outside, and the reference names what is public."""

from __future__ import annotations

from pathlib import Path

import pytest

import separatrix
from docs.site.__main__ import main, write
from docs.site.links import faults
from docs.site.pages import sources

ATLAS = '<!doctype html><title>atlas</title><h1 id="map">Map</h1><a href="#map">map</a>'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "atlas").mkdir()
    (folder / "atlas" / "index.html").write_text(ATLAS)
    assert write(folder / "site", folder / "atlas") == []
    return folder / "site"


def test_every_page_of_the_documentation_is_there_with_a_menu_that_reaches_the_atlas(site: Path) -> None:
    written = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert written >= {*sources(), "atlas/index", "api/separatrix", "api/checker"}
    assert 'href="../atlas/index.html"' in (site / "decisions" / "0006-the-atlas-reads.html").read_text()


def test_the_reference_has_every_public_name_with_its_signature_and_docstring(site: Path) -> None:
    page = (site / "api" / "separatrix.html").read_text()
    for name in separatrix.__all__:
        assert f'id="separatrix.{name}"' in page
        about = getattr(separatrix, name).__doc__
        assert about.split("`")[0].strip().splitlines()[0] in page
    assert "def " not in page
    assert "state_bytes(config: Any, length: int, dtype: str | None=None, batch: int=1)" in page


def test_marks_for_the_tests_are_not_shown_and_pages_named_in_code_are_linked(site: Path) -> None:
    page = (site / "tutorial.html").read_text()
    assert "&lt;!--" not in page
    assert "<!-- " not in page
    assert '<a href="adding.html"><code>docs/adding.md</code></a>' in page


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ('<a href="nowhere.html">x</a>', "page.html: nowhere.html leads nowhere"),
        ('<a href="other.html#absent">x</a>', "page.html: other.html#absent names no place of that page"),
        ('<img src="https://example.org/x.png">', "page.html: fetches https://example.org/x.png"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "page.html: fetches //example.org/x.css"),
        ('<script src="absent.js"></script>', "page.html: absent.js leads nowhere"),
        ('<a href="https://example.org">x</a><a href="other.html#there">x</a>', None),
    ],
)
def test_a_wrong_link_is_found(tmp_path: Path, markup: str, fault: str | None) -> None:
    (tmp_path / "other.html").write_text('<p id="there">x</p>')
    (tmp_path / "page.html").write_text(markup)
    assert faults(tmp_path) == ([] if fault is None else [fault])


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["--out", str(tmp_path)]) == 1
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
