"""Saved results, exported files and indices from strangers: no command ends in a traceback."""

import json
import re

import msgspec
import msgspec.inspect
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.cluster.starts import nodes, run, way
from tests.fuzz.forged import EACH_EXTREME, as_json, forged, with_each_number

from modelmon.core.cli.main import main
from modelmon.core.cluster.summary import cluster_result
from modelmon.core.comparison.result import Comparison, StrategySummary, Verdict
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE, ConfigError, ModelFileError
from modelmon.core.explain.evidence import Bottleneck, Evidence
from modelmon.core.find_best.result import (
    Advice,
    Excluded,
    Recommendation,
    SearchResult,
    Standing,
)
from modelmon.core.find_best.result import SearchRun as RunOfRace
from modelmon.core.history.origin import Machine
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.messages import to_text
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.model.open import open_model
from modelmon.core.worker.events import AnyEvent
from modelmon.core.worker.result import RunResult

MB = 10**6
HELD = Bottleneck("memory", "memory", "swaps", (Evidence("swapped", "1 GB"),))
RUN = RunResult(
    strategy="read", config=LoadConfig(), wall_ns=5 * MB, warmup_ns=0, load_bytes=MB,
    model_bytes=MB, memory_kind="owned", cache_asked="cold", cache_state="cold",
    cache_evidence="verified", counts=True, started_unix_s=1.7e9,
)  # fmt: skip
MODEL = ModelFingerprint("m", "gguf", MB, 3, "d" * 64)
MACHINE = Machine("Linux", 8, 2**34, "ext4", "sda")


def arm(label, name):
    config, median_ns = PRESETS[name].config, 5e6 if label == "A" else 2e6
    return StrategySummary(
        "A" if label == "A" else "B", name, config, 5, 1, median_ns, 1e5, MB, 6 * MB, 2e8,
        4e6, 3e6, 5e6, MB, 0.5, MB, HELD,
    )  # fmt: skip


def standing(name):
    return Standing(
        name, name, PRESETS[name].config, "racing", 5, 1, ("readers",), "", 5e6,
        5e6, 4e6, 6e6, "read", 1.5, 1.2, 1.9, 0.98, 5, MB, 0.5, 0.1, 3e6, 2, HELD,
    )  # fmt: skip


COMPARISON = Comparison(
    MODEL, MACHINE, "/m", "cold", 1.7e9, "ABBA", (RUN, RUN), (RUN,), arm("A", "mmap"),
    arm("B", "processes"),
    Verdict(
        "B", "B wins.", "Why.", "", "high", "5 pairs", 5, 1.5, 1.2, 1.9, 0.95, "Not below 10%.", 9,
    ),
    MB,
)  # fmt: skip
UNDECIDED = msgspec.structs.replace(
    COMPARISON,
    arm_b=arm("B", "parallel"),
    verdict=msgspec.structs.replace(COMPARISON.verdict, winner="undecided"),
)
RACE = SearchResult(
    MODEL, MACHINE, "/m", "cold", "cold", 1.7e9, 10**11, 10**10, 5, "decided",
    (RunOfRace("parallel", 1, 10**9, RUN),), (standing("parallel"), standing("mmap")),
    Recommendation(
        "parallel", "parallel", PRESETS["parallel"].config, "Use it.", ("Fast.",), "high", "Many.",
        5e6, 4e6, 6e6, False, "mmap", "", (),
        (Advice("readahead", "Raise it.", "more", "here"),), "parallel", 0.9,
    ),
    (Excluded("direct", "Refused."),), MB,
)  # fmt: skip
STARTS = [run(n, 1e9, 1.5e9, r, label) for r in range(5) for n in (1, 2) for label in ("A", "B")]
CLUSTER = msgspec.structs.replace(
    # As few nodes and starts as there can be: each of their numbers is forged in turn.
    cluster_result("/m", nodes(1), [way(), way("B", copy_per="cluster")], STARTS),
    runs=(STARTS[0],),
)
SAVED = {
    "comparison": json.loads(msgspec.json.encode(COMPARISON, enc_hook=to_text)),
    "undecided": json.loads(msgspec.json.encode(UNDECIDED, enc_hook=to_text)),
    "race": json.loads(msgspec.json.encode(RACE, enc_hook=to_text)),
    "cluster": json.loads(msgspec.json.encode(CLUSTER, enc_hook=to_text)),
}


def exported(folder, document):
    """Whether a saved result could be exported, and if so read back."""
    result, out = folder / "result.json", folder / "modelmon.toml"
    result.write_bytes(as_json(document))
    code = main(["export", str(result), "--out", str(out)])
    assert code in (EXIT_DONE, EXIT_USAGE)
    if code == EXIT_DONE:
        read_config(out)
    return code == EXIT_DONE


@pytest.mark.parametrize("kind", SAVED)
def test_that_the_results_to_be_forged_are_right(tmp_path, kind):
    assert exported(tmp_path, SAVED[kind])


@pytest.mark.parametrize("kind", SAVED)
@pytest.mark.parametrize("value", EACH_EXTREME)
def test_that_each_figure_of_a_result_may_be_anything(tmp_path, kind, value):
    for document in with_each_number(SAVED[kind], value):
        exported(tmp_path, document)


def test_that_a_race_that_recommends_what_did_not_run_is_refused(tmp_path):
    recommendation = SAVED["race"]["recommendation"] | {"exported": "x"}
    assert not exported(tmp_path, SAVED["race"] | {"recommendation": recommendation})


@pytest.mark.parametrize("kind", SAVED)
@given(data=st.data())
def test_that_a_forged_result_is_exported_or_refused(tmp_path, kind, data):
    exported(tmp_path, data.draw(forged(SAVED[kind])))


def bare_numbers(found, where, seen):
    """Fields in a type whose numbers have no bounds."""
    if isinstance(found, msgspec.inspect.IntType | msgspec.inspect.FloatType):
        least = found.gt if found.ge is None else found.ge
        most = found.lt if found.le is None else found.le
        return [where] if least is None or most is None else []
    kind = getattr(found, "cls", None)
    # A configuration and a subset look for themselves.
    if isinstance(found, msgspec.inspect.DataclassType) or kind in seen:
        return []
    if kind is not None:
        seen.add(kind)
    inner = [(field.type, f"{kind}.{field.name}") for field in getattr(found, "fields", ())]
    for name in ("item_type", "key_type", "value_type"):
        inner += [(getattr(found, name), where)] if hasattr(found, name) else []
    for name in ("types", "item_types"):
        inner += [(each, where) for each in getattr(found, name, ())]
    return [bare for each, name in inner for bare in bare_numbers(each, name, seen)]


@pytest.mark.parametrize("kind", [AnyEvent, Comparison, SearchResult])
def test_that_every_number_of_a_file_has_bounds(kind):
    assert bare_numbers(msgspec.inspect.type_info(kind), "", set()) == []


TOML = """schema = 1
[model]
name = "m"
digest = "d"
[load]
strategy = "read"
readers = 4
chunk_bytes = 4194304
"""


@given(
    at=st.integers(0, len(TOML)),
    length=st.sampled_from([0, 1, 5]),
    new=st.sampled_from(
        ["", "9" * 5000, "0x" + "f" * 5000, "1e400", "[" * 5000, "nan", "-1", "a."]
    ),
)
def test_that_a_forged_config_is_read_or_refused(tmp_path, at, length, new):
    path = tmp_path / "modelmon.toml"
    path.write_text(TOML[:at] + new + TOML[at + length :])
    try:
        read_config(path)
    except ConfigError as refusal:
        text = str(refusal)
    else:
        text = str(path)
    assert str(path) in text


@pytest.mark.parametrize("field", ["schema", "name", "digest", "readers", "chunk_bytes", "other"])
@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000], ids=["decimal", "hexadecimal"])
def test_that_a_number_too_long_to_print_is_refused(tmp_path, field, number):
    text, replaced = re.subn(rf"(?m)^{field} = .*$", f"{field} = {number}", TOML)
    path = tmp_path / "modelmon.toml"
    path.write_text(text if replaced else f"{TOML}[evidence]\n{field} = [[{number}]]\n")
    with pytest.raises(ConfigError, match=r"modelmon\.toml"):
        read_config(path)


INDEX = {
    "metadata": {"total_size": 2},
    "weight_map": {"a": "m-00001-of-00002.safetensors", "b": "m-00002-of-00002.safetensors"},
}


@given(index=forged(INDEX))
def test_that_a_forged_index_is_a_model_or_an_error(tmp_path, index):
    for name, file in INDEX["weight_map"].items():
        header = json.dumps({name: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}).encode()
        (tmp_path / file).write_bytes(len(header).to_bytes(8, "little") + header + b"\0")
    path = tmp_path / "m.safetensors.index.json"
    path.write_bytes(as_json(index))
    try:
        assert open_model(path).parameter_count <= 2
    except ModelFileError:
        return
