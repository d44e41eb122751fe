"""A trial's key: the same question has the same key, another question or other code another one; code of others only by name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.runs import code_version as versions
from separatrix.runs.code_version import LEARNING, code_version
from separatrix.runs.kinds import KINDS, find_kind
from separatrix.runs.kinds.train import train_trial
from separatrix.runs.spec import RunSpec
from separatrix.runs.trial import Trial, make_trial, trial_key
from separatrix.training.budget import Budget

SPEC = RunSpec("dyck", {"length": 4}, "lstm-1-8", {}, Budget(steps=3))


def test_the_order_of_fields_does_not_matter_and_every_value_does() -> None:
    one = make_trial({"kind": "no-op", "number": 1, "of": {"a": [1, 2], "b": None}})
    assert make_trial({"of": {"b": None, "a": (1, 2)}, "number": 1, "kind": "no-op"}) == one
    others = [{"number": 2}, {"of": {"a": [2, 1], "b": None}}, {"of": {"a": [1, 2]}}, {"more": 0}]
    keys = {make_trial({**one.configuration, **other}).key for other in others} | {one.key}
    assert len(keys) == 5
    assert all(len(key) == 64 for key in keys)
    assert trial_key(one.text, one.code) == one.key
    assert Trial(one.text, "other code").key != one.key


def test_every_kind_of_the_table_is_one() -> None:
    assert len(KINDS) >= 2
    for name in KINDS:
        find_kind(name)
    assert find_kind("train").rooms == ("arithmetic", "models", "tasks", "training") == LEARNING
    with pytest.raises(
        BadInput, match=r"unknown kind of trial 'trian'; did you mean 'train'\? expected one of no-op, recover, train or file.py:Name"
    ):
        find_kind("trian")


@pytest.mark.parametrize(
    ("configuration", "says"),
    [
        ({"number": 1}, 'a trial is a JSON object with a "kind", found'),
        ({"kind": 3}, 'a trial is a JSON object with a "kind", found'),
        ({"kind": "no-op", "rate": float("nan")}, "a trial of kind no-op is not plain JSON"),
        ({"kind": "no-op", "rate": {1, 2}}, "a trial of kind no-op is not plain JSON"),
        ({"kind": "train"}, 'a trial of kind train needs a field "run"'),
        ({"kind": "train", "run": {"schema": "other"}}, "expected schema separatrix/run version 1"),
        (
            {"kind": "separatrix.runs.store:Store"},
            "a trial needs to run the code separatrix.runs.store:Store: pass --code",
        ),
    ],
)
def test_what_is_not_a_trial_is_refused(configuration: dict[str, object], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make_trial(configuration)


def test_code_of_others_is_neither_run_nor_read_unless_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n")
    place = f"{tmp_path / 'mine.py'}:Model"
    by_model = train_trial(RunSpec("dyck", {"length": 4}, place, {}, Budget(steps=3)))
    by_parameter = train_trial(RunSpec("function", {"length": 4, "function": place}, "lstm-1-8", {}, Budget(steps=3)))
    for configuration in ({"kind": place}, by_model, by_parameter):
        with pytest.raises(
            BadInput,
            match=r"needs to run the code .*mine.py:Model: pass --code",
        ):
            make_trial(configuration)
    assert not (tmp_path / "ran").exists()
    (tmp_path / "mine.py").write_text("class Model: pass\n")
    with pytest.raises(BadInput, match=r"mine.py:Model is not a kind of trial: expected a Kind, found type"):
        make_trial({"kind": place}, [place])


def test_a_users_file_is_part_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Model: pass\n")
    place = f"{path}:Model"
    configuration = train_trial(RunSpec("dyck", {"length": 4}, place, {}, Budget(steps=3)))
    before = make_trial(configuration, [place])
    path.write_text("class Model: width = 8\n")
    code_version.cache_clear()  # once per process
    with pytest.raises(BadInput, match=r"mine.py is not the code that was used"):
        make_trial(configuration, [place])
    changed = train_trial(RunSpec("dyck", {"length": 4}, place, {}, Budget(steps=3)))
    assert make_trial(changed, [place]).key != before.key
    path.unlink()
    code_version.cache_clear()
    with pytest.raises(BadInput, match=r"cannot read the source of .*mine.py"):
        make_trial(changed, [place])
    with pytest.raises(BadInput, match=r"cannot import 'no.such' of 'no.such:Model'"):
        code_version((), ("no.such:Model",))
    assert code_version((), ("json.decoder:JSONDecoder",)) != code_version(())


@pytest.fixture
def copied_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the rooms that learning passes through, and of one that it does not."""
    for room in (*LEARNING, "checker"):
        shutil.copytree(versions.PACKAGE / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    code_version.cache_clear()
    monkeypatch.setattr(versions, "PACKAGE", tmp_path)
    return tmp_path


@pytest.mark.parametrize("change", ["models/mixers/lstm.py", "tasks/dyck.py", "training/loop.py", "arithmetic/format.py"])
def test_a_changed_source_of_a_room_that_matters_is_another_version(copied_package: Path, change: str) -> None:
    before = code_version(LEARNING)
    with (copied_package / change).open("a") as file:
        file.write("# a change\n")
    assert code_version(LEARNING) == before  # computed once
    code_version.cache_clear()
    assert code_version(LEARNING) != before
    code_version.cache_clear()


def test_renamed_files_are_another_version_and_other_rooms_do_not_matter(copied_package: Path) -> None:
    before = code_version(LEARNING)
    (copied_package / "checker" / "seal.py").write_text("")
    code_version.cache_clear()
    assert code_version(LEARNING) == before
    (copied_package / "models" / "layer.py").rename(copied_package / "models" / "lager.py")
    code_version.cache_clear()
    assert code_version(LEARNING) != before
    code_version.cache_clear()


def test_a_training_trial_is_the_description_of_its_run() -> None:
    trial = make_trial(train_trial(SPEC))
    assert json.loads(trial.text) == {"kind": "train", "run": SPEC.document()}
    assert trial.code == code_version(LEARNING)
