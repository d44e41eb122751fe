"""Process settings for training. Only program entry points call this; a library must not change the caller's process."""

from __future__ import annotations

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h


def settle(threads: int = 1) -> None:
    """One thread per trial by default: at these sizes two processes of one thread beat one process of two."""
    import torch

    torch.set_num_threads(threads)
    keep_memory()


def keep_memory(limit: int = 1 << 30) -> bool:
    """Tell glibc to keep freed memory: otherwise it returns every large tensor and faults in its pages again at the next step.

    Returns whether it worked; with other C libraries nothing happens.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, limit)) and bool(mallopt(M_TRIM_THRESHOLD, limit))
