"""Blocks of the architectures people load, and of names nobody has seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.blocks import MOST_BLOCKS, blocks_of
from modelmon.core.model.tensors import Tensor


def tensors(*names):
    return [Tensor(name, "U8", (4,), 0, 4 * at, 4) for at, name in enumerate(names)]


def block_names(*names):
    return [block.name for block in blocks_of(tensors(*names))]


ARCHITECTURES = {
    "Llama, whose 10 follows 2": (
        "lm_head.weight model.embed_tokens.weight model.layers.0.a model.layers.10.a "
        "model.layers.2.a model.norm.weight",
        "embeddings layers.0 layers.2 layers.10 output",
    ),
    "GPT-2": (
        "transformer.h.0.a transformer.h.1.a transformer.ln_f.bias transformer.wpe.weight "
        "transformer.wte.weight",
        "embeddings h.0 h.1 output",
    ),
    "GPT-NeoX": (
        "embed_out.weight gpt_neox.embed_in.weight gpt_neox.final_layer_norm.bias "
        "gpt_neox.layers.0.a",
        "embeddings layers.0 output",
    ),
    "OPT": (
        "model.decoder.embed_positions.weight model.decoder.embed_tokens.weight "
        "model.decoder.final_layer_norm.bias model.decoder.layers.0.a",
        "embeddings layers.0 output",
    ),
    "Mixtral, whose experts stay in their layer": (
        "model.layers.0.block_sparse_moe.experts.0.w1.weight "
        "model.layers.0.block_sparse_moe.experts.7.w1.weight model.layers.1.mlp.experts.3.a",
        "layers.0 layers.1",
    ),
    "GGUF": (
        "output.weight token_embd.weight blk.0.attn_q.weight blk.0.ffn_gate_exps.weight "
        "blk.1.attn_q.weight output_norm.weight rope_freqs.weight",
        "embeddings blk.0 blk.1 output",
    ),
    "T5": (
        "decoder.block.0.layer.0.a decoder.final_layer_norm.weight encoder.block.0.layer.0.a "
        "encoder.block.0.layer.1.a shared.weight",
        "embeddings encoder.block.0 decoder.block.0 output",
    ),
    "GGUF of T5": (
        "dec.blk.0.a dec.output_norm.weight enc.blk.0.a token_embd.weight",
        "embeddings enc.blk.0 dec.blk.0 output",
    ),
    "Whisper": (
        "model.decoder.embed_tokens.weight model.decoder.layers.0.a model.encoder.conv1.weight "
        "model.encoder.layers.0.a proj_out.weight",
        "input encoder.layers.0 decoder.embeddings decoder.layers.0 output",
    ),
    "BERT": (
        "bert.embeddings.word_embeddings.weight bert.encoder.layer.0.a bert.encoder.layer.11.a "
        "bert.pooler.dense.weight",
        "embeddings layer.0 layer.11 pooler",
    ),
    "LLaVA": (
        "language_model.lm_head.weight language_model.model.embed_tokens.weight "
        "language_model.model.layers.0.a multi_modal_projector.linear_1.weight "
        "multi_modal_projector.linear_2.weight vision_tower.vision_model.encoder.layers.0.a "
        "vision_tower.vision_model.post_layernorm.weight",
        "vision_tower.layers.0 vision_tower.output multi_modal_projector embeddings layers.0 "
        "output",
    ),
    "CLIP": (
        "logit_scale text_model.encoder.layers.0.a text_model.final_layer_norm.weight "
        "vision_model.encoder.layers.0.a",
        "vision_model.layers.0 text_model.layers.0 text_model.output other",
    ),
    "UNet of Diffusers": (
        "conv_in.weight conv_out.weight down_blocks.0.resnets.0.a down_blocks.1.attentions.1.a "
        "mid_block.attentions.0.a mid_block.resnets.1.a time_embedding.linear_1.weight "
        "up_blocks.0.resnets.0.a",
        "embeddings down_blocks.0 down_blocks.1 mid_block up_blocks.0 output",
    ),
    "Stable Diffusion in one file": (
        "cond_stage_model.transformer.text_model.encoder.layers.0.a "
        "first_stage_model.decoder.conv_out.weight first_stage_model.decoder.mid.attn_1.a "
        "first_stage_model.decoder.up.0.block.0.a first_stage_model.encoder.down.0.block.0.a "
        "first_stage_model.encoder.mid.attn_1.a model.diffusion_model.input_blocks.0.0.weight "
        "model.diffusion_model.input_blocks.11.1.transformer_blocks.0.a "
        "model.diffusion_model.middle_block.1.transformer_blocks.0.a "
        "model.diffusion_model.out.2.weight model.diffusion_model.output_blocks.3.0.a "
        "model.diffusion_model.time_embed.0.weight",
        "text_encoder.layers.0 embeddings input_blocks.0 input_blocks.11 middle_block "
        "output_blocks.3 output vae.encoder.down.0 vae.encoder.mid vae.decoder.mid "
        "vae.decoder.up.0 vae.output",
    ),
    "Flux": (
        "double_blocks.0.img_attn.a double_blocks.18.a final_layer.linear.weight img_in.weight "
        "single_blocks.0.linear1.a time_in.in_layer.weight txt_in.weight vector_in.in_layer.weight",
        "input double_blocks.0 double_blocks.18 single_blocks.0 output",
    ),
    "Flux of Diffusers": (
        "context_embedder.weight norm_out.linear.weight proj_out.weight "
        "single_transformer_blocks.0.a transformer_blocks.0.a x_embedder.weight",
        "embeddings transformer_blocks.0 single_transformer_blocks.0 output",
    ),
    "LoRA of flat names": (
        "lora_unet_down_blocks_0_attn.alpha lora_unet_down_blocks_1_attn.alpha "
        "lora_unet_down_blocks_2_attn.alpha lora_unet_down_blocks_3_attn.alpha",
        "lora_unet_down_blocks_0 lora_unet_down_blocks_1 lora_unet_down_blocks_2 "
        "lora_unet_down_blocks_3",
    ),
    "a control vector": (
        "direction.1 direction.2 direction.3 direction.10",
        "direction.1 direction.2 direction.3 direction.10",
    ),
    "names without structure": ("alpha beta gamma", "other"),
    "a few numbered modules": ("mlp.0.weight mlp.2.weight tail.weight", "mlp tail"),
    "empty parts": (". .. a..b", "unnamed a"),
}


@pytest.mark.parametrize("case", ARCHITECTURES)
def test_that_blocks_are_what_a_person_calls_them_in_execution_order(case):
    names, expected = ARCHITECTURES[case]
    assert block_names(*names.split()) == expected.split()


def test_that_a_block_sums_its_tensors():
    block = blocks_of(tensors("model.layers.0.a", "x", "model.layers.0.b"))[0]
    assert (block.name, block.tensors, block.nbytes) == ("layers.0", (0, 2), 8)


@pytest.mark.parametrize(
    "pattern",
    ["tensor_{0}", "t.{0}", "t{0}", "t{0}.weight", "layers.{0}.w", "m{0}.layers.0.w", "{0}.w"],
)
def test_that_20_000_tensors_never_become_20_000_blocks(pattern):
    names = [pattern.format(number) for number in range(20_000)]
    assert 1 <= len(blocks_of(tensors(*names))) <= MOST_BLOCKS


def test_that_layers_stay_when_something_else_counts_too_far():
    counted = [f"cache.{number}.w" for number in range(5000)]
    layers = [f"model.layers.{number}.w" for number in range(80)]
    assert block_names(*counted, *layers) == [
        "cache",
        *(f"layers.{number}" for number in range(80)),
    ]


TOWERS = ["model", "encoder", "decoder", "vision_tower", "first_stage_model", "text_encoders"]
COUNTED = ["layers", "blk", "up", "mid_block", "0", "1", "01", "10", "x_2", "a_1_b"]
GROUPED = ["lm_head", "norm", "output", "embeddings", "other", "tensors", "unnamed", "weight"]
PARTS = st.one_of(st.sampled_from([*TOWERS, *COUNTED, *GROUPED]), st.text(max_size=4))
NAMES = st.lists(PARTS, max_size=6).map(".".join)


@given(st.lists(NAMES, unique=True, max_size=40))
def test_that_every_tensor_is_in_exactly_one_block_with_a_name_of_its_own(names):
    blocks = blocks_of(tensors(*names))
    members = [index for block in blocks for index in block.tensors]
    assert sorted(members) == list(range(len(names)))
    assert len({block.name for block in blocks}) == len(blocks)
    assert all(block.name.strip() and block.tensors for block in blocks)
    assert sum(block.nbytes for block in blocks) == 4 * len(names)
    assert all(list(block.tensors) == sorted(block.tensors) for block in blocks)


@given(st.lists(NAMES, unique=True, max_size=40), st.randoms(use_true_random=False))
def test_that_layers_come_in_the_order_of_their_numbers_however_they_were_written(names, random):
    layers = [f"model.layers.{number}.w" for number in range(12)]
    mixed = [*names, *layers]
    random.shuffle(mixed)
    blocks = blocks_of(tensors(*mixed))
    found = {index: at for at, block in enumerate(blocks) for index in block.tensors}
    places = [found[mixed.index(layer)] for layer in layers]
    assert places == sorted(set(places))
