"""Coverage-guided fuzzing of one parser with atheris, which is to be installed beforehand:

    .venv/bin/python -m tests.fuzz.guided gguf FOLDER -max_total_time=300

FOLDER keeps what reached new code. It ends at a file that is neither understood nor refused with
a typed error, or that takes more than -timeout seconds or -rss_limit_mb.
"""

import contextlib
import json
import struct
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import atheris

with atheris.instrument_imports(include=["modelmon.core"]):
    from tests.fuzz import odd_files, test_recordings
    from tests.fuzz.forged import as_json
    from tests.fuzz.test_model_headers import VALID

    from modelmon.core.errors import ModelmonError
    from modelmon.core.load.config_file import read_config
    from modelmon.core.model.open import open_model

INDEX = {"metadata": {"total_size": 9}, "weight_map": {"w": "a.safetensors", "v": "b.safetensors"}}


def _safetensors(folder, content):
    """The first byte says whether the length before the header is to be right."""
    length = b"" if content[:1] > b"\xf0" else struct.pack("<Q", content.rfind(b"}") % 2**64)
    (folder / "model").write_bytes(length + content[1:])
    open_model(folder / "model")


def _gguf(folder, content):
    (folder / "model").write_bytes(content)
    open_model(folder / "model")


def _index(folder, content):
    (folder / "model.safetensors.index.json").write_bytes(content)
    for name in ("a", "b"):
        (folder / f"{name}.safetensors").write_bytes(VALID["safetensors"])
    open_model(folder)


def _recording(folder, content):
    (folder / "run.jsonl").write_bytes(content)
    test_recordings.told(folder / "run.jsonl")


def _config(folder, content):
    (folder / "modelmon.toml").write_bytes(content)
    read_config(folder / "modelmon.toml")


FORMATS = {
    "safetensors": (_safetensors, [b"\0" + VALID["safetensors"][8:]]),
    "gguf": (_gguf, [VALID["gguf"]]),
    "index": (_index, [json.dumps(INDEX).encode()]),
    "recording": (_recording, [b"".join(as_json(line) + b"\n" for line in test_recordings.LINES)]),
    "config": (_config, [b'[load]\naccess = "read"\nchunk_bytes = 4096\n']),
}


def main():
    form, corpus = sys.argv.pop(1), Path(sys.argv[1])
    try_one, seeds = FORMATS[form]
    if form in ("safetensors", "gguf"):
        made = [getattr(odd_files, form)(Random(seed)) for seed in range(200)]
        seeds = [*seeds, *(b"\0" + one[8:] if form == "safetensors" else one for one in made)]
    for number, seed in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    with TemporaryDirectory() as folder:

        def one(content):
            with contextlib.suppress(ModelmonError):
                try_one(Path(folder), content)

        atheris.Setup(sys.argv, one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
