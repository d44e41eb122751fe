"""Writing: all of it or nothing, never over something else, and the same files for the same material."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from separatrix.atlas import write_atlas
from separatrix.atlas.reading.material import Records
from separatrix.atlas.write import MARK, need_replaceable, replace_folder
from separatrix.errors import BadInput


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_write_atlas_returns_the_front_page(atlas: Path) -> None:
    assert (atlas / "index.html").is_file()
    assert (atlas / MARK).is_file()
    assert {"assets/style.css", "assets/atlas.js"} <= set(contents(atlas))


def test_the_pages_that_need_no_certificates_stay_below_their_share_of_eight_megabytes(atlas: Path) -> None:
    """Certificates of `make run`, with their pages and playgrounds, take another 2.1 million bytes; `separatrix atlas` prints them all."""
    total = sum(
        len(content) for name, content in contents(atlas).items() if not name.startswith(("theorem-", "playground/", "certificates/"))
    )
    assert total < 5_000_000


def test_a_new_atlas_takes_the_place_of_the_old_one_and_leaves_no_stale_page(tmp_path: Path) -> None:
    replace_folder(tmp_path / "deep" / "atlas", {"index.html": b"old", "stale/page.html": b"old"})
    replace_folder(tmp_path / "deep" / "atlas", {"index.html": b"new"})
    assert contents(tmp_path) == {f"deep/atlas/{MARK}": b"", "deep/atlas/index.html": b"new"}  # and no draft is left beside it


def test_a_failure_while_writing_leaves_the_old_atlas_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_folder(tmp_path / "atlas", {"index.html": b"old"})
    before, write = contents(tmp_path), Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.name == "second.html":
            raise OSError(28, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BadInput) as refusal:
        replace_folder(tmp_path / "atlas", {"index.html": b"new", "second.html": b"new"})
    assert str(refusal.value) == f"cannot write the atlas to {str(tmp_path / 'atlas')!r}: No space left on device"
    assert contents(tmp_path) == before


@pytest.mark.parametrize("interruption", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_an_interrupt_between_the_two_renames_puts_the_old_atlas_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interruption: BaseException
) -> None:
    replace_folder(tmp_path / "atlas", {"index.html": b"old"})
    before, rename, calls = contents(tmp_path), os.rename, []

    def interrupted(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == 2:
            raise interruption
        rename(source, target)

    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises((BadInput, KeyboardInterrupt)):
        replace_folder(tmp_path / "atlas", {"index.html": b"new"})
    assert len(calls) == 3
    assert contents(tmp_path) == before


def test_a_folder_with_other_files_is_never_replaced(tmp_path: Path, certificates: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(BadInput) as refusal:
        write_atlas(tmp_path, certificates, tmp_path / "records")
    assert str(refusal.value) == f"{str(tmp_path)!r} holds other files: expected a new folder, an empty one, or an older atlas"
    assert contents(tmp_path) == {"thesis.tex": b"years of work"}


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "atlas").write_text("")
    with pytest.raises(BadInput) as refusal:
        need_replaceable(tmp_path / "atlas")
    assert str(refusal.value) == f"cannot write the atlas: {str(tmp_path / 'atlas')!r} is not a folder"


def test_a_place_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    way, out = tmp_path / "file", tmp_path / "file" / "atlas"
    way.write_text("")
    with pytest.raises(BadInput) as refusal:
        replace_folder(out, {"index.html": b""})
    assert str(refusal.value) == f"cannot write the atlas to {str(out)!r}: {str(way)!r} is not a folder"


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    need_replaceable(tmp_path)
    replace_folder(tmp_path, {"index.html": b"new"})
    assert (tmp_path / "index.html").read_bytes() == b"new"


def test_missing_certificates_are_refused_before_anything_is_written(tmp_path: Path, records: Records) -> None:
    with pytest.raises(BadInput, match=r"^no folder of certificates at "):
        write_atlas(tmp_path / "atlas", tmp_path / "nowhere", records.folder)
    assert list(tmp_path.iterdir()) == []


def test_importing_the_atlas_loads_neither_torch_nor_the_converter() -> None:
    code = "import sys, separatrix.atlas; sys.exit(any(name in sys.modules for name in ('torch', 'vl_convert', 'altair')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_missing_records_are_refused_with_the_command_that_writes_them(tmp_path: Path, certificates: Path) -> None:
    with pytest.raises(BadInput, match=r"^no record at '.*addresses\.json': `separatrix records --out "):
        write_atlas(tmp_path / "atlas", certificates, tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
