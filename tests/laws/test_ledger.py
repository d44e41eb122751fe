"""No fact of the ledger contradicts another, and none says more than its evidence."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from separatrix.architectures import COLUMNS, DEFINITIONS, RECURRENT_KINDS, TRANSFORMERS, Architecture, Mode, Quantity
from separatrix.atlas.reading.cells import result_of
from separatrix.bounds.families import known_bounds
from separatrix.bounds.limits import task_ceiling
from separatrix.bounds.number_format import NumberFormat
from separatrix.certificates.built import Built
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import CONSTRUCTIONS, build, constructions
from separatrix.ledger.built import built_at, built_facts
from separatrix.ledger.certified import EVERY_LENGTH, certified
from separatrix.ledger.fact import ACCURACY, STRENGTHS, Fact, Lengths, What
from separatrix.ledger.inclusions import INCLUSIONS, downwards, upwards
from separatrix.ledger.learned import CHAINS, OF, WRITTEN, facts_of
from separatrix.ledger.ledger import all_facts, with_reductions
from separatrix.ledger.needed import needed_facts
from separatrix.ledger.subject import subject_words
from separatrix.models import inclusions
from separatrix.models.masks import All, Causal
from separatrix.models.saved import filled
from separatrix.papers import statements
from separatrix.studies import studies
from separatrix.studies.learned import percent
from separatrix.studies.stored import shipped_results, study_rows
from separatrix.tasks import make_task
from separatrix.tasks.capabilities import stop_of
from tests.constructions.named.running import batches, share_right
from tests.models.test_inclusions import RESIDUAL

GENERAL = ("bhattamishra2024 Theorem 2", "bhattamishra2024 Theorem 4")  # about any task, by its states or its communication


def bounds_at(fact: Fact) -> list[Fact]:
    """The bounds on the same architecture and mode at the parameters of what is built."""
    task = make_task(fact.task, **{name: value for name, value in fact.parameters.items() if value is not None})
    numbers = NumberFormat(max(1, fact.more["sizes"]["precision_bits"]))
    found = [*needed_facts(task, numbers)]
    return [*found, *(moved for one in found for moved in downwards(one))]


def test_nothing_is_built_below_a_bound() -> None:
    met = 0
    for fact in with_reductions(None):
        if fact.parameters["length"] <= 16 and fact.more["construction"] in CONSTRUCTIONS:
            for bound in bounds_at(fact):
                same = (bound.architecture, bound.mode, bound.quantity) == (fact.architecture, fact.mode, fact.quantity)
                if same and bound.quantity == Quantity.STATE_BITS:
                    assert (bound.value or 0) <= (fact.value or 0), (fact, bound)
                    met += 1
    assert met >= 10


def test_nothing_is_both_impossible_and_built() -> None:
    """A model for one length refutes nothing that is said of one model for all lengths; what is cited is about all of them too."""
    met = {What.IMPOSSIBLE: set(), What.BUILT: set()}  # type: ignore[var-annotated]
    for fact in all_facts():
        if fact.what in met:
            met[fact.what].add((fact.task, fact.architecture, fact.mode, str(fact.lengths), subject_words(fact)))
    assert met[What.IMPOSSIBLE]
    assert met[What.BUILT]
    assert met[What.IMPOSSIBLE] & met[What.BUILT] == set()
    assert {key[3] for key in met[What.IMPOSSIBLE]} == {"all N"}
    assert {key[3] for key in met[What.BUILT]} > {"all N"}


def test_what_is_built_at_all_lengths_is_what_the_checker_says_of_every_length() -> None:
    built = build("parity/recurrent", length=10)
    verdict = check_document(verify(built).document)
    assert EVERY_LENGTH in verdict.claim
    assert EVERY_LENGTH not in check_document(verify(build("index-lookup", length=4, symbols=2)).document).claim
    every = {one.digest for one in certified() if EVERY_LENGTH in one.claim}
    facts = [fact for fact in all_facts() if fact.what is What.BUILT]
    assert {fact.evidence.key for fact in facts if fact.lengths.kind == "all"} == every
    assert len(every) >= 10


def test_nothing_about_all_lengths_travels_along_an_inclusion_that_depends_on_the_length() -> None:
    (any_length,) = [
        fact for fact in all_facts() if (fact.task, fact.architecture, fact.what) == ("parity", Architecture.MAMBA, What.IMPOSSIBLE)
    ]
    of_windows = replace(any_length, architecture=Architecture.WINDOW)
    assert [*downwards(of_windows)] == []
    at_one = replace(of_windows, lengths=Lengths("one", 9))
    assert {one.architecture for one in downwards(at_one)} == {Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS}


def test_nothing_is_learned_beyond_certainty_and_only_rows_are_measured() -> None:
    for fact in all_facts():
        assert (fact.what is What.LEARNED) == (fact.evidence.kind == "row") == (fact.strength == "measured")
        if fact.quantity == "accuracy":
            assert 0 <= (fact.value or 0) <= 1
            assert {"trained_at", "tested_at", "metric", "seed", "study"} <= fact.more.keys()


def above_its_ceiling(fact: Fact) -> bool | None:
    """Whether a row beats every model with its bits of state, by more than four standard errors; None where no ceiling is known."""
    recurrent = fact.what is What.LEARNED and fact.architecture in RECURRENT_KINDS and fact.mode is Mode.ALONE
    if not recurrent or fact.quantity != "accuracy":
        return None
    task = make_task(fact.task, **fact.parameters)
    if known_bounds(task).ceiling is None:
        return None
    best = task_ceiling(task, state_bits=fact.more["state_bits"]).accuracy
    spread = 4 * (max(1e-4, best * (1 - best)) / fact.more["examples"]) ** 0.5
    return (fact.value or 0) > best + spread


def test_no_recurrent_model_learns_more_than_its_state_allows_beyond_the_interval_of_its_test() -> None:
    met = [fact for fact in all_facts() if above_its_ceiling(fact) is not None]
    assert len(met) >= 20
    assert [fact for fact in met if above_its_ceiling(fact)] == []
    perfect = next(fact for fact in met if fact.value == 1 and fact.task == "index-lookup")
    small = replace(perfect, more={**perfect.more, "state_bits": 8})  # what the law would catch
    assert above_its_ceiling(small)


def test_a_run_that_writes_a_chain_or_searches_is_never_credited_to_the_model_alone() -> None:
    met = set()
    for fact in all_facts():
        if fact.what is What.LEARNED:
            task = make_task(fact.task, **fact.parameters)
            written = stop_of(task) is not None
            assert (fact.mode is not Mode.ALONE) == written, fact
            met.add(fact.mode)
    assert met == {*Mode}


def test_a_study_that_trains_cites_bounds_about_its_own_tasks_and_calls_a_question_a_question() -> None:
    """A bound of another task is not a prediction for this one; where a statement is open, the prediction says that it is."""
    tasks_of: dict[str, set[str]] = defaultdict(set)
    for fact in all_facts():
        if fact.what is What.BELOW and fact.more.get("cites"):
            tasks_of[fact.more["cites"]].add(fact.task)
    status, met = {one.key: one.status for one in statements()}, 0
    for study in studies():
        trained = {cell["run"]["task"] for cell in study.cells if "task" in (cell.get("run") or {})}
        for key in study.cites:
            if status.get(key) == "open":
                assert re.search(r"\bopen\b|not known|nobody knows|question", study.prediction), (study.name, key)
                met += 1
            if trained and key in tasks_of and key not in GENERAL and " Theorem " in f" {key} ":
                assert trained & tasks_of[key], (study.name, key, trained)
                met += 1
    assert met >= 3


def test_every_fact_names_evidence_that_exists() -> None:
    keys, digests = {statement.key for statement in statements()}, {one.digest for one in certified()}
    kinds = defaultdict(set)
    for fact in all_facts():
        kinds[fact.what].add(fact.evidence.kind)
        if fact.what is What.BUILT:
            assert fact.evidence.key in digests
        if fact.more.get("cites"):
            assert fact.more["cites"] in keys
        assert fact.strength in STRENGTHS
    assert kinds[What.BUILT] == {"certificate"}
    assert kinds[What.LEARNED] == {"row"}


def test_what_is_cited_decides_nothing() -> None:
    cited = [fact for fact in all_facts() if fact.strength == "cited"]
    assert {fact.task for fact in cited} >= {"parity", "dyck-1", "dyck-2"}
    assert not any(fact.decides for fact in cited)


def test_inherited_facts_say_from_where_and_keep_their_evidence() -> None:
    for fact in built_facts():
        moved = [*upwards(fact)]
        assert all(one.steps and one.evidence == fact.evidence for one in moved)
        for one in moved:  # a map that rounds, into DSS, keeps no proof
            assert one.strength == fact.strength or (one.architecture is Architecture.DSS and one.strength == "tested")
        assert len({one.architecture for one in moved} | {fact.architecture}) == len(moved) + 1
    lstm = next(fact for fact in built_facts() if fact.architecture is Architecture.LSTM)
    assert [one.architecture for one in upwards(lstm)] == [Architecture.RECURRENT]


def test_a_bound_on_states_holds_for_every_recurrent_architecture_and_a_bound_on_widths_for_none() -> None:
    bounds = [fact for fact in needed_facts(make_task("index-lookup", length=20), NumberFormat(8)) if fact.mode is Mode.ALONE]
    for bound in bounds:
        moved = {one.architecture for one in downwards(bound)}
        on_states = bound.architecture is Architecture.RECURRENT and bound.quantity == Quantity.STATE_BITS
        assert moved == ({*RECURRENT_KINDS} if on_states else set())


def test_the_index_of_certificates_names_every_construction_and_no_other() -> None:
    indexed = {one.construction for one in certified()} - {"predict built"}
    assert indexed <= set(CONSTRUCTIONS)
    quick: dict[str, list[Any]] = {one.name: [one.task_at(**settings).length for settings in one.quick] for one in constructions()}
    for one in certified():
        if one.construction in quick:
            assert one.length in quick[one.construction], one.construction


def test_what_is_declared_has_no_certificate_of_its_size_and_what_has_one_is_not_declared() -> None:
    facts = {fact.more["construction"]: fact for fact in built_at(make_task("parity", length=200), NumberFormat(32))}
    assert facts["parity/recurrent"].strength == "proven"
    facts = {fact.more["construction"]: fact for fact in built_at(make_task("parity", length=201), NumberFormat(32))}
    assert facts["parity/recurrent"].strength == "proven"  # its certificate is about every length
    facts = {fact.more["construction"]: fact for fact in built_at(make_task("index-lookup", length=201), NumberFormat(32))}
    assert facts["index-lookup"].strength == "declared"
    assert facts["index-lookup"].more["certified"]["length"] in {one.length for one in certified() if one.construction == "index-lookup"}


def test_every_architecture_is_defined_in_two_sentences_and_a_formula() -> None:
    assert DEFINITIONS.keys() == {*Architecture}
    assert len({one.title for one in DEFINITIONS.values()}) == len(DEFINITIONS)
    for one in DEFINITIONS.values():
        assert one.says.count(". ") == 1
        assert one.says.endswith(".")
        assert one.formula
    assert {*COLUMNS} <= {*Architecture}
    assert {one.small for one in INCLUSIONS} | {one.large for one in INCLUSIONS} <= {*Architecture}


def test_every_inclusion_is_a_definition_or_a_map_of_weights_that_is_tested() -> None:
    maps = {one.map for one in INCLUSIONS} - {""}
    assert maps == {
        "with_idle_layer", "as_hybrid", "elman_as_gru", "deltanet_as_gated_deltanet", "causal_as_window", "causal_as_block_sparse",
        "linear_rnn_as_dss",
    }  # fmt: skip
    halves = {one.small.value.removesuffix("-negative") for one in INCLUSIONS if one.map == "as_hybrid"}
    assert halves == {mixer.kind for mixer in RESIDUAL} - {"attention"}  # each is tried, with beta up to 2 in DeltaNet
    tested = Path(__file__).parents[1].joinpath("models", "test_inclusions.py").read_text("utf-8")
    for name in maps:
        assert callable(getattr(inclusions, name))
        assert f"{name}(" in tested


def test_attention_without_a_mask_is_credited_to_causal_models_only_where_they_do_it_as_well() -> None:
    """Every construction of several layers whose tokens see later ones: with a causal mask it is right iff it does not say `sees_all`."""
    met = defaultdict(list)
    for one in constructions():
        smallest = min(one.quick, key=lambda settings: settings.get("length", one.default_length))
        if one.architecture in (*TRANSFORMERS, Architecture.HARD_ATTENTION) and "arithmetic" in one.settings:
            built = one(**smallest)
            if unmasked(built) and len(built.model.config.layers) > 1:
                assert causal_share(built) == 1.0 or one.sees_all, one.name
                assert causal_share(built) < 1.0 or not one.sees_all, one.name
                met[one.sees_all].append(one.name)
    assert len(met[True]) >= 3
    assert len(met[False]) >= 5
    unseen = [fact for fact in all_facts() if fact.more.get("sees_all")]
    assert {fact.architecture for fact in unseen} == {Architecture.TWO_LAYERS, Architecture.THREE_LAYERS, Architecture.HARD_ATTENTION}


def unmasked(built: Built) -> bool:
    return any(isinstance(getattr(layer.mixer, "mask", None), All) for layer in built.model.config.layers)


def causal_share(built: Built) -> float:
    """The share of drawn and adversarial inputs on which the same weights are right with a causal mask."""
    config = built.model.config
    layers = tuple(replace(layer, mixer=replace(layer.mixer, mask=Causal())) for layer in config.layers)
    causal = replace(built, program=replace(built.program, model=filled(replace(config, layers=layers), built.model.state_dict()).eval()))
    return min(share_right(causal, batch) for batch in batches(causal, 100))


def test_an_accuracy_of_the_ledger_is_the_one_that_its_study_prints_and_both_say_what_it_counts() -> None:
    """A run in a row of a study, by its time and its size, has one accuracy: at the end of its own chain wherever it writes one."""
    met, chains = 0, 0
    for study in studies():
        if not study.trains:
            continue
        ran = defaultdict(list)
        for result in shipped_results(study):
            if result and "test" in result and not result.get("tests"):  # at one length
                ran[result["seconds"], result["parameters"], result["test"]["step"]].append(result)
        for row in study_rows(study):
            found = ran.get((row.get("seconds"), row.get("parameters"), row.get("steps")), [])
            if row.get("accuracy") is None or row.get("seeds", 1) != 1 or len(found) != 1:
                continue  # not the row of one run
            (result,) = found
            for fact in facts_of(study.name, result):
                if fact.quantity == ACCURACY:
                    met += 1
                    counts_otherwise = "the map counts whole" in study.caption
                    assert counts_otherwise or percent(fact.value or 0) == row["accuracy"], (study.name, row)
                    assert (fact.more["metric"] in (CHAINS, WRITTEN)) == (result["test"].get("greedy") is not None)
                    if fact.more["metric"] == CHAINS:
                        chains += 1
                        assert re.search(r"chains? that (a|the) model writes? alone|writes? alone", study.caption), study.name
    assert met > 100, met
    assert chains > 10, chains


def test_what_an_accuracy_counts_is_said_wherever_it_is_printed() -> None:
    facts = [fact for fact in all_facts() if fact.quantity == ACCURACY and fact.what is What.LEARNED]
    assert {fact.more["metric"] for fact in facts} == {*OF}
    for fact in facts:
        assert fact.more["metric"] != CHAINS or fact.mode is not Mode.ALONE
        assert result_of(fact).split(" (")[0].endswith(OF[fact.more["metric"]])
    own = next(fact for fact in facts if fact.task == "lis-chain" and fact.more["metric"] == CHAINS)
    assert " % of answers after chains of its own (" in result_of(own)
