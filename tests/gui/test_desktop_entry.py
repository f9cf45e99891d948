"""What a desktop reads to offer the program: its entry and the kinds of files it opens."""

import tomllib
from configparser import RawConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
NAMESPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def entry():
    """The keys of the desktop entry; one that stands twice is an error."""
    parser = RawConfigParser(delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keys have capitals
    parser.read(ROOT / "resources" / "modelmon.desktop", encoding="utf-8")
    return dict(parser["Desktop Entry"])


def test_that_the_entry_starts_the_command_with_a_file(entry):
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    program, argument = entry["Exec"].split()
    assert program in scripts
    assert argument == "%f"
    assert (entry["Type"], entry["Terminal"]) == ("Application", "false")


def test_that_lists_end_with_a_semicolon(entry):
    for key in ("Categories", "Keywords", "MimeType"):
        assert entry[key].endswith(";")
        assert all(entry[key].rstrip(";").split(";"))


def test_that_every_kind_of_file_is_described_with_its_ending(entry):
    tree = ElementTree.parse(ROOT / "resources" / "modelmon-mime.xml")
    described = {
        kind.attrib["type"]: kind.find(f"{NAMESPACE}glob")
        for kind in tree.iter(f"{NAMESPACE}mime-type")
    }
    assert set(described) == set(entry["MimeType"].rstrip(";").split(";"))
    endings = {glob.attrib["pattern"] for glob in described.values() if glob is not None}
    assert endings == {"*.safetensors", "*.gguf"}
