"""Code runs only if the user names it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.naming import content_hash, is_place, load, named_place, only, short_place


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text("from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\nthing = 3\nother = 4\n")
    return str(path)


def ran(file: str) -> bool:
    return Path(file).with_suffix(".ran").exists()


def test_a_place_is_loaded_for_whoever_names_it(file: str) -> None:
    assert load(f"{file}:thing") == 3
    assert ran(file)


@pytest.mark.parametrize("code", [[], ["other.py"], ["other.py:thing"]])
def test_nothing_else_is_loaded_where_a_file_names_it(file: str, code: list[str]) -> None:
    with (
        only(code),
        pytest.raises(BadInput, match=r"this file needs to run the code .*mine.py:thing: pass"),
    ):
        load(f"{file}:thing")
    assert not ran(file)
    with only(code), pytest.raises(BadInput, match="needs to run the code os:system"):
        load("os:system")
    assert load(f"{file}:thing") == 3  # outside, the caller is the user again


def test_what_is_named_is_loaded(file: str) -> None:
    with only([f"{file}:thing"]):
        assert load(f"{file}:thing") == 3
        with pytest.raises(BadInput, match=r"needs to run the code .*:other"):
            load(f"{file}:other")
    with only([file]):  # a whole file
        assert load(f"{file}:other") == 4


def test_code_is_found_by_its_content(file: str, tmp_path: Path) -> None:
    sha256 = content_hash(f"{file}:thing")
    copy = tmp_path / "sub" / "copy.py"
    copy.parent.mkdir()
    copy.write_bytes(Path(file).read_bytes())
    assert named_place("mine.py:thing", sha256, [str(copy)]) == f"{copy}:thing"
    assert named_place("mine.py:thing", sha256, [f"{copy}:thing"]) == f"{copy}:thing"
    for code in ([], [f"{copy}:other"]):
        with pytest.raises(BadInput, match=r"needs to run the code mine.py:thing"):
            named_place("mine.py:thing", sha256, code)
    with pytest.raises(BadInput, match="is not the code that was used"):
        named_place("copy.py:thing", "0" * 64, [str(copy)])
    assert not ran(file)


def test_without_a_hash_only_the_same_place_will_do(file: str) -> None:
    assert named_place(f"{file}:thing", "", [f"{file}:thing"]) == f"{file}:thing"
    with pytest.raises(BadInput, match=r"needs to run the code mine.py:thing"):
        named_place("mine.py:thing", "", [file])


def test_a_place_is_short_without_its_folders(file: str) -> None:
    assert short_place(f"{file}:thing") == "mine.py:thing"
    assert short_place("package.module:Name") == "package.module:Name"


def test_only_places_of_code_are_places() -> None:
    before = set(sys.modules)
    places = ["a/b.py:Name", "os.path:join"]
    others = ["fixed:8,4", "nearest:49", "a:b", "mine.py:8", "mine.py", "(a:b)*", "no.such.module:Name", "", ":x", "x:"]
    assert [name for name in places + others if is_place(name)] == places
    assert set(sys.modules) - before <= {"importlib.util"}
