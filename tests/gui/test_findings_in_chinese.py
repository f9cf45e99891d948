"""What is found out before a load is said in Chinese, down to its last sentence."""

import re

import msgspec
import pytest
from tests.core.doctor.diagnosed import HURTS, PROBE, probed
from tests.core.probe.probes import reads
from tests.gui.chinese import english_in, in_chinese, is_translated

from modelmon.core.doctor.diagnosis import fits
from modelmon.core.doctor.findings import findings_of
from modelmon.core.doctor.sections import sections
from modelmon.core.errors import ModelmonError
from modelmon.core.history.history import History
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.mounts import telling_options
from modelmon.core.machine.procfs import Mount
from modelmon.core.worker.loaders import cause_of_death
from modelmon.core.worker.run_warnings import MEANINGS

GB = 10**9

DIAGNOSES = [found for found, *_ in HURTS]


def words_of(finding):
    yield from (finding.text, finding.evidence, finding.remedy, finding.rule_of_thumb)


@pytest.mark.parametrize("found", DIAGNOSES)
def test_that_findings_are_translated(found):
    words = [word for finding in findings_of(found) for word in words_of(finding)]
    assert not [word for word in words if english_in(word)]
    assert all(in_chinese(finding.text) != finding.text for finding in findings_of(found))


def test_that_what_a_probe_found_is_translated():
    cases = [
        {},
        {"direct_bytes": GB, "others_bytes": 2 * GB},
        {"sequential": reads(1, 30e9)},
        {"reread_ratio": 3.0},
    ]
    for case in cases:
        for finding in findings_of(probed(case)):
            assert not [word for word in words_of(finding) if english_in(word)]


@pytest.mark.parametrize("found", DIAGNOSES)
def test_that_all_that_the_doctor_knows_is_translated(found):
    for one in (found, msgspec.structs.replace(found, probe=PROBE)):
        for title, rows in sections(one):
            assert not re.search("[a-z]", in_chinese(title))
            assert not [row for row in rows if english_in(row[0]) or english_in(row[1])]


def test_that_fits_warnings_and_ends_are_translated():
    memory = [Memory(64 * GB, free * GB, swap_total_bytes=4 * GB) for free in (4, 7, 10, 60)]
    words = [fit.sentence for one in memory for fit in fits(8 * GB, GB, one)]
    words += [meaning.remedy for meaning in MEANINGS.values()]
    words += [word for code in (-9, -7, -15, 3) for word in cause_of_death(code, None)]
    assert not [word for word in words if not is_translated(word)]


def test_that_mount_options_are_explained():
    options = "strictatime,noac,actimeo=0,fsc,rsize=4096,nconnect=4,proto=udp,sec=krb5p"
    found = telling_options(Mount(1, 0, 0, 9, "/", "/m", options, "nfs4", "server:/m", ""))
    assert len(found) == len(options.split(","))
    assert not [option for option in found if english_in(option.meaning)]


def test_that_an_error_keeps_its_names_and_figures(tmp_path):
    with pytest.raises(ModelmonError) as error:
        History(tmp_path).experiment(12)
    assert in_chinese(error.value.text) == "没有实验 x12。请查看 modelmon history。"
