"""What a tensor's name says: the layer it lies in, or that it is before or after all layers."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

End = Literal["input", "output"]

# `model.layers.3.`, `transformer.h.3.`, `blk.3.`, `double_blocks.3.`, `encoder.down.3.`, the
# same behind underscores, and the one layer at the turn of a U-shaped network, which has no
# number. The first one in a name counts, so that an expert stays inside its layer.
_LAYER = re.compile(
    r"mid_block(?=[._])|middle_block(?=[._])|(?<![^.])(?:mid|middle)(?=\.)"
    r"|(?:(?:layers?|blocks?|blk|stages?|refiners?|upsamples|downsamples"
    r"|(?<![^.])(?:h|up|down))\.|(?:layers|blocks)_)([0-9]{1,9})(?=[._]|$)"
)
# Whatever else is counted: `features.3.weight`, `lora_unet_unknown_3_proj.alpha`.
_COUNTED = re.compile(r"[._]([0-9]{1,9})(?=[._]|$)")

_OUTPUT = frozenset(
    {
        "lm_head",
        "head",
        "output",
        "output_norm",
        "output_layer",
        "output_projection",
        "norm",
        "ln_f",
        "norm_f",
        "final_norm",
        "final_layernorm",
        "final_layer_norm",
        "ln_final",
        "final_layer",
        "ln_out",
        "ff_out",
        "layernorm",
        "layer_norm",
        "post_layernorm",
        "ln_post",
        "post_ln",
        "embed_out",
        "unembed",
        "unembedding",
        "norm_out",
        "proj_out",
        "conv_norm_out",
        "conv_out",
        "out",
        "quant_conv",
        "score",
        "classifier",
        "fc",
        "text_projection",
        "visual_projection",
        "layernorm_post",
        "vision_adapter",
        "ln",
        "norm_final",
        "final_linear",
        "modF",
        "all_final_layer",
        "scale_shift_table",
        "final_logits_bias",
        "conv_head",
        "clf",
    }
)
_TABLES = frozenset({"emb", "wte", "wpe", "shared"})
_INPUT = frozenset(
    {
        "conv1",
        "conv2",
        "conv1d",
        "stem",
        "cls_token",
        "rope",
        "rope_freqs",
        "rotary_pos_emb",
        "pre_layernorm",
        "pre_layrnorm",
        "ln_pre",
        "pre_ln",
        "post_quant_conv",
        "image_newline",
        "layernorm_pre",
        "conv_stem",
        "bn1",
        "patch_conv",
        "post_conv_layernorm",
        "subsample_conv_projection",
        "token_types",
        "patchify_proj",
        "init_x_linear",
        "cond_seq_linear",
        "t5_yproj",
        "mlp_t5",
        "txt_norm",
        "caption_projection",
        "caption_norm",
        "adaln_single",
        "time_projection",
        "distilled_guidance_layer",
        "pos_frequencies",
        "positional_encoding",
        "altup_proj",
        "altup_projections",
    }
)
_INPUT_PARTS = re.compile(r"_(?:in|tokens?)$|stream_modulation|^per_layer_(?:model_)?proj")
_ENCODER = re.compile(r"(?<![^._])(?:enc|encoder|quant_conv)(?=[._]|$)")
_DECODER = re.compile(r"(?<![^._])(?:dec|decoder)(?=[._]|$)|post_quant_conv")


class Layer(NamedTuple):
    """`model.layers`, `.` and `3`; a middle block has no separator and no number."""

    container: str
    separator: str
    number: str


def find_layer(name: str) -> re.Match[str] | None:
    """The part of a name that says in which layer it lies; None where no word does."""
    return _LAYER.search(name)


def find_count(name: str, start: int = 0) -> re.Match[str] | None:
    """The next number in a name that may count layers, at or behind `start`."""
    return _COUNTED.search(name, start)


def layer_from(match: re.Match[str]) -> Layer:
    """The layer that a match stands for."""
    name = match.string
    if match[1] is None:
        return Layer(name[: match.end()], "", "")
    at = match.start(1)
    return Layer(name[: at - 1], name[at - 1], match[1])


def end_of(name: str) -> End | None:
    """Whether a tensor outside of layers is before or after them; the first word decides."""
    for word in name.split("."):
        if word in _OUTPUT or "unemb" in word:
            return "output"
        if word in _INPUT or _INPUT_PARTS.search(word) or _names_a_table(word):
            return "input"
    return None


def is_embedding(name: str) -> bool:
    """Whether the input that a tensor belongs to is looked up in a table."""
    return any(_names_a_table(word) for word in name.split("."))


def side_of(name: str) -> Literal["encoder", "decoder"] | None:
    """The side of a network of two stacks that a name says it is on."""
    if _DECODER.search(name):
        return "decoder"
    return "encoder" if _ENCODER.search(name) else None


def _names_a_table(word: str) -> bool:
    return "embed" in word or "embd" in word or word in _TABLES or word.endswith("_emb")
