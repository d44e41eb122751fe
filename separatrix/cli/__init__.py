"""The command line; a command's module is loaded when the command runs."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

import click

from separatrix.cli.progress_lines import progress
from separatrix.errors import BadInput, did_you_mean
from separatrix.kernels import prepare_for_torch

GROUPS: dict[str, dict[str, tuple[str, str]]] = {  # title in --help -> command, and so its module -> what it answers, and an example
    "Choose an architecture": {
        "plan": (
            "Every architecture on one task: provably not, built, or open.",
            "plan associative-recall --length 1000",
        ),
        "facts": ("Everything known about a task, with its evidence.", "facts parity"),
        "bounds": ("The least size each architecture needs, and what is built.", "bounds index-lookup --length 1000"),
        "ceiling": (
            "The best accuracy that B bits of state allow, or the reverse.",
            "ceiling index-lookup --length 1000 --state-bits 500",
        ),
        "state": ("Bytes carried from token to token (KV cache, state), per layer.", "state mamba-2-64 --length 32768"),
        "published": ("Published model types: state, reach, recall limits, what they cannot track.", "published mamba2 mistral"),
        "decide": ("Which architectures recognise a regular language at all lengths.", "decide '(aa)*'"),
    },
    "Try a model": {
        "probe": ("Put a model through ten small tasks.", "probe mixer.py:Mixer --out page.html"),
        "attack": ("Search for an input that breaks a model.", "attack runs/mine parity --length 12"),
        "collide": ("Find two inputs that a model must confuse.", "collide runs/mine equality --length 8"),
        "capacity": ("Bits about its input that a model really retains.", "capacity runs/mine index-lookup --length 20"),
        "predict": (
            "How far next-symbol prediction is from the optimum.",
            "predict built parity-next --length 64",
        ),
    },
    "Train and measure": {
        "train": (
            "Train a model on a task; an interrupted run resumes.",
            "train mamba-2-64 associative-recall --length 8 --out runs/mine",
        ),
        "evaluate": ("Accuracy of a model, by length and by the position asked about.", "evaluate runs/mine --length 16"),
        "frontier": (
            "The least width that learns a task, and how it grows with length.",
            "frontier index-lookup --models lstm-1,tf-1 --lengths 4,8,16",
        ),
        "study": ("One study: question, answer, rows, figure.", "study recall-learned"),
        "studies": ("List the studies.", "studies"),
        "sweep": ("Run the missing trials of a study, on any engine.", "sweep recall-learned --scale smoke"),
        "runs": ("What a store holds: list, show, cancel, remove, export, merge, check.", "runs list"),
    },
    "Build and prove": {
        "constructions": ("List the constructions.", "constructions"),
        "build": ("Exact weights of a construction.", "build index-lookup --length 64 --out built"),
        "verify": ("Compare built weights with the task; write a certificate.", "verify index-lookup --length 16"),
        "check": ("Check certificates with independent code.", "check certificate.json"),
        "explain": ("Run a construction on one input, step by step.", "explain index-lookup --length 4 --input 's39 s34 s31 s46 @4'"),
        "profile": ("States that any recurrent model must tell apart, token by token.", "profile equality --length 8"),
        "communication": (
            "What two parties must exchange to know the answer.",
            "communication equality --length 8",
        ),
        "protocol": (
            "Run a one-layer model as a dialogue of two parties.",
            "protocol equality/one-layer --length 8",
        ),
        "language": ("A regular language: automaton, monoid, what it means for models.", "language '(ab)*'"),
        "vectors": ("How many dimensions almost orthogonal addresses need.", "vectors --length 1000"),
    },
    "Look up": {
        "papers": ("The statements of the four papers, with status and errata.", 'papers 2406.09347 "Theorem 1"'),
        "tasks": ("List the tasks, with parameters and citations.", "tasks"),
        "models": ("List the architectures.", "models mamba-2-64"),
        "sample": ("Examples of a task.", "sample parity --length 8"),
        "audit": ("Check a task's data for imbalance, duplicates and shortcuts.", "audit parity --length 12"),
    },
    "Pages": {
        "atlas": ("Write the web pages: what is proven, built and learned.", "atlas"),
        "records": ("Compute what the atlas shows besides certificates.", "records --out build/records"),
    },
}
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}


EXTRAS = {  # module -> the extra that installs it; the base package works without
    "torch": "torch",
    "safetensors": "torch",
    "flint": "bounds",
    "ortools": "bounds",
    "jinja2": "atlas",
    "markupsafe": "atlas",
    "vl_convert": "atlas",
    "transformers": "hf",
    "ray": "ray",
    "submitit": "slurm",
    "pyarrow": "parquet",
    "onnx": "onnx",
}
COMPLETION = """\b
To have bash complete commands and names (zsh and fish likewise):
  eval "$(_SEPARATRIX_COMPLETE=bash_source separatrix)"
"""
INTERNAL = 70  # an error of our own, as in sysexits.h


class Commands(click.Group):
    """Commands by name; the module of a command is imported only when it runs, so that --help is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"separatrix.cli.{name}"), name)
        command.epilog = f"\b\nExample:\n  separatrix {COMMANDS[name][1]}"
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """An unknown command is refused with the nearest one that exists."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS) or "; `separatrix --help` lists the commands"
            raise click.UsageError(f"no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        widest = max(map(len, COMMANDS)) + 4
        for title, group in GROUPS.items():
            with formatter.section(title):
                for name, (answers, example) in group.items():
                    formatter.write_dl([(name, answers)], col_max=widest, col_spacing=max(2, widest - len(name) - 2))
                    formatter.write(f"{'':{widest}}$ separatrix {example}\n")


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True, epilog=COMPLETION)
@click.version_option(package_name="separatrix")
@click.pass_context
def separatrix(context: click.Context) -> None:
    """What a sequence model of a given size can and cannot do, with exact weights, lower bounds and certificates."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: done, the claim holds. 1: refuted. 2: bad input, one line. 70: an error of our own, one line."""
    prepare_for_torch()
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        with progress.spoken_for(next((word for word in given if word in COMMANDS), "")):
            code = separatrix.main(args=given, prog_name="separatrix", standalone_mode=False)
        sys.stdout.flush()  # a closed pipe raises here, not when the interpreter shuts down
    except BadInput as error:
        if os.environ.get("SEPARATRIX_TRACEBACK") and error.__cause__ is not None:  # somebody else's code may be behind it
            traceback.print_exception(error.__cause__)
        return _refuse(str(error))
    except click.ClickException as error:
        return _refuse(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        return 130
    except (BrokenPipeError, SystemExit):  # click turns a broken pipe into an exit; nothing else exits here
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return 0
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            return _internal(error)
        return _refuse(f"this command needs {error.name}: pip install 'separatrix[{extra}]'")
    except Exception as error:
        from separatrix.cli.memory import is_out_of_memory, memory_message

        return _refuse(memory_message(error)) if is_out_of_memory(error) else _internal(error)
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    print("separatrix: " + " ".join(message.split()), file=sys.stderr)
    return 2


def _internal(error: Exception) -> int:
    """An unforeseen error: one line, and the traceback on request."""
    if os.environ.get("SEPARATRIX_TRACEBACK"):
        traceback.print_exception(error)
    says = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    print(
        f"separatrix: internal error: {says}; please report it with this command line (SEPARATRIX_TRACEBACK=1 shows where)",
        file=sys.stderr,
    )
    return INTERNAL
