"""State profiles: the counts of the certificate are those of its function, and one state shows nothing."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from separatrix.bounds.question import question_for, question_of_function, question_of_task
from separatrix.bounds.witnesses import certify_profile
from separatrix.checker import Budget, check_document, sealed
from separatrix.tasks import make_task
from tests.checker.kinds.forgery import reason
from tests.checker.kinds.witnesses import fresh


def test_what_the_profiles_say() -> None:
    """Golden: the profile of equality at N = 6 is 1, 2, 4, 8, 5, 3, 2, by hand."""
    document = fresh("profile")
    assert (document["classes"], document["bits"], document["total"]) == ([1, 2, 4, 8, 5, 3, 2], 3, True)
    assert not fresh("promise_profile")["total"]
    assert check_document(document).evidence[0]["classes"] == [1, 2, 4, 8, 5, 3, 2]


def needed(answers: list[int | None], cut: int) -> int:
    """States after `cut` of three bits by the definition: prefixes with the same valid suffixes and different answers."""
    suffixes = list(product((0, 1), repeat=3 - cut))
    residuals = set()
    for prefix in product((0, 1), repeat=cut):
        residual = tuple(answers[int("".join(map(str, prefix + suffix)), 2)] for suffix in suffixes)
        if any(answer is not None for answer in residual):
            residuals.add(residual)
    domains = [tuple(answer is None for answer in residual) for residual in residuals]
    return max(domains.count(domain) for domain in domains)


def test_counts_of_random_functions_are_those_of_the_definition() -> None:
    rng, met = random.Random(0), 0
    for _ in range(200):
        answers = rng.choices([0, 1, 2, None], k=8)
        classes = [needed(answers, cut) for cut in range(4)] if any(a is not None for a in answers) else []
        if not classes or max(classes) < 2:
            continue
        document = certify_profile(question_of_function(lambda x, a=answers: a[4 * x[0] + 2 * x[1] + x[2]], [0, 1], 3))  # type: ignore[misc]
        assert document["classes"] == classes
        assert check_document(document).holds
        for t in range(4):
            wrong = [count + (i == t) for i, count in enumerate(classes)]
            assert reason(document, classes=wrong).startswith(f"classes[{t}]: the certificate says {classes[t] + 1}")
        met += 1
    assert met >= 100


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"classes": [1, 2, 4, 8, 5, 3]}, "classes: expected 7 counts, found 6"),
        ({"classes": [1, 2, 4, 9, 5, 3, 2]}, "classes[3]: the certificate says 9, recomputation gives 8"),
        ({"classes": [True, 2, 4, 8, 5, 3, 2]}, "classes[0]: the certificate says True"),
        ({"classes": [1, 2, 4, 8.0, 5, 3, 2]}, "classes[3]: the certificate says 8.0"),
        ({"bits": 4}, "bits: the certificate says 4, recomputation gives 3"),
        ({"bits": True}, "certificate.bits: expected int, found bool"),
        ({"total": False}, "total: the certificate says False, recomputation gives True"),
        ({"strength": "tested"}, "strength: the certificate says 'tested', recomputation gives 'proven'"),
        ({"cites": "bhattamishra2024 Theorem 3"}, "Theorem 3 is about index-lookup, found equality"),
        ({"cites": "bhattamishra2024 Theorem 4"}, "Theorem 4 is shown by a transcript-collision, found a state-profile"),
        ({"claim": {"task": "equality", "parameters": {"length": 24, "symbols": 2}}}, "16777216 strings exceed the limit of 2097152"),
        (
            {"claim": {"task": "eq-ncp", "parameters": {"length": 4, "symbols": 2, "distribution": "evaluation"}}},
            "asks at several positions",
        ),
        ({"claim": {"task": "table", "parameters": {"sizes": [2], "answers": [None, None]}}}, "nothing is inside the promise"),
    ],
)
def test_every_guard_refuses_its_forgery(changed: dict[str, Any], why: str) -> None:
    assert why in reason(fresh("profile"), **changed)


def test_a_constant_needs_one_state_and_shows_nothing() -> None:
    document = certify_profile(question_of_function(len, [0, 1], 2))
    assert check_document(document).reason == "classes: one state is enough, so nothing is shown"


@pytest.mark.parametrize(
    ("task", "chosen", "cites"),
    [
        ("index-lookup", {"length": 3, "symbols": 2}, "bhattamishra2024 Theorem 3"),
        ("equality", {"length": 6}, "bhattamishra2024 Theorem 11"),
        ("associative-recall", {"length": 2, "symbols": 2}, "bhattamishra2024 Proposition 9"),
        ("nearest-neighbor", {"length": 3, "dimension": 2, "gamma": 1.0}, "bhattamishra2024 Theorem 8"),
    ],
)
def test_statements_are_cited_where_they_are_reached(task: str, chosen: dict[str, Any], cites: str) -> None:
    document = certify_profile(question_of_task(make_task(task, **chosen)), cites)
    verdict = check_document(document)
    assert verdict.holds, verdict.reason
    assert verdict.evidence[-1] == {"kind": "statement", "text": f"replays {cites}", "cites": cites}


def test_a_task_goes_by_its_name_only_where_the_checker_knows_it_as_one_function() -> None:
    """Several lengths, or an oracle that is not there: then the table of all answers is certified."""
    assert question_for(make_task("equality", length=4)).task == "equality"
    assert question_for(make_task("eq-random", length=40)).task == "eq-random"
    for task in (
        make_task("index-lookup", length=11, symbols=2, distribution="training"),
        make_task("function", length=4, function="builtins:any"),
    ):
        question = question_for(task)
        assert question.task == "table"
        if task.name != "function":  # any of symbols is a constant, of which nothing can be shown
            assert check_document(certify_profile(question)).holds

    class Equality(type(make_task("equality", length=4))):  # type: ignore[misc]
        """A user's task with a name of ours, whose answer is another one."""

        def answer(self, tokens: Any) -> int:
            return int(sum(tokens) % 2)

    question = question_for(Equality(4))
    assert question.task == "table"
    assert question.claim["parameters"]["answers"][:4] == [0, 1, 1, 0]


def test_the_work_is_bounded_before_anything_runs() -> None:
    document = sealed({**fresh("profile"), "claim": {"task": "equality", "parameters": {"length": 20, "symbols": 2}}})
    verdict = check_document(document, None, Budget(seconds=0.5))
    assert not verdict.readable
    assert "above the budget of 0.5 s" in verdict.reason
