"""Plans on random tasks, lengths, architectures and precisions never contradict `bounds`, the map, a certificate, or `decide`."""

from __future__ import annotations

import shlex
from functools import cache
from random import Random

import pytest
from click import Context

from separatrix.architectures import RECURRENT_KINDS, Architecture, Mode, Quantity
from separatrix.bounds.lower import string_count
from separatrix.bounds.number_format import NumberFormat, number_format
from separatrix.checker import check_document
from separatrix.cli import Commands
from separatrix.constructions import CONSTRUCTIONS, constructions
from separatrix.errors import BadInput
from separatrix.ledger.bounds_table import Row, bounds_table
from separatrix.ledger.built import certificate_at
from separatrix.ledger.certified import certified
from separatrix.ledger.fact import STRENGTHS, What
from separatrix.ledger.ledger import facts_about
from separatrix.ledger.plan import Plan, PlanRow, plan, row_of
from separatrix.models import MODELS
from separatrix.models.cost_formulas import sized_model
from separatrix.models.mixers import MIXERS
from separatrix.models.model_names import configuration
from separatrix.studies.frontier import families
from separatrix.tasks import TASKS, Task, make_task

LENGTHS = (2, 3, 4, 6, 8, 12, 20, 40, 64, 150, 400, 3000)
PRECISIONS = ("2", "4", "8", "16", "32", "64", "bfloat16", "float32", "fixed:12,6")
SLOW = ("edit-distance-local", "sparse-threshold", "k-dnf", "k-cnf", "function", "circuit")  # counted by an oracle that takes seconds
CALLS, QUADRUPLES = 14, 100
SEED = 20


@cache
def drawn() -> tuple[tuple[Task, NumberFormat, Plan], ...]:
    """Plans over all architectures for random tasks, lengths and precisions."""
    random, made = Random(SEED), []
    while len(made) < CALLS:
        name, length, precision = random.choice([*TASKS]), random.choice(LENGTHS), random.choice(PRECISIONS)
        try:
            task = make_task(name, length=length)
            if name in SLOW or (string_count(task, 1 << 22) is not None and string_count(task, 1 << 14) is None):
                continue  # counting takes seconds
            made.append((task, number_format(precision), plan(task, number_format(precision))))
        except BadInput:
            continue  # no such task, or too large to count: a refusal contradicts nothing
    return tuple(made)


def rows() -> list[tuple[Task, NumberFormat, PlanRow]]:
    return [(task, numbers, row) for task, numbers, result in drawn() for row in result.rows]


def test_at_least_a_hundred_are_met_with_all_three_verdicts() -> None:
    assert len(rows()) >= QUADRUPLES
    assert {row.kind for _, _, row in rows()} == {"provably not", "built", "open"}
    assert len({row.architecture for _, _, row in rows()}) >= 20
    assert len({task.name for task, _, _ in rows()}) >= 8


def test_a_verdict_carries_its_strength_and_what_is_cited_decides_nothing() -> None:
    for _, _, row in rows():
        if row.kind == "open":
            assert row.strength in ("", "cited")
        else:
            assert row.strength in STRENGTHS
            assert row.strength not in ("cited", "measured")
            assert row.kind != "built" or row.strength in row.verdict


def test_what_is_refuted_is_refuted_by_a_bound_that_bounds_prints_or_by_a_pair_that_checks() -> None:
    for task, numbers, result in drawn():
        table = bounds_table(task, numbers, constructions())
        for row in result.rows:
            if row.kind == "provably not":
                assert by_state(table, row) or row.pair is not None or by_width(table), (task, row)
                if row.pair is not None and row.pair.certifiable:
                    verdict = check_document(row.pair.certificate())
                    assert verdict.holds, verdict.reason


def by_state(table: tuple[Row, ...], row: PlanRow) -> bool:
    """Whether less can cross than the bound on states says."""
    values = [each.bound.value or 0 for each in table if each.bound and each.quantity == Quantity.STATE_BITS]
    return row.carried_bits is not None and row.least_bits is not None and row.carried_bits < row.least_bits <= max(values, default=0)


def by_width(table: tuple[Row, ...]) -> bool:
    """Whether there is a bound on one layer."""
    return any(each.architecture is Architecture.ONE_LAYER and each.bound is not None for each in table)


def test_what_is_built_has_as_much_as_bounds_ask_for_and_is_built_at_that_size() -> None:
    met = 0
    for task, numbers, result in drawn():
        needed = [each.bound for each in bounds_table(task, numbers, constructions()) if each.bound and each.mode is Mode.ALONE]
        for row in result.rows:
            if row.kind == "built" and row.built is not None and row.architecture in {*RECURRENT_KINDS}:
                least = [bound.value or 0 for bound in needed if bound.quantity == Quantity.STATE_BITS]
                if "state_bits" in row.built and not row.built["from"]:
                    assert row.built["state_bits"] >= max(least[:1], default=0), (task, row)
                    met += 1
    assert met >= 1


def test_nothing_that_a_certificate_shows_built_is_refuted_at_that_size() -> None:
    """At the very parameters of every quick certificate, models as large as the certified one are never refuted."""
    met = 0
    for one in Random(SEED).sample([*certified()], 30):
        if one.task in SLOW or one.construction == "predict built" or one.length > 32:
            continue
        task = make_task(one.task, **{name: value for name, value in one.parameters.items() if value is not None})
        numbers = number_format(one.arithmetic) if one.arithmetic else NumberFormat(int(one.sizes["precision_bits"]))
        try:
            result = plan(task, numbers)
        except BadInput:
            continue
        for row in result.rows:
            if row.built is not None and row.built["construction"] == one.construction and not row.built["from"]:
                enough = row.state_bits is None or one.sizes.get("state_bits") is None or row.state_bits >= one.sizes["state_bits"]
                assert row.kind == "built" or not enough, (one.construction, row)
                met += 1
    assert met >= 5


def test_what_a_plan_calls_built_is_built_on_the_map_and_what_the_ledger_calls_impossible_is_never_built() -> None:
    for task, numbers, result in drawn():
        facts = facts_about(task, None, numbers, learned=False)
        impossible = {str(fact.architecture) for fact in facts if fact.what is What.IMPOSSIBLE and fact.lengths.kind == "one"}
        known = {row_of(fact) for fact in facts if fact.what is What.BUILT}
        for row in result.rows:
            if row.kind == "built":
                assert row.architecture not in impossible
                if row.built is not None and row.built["evidence"]["kind"] == "certificate":
                    kind = "hybrid" if row.architecture.startswith("hybrid-") else row.architecture
                    assert kind in known, (task, row)


def test_a_certificate_that_a_plan_names_is_in_the_index() -> None:
    digests = {one.digest for one in certified()}
    for _, _, row in rows():
        if row.built is not None and row.built["evidence"]["kind"] == "certificate":
            assert row.built["evidence"]["key"] in digests


def test_what_is_built_in_numbers_of_so_many_bits_has_no_wider_ones() -> None:
    met = 0
    for _, numbers, row in rows():
        if row.kind == "built" and row.built is not None:
            assert row.built["precision_bits"] <= numbers.bits, row
            met += 1
    assert met >= 20


def test_the_next_command_of_every_row_is_taken_by_the_command_line_and_names_what_there_is() -> None:
    met, line = set[str](), Commands(name="separatrix")
    for _, _, row in rows():
        program, verb, *words = shlex.split(row.next)
        command = line.get_command(Context(line), verb)
        assert program == "separatrix"
        assert command is not None, row.next
        chosen = command.make_context(verb, words).params
        if verb == "verify":
            assert chosen["name"] in CONSTRUCTIONS, row.next
        elif verb == "frontier":
            (family,) = families([chosen["models"]])
            assert family.model in {*MIXERS, *MODELS}
        elif verb == "train":
            kind, sizes = configuration(chosen["words"][0], {})
            assert kind == "stack"
            assert {*sizes["mixers"]} <= {*MIXERS}
        met.add(verb)
    assert met >= {"verify", "frontier", "train", "bounds"}


@pytest.mark.parametrize("architecture", ["lstm", "mamba", "linear-attention", "transformer"])
def test_a_wider_model_is_refuted_nowhere_where_a_narrower_one_is_not(architecture: str) -> None:
    random = Random(architecture)
    for _ in range(6):
        task, bits = make_task(random.choice(("index-lookup", "copy", "equality", "mqar")), length=random.choice((40, 400, 4000))), 8
        kinds = []
        for width in (16, 64, 256):
            candidate = sized_model(architecture, 1, width, task.vocabulary, task.targets)
            (row,) = plan(task, NumberFormat(bits), [candidate]).rows
            kinds.append(row.kind == "provably not")
        assert kinds == sorted(kinds, reverse=True), (task, kinds)


def test_certificates_are_found_at_their_own_parameters() -> None:
    one = next(one for one in certified() if one.construction == "index-lookup")
    declared = next(declared for declared in constructions() if declared.name == "index-lookup")
    task = declared.task_at(**{name: value for name, value in one.parameters.items() if name in declared.parameters})
    assert certificate_at(declared, task, {"width": one.sizes["width"]}, one.arithmetic) is not None  # type: ignore[arg-type]
