"""`separatrix atlas`: the web page that puts proven, built and learned side by side."""

from __future__ import annotations

from pathlib import Path

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, progress
from separatrix.errors import BadInput


@click.command()
@click.option("--certificates", type=click.Path(path_type=Path), default=Path("build/certificates"), show_default=True)
@click.option("--records", type=click.Path(path_type=Path), default=Path("build/records"), show_default=True)
@click.option(
    "--verdicts",
    type=click.Path(path_type=Path),
    default=Path("build/verdicts"),
    show_default=True,
    help="Verdicts of earlier checks; used only where neither the checker nor the file has changed.",
)
@click.option("--fresh", is_flag=True, help="Check every certificate again.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("atlas"), show_default=True)
@json_option
def atlas(certificates: Path, records: Path, verdicts: Path, fresh: bool, out: Path, as_json: bool) -> None:
    """Write the web pages that show what is proven, built and learned. Checks certificates and reads records; computes nothing else."""
    from separatrix.atlas import write_atlas

    if out.exists() and not out.is_dir():
        raise BadInput(f"--out: {str(out)!r} is not a folder")
    written = write_atlas(out, certificates, records, progress, None if fresh else verdicts)
    progress("")
    counts = f"certificates: {written.judged} judged now, {written.reused} with their stored verdict, {written.refused} refused"
    sizes = {"judged": written.judged, "reused": written.reused, "refused": written.refused, "bytes": written.size}
    emit({"page": str(written.page), **sizes}, [counts, f"{written.size:,} bytes", str(written.page.resolve())], as_json)
