"""A strategy for modelmon: read each file whole into one block of memory."""

import json
from ctypes import addressof, c_char
from pathlib import Path

from modelmon.core.load.libraries.baseline import Baseline, Delivered


class WholeFile(Baseline):
    name = "whole-file"
    when_it_wins = "One read per file. Wins where files are few."
    distribution = "modelmon-whole-file"
    formats = ("safetensors",)
    memory_kind = "owned"
    whole_files = True

    def prepare(self):
        """Import here what the load needs, so that it is not timed."""

    def load(self, request):
        shards = {}
        for tensor in request.tensors:
            if tensor.shard not in shards:
                data = bytearray(Path(request.paths[tensor.shard]).read_bytes())
                start = 8 + int.from_bytes(data[:8], "little")
                shards[tensor.shard] = data, start, json.loads(data[8:start])
            data, start, header = shards[tensor.shard]
            first, end = header[tensor.name]["data_offsets"]
            address = addressof(c_char.from_buffer(data)) + start + first
            yield Delivered(tensor.name, address, end - first, keep=data)
