"""Loads in this process, as a loader process does them, and small models to load."""

import json
import os
import pickle
import random
from dataclasses import dataclass, field

import pytest

from modelmon.core.load import progress as shared
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.loader import LoaderLoad
from modelmon.core.load.plan import Plan
from modelmon.core.load.planner import plan_load
from modelmon.core.load.subset import WHOLE
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.supervisor import verify


@dataclass
class Loaded:
    """What loads in this process came to."""

    plan: Plan
    matches: bool | None
    delivered_bytes: int
    checksum: str
    notes: list[str] = field(default_factory=list)
    mapped_bytes: int = 0


def load_here(path, config, subset=WHOLE):
    """One load with each loader's part done in turn, and its checksums compared."""
    model = open_model(path)
    plan = plan_load(model, config, subset=subset)
    files = OpenFiles(model.sized_files, {extent.shard for extent in plan.wanted})
    handed = shared.reserve()
    assert handed is not None
    progress, _ = shared.create(plan.request_counts, handed)
    sums = {}
    notes = []
    mapped_bytes = 0
    inherited = files.descriptors if config.descriptor == "shared" else None
    try:
        for each in plan.for_processes(config, files.files):
            sent = each._replace(
                requests=plan.request_counts,
                inherited=inherited,
                progress=f"fd:{os.dup(handed)}",
                hashes=True,
            )
            load = LoaderLoad(pickle.loads(pickle.dumps(sent)))
            # A loader process ends with its files open; this one goes on.
            with load.work:
                load.run()
                sums |= load.checksums()
                notes += load.work.notes
                mapped_bytes += load.work.mapped_bytes
        checksum, matches = verify(plan, files, sums, lambda _: None)
        return Loaded(plan, matches, progress.delivered_bytes, checksum, notes, mapped_bytes)
    finally:
        files.close()
        os.close(handed)


@pytest.fixture(name="load_here")
def load_here_fixture():
    """`load_here(path, config, subset)`, without a process or a page cache of its own."""
    return load_here


@pytest.fixture
def tensor_file(tmp_path):
    """`tensor_file(sizes, header_bytes)`: a safetensors file of U8 tensors t0, t1, ...

    `sizes` are their sizes in bytes, `header_bytes` where the first one starts, so that any
    alignment can be had; the values are random, and of `sparse` ones never written.
    """

    def write(sizes, header_bytes=4096, sparse=(), name="t"):
        entries, end = {}, 0
        for number, size in enumerate(sizes):
            place = [end, end + size]
            entries[f"t{number}"] = {"dtype": "U8", "shape": [size], "data_offsets": place}
            end += size
        header = json.dumps(entries).encode().ljust(header_bytes - 8)
        path = tmp_path / f"{name}.safetensors"
        with path.open("wb") as file:
            file.write(len(header).to_bytes(8, "little") + header)
            for number, size in enumerate(sizes):
                if number in sparse:
                    file.seek(size, os.SEEK_CUR)
                else:
                    file.write(random.Random(number).randbytes(size))
            file.truncate(8 + len(header) + end)
        return path

    return write


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Models of about 4 MiB, one per format."""
    folder = tmp_path_factory.mktemp("small")
    names = {"safetensors": "s.safetensors", "sharded": "s-sharded", "gguf": "s.gguf"}
    return {
        form: write_sample(folder / name, form, 4 * MIB, layers=4, seed=2)
        for form, name in names.items()
    }
