"""A package of somebody else's, installed, that adds a strategy through its entry point."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "data" / "strategy_package"

LOAD = """
import hashlib, sys
from pathlib import Path
from modelmon.core.load.libraries.baseline import LibraryLoad, LibraryRequest, WantedTensor
from modelmon.core.load.libraries.registry import available, baseline
from modelmon.core.model.open import open_model

model = open_model(sys.argv[1])
assert "whole_file" not in sys.modules
(listed,) = [entry for entry in available(model) if entry.name == "whole-file"]
wanted = tuple(WantedTensor(t.name, t.shard, t.nbytes) for t in model.tensors)
paths = tuple(shard.path for shard in model.shards)
load = LibraryLoad(baseline("whole-file"), LibraryRequest(paths, wanted))
load.prepare()
load.run(lambda *_: None)
shards = [Path(path).read_bytes() for path in paths]
digest = hashlib.sha256()
for t in model.tensors:
    digest.update(shards[t.shard][t.offset_bytes : t.offset_bytes + t.nbytes])
sys.stdout.write(f"{listed.version} {listed.obstacle!r} {load.memory_kind}\\n")
sys.stdout.write(f"{load.checksum() == digest.hexdigest()}\\n")
"""


@pytest.fixture
def site(tmp_path):
    """A folder with what an installer makes of the package, without its build back end."""
    described = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    name, version = described["name"], described["version"]
    shutil.copy(PACKAGE / "whole_file.py", tmp_path)
    info = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = []
    for group, points in described["entry-points"].items():
        lines += [f"[{group}]", *(f"{point} = {value}" for point, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return tmp_path


def test_that_an_installed_package_adds_a_strategy_that_loads(site, samples):
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOAD, samples["sharded"]],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1.2.3 '' owned\nTrue\n"


def test_that_the_manual_shows_the_package_as_it_is():
    manual = (ROOT / "docs" / "strategies.md").read_text()
    for file in ("pyproject.toml", "whole_file.py"):
        assert (PACKAGE / file).read_text().strip() in manual
