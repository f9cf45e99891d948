"""The number of what both sides of a connection say, and what it stands for."""

import hashlib

import msgspec
from msgspec import inspect

from modelmon.core.compare.settings import FoundSettings
from modelmon.core.diagnose.diagnosis import Diagnosis
from modelmon.core.diagnose.inspection import Inspection
from modelmon.core.engines.start import EngineCommand
from modelmon.core.export.places import Target
from modelmon.core.model.folder_entries import FolderEntries
from modelmon.core.model.found_models import FoundModel
from modelmon.core.probe.events import ProbeEvent
from modelmon.core.probe.read_rate import ReadRate
from modelmon.core.remote.connection import Hello
from modelmon.core.remote.protocol import PROTOCOL
from modelmon.core.worker.events import AnyEvent, Job

SAID = (
    AnyEvent,
    Diagnosis,
    EngineCommand,
    FolderEntries,
    FoundModel,
    FoundSettings,
    Hello,
    Inspection,
    Job,
    ProbeEvent,
    ReadRate,
    Target,
)
DIGESTS = {6: "f3fa285088e9"}
"""Raise the protocol's number and add its digest here where only this fails."""


def shape(kind, needed):
    """What is said of a type, its fields without a default into `needed`."""
    if isinstance(kind, inspect.StructType):
        name = f"{kind.cls.__name__} {kind.tag}"
        if name not in needed:
            fields = needed[name] = []
            fields += (
                f"{each.encode_name}: {shape(each.type, needed)}"
                for each in kind.fields
                if each.required
            )
        return name
    parts = []
    for name in kind.__struct_fields__ if isinstance(kind, msgspec.Struct) else ():
        value = getattr(kind, name)
        several = value if isinstance(value, tuple) else (value,)
        parts += (
            shape(each, needed) if isinstance(each, inspect.Type) else each for each in several
        )
    return f"{type(kind).__name__}{parts}"


def test_that_the_number_is_raised_where_another_version_could_not_read_what_is_said():
    """A field that has a default may come and go: who does not know it reads all the same."""
    needed = {}
    for kind in SAID:
        shape(inspect.type_info(kind), needed)
    digest = hashlib.sha256(repr(sorted(needed.items())).encode()).hexdigest()[:12]
    assert DIGESTS[PROTOCOL] == digest
