import json
import tomllib
from importlib import resources

import jsonschema
import pytest
import tomlkit
from hypothesis import example, given
from hypothesis import strategies as st
from tests.config_schema import config_schema, schema_text
from tests.core.export.outcomes import comparison_of, situation

from modelmon.core.errors import ConfigError
from modelmon.core.export.document import document
from modelmon.core.load.config import AXES, CHOICES, PRESETS
from modelmon.core.load.config_file import CONFIG_SCHEMA, read_config
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.programs.registry import all_advice

VALIDATOR = jsonschema.Draft202012Validator(config_schema())
LOADED = st.one_of(
    st.sampled_from(sorted({each for choices in CHOICES.values() for each in choices})),
    st.sampled_from((0, 1, 8, 64, 65, 4095, 4096, 8192, 2**30, 2**30 + 4096, 2**36, 2**36 + 1)),
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: not value.is_integer()),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=9),
    st.lists(st.integers(0, 9), max_size=2),
)


def test_that_the_schema_that_is_shipped_is_that_of_the_types():
    place = resources.files("modelmon.resources") / "modelmon.schema.json"
    assert place.read_text("utf-8") == schema_text()
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))


@pytest.mark.parametrize("strategy", PRESETS)
def test_that_what_is_written_is_as_the_schema_says(strategy):
    comparison = comparison_of(strategy)
    VALIDATOR.validate(tomllib.loads(modelmon_toml(situation(comparison))))
    found = situation(comparison, "nfs")
    VALIDATOR.validate(tomllib.loads(document(found, all_advice(found), "toml")))


def test_that_a_file_of_before_is_read_and_as_the_schema_says(tmp_path):
    text = modelmon_toml(situation(comparison_of("direct")))
    head, evidence = text.split("[evidence]\n")
    assert len(tomllib.loads(evidence)) == 6
    older = "".join(line for line in evidence.splitlines(True) if "measured_with" not in line)
    more = 'confidence = "high"\nfastest_s = 0.9\nratio_a_to_b = [0.4, 0.6]\nplace_1 = {runs = 3}\n'
    path = tmp_path / "modelmon.toml"
    path.write_text(f"{head}[evidence]\n{older}caveat = ''\nportion_bytes = 7\n{more}")
    VALIDATOR.validate(tomllib.loads(path.read_text()))
    assert read_config(path).config == PRESETS["direct"].config


@given(
    st.dictionaries(st.sampled_from((*AXES, "warp")), LOADED, max_size=2),
    st.sampled_from((CONFIG_SCHEMA, CONFIG_SCHEMA + 1)),
)
@example({"warp": 1}, CONFIG_SCHEMA)
@example({"readers": 65}, CONFIG_SCHEMA)
@example({"chunk_bytes": 4097}, CONFIG_SCHEMA)
@example({}, CONFIG_SCHEMA + 1)
def test_that_the_schema_takes_exactly_the_settings_that_a_reader_takes(
    tmp_path_factory, load, schema
):
    values = {"schema": schema, "load": load}
    path = tmp_path_factory.getbasetemp() / "mutated.toml"
    path.write_text(tomlkit.dumps(values), encoding="utf-8")
    try:
        read_config(path)
    except ConfigError:
        assert not VALIDATOR.is_valid(values)
    else:
        VALIDATOR.validate(values)
