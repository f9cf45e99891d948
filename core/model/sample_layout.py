"""Which tensors a sample model has, how large they are to fill a wanted size, and its headers."""

from __future__ import annotations

import struct
from bisect import bisect_left
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.core.model.ggml_types import GGML_TYPE_NUMBERS, GGML_TYPES_BY_NAME
from modelmon.core.units import request_text

if TYPE_CHECKING:
    from collections.abc import Sequence


SampleFormat = Literal["safetensors", "sharded", "gguf", "gguf-q8_0"]
"""A GGUF has the types of Q4_K_M, or Q8_0."""

MOST_LAYERS = 1000
GGUF_ALIGNMENT = 32
_SAFETENSORS_ALIGNMENT = 8
_SYLLABLES = tuple(start + vowel for start in "bdfgklmnprstvz" for vowel in "aeiou")

# K-quants pack rows in groups of this many values, so every width is a multiple of it.
_STEP = 256
_WIDTHS = (256, 512, 768, *range(1024, 16385, 512))
_LEAST_VOCABULARY = 1024
# What a header spends on a tensor, and a GGUF header on a token: text, score and type.
_TENSOR_HEADER_BYTES = 110
_TOKEN_HEADER_BYTES = 24


class TensorSpec(NamedTuple):
    """A tensor to be written: `BF16` or a GGML type; `shape` is slowest first."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Stored size."""
        kind = GGML_TYPES_BY_NAME[self.dtype]
        return prod(self.shape) // kind.block_values * kind.block_bytes


class Dimensions(NamedTuple):
    """The sizes in which Llamas differ."""

    layers: int
    hidden: int
    feed_forward: int
    vocabulary: int

    @property
    def head(self) -> int:
        """Values of one attention head."""
        return 128 if self.hidden >= 1024 else 64

    @property
    def heads(self) -> int:
        """Query heads."""
        return self.hidden // self.head

    @property
    def heads_kv(self) -> int:
        """Key and value heads, each shared by four query heads."""
        return self.heads // 4


def dimensions_for(format: SampleFormat, size_bytes: int, layers: int) -> Dimensions:
    """Sizes with which a sample of `layers` layers takes `size_bytes`, headers included.

    The widest model whose vocabulary is still a usual one; the vocabulary then takes up
    what is left. Raises ModelmonError if the size is too small for so many layers.
    """
    if not 1 <= layers <= MOST_LAYERS:
        raise ModelmonError(
            Message("A sample cannot have {layers} layers.", layers=layers),
            Message("Choose from 1 to {most_layers}.", most_layers=MOST_LAYERS),
        )
    too_wide = bisect_left(
        _WIDTHS,
        1,
        key=lambda width: _vocabulary(format, size_bytes, _usual(layers, width)) < _wanted(width),
    )
    if too_wide == 0:
        return _smallest(format, size_bytes, layers)
    found = _usual(layers, _WIDTHS[too_wide - 1])
    wider = found._replace(feed_forward=found.feed_forward + _STEP)
    spare = size_bytes - _stored(format, found._replace(vocabulary=_wanted(found.hidden)))
    steps = spare // (_stored(format, wider) - _stored(format, found))
    found = found._replace(feed_forward=found.feed_forward + steps * _STEP)
    return found._replace(vocabulary=_vocabulary(format, size_bytes, found))


def tensors_of(format: SampleFormat, dimensions: Dimensions) -> list[TensorSpec]:
    """All tensors in the order in which a model runs them; those of a GGUF have the
    types of its quantization.
    """
    hidden, wide = dimensions.hidden, dimensions.feed_forward
    shared, table = dimensions.heads_kv * dimensions.head, (dimensions.vocabulary, hidden)
    is_gguf = format.startswith("gguf")
    # The name in safetensors, and that in GGUF.
    layer_shapes = (
        ("input_layernorm", "attn_norm", (hidden,)),
        ("self_attn.q_proj", "attn_q", (hidden, hidden)),
        ("self_attn.k_proj", "attn_k", (shared, hidden)),
        ("self_attn.v_proj", "attn_v", (shared, hidden)),
        ("self_attn.o_proj", "attn_output", (hidden, hidden)),
        ("post_attention_layernorm", "ffn_norm", (hidden,)),
        ("mlp.gate_proj", "ffn_gate", (wide, hidden)),
        ("mlp.up_proj", "ffn_up", (wide, hidden)),
        ("mlp.down_proj", "ffn_down", (hidden, wide)),
    )

    def spec(name: str, short: str, shape: tuple[int, ...], dtype: str) -> TensorSpec:
        if is_gguf:
            kept = format == "gguf" or dtype == "F32"
            return TensorSpec(f"{short}.weight", dtype if kept else "Q8_0", shape)
        return TensorSpec(f"{name}.weight", "BF16", shape)

    specs = [spec("model.embed_tokens", "token_embd", table, "Q4_K")]
    for layer in range(dimensions.layers):
        for name, short, shape in layer_shapes:
            dtype = _dtype(short, layer, dimensions.layers)
            specs.append(spec(f"model.layers.{layer}.{name}", f"blk.{layer}.{short}", shape, dtype))
    specs.append(spec("model.norm", "output_norm", (hidden,), "F32"))
    specs.append(spec("lm_head", "output", table, "Q6_K"))
    return specs


def _usual(layers: int, width: int) -> Dimensions:
    """A Llama's proportions, still without a vocabulary."""
    feed_forward = -(-width * 8 // 3 // _STEP) * _STEP
    return Dimensions(layers, width, feed_forward, 0)


def _wanted(width: int) -> int:
    return min(32_000, 8 * width)


def _smallest(format: SampleFormat, size_bytes: int, layers: int) -> Dimensions:
    narrow = Dimensions(layers, _STEP, _STEP, 0)
    vocabulary = _vocabulary(format, size_bytes, narrow)
    if vocabulary < _LEAST_VOCABULARY:
        least = _stored(format, narrow._replace(vocabulary=_LEAST_VOCABULARY))
        raise ModelmonError(
            Message(
                "A sample of {layers} layers cannot be as small as {size}.",
                layers=layers,
                size=request_text(size_bytes),
            ),
            Message(
                "It takes at least {least}; choose a larger size or fewer layers.",
                least=request_text(least),
            ),
        )
    return narrow._replace(vocabulary=vocabulary)


def _vocabulary(format: SampleFormat, size_bytes: int, dimensions: Dimensions) -> int:
    """Tokens that fill what the layers leave; negative if they leave less than nothing."""
    none = _stored(format, dimensions._replace(vocabulary=0))
    per_token = _stored(format, dimensions._replace(vocabulary=1)) - none
    return (size_bytes - none) // per_token


def _stored(format: SampleFormat, dimensions: Dimensions) -> int:
    specs = tensors_of(format, dimensions)
    tokens = dimensions.vocabulary * _TOKEN_HEADER_BYTES if format.startswith("gguf") else 0
    return sum(spec.nbytes for spec in specs) + len(specs) * _TENSOR_HEADER_BYTES + tokens


def _dtype(name: str, layer: int, layers: int) -> str:
    if name.endswith("norm"):
        return "F32"
    eighth = layers // 8
    precise = layer < eighth or layer >= 7 * eighth or (layer - eighth) % 3 == 2
    return "Q6_K" if precise and name in ("attn_v", "ffn_down") else "Q4_K"


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
    import gguf  # noqa: PLC0415  imports numpy
    import numpy as np  # noqa: PLC0415  as above

    writer = gguf.GGUFWriter(None, "llama")
    writer.add_name("Sample Llama")
    writer.add_quantization_version(2)
    kinds = gguf.LlamaFileType
    is_q8 = any(spec.dtype == "Q8_0" for spec in specs)
    writer.add_file_type(kinds.MOSTLY_Q8_0 if is_q8 else kinds.MOSTLY_Q4_K_M)
    writer.add_block_count(dimensions.layers)
    writer.add_context_length(8192)
    writer.add_embedding_length(dimensions.hidden)
    writer.add_feed_forward_length(dimensions.feed_forward)
    writer.add_head_count(dimensions.heads)
    writer.add_head_count_kv(dimensions.heads_kv)
    writer.add_rope_dimension_count(dimensions.head)
    writer.add_vocab_size(dimensions.vocabulary)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(500_000.0)
    writer.add_tokenizer_model("llama")
    tokens, kind = _tokens(dimensions.vocabulary), gguf.TokenType
    types = [kind.UNKNOWN, kind.CONTROL, kind.CONTROL, *([kind.BYTE] * 256)]
    types += [kind.NORMAL] * (len(tokens) - len(types))
    writer.add_token_list(tokens)
    writer.add_token_scores([-float(rank) for rank in range(len(tokens))])
    writer.add_token_types(list(map(int, types)))
    for spec in specs:
        number = gguf.GGMLQuantizationType(GGML_TYPE_NUMBERS[spec.dtype])
        writer.add_tensor_info(spec.name, spec.shape, np.dtype("f4"), spec.nbytes, number)
    with TemporaryDirectory() as folder:
        path = Path(folder, "header")
        writer.write_header_to_file(path)
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        header = path.read_bytes()
    return header + bytes(-len(header) % GGUF_ALIGNMENT)


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
