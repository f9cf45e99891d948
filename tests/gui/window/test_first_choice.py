"""A and B when a model opens: a guess, what was set last, and never against the user."""

import pytest
from machine_fakes import HURTS, make_diagnosis, make_probe
from msgspec import structs
from window_fakes import make_inspection, make_model

from modelmon.core.load.config import preset
from modelmon.core.messages import Message
from modelmon.gui.open.first_choice import FirstChoice, outlook_text
from modelmon.gui.session.machine import Machine
from modelmon.gui.session.session import Session


class NoMachine(Machine):
    """A doctor that is told what it sees."""

    def look(self):
        """Start no process."""


@pytest.fixture
def new_session(qapp):
    return Session(qapp)


@pytest.fixture
def machine(new_session):
    return NoMachine(new_session, parent=new_session)


@pytest.fixture
def choice(new_session, machine, settings):
    return FirstChoice(new_session, machine, settings, parent=new_session)


def names(session):
    return session.strategy_name("A"), session.strategy_name("B")


def spinning(path="/data/llama"):
    found = make_inspection(make_model(path))
    disk = structs.replace(found.storage, device="sda", rotational_reported=True)
    return structs.replace(found, storage=disk)


def test_that_each_model_gets_what_suits_its_disk_and_memory(new_session, choice):
    new_session.set_inspection(make_inspection())
    assert names(new_session) == ("mmap", "auto")
    assert choice.reason

    new_session.set_inspection(spinning())
    assert names(new_session) == ("mmap", "sequential")
    found = make_inspection()
    little = structs.replace(found.memory, available_bytes=found.model.nbytes // 2)
    new_session.set_inspection(structs.replace(found, memory=little))
    assert names(new_session) == ("mmap", "auto")
    assert {new_session.config(arm).deliver for arm in ("A", "B")} == {"streamed"}
    assert "larger than free memory" in choice.reason


def test_that_what_the_user_set_stays_and_is_not_explained(new_session, choice):
    new_session.set_inspection(make_inspection())
    new_session.set_preset("B", "direct")
    new_session.set_inspection(spinning("/data/other"))

    assert names(new_session) == ("mmap", "direct")
    assert choice.reason == ""


def test_that_a_recording_shown_before_is_no_choice_for_the_model_opened_after_it(
    new_session, choice
):
    new_session.set_config("A", preset("parallel").config)
    new_session.set_inspection(make_inspection())
    assert names(new_session) == ("mmap", "auto")
    assert choice.reason


def test_that_what_was_set_last_comes_back_with_its_model(new_session, choice, settings):
    first = make_inspection()
    settings.add_recent(first.model.path, first.model, 0.0)
    new_session.set_inspection(first)
    new_session.set_cache("warm")
    assert settings.arms(first.model.path) is None  # nothing was set
    new_session.set_preset("B", "direct")
    new_session.reset("B")
    assert settings.arms(first.model.path) == (new_session.config("A"), new_session.config("B"))
    new_session.set_axis("B", "readers", "3")
    new_session.set_config("A", preset("sequential").config)
    new_session.set_inspection(spinning("/data/other"))
    new_session.set_config("B", preset("direct").config)

    new_session.set_inspection(make_inspection())

    assert new_session.strategy_name("A") == "sequential"
    assert new_session.config("B").readers == 3
    new_session.reset("B")
    assert new_session.strategy_name("B") == "auto"
    assert choice.reason == ""
    assert settings.arms("/data/other") is None  # no recent model: a sample, for one


def test_that_what_the_doctor_sees_corrects_the_guess_once_only_where_untouched(
    new_session, choice, machine
):
    new_session.set_inspection(make_inspection())
    assert "Typical values" in choice.reason
    # Several readers were slower than one.
    storage = make_probe().storage
    seeks = structs.replace(
        storage, readers=(structs.replace(storage.readers[0], bytes_per_s=1e8),)
    )
    machine.diagnosis = make_diagnosis(probe=make_probe(storage=seeks))
    machine.changed.emit()
    assert names(new_session) == ("mmap", "sequential")
    assert "predicted" in choice.reason
    assert "Typical values" not in choice.reason

    new_session.set_preset("B", "direct")
    machine.changed.emit()
    assert names(new_session) == ("mmap", "direct")


def test_that_the_outlook_says_fit_best_time_what_hurts_and_makes_none_up():
    text = outlook_text(make_inspection(), make_diagnosis(findings=(HURTS,)), None)

    assert text == (
        "Fits in memory: 2 GB of 56 GB free. nvme0n1, NVMe SSD: fastest cold start about 742 ms,"
        " typical of such storage. Likely bottleneck: The kernel reads little ahead."
    )
    found = make_inspection()
    notes = (Message("Not part of this model: {files}.", files="consolidated.safetensors"),)
    noted = structs.replace(found, model=structs.replace(found.model, notes=notes))
    assert outlook_text(noted, None, None).startswith(f"{notes[0]} Fits in memory: 2 GB")
    text = outlook_text(found, None, make_probe())
    assert "from the disk measurement" in text
    assert "typical" not in text
    virtual = structs.replace(found, storage=structs.replace(found.storage, device="vda"))
    assert "to see the fastest possible load" in outlook_text(virtual, None, None)
    small = make_inspection(available_bytes=10**9)
    assert outlook_text(small, None, None).startswith("Doesn't fit in memory: 2 GB, 1 GB free.")
    there = structs.replace(small, storage=structs.replace(small.storage, kind="memory"))
    assert "it in memory" not in outlook_text(there, None, None)
