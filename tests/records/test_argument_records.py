"""Arguments from real runs: what they say is what the models do."""

from __future__ import annotations

import itertools

import torch

from separatrix.atlas.reading.material import Records
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.models.transformer import transformer
from separatrix.records.argument_records import DEVIATION, DIALOGUES, RESTRICTED
from separatrix.tasks import make_task


def test_the_model_of_the_restriction_says_one_thing_on_every_completion(records: Records) -> None:
    record, task = records.content("argument", "restriction"), make_task("parity", length=RESTRICTED["length"])
    assert check_document(record["certificate"]).strength == "proven"
    model = transformer(
        task.vocabulary, task.targets, width=RESTRICTED["width"], layers=RESTRICTED["layers"], heads=RESTRICTED["heads"],
        length=task.token_count, block="plain", causal=False, scores="hard", deviation=DEVIATION, seed=record["seed"],
    )  # fmt: skip
    fixed = record["layers"][-1]["restriction"]
    words = list(itertools.product(*([0, 1] if token is None else [token] for token in fixed)))
    assert len(words) == 2 ** sum(token is None for token in fixed) > 2
    said = {task.target_text(int(answer)) for answer in model(torch.tensor(words), at=-1).argmax(dim=-1)}
    assert said == {record["said"]}
    assert {tuple(one) for one in record["completions"]} <= set(words)
    answers = [task.answer(tuple(one)) for one in record["completions"]]
    assert [task.target_text(answer) for answer in answers if isinstance(answer, int)] == record["expected"]
    assert len(set(record["expected"])) == 2


def test_every_dialogue_ends_in_the_answer_of_the_oracle(records: Records) -> None:
    found = records.content("argument", "dialogues")
    assert [one["construction"] for one in found] == [name for name, _ in DIALOGUES]
    for record in found:
        task = build(record["construction"], **record["settings"]).task
        answer = task.answer(task.read(" ".join(record["words"])))
        assert isinstance(answer, int)
        assert (record["answer"], record["agrees"]) == (task.target_text(answer), True)
        assert record["sent"] == sum(len(message["bits"]) for message in record["messages"]) <= record["formula"]
        assert {message["sender"] for message in record["messages"]} == {"Alice", "Bob"}


def test_the_two_prefixes_lead_to_one_state_and_need_two_answers(records: Records) -> None:
    record = records.content("argument", "collision")
    assert check_document(record["certificate"]).strength == "proven"
    task, model = make_task(record["task"], length=record["length"]), build(record["construction"], length=record["length"]).model
    inputs = [task.read(" ".join([*prefix, *record["suffix"]])) for prefix in record["prefixes"]]
    said = [task.target_text(int(one)) for one in model(torch.tensor(inputs), at=-1).argmax(dim=-1)]
    assert said == [record["said"]] * 2
    answers = [task.answer(one) for one in inputs]
    assert [task.target_text(one) for one in answers if isinstance(one, int)] == record["expected"]
    assert len(set(answers)) == 2
