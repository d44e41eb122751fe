"""Process settings for training. Only program entry points call this; a library must not change the caller's process."""

from __future__ import annotations

import ctypes

from separatrix.errors import BadInput
from separatrix.kernels import avoid_amx

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
NEVER = -1  # as a threshold, the largest size there is


def configure_process(threads: int = 1, device: str = "cpu") -> None:
    """One thread per trial by default: at these sizes two processes of one thread beat one process of two.

    Models and batches go to `device`. Compiled kernels run on the CPU alone; elsewhere torch's own operations take their place.
    """
    import torch

    avoid_amx()
    torch.set_num_threads(threads)
    choose_device(device)
    keep_memory()


def choose_device(name: str) -> None:
    """Make a device torch's default; refuse one that torch does not know or that this machine does not have."""
    import torch

    known = "expected cpu, cuda, cuda:N or mps"
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise BadInput(f"unknown device {name!r}: {known}") from error
    here = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if device.type not in here:
        raise BadInput(f"unknown device {name!r}: {known}")
    if not here[device.type] or (device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count()):
        raise BadInput(f"no device {name!r} on this machine: it has {', '.join(kind for kind, there in here.items() if there)}")
    if device.type != torch.get_default_device().type or device.type == "cuda":
        torch.set_default_device(device)


def keep_memory(limit: int = 1 << 30, *, trim: bool = True) -> bool:
    """Tell glibc to keep freed memory: otherwise it returns every large tensor and faults in its pages again at the next step.

    Above `limit` free bytes are returned all the same, unless `trim` is off. Returns whether it worked; with other C libraries nothing
    happens.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, limit)) and bool(mallopt(M_TRIM_THRESHOLD, limit if trim else NEVER))
