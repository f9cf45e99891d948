"""What the samples of runs say, as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.worker.events import Sample
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.slot import ArmLabel


def samples_csv(
    runs: Mapping[ArmLabel, RunRecord | None],
    columns: Sequence[str],
    read: Callable[[Sample], tuple[float | None, ...]],
) -> str:
    """One row for each sample that the records hold, in base units.

    Those are all but of runs over five minutes, whose older samples are joined.

    `columns` names what `read` gives; a figure that is not known stays empty. What counts from
    the start of the run stays such a total, so that nothing is lost to rounding.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("run", "t_ns", *columns))
    for name, record in runs.items():
        for sample in record.samples if record is not None else ():
            writer.writerow((name, sample.t_ns, *read(sample)))
    return text.getvalue()
