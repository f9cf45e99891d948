"""Blocks of the models that people load, by their tensors' names, and of names nobody has seen."""

import itertools
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.blocks import MOST_BLOCKS, blocks_of
from modelmon.core.model.tensors import Tensor


def tensors(*names):
    return [Tensor(name, "U8", (4,), 0, 4 * at, 4) for at, name in enumerate(names)]


def block_names(*names):
    return [block.name for block in blocks_of(tensors(*names))]


def spread(patterns):
    """Names from patterns: `layers.{0-1}.{a,b}` becomes four, in the order of counting."""
    names = []
    for pattern in patterns.split():
        parts = re.split(r"\{([^}]*)\}", pattern)
        choices = [[part] for part in parts]
        for at in range(1, len(parts), 2):
            choices[at] = parts[at].split(",")
            if (span := re.fullmatch(r"(\d+)-(\d+)", parts[at])) is not None:
                first, last = int(span[1]), int(span[2])
                step = 1 if first <= last else -1
                choices[at] = [str(number) for number in range(first, last + step, step)]
        names += ["".join(chosen) for chosen in itertools.product(*choices)]
    return names


LLAMA = (
    "model.embed_tokens.weight model.layers.{0-31}.{self_attn.q_proj,mlp.up_proj,input_layernorm}."
    "weight model.norm.weight lm_head.weight"
)
SDXL = (
    "conditioner.embedders.0.transformer.text_model.embeddings.token_embedding.weight "
    "conditioner.embedders.0.transformer.text_model.encoder.layers.{0-11}.mlp.fc1.weight "
    "conditioner.embedders.0.transformer.text_model.final_layer_norm.weight "
    "conditioner.embedders.1.model.{token_embedding.weight,positional_embedding,text_projection} "
    "conditioner.embedders.1.model.transformer.resblocks.{0-31}.attn.in_proj_weight "
    "conditioner.embedders.1.model.ln_final.weight "
    "model.diffusion_model.{time_embed.0,label_emb.0.0,out.2}.weight "
    "model.diffusion_model.input_blocks.{0-8}.0.in_layers.2.weight "
    "model.diffusion_model.middle_block.{0-2}.in_layers.2.weight "
    "model.diffusion_model.output_blocks.{0-8}.1.transformer_blocks.{0-9}.attn1.to_q.weight "
    "first_stage_model.encoder.{conv_in,conv_out,norm_out}.weight "
    "first_stage_model.encoder.down.{0-3}.block.{0-1}.conv1.weight "
    "first_stage_model.encoder.mid.{block_1.conv1,attn_1.q}.weight "
    "first_stage_model.{quant_conv,post_quant_conv}.weight "
    "first_stage_model.decoder.{conv_in,conv_out,norm_out}.weight "
    "first_stage_model.decoder.mid.{block_1.conv1,attn_1.q}.weight "
    "first_stage_model.decoder.up.{0-3}.block.{0-2}.conv1.weight"
)

FAMILIES = {
    "Llama": (LLAMA, "embeddings layers.{0-31} output"),
    "Llama in the words of its makers": (
        "tok_embeddings.weight layers.{0-31}.attention.wq.weight norm.weight output.weight "
        "rope.freqs",
        "embeddings layers.{0-31} output",
    ),
    "GPT-2": (
        "{wte,wpe,ln_f}.weight h.{0-11}.{attn.c_attn,mlp.c_fc,ln_1}.weight",
        "embeddings h.{0-11} output",
    ),
    "ChatGLM": (
        "transformer.embedding.word_embeddings.weight transformer.rotary_pos_emb.inv_freq "
        "transformer.encoder.layers.{0-27}.mlp.dense_h_to_4h.weight "
        "transformer.encoder.final_layernorm.weight transformer.output_layer.weight",
        "embeddings layers.{0-27} output",
    ),
    "Mixtral": (
        "model.embed_tokens.weight model.norm.weight lm_head.weight "
        "model.layers.{0-31}.block_sparse_moe.gate.weight "
        "model.layers.{0-31}.block_sparse_moe.experts.{0-7}.{w1,w2,w3}.weight",
        "embeddings layers.{0-31} output",
    ),
    "Qwen3-Next, whose next layer is a stack of its own": (
        LLAMA + " mtp.{fc,norm}.weight mtp.layers.0.mlp.experts.{0-15}.up_proj.weight",
        "embeddings layers.{0-31} mtp.layers.0 output",
    ),
    "Whisper": (
        "model.encoder.{conv1,conv2,embed_positions,layer_norm}.weight "
        "model.encoder.layers.{0-31}.fc1.weight model.decoder.layers.{0-31}.fc1.weight "
        "model.decoder.{embed_tokens,embed_positions,layer_norm}.weight proj_out.weight",
        "embeddings encoder.layers.{0-31} encoder.output decoder.embeddings "
        "decoder.layers.{0-31} output",
    ),
    "CLIP": (
        "{text_model,vision_model}.encoder.layers.{0-11}.mlp.fc1.weight "
        "text_model.{embeddings.token_embedding,final_layer_norm}.weight "
        "vision_model.{embeddings.patch_embedding,pre_layrnorm,post_layernorm}.weight "
        "{text_projection,visual_projection}.weight logit_scale",
        "vision_model.embeddings vision_model.layers.{0-11} vision_model.output "
        "text_model.embeddings text_model.layers.{0-11} text_model.output other output",
    ),
    "ViT": (
        "vit.embeddings.{cls_token,patch_embeddings.projection.weight} vit.layernorm.weight "
        "vit.encoder.layer.{0-11}.{output,intermediate}.dense.weight classifier.weight",
        "embeddings layer.{0-11} output",
    ),
    "LLaVA": (
        "vision_tower.vision_model.{embeddings.patch_embedding,pre_layrnorm,post_layernorm}.weight "
        "vision_tower.vision_model.encoder.layers.{0-23}.mlp.fc1.weight image_newline "
        "multi_modal_projector.linear_{1,2}.weight language_model.lm_head.weight "
        "language_model.model.{embed_tokens,norm}.weight "
        "language_model.model.layers.{0-31}.mlp.up_proj.weight",
        "vision_tower.embeddings vision_tower.layers.{0-23} vision_tower.output "
        "multi_modal_projector embeddings layers.{0-31} output",
    ),
    "Qwen2-VL": (
        LLAMA + " visual.patch_embed.proj.weight visual.blocks.{0-31}.mlp.fc1.weight "
        "visual.merger.{ln_q,mlp.0,mlp.2}.weight",
        "visual.embeddings visual.blocks.{0-31} merger embeddings layers.{0-31} output",
    ),
    "Llama 4": (
        "language_model.model.{embed_tokens,norm}.weight language_model.lm_head.weight "
        "language_model.model.layers.{0-47}.feed_forward.experts.gate_up_proj "
        "vision_model.model.layers.{0-33}.mlp.fc1.weight vision_model.class_embedding "
        "vision_model.{layernorm_pre,layernorm_post,vision_adapter.mlp.fc1}.weight "
        "multi_modal_projector.linear_1.weight",
        "vision_model.embeddings vision_model.layers.{0-33} vision_model.output "
        "multi_modal_projector embeddings layers.{0-47} output",
    ),
    "Gemma 3n": (
        "model.audio_tower.conformer.{0-11}.attention.attn.q_proj.weight "
        "model.audio_tower.subsample_conv_projection.conv_0.conv.weight "
        "model.language_model.{embed_tokens,norm,per_layer_model_projection}.weight "
        "model.language_model.altup_{projections,unembed_projections}.{0-2}.weight "
        "model.language_model.layers.{0-29}.mlp.up_proj.weight",
        "audio_tower.input audio_tower.conformer.{0-11} embeddings layers.{0-29} output",
    ),
    "EfficientNet of timm": (
        "{conv_stem,bn1,conv_head,classifier}.weight blocks.{0-6}.{0-2}.conv_pw.weight",
        "input blocks.{0-6} output",
    ),
    "OpenCLIP": (
        "visual.{conv1.weight,ln_pre.weight,class_embedding,proj,ln_post.weight} "
        "visual.transformer.resblocks.{0-31}.attn.in_proj_weight "
        "transformer.resblocks.{0-23}.attn.in_proj_weight token_embedding.weight "
        "{positional_embedding,ln_final.weight,text_projection,logit_scale}",
        "visual.embeddings visual.resblocks.{0-31} visual.other visual.output "
        "embeddings resblocks.{0-23} other output",
    ),
    "T5's encoder and decoder in GGUF": (
        "{token_embd,enc.output_norm,dec.output_norm,output}.weight "
        "{enc,dec}.blk.{0-23}.attn_q.weight",
        "embeddings enc.blk.{0-23} encoder.output dec.blk.{0-23} output",
    ),
    "Mamba": (
        "backbone.{embeddings,norm_f}.weight backbone.layers.{0-63}.mixer.in_proj.weight "
        "lm_head.weight",
        "embeddings layers.{0-63} output",
    ),
    "RWKV": (
        "{emb,ln_out,head}.weight blocks.{0-31}.{att.key,ffn.key,ln1}.weight",
        "embeddings blocks.{0-31} output",
    ),
    "GGUF": (
        "{token_embd,output_norm,output,rope_freqs}.weight "
        "blk.{0-31}.{attn_q,ffn_gate_exps,ffn_gate_inp}.weight",
        "embeddings blk.{0-31} output",
    ),
    "GGUF of a projector": (
        "v.{patch_embd,position_embd,pre_ln,post_ln}.weight v.blk.{0-22}.attn_q.weight "
        "mm.{0,2}.weight",
        "embeddings blk.{0-22} output mm",
    ),
    "layers behind words and counts that nobody has seen": (
        "net.{0-1}.unit.{0-39}.{k,v}.weight net.1.tail.weight",
        "net.0.unit.{0-39} net.1.unit.{0-39} tail",
    ),
    "SDXL in one file": (
        SDXL,
        "text_encoder.0.embeddings text_encoder.0.layers.{0-11} text_encoder.0.output "
        "text_encoder.1.embeddings text_encoder.1.resblocks.{0-31} text_encoder.1.output "
        "embeddings input_blocks.{0-8} middle_block output_blocks.{0-8} output "
        "vae.input vae.encoder.down.{0-3} vae.encoder.mid vae.encoder.output "
        "vae.decoder.input vae.decoder.mid vae.decoder.up.{3-0} vae.output",
    ),
    "UNet of Diffusers": (
        "{conv_in,time_embedding.linear_1,add_embedding.linear_1,conv_norm_out,conv_out}.weight "
        "{down_blocks,up_blocks}.{0-2}.resnets.{0-1}.conv1.weight mid_block.resnets.0.conv1.weight",
        "embeddings down_blocks.{0-2} mid_block up_blocks.{0-2} output",
    ),
    "ControlNet of Diffusers": (
        "controlnet_down_blocks.{0-11}.weight controlnet_mid_block.weight "
        "{conv_in,time_embedding.linear_1,controlnet_cond_embedding.conv_in}.weight "
        "controlnet_cond_embedding.blocks.{0-5}.weight "
        "down_blocks.{0-3}.resnets.{0-1}.conv1.weight mid_block.resnets.0.conv1.weight",
        "embeddings controlnet_cond_embedding.blocks.{0-5} down_blocks.{0-3} mid_block "
        "controlnet_down_blocks.{0-11} controlnet_mid_block",
    ),
    "HunyuanDiT of its makers, without its pooler": (
        "blocks.{0-39}.attn1.Wqkv.weight mlp_t5.{0,2}.weight text_embedding_padding "
        "{x_embedder.proj,t_embedder.mlp.0,final_layer.linear}.weight",
        "embeddings blocks.{0-39} output",
    ),
    "Flux with all that ComfyUI needs": (
        "model.diffusion_model.{img_in,txt_in,time_in.in_layer,final_layer.linear}.weight "
        "model.diffusion_model.double_blocks.{0-18}.img_attn.qkv.weight "
        "model.diffusion_model.single_blocks.{0-37}.linear1.weight "
        "text_encoders.clip_l.transformer.text_model.encoder.layers.{0-11}.mlp.fc1.weight "
        "text_encoders.t5xxl.transformer.{shared,encoder.final_layer_norm}.weight "
        "text_encoders.t5xxl.transformer.encoder.block.{0-23}.layer.0.SelfAttention.q.weight "
        "vae.{encoder,decoder}.mid.attn_1.q.weight",
        "clip_l.layers.{0-11} t5xxl.embeddings t5xxl.block.{0-23} t5xxl.output "
        "input double_blocks.{0-18} single_blocks.{0-37} output vae.encoder.mid vae.decoder.mid",
    ),
    "Flux of Diffusers": (
        "{x_embedder,context_embedder,norm_out.linear,proj_out}.weight "
        "transformer_blocks.{0-18}.attn.to_q.weight "
        "single_transformer_blocks.{0-37}.attn.to_q.weight",
        "embeddings transformer_blocks.{0-18} single_transformer_blocks.{0-37} output",
    ),
    "PixArt and Sana": (
        "{pos_embed.proj,adaln_single.linear,caption_projection.linear_1,proj_out}.weight "
        "caption_norm.weight scale_shift_table transformer_blocks.{0-27}.attn1.to_q.weight",
        "embeddings transformer_blocks.{0-27} output",
    ),
    "Wan": (
        "{patch_embedding,text_embedding.0,time_projection.1,head.head}.weight head.modulation "
        "blocks.{0-39}.self_attn.q.weight",
        "embeddings blocks.{0-39} output",
    ),
    "LTX in one file": (
        "model.diffusion_model.{patchify_proj,adaln_single.linear,proj_out}.weight "
        "model.diffusion_model.scale_shift_table "
        "model.diffusion_model.transformer_blocks.{0-27}.attn1.to_q.weight "
        "vae.{encoder.down_blocks,decoder.up_blocks}.{0-6}.res_blocks.0.conv1.conv.weight",
        "input transformer_blocks.{0-27} output "
        "vae.encoder.down_blocks.{0-6} vae.decoder.up_blocks.{0-6}",
    ),
    "Chroma": (
        "{img_in,txt_in,final_layer.linear}.weight "
        "distilled_guidance_layer.{in_proj,out_proj}.weight "
        "distilled_guidance_layer.layers.{0-4}.in_layer.weight "
        "double_blocks.{0-18}.img_attn.qkv.weight single_blocks.{0-37}.linear1.weight",
        "input distilled_guidance_layer.layers.{0-4} double_blocks.{0-18} single_blocks.{0-37} "
        "output",
    ),
    "Flux.2": (
        "{img_in,txt_in,time_in.in_layer,final_layer.linear}.weight "
        "{double_stream_modulation_img,single_stream_modulation}.lin.weight "
        "double_blocks.{0-7}.img_attn.qkv.weight single_blocks.{0-47}.linear1.weight",
        "input double_blocks.{0-7} single_blocks.{0-47} output",
    ),
    "Z-Image": (
        "{all_x_embedder.2-1,cap_embedder.1,t_embedder.mlp.0}.weight {x,cap}_pad_token "
        "all_final_layer.2-1.linear.weight layers.{0-29}.attention.to_q.weight "
        "{context_refiner,noise_refiner}.{0-1}.attention.to_q.weight",
        "embeddings context_refiner.{0-1} noise_refiner.{0-1} layers.{0-29} output",
    ),
    "AuraFlow": (
        "{init_x_linear,t_embedder.mlp.0,cond_seq_linear,modF.1,final_linear}.weight "
        "register_tokens positional_encoding {double,single}_layers.{0-3}.attn.w1q.weight",
        "embeddings double_layers.{0-3} single_layers.{0-3} output",
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


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ["as listed", "by name", "at random"])
def test_that_a_models_blocks_are_what_people_call_them_however_it_was_written(family, order):
    patterns, expected = FAMILIES[family]
    names = spread(patterns)
    if order == "by name":
        names.sort()
    elif order == "at random":
        random.Random(0).shuffle(names)
    assert block_names(*names) == spread(expected)


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
