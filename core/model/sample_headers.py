"""The headers of sample models, written by hand as the formats describe them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.model.ggml_types import GGML_TYPE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.model.sample_layout import Dimensions, TensorSpec

GGUF_ALIGNMENT = 32

_SAFETENSORS_ALIGNMENT = 8
_UINT32, _FLOAT32, _STRING, _ARRAY, _INT32 = 4, 6, 8, 9, 5
_NAME = "Sample Llama"
_MOSTLY_Q4_K_M = 15
# Token types of llama.cpp's vocabularies.
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_SYLLABLES = tuple(start + vowel for start in "bdfgklmnprstvz" for vowel in "aeiou")


def safetensors_header(specs: Sequence[TensorSpec]) -> bytes:
    """Length and JSON for tensors that follow in this order without gaps."""
    entries: dict[str, object] = {"__metadata__": {"format": "pt"}}
    end = 0
    for spec in specs:
        start, end = end, end + spec.nbytes
        entries[spec.name] = {
            "dtype": spec.dtype,
            "shape": spec.shape,
            "data_offsets": (start, end),
        }
    text = msgspec.json.encode(entries)
    text += b" " * (-len(text) % _SAFETENSORS_ALIGNMENT)
    return struct.pack("<Q", len(text)) + text


def safetensors_index(shards: Sequence[tuple[str, Sequence[TensorSpec]]]) -> bytes:
    """The index of a sharded model: which tensor is in which file."""
    total = sum(spec.nbytes for _, specs in shards for spec in specs)
    weight_map = {spec.name: name for name, specs in shards for spec in specs}
    index = {"metadata": {"total_size": total}, "weight_map": dict(sorted(weight_map.items()))}
    return msgspec.json.format(msgspec.json.encode(index), indent=2)


def gguf_header(specs: Sequence[TensorSpec], dimensions: Dimensions) -> bytes:
    """GGUF 3 up to the data, in which the tensors follow in this order, each one aligned."""
    pairs = _pairs(dimensions)
    parts = [b"GGUF", struct.pack("<IQQ", 3, len(specs), len(pairs)), *pairs]
    offset = 0
    for spec in specs:
        extents = tuple(reversed(spec.shape))
        number = GGML_TYPE_NUMBERS[spec.dtype]
        parts.append(_text(spec.name))
        parts.append(struct.pack(f"<I{len(extents)}Q", len(extents), *extents))
        parts.append(struct.pack("<IQ", number, offset))
        offset += spec.nbytes + -spec.nbytes % GGUF_ALIGNMENT
    header = b"".join(parts)
    return header + bytes(-len(header) % GGUF_ALIGNMENT)


def _pairs(dimensions: Dimensions) -> list[bytes]:
    tokens = _tokens(dimensions.vocabulary)
    numbers = {
        "general.quantization_version": 2,
        "general.file_type": _MOSTLY_Q4_K_M,
        "llama.block_count": dimensions.layers,
        "llama.context_length": 8192,
        "llama.embedding_length": dimensions.hidden,
        "llama.feed_forward_length": dimensions.feed_forward,
        "llama.attention.head_count": dimensions.heads,
        "llama.attention.head_count_kv": dimensions.heads_kv,
        "llama.rope.dimension_count": dimensions.head,
        "llama.vocab_size": dimensions.vocabulary,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }
    count = len(tokens)
    scores = [-float(rank) for rank in range(count)]
    types = [_UNKNOWN, _CONTROL, _CONTROL, *([_BYTE] * 256)]
    types += [_NORMAL] * (count - len(types))
    return [
        _pair("general.architecture", _STRING, _text("llama")),
        _pair("general.name", _STRING, _text(_NAME)),
        *(_pair(key, _UINT32, struct.pack("<I", value)) for key, value in numbers.items()),
        _pair("llama.attention.layer_norm_rms_epsilon", _FLOAT32, struct.pack("<f", 1e-5)),
        _pair("llama.rope.freq_base", _FLOAT32, struct.pack("<f", 500_000.0)),
        _pair("tokenizer.ggml.model", _STRING, _text("llama")),
        _array("tokenizer.ggml.tokens", _STRING, b"".join(map(_text, tokens)), count),
        _array("tokenizer.ggml.scores", _FLOAT32, struct.pack(f"<{count}f", *scores), count),
        _array("tokenizer.ggml.token_type", _INT32, struct.pack(f"<{count}i", *types), count),
    ]


def _tokens(count: int) -> list[str]:
    """A vocabulary: special tokens, all bytes, then words made of syllables."""
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    for number in range(count - len(tokens)):
        word, rest = "", number
        while rest or not word:
            rest, syllable = divmod(rest, len(_SYLLABLES))
            word += _SYLLABLES[syllable]
        tokens.append(f"\u2581{word}")
    return tokens


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _pair(key: str, kind: int, value: bytes) -> bytes:
    return _text(key) + struct.pack("<I", kind) + value


def _array(key: str, kind: int, items: bytes, count: int) -> bytes:
    return _pair(key, _ARRAY, struct.pack("<IQ", kind, count) + items)
