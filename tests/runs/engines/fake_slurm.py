"""A SLURM of one machine, for tests: `sbatch`, `srun`, `sacct` and `scancel`, as far as submitit calls them.

Copied into a folder under these four names. A job is a process in a session of its own, so that it outlives who sent it; its number,
process and end are files in the folder FAKE_SLURM.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path


def sbatch(jobs: Path, arguments: list[str]) -> None:
    number = str(int(os.environ["FAKE_SLURM_FIRST"]) + len(list(jobs.glob("*.pid"))))
    script = jobs / f"{number}.sh"  # a copy, as SLURM takes: submitit renames its file as soon as the job has a number
    shutil.copy(arguments[-1], script)
    keep_end = f'bash "$1"; echo $? > {jobs}/{number}.end'
    environment = {**os.environ, "SLURM_JOB_ID": number, "SLURM_NTASKS": "1", "SLURM_JOB_NUM_NODES": "1", "SLURM_NODEID": "0"}
    process = subprocess.Popen(
        ["bash", "-c", keep_end, "bash", str(script)], env={**environment, "SLURM_PROCID": "0", "SLURM_LOCALID": "0"},
        start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    (jobs / f"{number}.pid").write_text(str(process.pid))
    print(f"Submitted batch job {number}")
    sys.stdout.flush()
    os._exit(0)  # the job goes on


def srun(_: Path, arguments: list[str]) -> None:
    while arguments[0].startswith("-"):
        arguments = arguments[2:] if arguments[0] in ("--output", "--error") else arguments[1:]
    os.execvp(arguments[0], arguments)


def sacct(jobs: Path, arguments: list[str]) -> None:
    print("JobID|State|NodeList")
    for number in (after for before, after in pairwise(arguments) if before == "-j"):
        if not (jobs / f"{number}.pid").exists():
            continue
        running = lives(int((jobs / f"{number}.pid").read_text()))
        end = jobs / f"{number}.end"
        state = "COMPLETED" if end.exists() and end.read_text() == "0\n" else "FAILED" if end.exists() or not running else "RUNNING"
        print(f"{number}|{state}|here")


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def scancel(jobs: Path, arguments: list[str]) -> None:
    for number in arguments:
        try:
            os.killpg(int((jobs / f"{number}.pid").read_text()), signal.SIGKILL)
        except (OSError, ValueError):
            continue


if __name__ == "__main__":
    {"sbatch": sbatch, "srun": srun, "sacct": sacct, "scancel": scancel}[Path(sys.argv[0]).name](
        Path(os.environ["FAKE_SLURM"]), sys.argv[1:]
    )
