"""How fast models load: modelmon's strategies, other libraries, and the limits of the machine.

Everything is measured in rounds: in each, every arm runs once on every file from every state
of the page cache, in an order that is drawn anew, in a fresh process. Run: make bench
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from arms import limits, our_arms, peer_arms
from earlier import Earlier, read_earlier
from files import FILES, provide
from growth import measure_growth
from picture import draw_results
from records import STATES, Arm, Run, State, Task
from report import Report
from runs import measure
from states import CachedFiles
from table import aims_text, growth_text, missing_text, results_text

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.messages import verbatim
from modelmon.core.model.open import open_model
from modelmon.core.units import rate_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.model.tensors import Model

_SEED = 1


class Benchmark:
    """The models, what is measured on each, and the runs so far."""

    def __init__(
        self, paths: Mapping[str, Path], names: Sequence[str], earlier: Earlier, version: str
    ) -> None:
        """`earlier` are runs that were saved, `version` the folder of an earlier modelmon."""
        self.models: dict[str, Model] = {file: open_model(path) for file, path in paths.items()}
        self.arms: dict[tuple[str, str], Arm] = {}
        self.runs: list[Run] = list(earlier.runs)
        self._earlier = earlier
        self._failed: set[tuple[str, str]] = set()
        of_limits = [arm for state in STATES for arm in limits(state)]
        ours = our_arms(version)
        loads = {file: [*ours, *peer_arms(model)] for file, model in self.models.items()}
        known = {arm.name for arms in loads.values() for arm in arms}
        if unknown := sorted(set(names) - known):
            raise ModelmonError(
                verbatim(f"Nothing that is measured is called {unknown[0]}."),
                verbatim(f"Choose from: {', '.join(sorted(known))}."),
            )
        for file, arms in loads.items():
            chosen = [arm for arm in arms if not names or arm.name in names]
            self.arms |= {(file, arm.name): arm for arm in [*chosen, *of_limits]}

    def measure_round(self, number: int, states: Sequence[State], draw: random.Random) -> None:
        """Every arm once on every file from every state; what failed once is left out."""
        for file in draw.sample(list(self.models), len(self.models)):
            model = self.models[file]
            with CachedFiles([shard.path for shard in model.shards]) as files:
                for state in draw.sample(states, len(states)):
                    arms = self._arms(file, state)
                    for arm in draw.sample(arms, len(arms)):
                        task = Task(arm, model.path, model.nbytes, state)
                        after = self._earlier.rounds_of(file) + number
                        self._keep(measure(task, files, state, file=file, number=after))

    @property
    def all_arms(self) -> dict[tuple[str, str], Arm]:
        """What is measured, and what was measured earlier."""
        return self._earlier.arms_of_files | self.arms

    def _arms(self, file: str, state: State) -> list[Arm]:
        loads = [
            arm
            for key, arm in self.arms.items()
            if key[0] == file and arm.delivery != "none" and key not in self._failed
        ]
        return [*(arm for arm in loads if not arm.obstacle), *limits(state)]

    def _keep(self, run: Run) -> None:
        self.runs.append(run)
        answer = run.answer
        if answer.error:
            self._failed.add((run.file, run.arm))
            said = f"failed: {answer.error}"
        else:
            said = rate_text(answer.delivered_bytes * 1e9 / answer.wall_ns)
        _say(f"round {run.round + 1}: {run.file}, {run.state}, {run.arm}: {said}")


def main() -> int:
    """Measure, print the tables, and save what is asked for."""
    options = _options()
    folder = (options.folder or _folder_on_disk()).absolute() / "modelmon-benchmark"
    try:
        report = _measured(options, folder)
    except ModelmonError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{results_text(report.summaries)}\n{growth_text(report.growth)}\n")
    sys.stdout.write(f"{aims_text(report.aims)}\n{missing_text(report.arms)}")
    for what, how in report.failures.items():
        sys.stderr.write(f"{what} failed: {how}\n")
    return 1 if report.failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=_list_of(FILES), default=list(FILES), help=",".join(FILES))
    parser.add_argument(
        "--states", type=_list_of(STATES), default=list(STATES), help=",".join(STATES)
    )
    parser.add_argument("--arms", type=_names, default=[], help="only these, by their names")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size-scale", type=float, default=1.0, help="0.1: a tenth of each file")
    parser.add_argument("--folder", type=Path, help="where the files are made and kept")
    parser.add_argument("--growth", action="store_true", help="how cost grows, as well")
    parser.add_argument(
        "--earlier",
        type=_checkout,
        default="",
        help="an earlier version's checkout, to compare",
    )
    parser.add_argument("--add", type=Path, help="add to what --json saved before")
    parser.add_argument("--json", type=Path, help="save everything")
    parser.add_argument("--png", type=Path, help="save a picture")
    parser.add_argument("--markdown", type=Path, help="save a page with the tables")
    return parser.parse_args()


def _measured(options: argparse.Namespace, folder: Path) -> Report:
    for target in filter(None, (options.json, options.png, options.markdown)):
        check_target(target)
    paths = {file: provide(folder, file, options.size_scale) for file in options.files}
    earlier = read_earlier(options.add, options.size_scale)
    benchmark = Benchmark(paths, options.arms, earlier, options.earlier)
    settings = {"rounds": options.rounds, "size scale": options.size_scale, "seed": _SEED}
    draw = random.Random(_SEED)
    growth = list(earlier.growth)

    def report() -> Report:
        return Report(settings, folder, benchmark.all_arms, benchmark.runs, growth)

    for number in range(options.rounds):
        benchmark.measure_round(number, options.states, draw)
        # After each round, so that what was measured outlives an interruption.
        _saved(report(), options)
    if options.growth:
        dense = provide(folder, "dense", options.size_scale)
        growth = measure_growth(folder, dense, options.size_scale, options.rounds, _say)
    return _saved(report(), options)


def _saved(report: Report, options: argparse.Namespace) -> Report:
    if options.json:
        write_text_atomic(options.json, report.as_json().decode())
    if options.markdown:
        write_text_atomic(options.markdown, report.as_markdown())
    if options.png:
        draw_results(report.summaries, options.png)
    return report


def _folder_on_disk() -> Path:
    """Where temporary files belong; /tmp is often in memory, where nothing is ever cold."""
    on_disk = Path("/var/tmp")
    if on_disk.is_dir() and "TMPDIR" not in os.environ:
        return on_disk
    return Path(tempfile.gettempdir())


def _list_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = _names(text)
        if unknown := sorted(set(names) - set(known)):
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of: {', '.join(known)}")
        return names

    return parse


def _checkout(text: str) -> str:
    folder = Path(text).resolve()
    if not (folder / "src" / "modelmon").is_dir():
        raise argparse.ArgumentTypeError(f"{folder} has no src/modelmon")
    return str(folder)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
