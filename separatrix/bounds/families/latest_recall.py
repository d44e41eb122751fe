"""Latest recall: a table of the labels of all keys that may be asked for.

Notation   N  pairs      K  keys      L  labels      i  pairs read
"""

from __future__ import annotations

from separatrix.bits import ceil_log2
from separatrix.bounds.families.closed_form import ClosedForm, TaskBounds, at_least, listable
from separatrix.bounds.states.profile import StateProfile
from separatrix.tasks.latest_recall import LatestRecall


def latest_recall_profile(task: LatestRecall) -> StateProfile:
    """Lower: after i pairs any table of d = min(i, K) labels; before a label, which of d keys is pending, and a table of the others.

    Upper: a table of K labels, unseen keys at 0, and the pending key.
    """
    N, K, L = task.length, task.keys, task.labels
    at_least("latest-recall", 1, "length", N)
    listable("latest-recall", 2 * N + 1, K * ceil_log2(L + 1))
    lower, upper = [1], [1]
    for i in range(N):
        lower += [_pending(min(i + 1, K), L), L ** min(i + 1, K)]
        upper += [K * L**K, L**K]
    method = "closed form: d L^(d-1) before label i+1 with d = min(i+1, K), L^d after it; upper = a table of K labels and the pending key"
    return StateProfile((*lower, L), (*upper, L), method)


def _pending(keys: int, labels: int) -> int:
    """Which of so many keys is pending, and the labels of the others; its own is about to be overwritten."""
    return int(keys * labels ** (keys - 1))


def _least(task: LatestRecall) -> int:
    """At the cut before the last label, or after it."""
    d = min(task.length, task.keys)
    return max(_pending(d, task.labels), int(task.labels**d))


LATEST_RECALL = TaskBounds(
    ClosedForm(
        "ceil(log2(d L^(d-1))) bits with d = min(N, K), at the cut before the last label",
        "",
        "Outside the four papers. Zero error on every input; the bits needed lie between the lower and the upper count.",
        latest_recall_profile,
        lambda task: (_least(task), task.keys * task.labels**task.keys),
        least=_least,
    ),
)
