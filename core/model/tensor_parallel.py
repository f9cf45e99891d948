"""Which part of a tensor one rank of a tensor-parallel group holds, by the tensor's name.

The scheme is Megatron's (Shoeybi et al. 2019, section 3), which vLLM and transformers follow.
Matrices that begin a pair (query, key, value, gate, up) are column-parallel: a rank holds some
of their outputs, biases included. Those that end it (attention's output, down) are
row-parallel: a rank holds some of their inputs, and the whole bias. Embeddings and head are
sliced by vocabulary. Everything else is replicated: norms, routers, and whatever is unknown.

Of fused query-key-value matrices a rank's part does not follow from name and shape (the order
is by projection or by head, and key and value may have fewer heads), so they are replicated.
Gate and up in one matrix are sliced each for itself. Heads are not looked at: where they
cannot be divided evenly, engines replicate keys and values, and here they are cut.

A weight of several tensors is sliced where all of them divide evenly, so that the parts of a rank
belong together, and else replicated. Where GPTQ's `g_idx` gives each input its group, any of them
may be any rank's: scales and zero points of a row-parallel matrix are replicated, as in vLLM.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    Shape = tuple[int, ...]

# Where the module lies, which of its words are column-parallel and which row-parallel.
_MODULES = (
    (
        "",
        "q_proj k_proj v_proj q_b_proj kv_b_proj gate_proj up_proj gate_up_proj fc1 fc_in"
        " dense_h_to_4h",
        "o_proj out_proj down_proj fc2 fc_out dense_4h_to_h",
    ),
    # Vocabularies are sliced as outputs are.
    (
        "",
        "embed_tokens tok_embeddings token_embedding word_embeddings wte embed_in embed_out"
        " lm_head",
        "",
    ),
    (r"^$", "shared token_embd output", ""),
    (r"(?:^|\.)attention$", "wq wk wv", "wo dense"),
    (r"(?:^|\.)(?:self_attention|self_attn)$", "", "dense"),
    (r"(?:^|\.)(?:experts\.[0-9]+|feed_forward)$", "w1 w3", "w2"),
    (r"(?:^|\.)mlp$", "c_fc", "c_proj"),
    (r"\.(?:Self|EncDec)Attention$", "q k v", "o"),
    (r"\.DenseReluDense$", "wi wi_0 wi_1", "wo"),
    (
        r"^(?:enc\.|dec\.)?blk\.[0-9]+$",
        "attn_q attn_k attn_v attn_q_b attn_kv_b cross_attn_q cross_attn_k cross_attn_v"
        " ffn_gate ffn_up ffn_gate_exps ffn_up_exps ffn_gate_shexp ffn_up_shexp",
        "attn_output attn_o cross_attn_o ffn_down ffn_down_exps ffn_down_shexp",
    ),
)
_MATRICES = frozenset(
    {"weight", "weight_packed", "weight_scale", "weight_scale_inv"}
    | {"qweight", "qzeros", "scales", "g_idx", "biases", "bias"}
)
_OF_GROUPS = frozenset({"qzeros", "scales"})
_WHOLE_VALUES = frozenset({"weight", "bias"})
_INPUTS_FIRST = frozenset({"qweight", "qzeros"})
_SCALES = ("", "_scale", "_scale_inv", "_weight_scale", "_weight_scale_inv")
_ALL_EXPERTS = {f"{each}{end}": each for each in ("gate_up_proj", "down_proj") for end in _SCALES}
"""Matrices of all experts as one parameter, and their scales: which of the two it belongs to."""
_DOWN_OF_UP = {"ffn_up": "ffn_down", "dense_h_to_4h": "dense_4h_to_h"}


def _places() -> dict[str, list[tuple[re.Pattern[str], bool]]]:
    """By a module's last word: where it must lie, and whether it is row-parallel then."""
    places: dict[str, list[tuple[re.Pattern[str], bool]]] = {}
    for where, column, row in _MODULES:
        pattern = re.compile(where)
        for words, is_row in ((column, False), (row, True)):
            for word in words.split():
                places.setdefault(word, []).append((pattern, is_row))
    return places


_PLACES = _places()


class Cut(NamedTuple):
    """Where a tensor is sliced: along `dimension` of its shape (slowest first).

    `parts` matrices of equal size follow one another in that dimension; a rank holds its
    slice of each. `beside` are the lengths of all tensors of one weight where they are sliced: if
    ranks don't divide one of them evenly, each holds all of all.
    """

    dimension: int
    parts: int = 1
    beside: tuple[int, ...] = ()


def cut_of(name: str, shape: Shape, shapes: Mapping[str, Shape]) -> Cut | None:
    """Where a tensor-parallel rank slices this tensor; None if each rank holds all of it.

    `shapes` are those of all the model's tensors by name: some names leave open what only
    the tensors beside them tell.
    """
    cut = _cut_of_one(name, shape, shapes)
    module, _, kind = name.rpartition(".")
    kinds = _MATRICES
    if kind in _ALL_EXPERTS:
        kinds = frozenset(f"{_ALL_EXPERTS[kind]}{end}" for end in _SCALES)
    beside = {each: held for each in kinds if (held := shapes.get(f"{module}.{each}")) is not None}
    if cut is None or beside.keys() <= _WHOLE_VALUES:
        return cut
    cuts = {kind: _cut_of_one(f"{module}.{kind}", held, shapes) for kind, held in beside.items()}
    sliced = {beside[kind][each.dimension] for kind, each in cuts.items() if each is not None}
    lengths = sorted(sliced - {1})  # one scale of all is each rank's
    if len(lengths) < 2:
        return cut
    # Ranks are powers of two.
    if any(length % lengths[0] or (length // lengths[0]).bit_count() != 1 for length in lengths):
        return None
    return cut._replace(beside=tuple(lengths))


def _cut_of_one(name: str, shape: Shape, shapes: Mapping[str, Shape]) -> Cut | None:
    """The same for a tensor by itself."""
    module, _, kind = name.rpartition(".")
    before, _, word = module.rpartition(".")
    if kind in _ALL_EXPERTS and word == "experts":
        cut = _cut_of_all_experts(module, _ALL_EXPERTS[kind], shapes)
        # One scale of all is each rank's.
        return cut if cut and len(shape) == 3 and shape[cut.dimension] > 1 else None
    is_row = _is_row(before, word) if kind in _MATRICES else None
    by_order = f"{module}.g_idx" in shapes and kind in _OF_GROUPS if is_row else kind == "g_idx"
    # bitsandbytes stores a matrix end to end, and scales of pieces of it.
    if is_row is None or by_order or f"{name}.absmax" in shapes or _is_gemv(module, shapes):
        return None
    # Matrices of all experts are stacked, expert first.
    output = 1 if word.endswith("_exps") or before.endswith("switch_mlp") else 0
    dimensions = len(shape) - output
    if dimensions == 2 and kind == "weight" and word in ("c_fc", "c_proj"):
        # Of GPT-2's kind some store inputs first and some outputs; the inner side is the larger.
        return None if shape[0] == shape[1] else Cut(0 if shape[0] > shape[1] else 1)
    # GPTQ and AWQ store inputs first, scales included.
    inputs_first = kind == "g_idx" or (
        dimensions == 2 and (kind in _INPUTS_FIRST or f"{module}.qweight" in shapes)
    )
    if is_row:
        is_cut = dimensions == 2 or kind == "g_idx"
        return Cut(0 if inputs_first else output + 1) if is_cut else None
    if inputs_first:
        output += 1
    if dimensions not in (1, 2):
        return None
    return Cut(output, _parts(before, word, shape[output], shapes))


def _is_gemv(module: str, shapes: Mapping[str, Shape]) -> bool:
    """Whether AWQ's rows are outputs, with padded scales: ranks of that layout each load all."""
    kinds = ("qweight", "qzeros", "scales")
    codes, zeros, scales = (shapes.get(f"{module}.{kind}", ()) for kind in kinds)
    if not len(codes) == len(zeros) == 2 or zeros[0] != codes[0]:
        return False
    return scales == (codes[0], 8 * zeros[1])


def _is_row(before: str, word: str) -> bool | None:
    """Whether a module is row-parallel; None if it is neither that nor column-parallel."""
    for place, is_row in _PLACES.get(word, ()):
        if place.search(before):
            return is_row
    return None


def _parts(before: str, word: str, outputs: int, shapes: Mapping[str, Shape]) -> int:
    """2 where gate and up are one matrix: `down` then takes half as many inputs."""
    if word == "gate_up_proj":
        return 2
    if word not in _DOWN_OF_UP:
        return 1
    down = shapes.get(f"{before}.{_DOWN_OF_UP[word]}.weight")
    return 2 if down and outputs == 2 * down[-1] else 1


def _cut_of_all_experts(module: str, kind: str, shapes: Mapping[str, Shape]) -> Cut | None:
    """Experts stacked as one parameter have inputs first or outputs: both matrices tell which.

    Those with a bias (gpt-oss) alternate gate and up, so that no range is a rank's.
    """
    gate_up, down = (shapes.get(f"{module}.{name}", ()) for name in ("gate_up_proj", "down_proj"))
    if len(gate_up) != 3 or len(down) != 3 or f"{module}.gate_up_proj_bias" in shapes:
        return None
    for outer, inner in ((1, 2), (2, 1)):
        if gate_up[outer] == 2 * down[inner] and gate_up[inner] == down[outer]:
            return Cut(outer, 2) if kind == "gate_up_proj" else Cut(inner)
    return None
