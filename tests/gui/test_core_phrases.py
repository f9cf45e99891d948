"""What `core` says is said in the window's language, down to its last sentence."""

from __future__ import annotations

import ast
import re
import string
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.core.experiment.preflight import test_findings_probe as probing
from tests.core.experiment.preflight.diagnosed import HURTS

import modelmon.core
import modelmon.resources
from modelmon.core.cli.doctor_groups import doctor_groups
from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.history.history import History
from modelmon.core.experiment.preflight.findings import findings_of
from modelmon.core.experiment.preflight.fit import fits
from modelmon.core.experiment.probe.probe import Latency
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.mount_options import telling_options
from modelmon.core.machine.procfs_disk import Mount
from modelmon.core.worker.deaths import cause_of_death
from modelmon.core.worker.warned import MEANINGS
from modelmon.gui.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.experiment.preflight.diagnosis import Diagnosis, Finding

FOLDER = Path(modelmon.resources.__path__[0]).resolve() / "translations"
FILES = sorted(FOLDER.glob("core_*.ts"))
GB = 10**9
CHINESE = Phrases.read(FOLDER / "core_zh_CN.ts")
# Three lower-case words in a row are English; one or two may be a name and what it is set to.
_ENGLISH = re.compile(r"(?<![\w/.-])[a-z]{2,}(?:,? [a-z]{2,}){2,}(?![\w/.])")
_COMMANDS = re.compile(r"powerprofilesctl set balanced|git lfs pull")
CORE = Path(modelmon.core.__path__[0]).resolve()
_FIGURE = "7"
# From a capital letter or a value to a full stop, and no end of another sentence before it.
# Made whole only by what is one of a few words there; the whole sentences have forms.
_PIECES = (
    "7 a cache below this machine's.",
    "It 7 7 times as fast as 7, 7 (7).",
    "7, but a simpler one may be as fast as that, and none between was decided.",
    "7: inside the noise, and this one is simpler, for 7.",
    "7's memory is mapped and evictable, the other's is owned.",
    "7 bytes after the last tensor belong to no tensor.",
    "The memory of both is 7.",
    "Whether starts were 7 could not be seen here.",
    "7 starts were not measured.",
    "How to load this model on this machine. Written by modelmon.",
)
_SENTENCE = re.compile(r"(?:[A-Z]|7)[^\n]* [^\n]*\.")
_JOINED = re.compile(r"7 (?=[A-Z][a-z]+ )")


def english_in(text: str) -> str:
    """What stays English of a text that `core` said, though it is not a name or a command."""
    left = _ENGLISH.search(_COMMANDS.sub("", CHINESE.translate(text)))
    return left.group() if left is not None else ""


def is_known(sentence: str) -> bool:
    """Whether it is translated, alone or as what is wrong with a file."""
    return sentence in _PIECES or not (english_in(sentence) and english_in(f"7: {sentence}"))


def sentences_of(folder: str) -> Iterator[tuple[str, str]]:
    """File and text of each sentence in a folder of `core`, with 7 wherever a value goes."""
    for path in sorted((CORE / folder).rglob("*.py")):
        for text in _texts(ast.parse(path.read_text(encoding="utf-8"))):
            if _SENTENCE.fullmatch(text):
                yield path.name, _JOINED.sub("", text)


def _texts(tree: ast.AST) -> Iterator[str]:
    aside = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            aside.update(part for part in node.values if isinstance(part, ast.Constant))
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else _FIGURE
                for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in aside:
            yield node.value


DIAGNOSES = [found for found, *_ in HURTS]


def words_of(finding: Finding) -> Iterator[str]:
    yield from (finding.text, finding.evidence, finding.remedy, finding.rule_of_thumb)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_that_a_translation_has_the_places_of_its_form(file: Path) -> None:
    messages = list(ET.parse(file).iter("message"))
    assert messages
    for message in messages:
        source, translation = message.findtext("source", ""), message.findtext("translation", "")
        assert places(source) == places(translation), source
    sources = [message.findtext("source", "") for message in messages]
    assert sources == sorted(set(sources))


@pytest.mark.parametrize("folder", ["machine", "worker", "experiment", "load", "model", "export"])
def test_that_every_sentence_in_the_sources_has_a_form(folder: str) -> None:
    sentences = list(sentences_of(folder))
    assert len(sentences) > 5
    assert not [found for found in sentences if not is_known(found[1])]


@pytest.mark.parametrize("found", DIAGNOSES)
def test_that_findings_are_translated(found: Diagnosis) -> None:
    words = [word for finding in findings_of(found) for word in words_of(finding)]
    assert not [word for word in words if english_in(word)]
    assert all(CHINESE.translate(finding.text) != finding.text for finding in findings_of(found))


def test_that_what_a_probe_found_is_translated() -> None:
    cases: list[dict[str, Any]] = [
        {},
        {"direct_bytes": GB, "others_bytes": 2 * GB},
        {"readers": probing.steps(21e6, 40e6, 77e6)},
        {"readers": probing.steps(124e6, 60e6, 20e6)},
        {"latency": Latency(4096, 90, 10**7)},
        {"buffered": probing.reads(1, 1e9)},
        {"sequential": probing.reads(1, 30e9)},
        {"reread_ratio": 3.0},
    ]
    for case in cases:
        for finding in probing.judged(case).values():
            assert not [word for word in words_of(finding) if english_in(word)]


@pytest.mark.parametrize("found", DIAGNOSES)
def test_that_all_that_the_doctor_knows_is_translated(found: Diagnosis) -> None:
    probe = probing.PROBE
    for one in (found, msgspec.structs.replace(found, probe=probe)):
        for title, rows in doctor_groups(one):
            assert not re.search("[a-z]", CHINESE.translate(title))
            assert not [row for row in rows if english_in(row[0]) or english_in(row[1])]


def test_that_fits_warnings_and_ends_are_translated() -> None:
    memory = [Memory(64 * GB, free * GB, swap_total_bytes=4 * GB) for free in (4, 7, 10, 60)]
    words = [fit.sentence for one in memory for fit in fits(8 * GB, GB, one)]
    words += [meaning.remedy for meaning in MEANINGS.values()]
    words += [word for code in (-9, -7, -15, 3) for word in cause_of_death(code, None)]
    words.append("Memory was short during the load. (1 GB of 64 GB were left)")
    assert not [word for word in words if not re.search("[一-龥]", CHINESE.translate(word))]
    assert not [word for word in words if english_in(word)]


def test_that_mount_options_are_explained() -> None:
    options = "strictatime,noac,actimeo=0,fsc,rsize=4096,nconnect=4,proto=udp,sec=krb5p"
    found = telling_options(Mount(1, 0, 0, 9, "/", "/m", options, "nfs4", "server:/m", ""))
    assert len(found) == len(options.split(","))
    assert not [option for option in found if english_in(option.meaning)]


def test_that_an_error_keeps_its_names_and_figures(tmp_path: Path) -> None:
    with pytest.raises(ModelmonError) as error:
        History(tmp_path).experiment(12)
    assert CHINESE.translate(str(error.value)) == "没有实验 x12。请查看 modelmon history。"
