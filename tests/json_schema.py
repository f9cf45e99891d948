"""Write docs/json.schema.json: types from the code, descriptions from the file itself.

Run: .venv/bin/python -m tests.json_schema. A new field has the description "": write it into
the file. A test compares the file with what this makes.
"""

import importlib
import json
from functools import cache
from pathlib import Path

import jsonschema
import msgspec
import msgspec._json_schema

from modelmon.core.messages import Message, to_text
from modelmon.core.programs import known_program, registry

PATH = Path(__file__).parents[1] / "docs" / "json.schema.json"

RECORDS = {
    "cli.remote": ("Hello",),
    "cluster.result": (
        *("ClusterArm", "ClusterResult", "ClusterRun", "CurvePoint"),
        *("Extrapolated", "Node", "NodeRun", "Straggler"),
    ),
    "cluster.scaling": ("Scaling",),
    "cluster.ways": ("Way",),
    "comparison.changes": ("Change", "ChangedLoad"),
    "comparison.estimate": ("Estimate",),
    "comparison.result": ("Comparison", "StrategySummary", "Verdict"),
    "demo.stage": ("Progressed", "Ran", "Said"),
    "doctor.diagnosis": ("Diagnosis", "Expected", "ExpectedTime", "Finding"),
    "doctor.inspection": ("Inspection",),
    "explain.evidence": ("Bottleneck", "Evidence"),
    "explain.program_report": ("JudgedPart", "WaitVerdict"),
    "find_best.plan": ("BestPlan", "ProgramPlan", "Setting"),
    "find_best.result": (
        *("Advice", "Excluded", "Recommendation", "SearchResult", "SearchRun", "Standing"),
    ),
    "history.groups": ("Group",),
    "history.origin": ("Machine",),
    "history.rows": ("ClusterRow", "Entrant", "RunRow"),
    "load.config": ("LoadConfig",),
    "load.libraries.registry": ("Availability",),
    "load.warming": ("Warmed",),
    "machine.cgroup": ("CgroupLimit",),
    "machine.libraries": ("Libraries",),
    "machine.memory": ("Memory",),
    "machine.storage": ("Storage",),
    "model.fingerprint": ("ModelFingerprint",),
    "model.found_models": ("FolderEntries", "FoundModel", "SearchedPlace"),
    "probe.probe": ("DecodeRate",),
    "programs.advice": ("ConsumerAdvice", "Form"),
    "programs.known_program": ("ListedProgram", "ListedVariant"),
    "simulate.cost": ("Cost", "Counts"),
    "worker.events": ("BlockTiming",),
    "worker.result": ("RunResult", "WaitPart"),
    "worker.run_warnings": ("RunWarning",),
}
"""What commands print, by the module of `modelmon.core` that declares it."""

Schema = dict[str, object]
_ANY = 2**53 - 1


def _record(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _listed(name: str) -> Schema:
    return {"type": "array", "items": _record(name)}


def _or_null(name: str) -> Schema:
    return {"anyOf": [_record(name), {"type": "null"}]}


_RUN = {
    "result": _record("RunResult"),
    "bottleneck": _or_null("Bottleneck"),
    "blocks": _listed("BlockTiming"),
    "checksum": {},
    "least_reading_ns": {"type": ["integer", "null"]},
    "wait": _or_null("WaitVerdict"),
}
DOCUMENTS: dict[str, str | tuple[str, ...] | dict[str, Schema]] = {
    "inspect": "Inspection",
    "doctor": "Diagnosis",
    "run": _RUN,
    "watch": _RUN | {"functions": {"type": "array"}},
    "warm": "Warmed",
    "compare": "Comparison",
    "compare --dry-run": "Estimate",
    "best": "SearchResult",
    "best --dry-run": "BestPlan",
    "best --program --dry-run": "ProgramPlan",
    "cluster": "ClusterResult",
    "strategies": {"strategies": _listed("Availability")},
    "programs": {"programs": _listed("ListedProgram")},
    "models": {"model": _record("FoundModel"), "searched": _listed("SearchedPlace")},
    "remote check": "Hello",
    "remote list": "FolderEntries",
    "history": {"machine_id": {"type": "string"}, "runs": _listed("RunRow")},
    "history show": {"runs": {"type": "array"}, "verdict": {}},
    "history clusters": {"clusters": _listed("ClusterRow")},
    "history compare": {"groups": _listed("Group")},
    "history changes": {
        "machine_id": {"type": "string"},
        "since_unix_s": {"type": "number"},
        "changes": _listed("Change"),
        "steady_loads": {"type": "integer"},
        "short_loads": {"type": "integer"},
    },
    "export --format json": {
        "schema": {"const": 1},
        "kind": {"const": "export"},
        "consumers": _listed("ConsumerAdvice"),
    },
    "demo": ("Said", "Ran", "Progressed"),
    "simulate": {"path": {"type": "string"}, "cost": _record("Cost"), "load": _record("Counts")},
    "sample": {
        "done_bytes": {"type": "integer"},
        "total_bytes": {"type": "integer"},
        "path": {"type": "string"},
    },
}
"""What each command prints with --json: a record, one of several, or these fields."""


def schema() -> Schema:
    """The schema of every document, with the descriptions that the file has."""
    written = json.loads(PATH.read_text("utf-8"))["$defs"] if PATH.exists() else {}
    for name in ("Access", "ModelForm"):
        # Imported there for type checkers alone.
        setattr(registry, name, getattr(known_program, name))
    types = [
        getattr(importlib.import_module(f"modelmon.core.{module}"), name)
        for module, names in RECORDS.items()
        for name in names
    ]
    plain = msgspec._json_schema.to_builtins
    # A default may be a message, which msgspec asks no hook about.
    msgspec._json_schema.to_builtins = lambda value, **how: plain(value, enc_hook=to_text, **how)
    try:
        _, parts = msgspec.json.schema_components(types, schema_hook=_text)
    finally:
        msgspec._json_schema.to_builtins = plain
    parts = dict(sorted(parts.items()))
    for name, content in DOCUMENTS.items():
        if isinstance(content, str):
            parts[name] = _record(content)
        elif isinstance(content, tuple):
            parts[name] = {"anyOf": [*map(_record, content)]}
        else:
            fields = {field: dict(of) for field, of in content.items()}
            parts[name] = {"type": "object", "properties": fields}
    for name, part in parts.items():
        _simplify(part)
        _describe(part, written.get(name, {}), name in DESCRIBED)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What modelmon prints with --json",
        "$defs": parts,
    }


DESCRIBED = {name for names in RECORDS.values() for name in names} | {
    name for name, content in DOCUMENTS.items() if isinstance(content, dict)
}
"""All of their fields have descriptions."""


def _text(cls: type) -> Schema:
    if cls is Message:
        return {"type": "string"}
    raise NotImplementedError(cls)


def _simplify(part: object) -> None:
    """Leave out what says nothing: titles, defaults, and limits of any number."""
    if isinstance(part, list):
        for each in part:
            _simplify(each)
    elif isinstance(part, dict):
        for key in ("title", "default"):
            if not isinstance(part.get(key), dict):
                part.pop(key, None)
        for key in ("minimum", "maximum"):
            if abs(part.get(key, 0)) >= _ANY:
                del part[key]
        for each in part.values():
            _simplify(each)
        match part.get("anyOf"):
            case [{"type": str(kind)} as only, {"type": "null"}] if len(only) == 1:
                del part["anyOf"]
                part["type"] = [kind, "null"]


def _describe(part: Schema, written: Schema, needed: bool) -> None:
    """Take over what the file says of a record and its fields."""
    part.pop("description", None)
    if about := written.get("description"):
        part["description"] = about
    known = written.get("properties", {})
    for field, of in part.get("properties", {}).items():
        about = known.get(field, {}).get("description")
        if about or needed:
            of["description"] = about or ""


def text() -> str:
    """The file: a line for each field."""
    whole = schema()
    parts = whole.pop("$defs")
    begin = json.dumps(whole, indent=1).removesuffix("\n}")
    each = ",\n".join(map(_lines, parts, parts.values()))
    return f'{begin},\n "$defs": {{\n{each}\n }}\n}}\n'


def _lines(name: str, part: Schema) -> str:
    fields = part.pop("properties", None)
    begin = f"  {_line(name)}: {_line(part)}"
    if fields is None:
        return begin
    each = ",\n".join(f"   {_line(field)}: {_line(of)}" for field, of in fields.items())
    return f'{begin[:-1]}, "properties": {{\n{each}\n  }}}}'


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def checked(command: str, line: str) -> dict[str, object]:
    """What a command printed in a line, which is as the file says."""
    printed = json.loads(line)
    _validator(command).validate(printed)
    return printed


@cache
def _validator(command: str) -> jsonschema.Draft202012Validator:
    parts = json.loads(PATH.read_text("utf-8"))["$defs"]
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{command}", "$defs": parts})


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
