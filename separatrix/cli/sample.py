"""`separatrix sample`: examples of a task; each depends on the task, its parameters, the seed and its number alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.printing import emit
from separatrix.cli.scores import label_lines
from separatrix.errors import BadInput
from separatrix.tasks.capabilities import DrawsChains, PublicLines, vectors_of

if TYPE_CHECKING:
    from separatrix.tasks import Task
    from separatrix.tasks.icrag import Icrag

MOST = 10**6  # examples per call


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--count", type=int, default=5, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--start", type=int, default=0, show_default=True, help="Number of the first example.")
@click.option("--format", "form", type=click.Choice(["text", "tokens", "cot-benchmark", "icrag"]), default="text", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="New folder for the arrays of --format icrag.")
@set_option
@json_option
def sample(
    task: str, length: int, count: int, seed: int, start: int, form: str, out: Path | None, chosen: tuple[str, ...], as_json: bool
) -> None:
    """Examples of a task. Each depends only on the task, its parameters, the seed and its number."""
    from separatrix.tasks import make_task
    from separatrix.tasks.capabilities import chain_of
    from separatrix.tasks.icrag import labels_of

    if not 0 <= count <= MOST:
        raise BadInput(f"--count must lie in 0..{MOST}, found {count}")
    subject = make_task(task, **with_length(chosen, length))
    public = _icrag(subject) if form == "icrag" else None
    if out is not None and public is None:
        raise BadInput(f"--out writes the arrays of --format icrag, found --format {form}")
    batch = subject.sample(seed, count, start)
    if out is not None and public is not None:
        public.save(out, [batch.row(r) for r in range(len(batch.tokens))], seed)
    drawn = subject.drawn_chains(seed, count, start) if isinstance(subject, DrawsChains) else None
    examples: list[dict[str, Any]] = []
    for r in range(len(batch.tokens)):
        tokens, target = batch.row(r), batch.answer(r)
        chain: Sequence[Any] | None = chain_of(subject, tokens) if drawn is None else drawn[r]
        vectors = vectors_of(subject, batch.tokens[r : r + 1]) if chain is None else None
        chain = chain if vectors is None else vectors[1][0].tolist()
        examples.append(
            {
                "tokens": list(tokens),
                "text": subject.text(tokens),
                "target": target if isinstance(target, int) else list(target),
                "chain": None if chain is None else list(chain),
            }
        )
        if form == "cot-benchmark":
            if isinstance(subject, DrawsChains) and drawn is not None:
                line: str | None = subject.line_with_chain(tokens, drawn[r])
            else:
                line = subject.benchmark_line(tokens) if isinstance(subject, PublicLines) else None
            if line is None:
                raise BadInput(f"--format cot-benchmark: the public data have lis, edit-distance and arithmetic, found {subject.name}")
            examples[-1]["line"] = line
        if public is not None:
            words = public.words(tokens)
            examples[-1].update(line=" ".join(words), input_ids=public.ids(words), labels=labels_of(public.ids(words)))
    lines = []
    for example in examples:
        target_ids = example["target"]
        answer = subject.target_text(target_ids) if isinstance(target_ids, int) else " ".join(map(subject.target_text, target_ids))
        shown = example["text"] if form == "text" else " ".join(map(str, example["tokens"]))
        lines.append(example.get("line", f"{shown}  ->  {answer}"))
    if form == "text" and not as_json:
        for meaning in label_lines(subject):
            click.echo(meaning, err=True)  # beside the examples, which are one a line
    emit({"examples": examples}, lines, as_json)


def _icrag(task: Task) -> Icrag:
    """The public form of IsTree."""
    from separatrix.tasks.icrag import Icrag
    from separatrix.tasks.is_tree import IsTree

    if not isinstance(task, IsTree):
        raise BadInput(f"--format icrag: the public data have is-tree, found {task.name}")
    return Icrag(task)
