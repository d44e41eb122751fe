"""What was tried against the checker, entry by entry: refused, or accepted with the right strength and sentence."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from separatrix.certificates.verify import verify
from separatrix.checker import check_document, check_file, sealed
from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.cases import families
from separatrix.checker.models.reading import load, outline
from separatrix.checker.plan import least_work
from separatrix.checker.specs import spec_of
from separatrix.constructions import build
from tests.checker.kinds.forgery import at, edited
from tests.checker.kinds.programs import Tensors, consistent, forged, honest, tensors_of, with_tests, with_weights
from tests.described import describe_model

Document = dict[str, Any]
WEIGHT = ("lemmas", 0, "weight")


def refused(document: Document, *reasons: str) -> str:
    """The checker's reason, which is one of these."""
    verdict = check_document(document)
    assert not verdict.holds, verdict.claim
    assert (verdict.claim, verdict.strength, verdict.evidence) == ("", "", ())
    assert any(words in verdict.reason for words in reasons), verdict.reason
    return verdict.reason


def longer(length: int = 64, **chosen: Any) -> Document:
    """A lookup that is not run on all its inputs."""
    return with_tests(verify(build("index-lookup", length=length, symbols=2, **chosen)).document)


# -- lemmas that were false ----------------------------------------------------------------------------------------------------------


def test_the_index_tokens_own_key_is_counted() -> None:
    """A key of its own that outweighs every place."""

    def own_key(w: Tensors) -> None:
        w["embedding.table"][-1, 3:5] = -50.0  # the slot that keys read; the address of 3 is (-1, -1)

    lie = forged(honest("lookup"), own_key)
    assert lie["lemmas"][0]["weight"] == 0.75
    refused(lie, "lemmas: index-weight of layer 1, head 1.weight: the certificate says at least 0.75, recomputation gives 3.12")


def two_heads(document: Document, first: np.ndarray, second: np.ndarray) -> Document:
    """The lookup with two heads, whose queries are these; both read the same keys and values."""
    tensors = tensors_of(document)
    part = "layers.0.mixer."
    tensors[f"{part}query"] = np.concatenate([first, second])
    for name in ("key", "value"):
        tensors[part + name] = np.concatenate([tensors[part + name]] * 2)
    tensors[f"{part}out"] = np.concatenate([tensors[f"{part}out"] / 2] * 2, axis=1)
    return with_weights(edited(document, ("program", "model", "layers", 0, "mixer", "heads"), 2), tensors)


def test_two_heads_do_not_share_a_lemma() -> None:
    """The forms of two heads add up to the right one, and neither looks at p."""
    document = {**longer(8), "cites": ""}
    query = tensors_of(document)["layers.0.mixer.query"]
    rng = np.random.default_rng(0)
    noise = np.round(rng.normal(0, 8, query.shape) * 64) / 64
    lie = consistent(two_heads(document, noise, 2 * query - noise))
    refused(lie, "lemmas: index-weight of layer 1, head 1.weight")
    honest_pair = consistent({**two_heads(document, query, query), "lemmas": document["lemmas"] + [{**document["lemmas"][0], "head": 2}]})
    verdict = check_document(honest_pair)
    assert verdict.holds, verdict.reason
    assert [entry["head"] for entry in verdict.evidence if entry["kind"] == "lemma"] == [1, 2]


def test_the_addresses_of_numbers_are_those_that_are_used() -> None:
    """Index tokens with another address than the places."""

    def turned(w: Tensors) -> None:
        w["embedding.number.address.generator"] = w["embedding.number.address.generator"][::-1]

    refused(forged(honest("lookup"), turned), "lemmas: index-weight of layer 1, head 1.weight")
    far = verify(build("index-lookup", length=5000, symbols=2)).document
    assert far["lemmas"] == []  # a lemma is about places that can be compared one by one
    lie = {**far, "lemmas": [{"lemma": "index-weight", "layer": 1, "head": 1, "weight": 0.75}]}
    refused(sealed(lie), "lemmas: index-weight of layer 1, head 1 does not follow from the weights")


def test_the_tail_of_a_blunt_head_is_counted() -> None:
    """Eta = 2^-13, where the mass at distance j falls off slowly: the weight on p is about sqrt(eta / pi) = 0.0062."""

    def blunt(w: Tensors) -> None:
        w["layers.0.mixer.query"] *= 2.0**-13 / 3
        assert set(w["layers.0.mixer.query"].ravel()) == {0.0, 2.0**-13}

    document = verify(build("index-lookup", length=2000, symbols=2, address="quadratic")).document
    lie = forged({**document, "lemmas": [{**document["lemmas"][0], "weight": 0.0126}]}, blunt)
    reason = refused(lie, "lemmas: index-weight of layer 1, head 1.weight: the certificate says at least 0.0126")
    assert 0.0060 < float(reason.rpartition(" ")[2]) <= (2.0**-13 / np.pi) ** 0.5 * 1.001


@pytest.mark.parametrize("length", [3, 5, 7, 1001])
def test_a_model_is_made_for_the_tokens_of_its_task(length: int) -> None:
    """Six positions do not show anything about a thousand, nor six about four."""
    document = edited(honest("lookup"), ("program", "model", "length"), length)
    refused(sealed(document), f"model.length: the certificate says {length}, recomputation gives 4")


def test_exhaustive_means_every_length_that_the_claim_names() -> None:
    """A training distribution has shorter inputs too."""
    document = with_tests(verify(build("eq-random", length=6)).document)
    assert {row["family"] for row in document["tests"]} == {"all"}
    assert document["tests"][0]["count"] == 2**2 + 2**4 + 2**6  # halves of one, of two and of three bits
    assert "N = 2 to 6" in check_document(document).claim
    refused(
        sealed({**consistent(honest("everywhere")), "strength": "exhaustive"}),
        "strength: the certificate says 'exhaustive', recomputation gives 'tested'",
    )


# -- documents that showed nothing ---------------------------------------------------------------------------------------------------


def test_random_weights_without_cases_show_nothing() -> None:
    """Weights drawn at random, and no cases: whatever the other fields say, nothing is shown."""
    rng = np.random.default_rng(0)

    def noise(w: Tensors) -> None:
        for name, tensor in w.items():
            if tensor.dtype.kind == "f":
                w[name] = rng.normal(0, 1, tensor.shape)

    lie = forged({**honest("lookup"), "lemmas": []}, noise)
    refused(sealed({**lie, "tests": []}), "tests: expected the families all, found []")
    refused(lie, "case ", "the program says")


def zeros(w: Tensors) -> None:
    for name, tensor in w.items():
        w[name] = np.zeros_like(tensor)


def test_all_zero_weights_decide_nothing() -> None:
    """Ties at negative margin."""
    for name in ("lookup", "exact"):
        refused(
            forged({**honest(name), "lemmas": []}, zeros),
            "the margin is not above the error",
            "two logits are equal",
            "the program says [0]",
        )


def test_the_author_picks_no_family() -> None:
    """A constant is right on every case of the family `equal`."""

    def always_yes(w: Tensors) -> None:
        zeros(w)
        w["readout.bias"][1] = 1.0

    lie = forged({**verify(build("equality", length=40)).document, "lemmas": []}, always_yes)
    families = [row["family"] for row in lie["tests"]]
    assert len(families) > 1
    equal = [row for row in lie["tests"] if row["family"] == "one-change"]
    refused(sealed({**lie, "tests": equal}), f"tests: expected the families {', '.join(families)}")
    refused(lie, "the program says [1], the answer is [0]")


def test_one_bit_of_state_is_below_the_checkers_own_bound() -> None:
    """A task that needs twelve bits, and one register."""
    wide = verify(build("index-lookup/recurrent", length=12, symbols=2)).document
    assert wide["sizes"]["state_bits"] == 12
    mixer = ("program", "model", "layers", 0, "mixer")
    lie = edited(wide, (*mixer, "registers"), 1)
    tensors = tensors_of(wide)
    for name in ("write", "read", "number_read"):
        tensors[f"layers.0.mixer.{name}"][:] = 0
    refused(consistent(with_weights(lie, tensors)), "sizes.state_bits: 1 bits of state cannot solve the task, which needs 12")


def test_the_seed_and_the_count_are_not_the_authors() -> None:
    """A weight that does not matter changes the seed, and with it the cases; no field can say otherwise."""
    document = longer(16)
    assert all(set(row) == {"family", "count", "distinct", "margin", "decisions"} for row in document["tests"])

    def idle(w: Tensors) -> None:
        w["embedding.table"][0, -1] += 0.0 if w["embedding.table"][0, -1] else 2.0**-40

    other = forged(document, idle)
    assert other["weights"]["sha256"] != document["weights"]["sha256"]
    assert [row["decisions"] for row in other["tests"]] != [row["decisions"] for row in document["tests"]]
    for key, value in (("count", 14), ("count", document["tests"][0]["count"] + 1), ("distinct", 1)):
        refused(sealed(edited(document, ("tests", 0, key), value)), f"tests.random.{key}")


@pytest.mark.parametrize(("name", "instead"), [("float16", "float:5,10"), ("bfloat16", "float:8,7")])
def test_half_floats_of_the_machine_are_refused(name: str, instead: str) -> None:
    """Their sums are not one function across processors."""
    lie = edited(honest("lookup"), ("program", "model", "arithmetic"), name)
    refused(sealed(lie), f"expected {instead}")


@pytest.mark.parametrize(
    ("document", "cites", "reason"),
    [
        ("exact", "bhattamishra2024 Theorem 12", "is a lower bound, which no program shows"),
        ("exact", "bhattamishra2024 Theorem 1", "Theorem 1 is about index-lookup"),
        ("lookup", "bhattamishra2024 Theorem 6", "Theorem 6 is about equality"),
        ("registers", "bhattamishra2024 Theorem 1", "Theorem 1 is about softmax attention"),
        ("registers", "bhattamishra2024 Theorem 3", "is a lower bound, which no program shows"),
        ("lookup", "bhattamishra2024 Theorem 1 ", "is not a statement that the checker knows"),
        ("lookup", "proof checked in Lean", "is not a statement that the checker knows"),
    ],
)
def test_a_theorem_is_cited_by_what_has_its_shape(document: str, cites: str, reason: str) -> None:
    """A name in a field is no evidence."""
    refused(sealed({**honest(document), "cites": cites}), reason)


def test_the_name_of_a_construction_is_free_and_in_no_sentence() -> None:
    """A user's construction for a task of ours is checked like ours."""
    verdict = check_document(sealed({**honest("exact"), "construction": "equality/one-layer", "cites": ""}))
    assert verdict.holds
    assert "one-layer" not in verdict.claim
    assert verdict.claim.startswith("equality, N = 4, 2 symbols: right on every input, by at least 1; two layers")
    assert not [entry for entry in verdict.evidence if entry["kind"] == "statement"]


def test_every_weight_is_a_number_of_its_format() -> None:
    """Wider weights than the format counts bits for, also where they lie in a wider file; and a finite one that overflows."""

    def wide(value: float) -> Any:
        def change(w: Tensors) -> None:
            for name, tensor in w.items():
                w[name] = tensor.astype(np.float64) if tensor.dtype == np.float32 else tensor
            w["readout.bias"][0] = value

        return change

    document = verify(build("index-lookup", length=3, symbols=2, arithmetic="float32")).document
    for value in (0.1, 1e300, 2.0**24 + 1):
        with pytest.raises(ValueError, match="which is not a number of float32"):
            forged(document, wide(value))
        tensors = tensors_of(document)
        wide(value)(tensors)
        refused(sealed(with_weights(document, tensors)), "which is not a number of float32")
    for arithmetic, value in (("float:5,10", 70000.0), ("fixed:9,3", 0.1), ("nearest:27", 0.1), ("float:8,7", 257.0)):
        built = verify(build("index-lookup", length=3, symbols=2, arithmetic=arithmetic)).document
        tensors = tensors_of(built)
        tensors["readout.bias"][0] = value
        refused(sealed(with_weights(built, tensors)), f"which is not a number of {arithmetic}")
    registers = tensors_of(honest("registers"))
    registers["layers.0.mixer.gates"][0, 0, 0, 0] = 0.5
    refused(sealed(with_weights(honest("registers"), registers)), "the gates of a register file are integers")


def test_no_field_says_how_places_are_addressed() -> None:
    """What is not derived is not there."""
    refused(sealed({**honest("lookup"), "parameters": {"address": "binary"}}), "unknown field 'parameters'")


def cancelling(order: tuple[int, ...]) -> Document:
    """A lookup whose read-out adds numbers that cancel, in some order of its coordinates."""
    document = honest("lookup")
    tensors = tensors_of(document)
    width = tensors["readout.weight"].shape[1]
    extra = np.array([1.0, 1e16, -1e16])
    tensors["layers.0.feedforward.outer_bias"][-3:] += extra[list(order)]
    tensors["readout.weight"][1, width - 3 :] = 1.0
    return with_weights({**document, "lemmas": []}, tensors)


def test_the_order_of_coordinates_does_not_decide() -> None:
    """A margin that depends on the order of a sum is no margin, in any order."""
    reasons = {check_document(consistent(cancelling(order))).reason for order in permutations(range(3))}
    assert len(reasons) >= 1
    assert all("the margin is not above the error of the arithmetic" in reason or "the program says" in reason for reason in reasons), (
        reasons
    )


# -- misleading ----------------------------------------------------------------------------------------------------------------------


def test_a_family_of_no_cases_carries_no_text() -> None:
    lie = {
        **honest("lookup"),
        "tests": [
            *honest("lookup")["tests"],
            {"family": "proof checked in Lean", "count": 0, "distinct": 0, "margin": 1.0, "decisions": ""},
        ],
    }
    refused(sealed(lie), "tests: expected the families all")


def test_the_authors_cases_cite_nothing_and_are_not_named_like_ours() -> None:
    document = honest("cases")
    refused(sealed({**document, "cites": "bhattamishra2024 Theorem 1"}), "unknown field 'cites'")
    for name in ("index-lookup", "Index-Lookup", "index_lookup", " index-lookup "):
        refused(sealed({**document, "task": name}), "expected a certificate of kind 'program'")
    refused(sealed({**document, "task": "index\u2010lookup"}), "printable ASCII")
    verdict = check_document(document)
    assert verdict.strength == "author"
    assert document["task"] not in verdict.claim


def test_one_input_counts_once() -> None:
    document = honest("cases")
    refused(sealed({**document, "cases": document["cases"] + document["cases"][:1] * 999}), "inputs are repeated")
    tested = [entry for entry in check_document(honest("everywhere")).evidence if entry["kind"] == "cases"]
    assert all(entry["distinct"] <= entry["count"] for entry in tested)
    assert any(entry["distinct"] < entry["count"] for entry in tested)
    assert all(f"{entry['distinct']:,} distinct cases" in entry["text"] for entry in tested)


def test_a_constant_shows_nothing() -> None:
    """Trivial tasks: a threshold of 10^9, a formula that is never true."""
    document = verify(build("sparse-threshold", length=10)).document
    parameters = document["claim"]["parameters"]
    lie = edited(
        document, ("claim", "parameters"), {**parameters, **{key: 10**9 for key in parameters if "threshold" in key or key == "b"}}
    )
    assert lie != document
    refused(sealed(lie), "the same answer", "expected", "threshold", "may trail")
    refused(sealed({**consistent(document), "claim": lie["claim"]}), "the same answer", "expected", "threshold")
    cases = honest("cases")
    answer = cases["cases"][0]["expected"]
    same = [case for case in cases["cases"] if case["expected"] == answer]
    decisions = hashlib.sha256(np.array(answer * len(same), dtype="<i8").tobytes()).hexdigest()
    refused(sealed({**cases, "cases": same, "decisions": decisions}), "every case has the same answer, so they show nothing")


def test_the_verdict_says_what_was_shown() -> None:
    claims = {check_document(honest(name)).claim for name in ("lookup", "exact", "registers", "cases", "counterexample", "collision")}
    assert len(claims) == 6
    sizes = honest("registers")["sizes"]
    assert {"key_width", "value_width", "hidden", "state_bits"} <= set(sizes)


# -- crashes, hangs, memory ----------------------------------------------------------------------------------------------------------


def within_seconds(check: Any, seconds: float = 10.0) -> Any:
    start = time.perf_counter()
    result = check()
    assert time.perf_counter() - start < seconds
    return result


@pytest.mark.parametrize("name", ["w" * 5000, "/dev/zero", "a\0b", "../../etc/passwd"])
def test_a_name_of_weights_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(sealed({**honest("lookup"), "weights": {"file": name, "sha256": "0" * 64}})))
    verdict = within_seconds(lambda: check_file(tmp_path / "c.json"))
    assert "expected the name of a file beside the certificate" in verdict.reason


def test_a_pipe_or_a_device_as_weights_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "w")
    (tmp_path / "c.json").write_text(json.dumps(sealed({**honest("lookup"), "weights": {"file": "w", "sha256": "0" * 64}})))
    verdict = within_seconds(lambda: check_file(tmp_path / "c.json"))
    assert (verdict.readable, "not a regular file" in verdict.reason) == (False, True)
    (tmp_path / "w").unlink()
    (tmp_path / "w").symlink_to("/dev/zero")
    assert "not a regular file" in within_seconds(lambda: check_file(tmp_path / "c.json")).reason


def over_budget(document: Document) -> str:
    lie = sealed(document)
    verdict = within_seconds(lambda: check_document(lie))
    assert (verdict.holds, verdict.readable) == (False, False), verdict.reason
    assert "above the budget of 10 s and 1 GB" in verdict.reason, verdict.reason
    return str(verdict.reason)


MIXER = ("program", "model", "layers", 0, "mixer")


def test_what_would_take_gigabytes_is_not_begun() -> None:
    """A register file with 2^24 scratch registers in a small file; a wide model on a long input; exact numbers of a kilobit."""
    refused(sealed(edited(honest("registers"), (*MIXER, "scratch"), 1 << 28)), "scratch: expected 0..16777216")
    lie = sealed({**edited(honest("registers"), (*MIXER, "scratch"), 1 << 24), "tests": []})
    assert "sizes.parameter_bits" in within_seconds(lambda: check_document(lie)).reason  # so many more bits to name one
    claim = {"task": "equality", "parameters": {"length": 32768, "symbols": 2}}
    wide = edited(edited({**honest("exact"), "claim": claim}, ("program", "model", "length"), 32768), ("program", "model", "width"), 8192)
    over_budget(wide)
    kilobit = edited(wide, ("program", "model", "arithmetic"), "fixed:1024,1000")
    over_budget(edited(edited(kilobit, ("program", "model", "length"), 4096), ("claim", "parameters", "length"), 4096))


def test_what_would_take_hours_is_not_begun() -> None:
    """10^6 cases of the author's, a long input through exact arithmetic, and a thousand layers."""
    document = honest("cases")
    many = [{"tokens": [i % 5, i // 5 % 5, i // 25 % 5, i // 125 % 5, i // 625 % 5], "at": [5], "expected": [0]} for i in range(150_000)]
    over_budget({**document, "cases": many})
    layers = edited(honest("exact"), ("program", "model", "layers"), honest("exact")["program"]["model"]["layers"] * 500)
    layers = edited(layers, ("claim", "parameters", "length"), 4096)
    over_budget(edited(layers, ("program", "model", "length"), 4096))


def test_a_dear_program_of_the_authors_is_not_begun() -> None:
    """4,000 nodes for each of 1,024 states: one case takes seconds, and nothing of it is drawn before the budget is asked."""
    document = verify(build("reverse-sum/standard", length=3)).document
    states = 1024
    parameters = {
        "entries": 3,
        "symbols": 4,
        "states": [[t] for t in range(states)],
        "positions": [[1 + t % 3] for t in range(states)],
        "transition": [["read", 0]] * 4000,
        "read_out": [["value"]],
    }
    dear = edited(edited(document, ("program", "model", "length"), 1029), ("program", "decoder", "limit"), 1026)
    over_budget({**dear, "cites": "", "claim": {"task": "dynamic-program", "parameters": parameters}, "strength": "tested"})


def test_a_machine_that_never_halts_is_not_waited_for() -> None:
    """2,048 words, a million steps each: which of them are in the promise is not counted one by one."""
    document = verify(build("turing-machine/linear-rnn", length=3)).document
    moves = "".join(f'"{c}" = ["turn", "{c}", "S"]\n' for c in "01_")
    machine = f'start = "turn"\naccept = "yes"\nreject = "no"\nblank = "_"\ninput = "01"\n[moves.turn]\n{moves}'
    parameters = {**document["claim"]["parameters"], "machine": machine, "length": 11, "steps": 10**6}
    lie = sealed({**document, "claim": {"task": "turing-machine", "parameters": parameters}})
    assert not within_seconds(lambda: check_document(lie)).holds
    silent = {**parameters, "thought": "none"}
    drawn = spec_of("turing-machine", silent)
    assert least_work(drawn, 0) > 3 * len(families(drawn)) * 10**9  # a second for each case, at least


def test_memory_of_weights_is_asked_for_before_they_are_read() -> None:
    """Six million numbers are little work, and more than a tenth of a gigabyte; there are none in the file."""
    draft = outline(edited(honest("lookup"), ("program", "model", "readout", "targets"), 1_000_000)["program"])
    with pytest.raises(OverBudget, match=r"about 0\.\d+ s and 0\.\d+ GB, above the budget of 1 s and 0\.1 GB"):
        load(draft, {"base64": "", "sha256": "0" * 64}, None, Budget(1.0))


def test_four_thousand_tensors_over_the_same_bytes_are_refused() -> None:
    header = {f"t{i}": {"dtype": "F64", "shape": [1000], "data_offsets": [0, 8000]} for i in range(4000)}
    text = json.dumps(header).encode()
    raw = len(text).to_bytes(8, "little") + text + b"\0" * 8000
    weights = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}
    verdict = within_seconds(lambda: check_document(sealed({**honest("lookup"), "weights": weights})))
    assert "tensors leave no gap and do not overlap" in verdict.reason


def test_a_thousand_families_are_no_thousand_runs() -> None:
    document = honest("lookup")
    verdict = within_seconds(lambda: check_document(sealed({**document, "tests": document["tests"] * 1000})))
    assert verdict.reason.startswith("tests: expected the families all, found ['all', 'all',")
    assert len(verdict.reason) < 400


# -- hygiene -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [24.0, True, "24", None, [24]])
def test_a_count_is_an_integer(value: Any) -> None:
    refused(sealed(edited(honest("lookup"), ("tests", 0, "count"), value)), "tests.all.count: expected int, found")


def test_a_finite_weight_that_overflows_the_format_is_no_infinity() -> None:
    document = verify(build("index-lookup", length=3, symbols=2, arithmetic="float32")).document
    tensors = {name: tensor.astype(np.float64) if tensor.dtype == np.float32 else tensor for name, tensor in tensors_of(document).items()}
    tensors["readout.bias"][0] = -1e39
    refused(sealed(with_weights(document, tensors)), "holds -1e+39, which is not a number of float32")


def test_weights_of_another_shape_are_refused_before_they_are_read() -> None:
    document = honest("lookup")
    tensors = tensors_of(document)
    refused(sealed(with_weights(document, {**tensors, "readout.bias": np.full(3, np.nan)})), "weights: readout.bias has shape (3,)")
    raw = save({**tensors, "more": np.zeros(1)})
    refused(
        sealed({**document, "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}}),
        "does not belong to the model",
    )


def test_the_description_of_a_model_is_the_one_that_is_checked() -> None:
    built = build("index-lookup", length=3, symbols=2)
    assert honest("lookup")["program"]["model"] == json.loads(json.dumps(describe_model(built.model)))


@pytest.mark.parametrize("name", ["lookup", "cases", "counterexample"])
def test_memory_is_counted_where_the_work_is_small(name: str) -> None:
    """An address of 10^8 coordinates for each number, and a thousand places: a small document, and gigabytes to run it."""
    narrow = edited(honest(name), ("program", "model", "width"), 1)
    where = {"address": "one-hot", "dims": 10**8, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    embedding = ("program", "model", "embedding")
    numbered = edited(edited(narrow, (*embedding, "numbers"), max(1, at(narrow, (*embedding, "numbers")))), (*embedding, "places"), [])
    for lie in (
        edited(numbered, (*embedding, "number_address"), where),
        edited(narrow, (*embedding, "places"), [{**where, "dims": 10**5}] * 1000),
    ):
        reason = over_budget({**lie, "cases": lie["cases"][:2]} if name == "cases" else lie)  # of two cases the work is small
        seconds, gigabytes = (float(part) for part in reason.removeprefix("checking this takes about ").split(" GB")[0].split(" s and "))
        assert seconds < 10
        assert gigabytes > 2


def test_weights_are_counted_before_they_are_read() -> None:
    document = honest("lookup")
    draft = outline(document["program"])
    for weights in (document["weights"], {"base64": "", "sha256": ""}):
        with pytest.raises(OverBudget, match="above the budget"):
            load(draft, weights, None, Budget(1e-9))
