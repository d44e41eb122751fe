from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from separatrix.errors import BadInput
from separatrix.runs.snapshot_file import Stored, read_snapshot, write_snapshot
from separatrix.training.snapshots import Progress, Snapshot


def example() -> Stored:
    weights = {"a": torch.tensor([1.5, float("inf")]), "b": torch.tensor([[0.1]], dtype=torch.float64)}
    moments = {"0.exp_avg": torch.tensor([1e-30, -0.0]), "0.step": torch.tensor(7.0)}
    return Stored(Snapshot(Progress(7, 0.1 + 0.2, 0.5, 2, False), weights, moments), 123, "digest")


def test_a_snapshot_comes_back_bit_for_bit(tmp_path: Path) -> None:
    stored, path = example(), tmp_path / "snapshot.safetensors"
    write_snapshot(path, stored)
    again = read_snapshot(path)
    assert (again.rows_bytes, again.spec, again.snapshot.progress) == (123, "digest", stored.snapshot.progress)
    for ours, theirs in ((again.snapshot.weights, stored.snapshot.weights), (again.snapshot.moments, stored.snapshot.moments)):
        assert ours.keys() == theirs.keys()
        for name, tensor in theirs.items():
            assert ours[name].dtype == tensor.dtype
            assert ours[name].numpy().tobytes() == tensor.numpy().tobytes()


@pytest.mark.parametrize(
    "spoil", [lambda b: b[:-1], lambda b: b[:20], lambda _: b"", lambda b: b.replace(b"separatrix/snapshot", b"separatrix/snapshut")]
)
def test_a_damaged_snapshot_is_refused(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "snapshot.safetensors"
    write_snapshot(path, example())
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(BadInput, match=r"snapshot.safetensors' is not a snapshot: "):
        read_snapshot(path)


def test_other_tensors_are_no_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.safetensors"
    path.write_bytes(save({"a": torch.zeros(2)}, metadata={"schema": "other"}))
    with pytest.raises(BadInput, match="is not a snapshot: expected schema separatrix/snapshot version 1, found other version None"):
        read_snapshot(path)
