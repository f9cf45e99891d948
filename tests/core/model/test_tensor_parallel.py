"""Which dimension a tensor-parallel rank slices, of the architectures people serve."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.tensor_parallel import Cut, cut_of

COLUMN, ROW = Cut(0), Cut(1)

CUTS = {
    "Llama query": ("model.layers.0.self_attn.q_proj.weight", (64, 32), COLUMN),
    "Llama key": ("model.layers.11.self_attn.k_proj.weight", (16, 32), COLUMN),
    "Llama output": ("model.layers.0.self_attn.o_proj.weight", (32, 64), ROW),
    "Llama gate": ("model.layers.0.mlp.gate_proj.weight", (96, 32), COLUMN),
    "Llama down": ("model.layers.0.mlp.down_proj.weight", (32, 96), ROW),
    "Llama norm": ("model.layers.0.input_layernorm.weight", (32,), None),
    "Llama embeddings": ("model.embed_tokens.weight", (128, 32), COLUMN),
    "Llama head": ("lm_head.weight", (128, 32), COLUMN),
    "Qwen bias": ("model.layers.0.self_attn.v_proj.bias", (16,), COLUMN),
    "Qwen norm of queries": ("model.layers.0.self_attn.q_norm.weight", (16,), None),
    "bias after a row": ("model.layers.0.self_attn.o_proj.bias", (32,), None),
    "Mistral's own names": ("layers.3.feed_forward.w2.weight", (32, 96), ROW),
    "Mistral's own output": ("layers.3.attention.wo.weight", (32, 32), ROW),
    "Mixtral gate": ("model.layers.0.block_sparse_moe.experts.7.w1.weight", (96, 32), COLUMN),
    "Mixtral down": ("model.layers.0.block_sparse_moe.experts.7.w2.weight", (32, 96), ROW),
    "Mixtral router": ("model.layers.0.block_sparse_moe.gate.weight", (8, 32), None),
    "Qwen expert": ("model.layers.0.mlp.experts.63.up_proj.weight", (96, 32), COLUMN),
    "Qwen shared expert": ("model.layers.0.mlp.shared_expert.down_proj.weight", (32, 96), ROW),
    "Qwen gate of shared": ("model.layers.0.mlp.shared_expert_gate.weight", (1, 32), None),
    "Qwen 1, where w2 is a gate": ("transformer.h.0.mlp.w2.weight", (96, 32), None),
    "DeepSeek second query": ("model.layers.0.self_attn.q_b_proj.weight", (64, 8), COLUMN),
    "DeepSeek first key": ("model.layers.0.self_attn.kv_a_proj_with_mqa.weight", (8, 32), None),
    "DeepSeek scale": ("model.layers.0.mlp.down_proj.weight_scale_inv", (4, 12), ROW),
    "scale of each output": ("model.layers.0.mlp.down_proj.weight_scale", (32,), None),
    "scale of the input": ("model.layers.0.mlp.up_proj.input_scale", (), None),
    "GPTQ column": ("model.layers.0.self_attn.q_proj.qweight", (4, 64), Cut(1)),
    "GPTQ row": ("model.layers.0.self_attn.o_proj.qweight", (8, 32), Cut(0)),
    "LoRA": ("model.layers.0.self_attn.q_proj.lora_A.weight", (8, 32), None),
    "Phi gate and up": ("model.layers.0.mlp.gate_up_proj.weight", (192, 32), Cut(0, 2)),
    "Phi fused attention": ("model.layers.0.self_attn.qkv_proj.weight", (96, 32), None),
    "GPT-2 fused attention": ("transformer.h.0.attn.c_attn.weight", (32, 96), None),
    "GPT-2, square": ("transformer.h.0.attn.c_proj.weight", (32, 32), None),
    "GPT-2 up, inputs first": ("transformer.h.0.mlp.c_fc.weight", (32, 128), Cut(1)),
    "GPT-2 up's bias": ("transformer.h.0.mlp.c_fc.bias", (128,), COLUMN),
    "GPT-2 down, inputs first": ("transformer.h.0.mlp.c_proj.weight", (128, 32), Cut(0)),
    "GPT-2 down's bias": ("transformer.h.0.mlp.c_proj.bias", (32,), None),
    "GPT-2 positions": ("transformer.wpe.weight", (1024, 32), None),
    "StarCoder up, outputs first": ("transformer.h.0.mlp.c_fc.weight", (128, 32), Cut(0)),
    "StarCoder down, outputs first": ("transformer.h.0.mlp.c_proj.weight", (32, 128), Cut(1)),
    "NeoX fused attention": ("gpt_neox.layers.0.attention.query_key_value.weight", (96, 32), None),
    "NeoX attention": ("gpt_neox.layers.0.attention.dense.weight", (32, 32), ROW),
    "NeoX up": ("gpt_neox.layers.0.mlp.dense_h_to_4h.weight", (128, 32), COLUMN),
    "BERT, not NeoX": ("bert.encoder.layer.0.attention.output.dense.weight", (32, 32), None),
    "T5 query": ("encoder.block.0.layer.0.SelfAttention.q.weight", (32, 32), COLUMN),
    "T5 output": ("decoder.block.0.layer.1.EncDecAttention.o.weight", (32, 32), ROW),
    "T5 down": ("encoder.block.0.layer.1.DenseReluDense.wo.weight", (32, 128), ROW),
    "T5 embeddings": ("shared.weight", (128, 32), COLUMN),
    "CLIP up": ("vision_model.encoder.layers.0.mlp.fc1.weight", (128, 32), COLUMN),
    "CLIP output": ("text_model.encoder.layers.0.self_attn.out_proj.weight", (32, 32), ROW),
    "CLIP patches": ("vision_model.embeddings.patch_embedding.weight", (32, 3, 4, 4), None),
    "convolution of that name": ("mixer.out_proj.weight", (32, 1, 4), None),
    "GGUF query": ("blk.0.attn_q.weight", (64, 32), COLUMN),
    "GGUF output": ("blk.0.attn_output.weight", (32, 64), ROW),
    "GGUF norm": ("blk.0.attn_q_norm.weight", (16,), None),
    "GGUF fused attention": ("blk.0.attn_qkv.weight", (96, 32), None),
    "GGUF down": ("blk.0.ffn_down.weight", (32, 96), ROW),
    "GGUF router": ("blk.0.ffn_gate_inp.weight", (8, 32), None),
    "GGUF experts' gate": ("blk.0.ffn_gate_exps.weight", (8, 96, 32), Cut(1)),
    "GGUF experts' gate's bias": ("blk.0.ffn_gate_exps.bias", (8, 96), Cut(1)),
    "GGUF experts' down": ("blk.0.ffn_down_exps.weight", (8, 32, 96), Cut(2)),
    "GGUF experts' down's bias": ("blk.0.ffn_down_exps.bias", (8, 32), None),
    "GGUF of T5": ("dec.blk.0.cross_attn_o.weight", (32, 32), ROW),
    "GGUF vision, where up and down changed places": ("v.blk.0.ffn_up.weight", (32, 96), None),
    "GGUF embeddings": ("token_embd.weight", (128, 32), COLUMN),
    "GGUF head": ("output.weight", (128, 32), COLUMN),
    "GGUF last norm": ("output_norm.weight", (32,), None),
    "MLX experts": ("model.layers.0.mlp.switch_mlp.down_proj.weight", (8, 32, 96), Cut(2)),
    "unknown": ("something.weight", (32, 32), None),
}


@pytest.mark.parametrize(("name", "shape", "cut"), CUTS.values(), ids=CUTS)
def test_that_a_tensor_is_cut_as_engines_cut_it(name, shape, cut):
    assert cut_of(name, shape, {name: shape}) == cut


def test_that_scales_beside_a_matrix_with_inputs_first_are_cut_like_it():
    # MLX stores scales outputs first, GPTQ inputs first, both under this name.
    scales, matrix = "layers.0.mlp.up_proj.scales", "layers.0.mlp.up_proj.qweight"
    assert cut_of(scales, (96, 4), {}) == Cut(0)
    assert cut_of(scales, (4, 96), {matrix: (4, 96)}) == Cut(1)


def test_that_no_rank_is_given_a_part_of_gemvs_layout():
    sizes = {"qweight": (96, 64), "qzeros": (96, 2), "scales": (96, 16)}
    shapes = {f"layers.0.mlp.up_proj.{kind}": shape for kind, shape in sizes.items()}
    assert [cut_of(name, shape, shapes) for name, shape in shapes.items()] == [None] * 3


@pytest.mark.parametrize(
    ("module", "sizes", "cuts"),
    [
        (
            "down_proj",
            {"qweight": (32, 128), "qzeros": (2, 16), "scales": (2, 128), "g_idx": (256,)},
            {"qweight": Cut(0, 1, (32, 256)), "g_idx": Cut(0, 1, (32, 256))},
        ),
        (
            "down_proj",
            {"qweight": (32, 128), "qzeros": (2, 16), "scales": (2, 128)},
            dict.fromkeys(("qweight", "qzeros", "scales"), Cut(0, 1, (2, 32))),
        ),
        (
            "up_proj",
            {"qweight": (32, 128), "qzeros": (2, 16), "scales": (2, 128), "g_idx": (256,)},
            dict.fromkeys(("qweight", "qzeros", "scales"), Cut(1, 1, (16, 128))),
        ),
        # Three bits: no number of words is a number of values.
        ("down_proj", {"qweight": (24, 64), "scales": (2, 64), "g_idx": (256,)}, {}),
        (
            "up_proj",
            {"weight": (256, 64), "weight_scale_inv": (2, 1)},
            {"weight": Cut(0, 1, (2, 256)), "weight_scale_inv": Cut(0, 1, (2, 256))},
        ),
        # Blocks of 128 rows, of which the last is shorter.
        ("up_proj", {"weight": (300, 64), "weight_scale_inv": (3, 1)}, {}),
        (
            "up_proj",
            {"weight": (300, 64), "weight_scale": (1, 1)},
            {"weight": Cut(0), "weight_scale": Cut(0)},
        ),
        ("up_proj", {"weight": (4096, 1), "weight.absmax": (128,)}, {}),
    ],
    ids=["order", "groups", "column", "three bits", "blocks", "odd blocks", "one scale", "NF4"],
)
def test_that_the_parts_of_a_weight_that_a_rank_gets_belong_together(module, sizes, cuts):
    shapes = {f"layers.0.mlp.{module}.{kind}": shape for kind, shape in sizes.items()}
    found = {name: cut_of(name, shape, shapes) for name, shape in shapes.items()}
    assert found == {name: cuts.get(name.split(f"{module}.")[1]) for name in shapes}


def test_that_gate_and_up_in_one_matrix_are_known_by_the_matrix_after_them():
    up, down = "blk.0.ffn_up.weight", "blk.0.ffn_down.weight"
    assert cut_of(up, (96, 32), {down: (32, 96)}) == Cut(0)
    assert cut_of(up, (192, 32), {down: (32, 96)}) == Cut(0, 2)


@pytest.mark.parametrize(
    ("gate_up", "down", "cuts"),
    [
        ((8, 192, 32), (8, 32, 96), (Cut(1, 2), Cut(2))),
        ((8, 32, 192), (8, 96, 32), (Cut(2, 2), Cut(1))),
        ((8, 33, 192), (8, 96, 32), (None, None)),
    ],
    ids=["outputs first", "inputs first", "neither"],
)
def test_that_stacked_experts_tell_their_order_together(gate_up, down, cuts):
    prefix = "model.layers.0.mlp.experts."
    shapes = {f"{prefix}gate_up_proj": gate_up, f"{prefix}down_proj": down}
    assert tuple(cut_of(name, shape, shapes) for name, shape in shapes.items()) == cuts


@pytest.mark.parametrize(
    ("scale", "codes_cut", "scale_cut"),
    [
        ((8,), Cut(1, 2), None),
        ((8, 1, 32), Cut(1, 2), None),
        ((8, 192, 1), Cut(1, 2), Cut(1, 2)),
        ((8, 12, 2), Cut(1, 2, (12, 192)), Cut(1, 2, (12, 192))),
        ((8, 5, 2), None, None),
    ],
    ids=["an expert", "columns", "rows", "blocks", "neither"],
)
def test_that_scales_of_stacked_experts_are_sliced_as_their_codes(scale, codes_cut, scale_cut):
    prefix = "model.layers.0.mlp.experts."
    shapes = {
        f"{prefix}gate_up_proj": (8, 192, 32),
        f"{prefix}gate_up_proj_scale_inv": scale,
        f"{prefix}down_proj": (8, 32, 96),
    }
    cuts = [cut_of(name, shape, shapes) for name, shape in shapes.items()]
    assert cuts == [codes_cut, scale_cut, Cut(2)]


def test_that_experts_which_alternate_gate_and_up_are_whole():
    prefix = "model.layers.0.mlp.experts."
    shapes = {
        f"{prefix}gate_up_proj": (8, 32, 192),
        f"{prefix}gate_up_proj_bias": (8, 192),
        f"{prefix}down_proj": (8, 96, 32),
    }
    assert [cut_of(name, shape, shapes) for name, shape in shapes.items()] == [None] * 3


@given(
    st.sampled_from([name for name, _, _ in CUTS.values()]) | st.text("blk.0weight_", max_size=30),
    st.lists(st.integers(0, 9), max_size=5).map(tuple),
)
def test_that_no_shape_is_cut_in_a_dimension_it_does_not_have(name, shape):
    cut = cut_of(name, shape, {name: shape})
    assert cut is None or 0 <= cut.dimension < len(shape)


def test_that_a_loader_can_use_it_without_any_library():
    code = (
        "import sys, modelmon.core.load.subset\n"
        "sys.exit(bool({'numpy', 'msgspec'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
