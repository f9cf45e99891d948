"""Blocks of whole models of the families that people load, by the names of their tensors."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.tensors import Tensor


def spread(patterns: str) -> list[str]:
    """Names from patterns: `layers.{0-1}.{a,b}` becomes four, in the order of counting."""
    names: list[str] = []
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


def block_names(names: list[str]) -> list[str]:
    tensors = [Tensor(name, "U8", (4,), 0, 4 * at, 4) for at, name in enumerate(names)]
    return [block.name for block in blocks_of(tensors)]


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
    "GPT-NeoX": (
        "gpt_neox.{embed_in,final_layer_norm}.weight embed_out.weight "
        "gpt_neox.layers.{0-43}.attention.{rotary_emb.inv_freq,dense.weight}",
        "embeddings layers.{0-43} output",
    ),
    "Falcon": (
        "transformer.{word_embeddings,ln_f}.weight lm_head.weight "
        "transformer.h.{0-59}.self_attention.query_key_value.weight",
        "embeddings h.{0-59} output",
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
    "DeepSeek-V3, with the layer that predicts further tokens": (
        "model.embed_tokens.weight model.norm.weight lm_head.weight "
        "model.layers.{0-61}.mlp.experts.{0-15}.down_proj.{weight,weight_scale_inv} "
        "model.layers.61.{embed_tokens,eh_proj,shared_head.head,shared_head.norm}.weight",
        "embeddings layers.{0-61} output",
    ),
    "Qwen3-Next, whose next layer is a stack of its own": (
        LLAMA + " mtp.{fc,norm}.weight mtp.layers.0.mlp.experts.{0-15}.up_proj.weight",
        "embeddings layers.{0-31} mtp.layers.0 output",
    ),
    "T5": (
        "shared.weight {encoder,decoder}.embed_tokens.weight lm_head.weight "
        "{encoder,decoder}.block.{0-11}.layer.{0-2}.layer_norm.weight "
        "{encoder,decoder}.final_layer_norm.weight",
        "embeddings encoder.block.{0-11} encoder.output decoder.embeddings decoder.block.{0-11} "
        "output",
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
    "CLIP's text encoder alone": (
        "text_model.encoder.layers.{0-11}.mlp.fc1.weight text_projection.weight "
        "text_model.{embeddings.token_embedding,final_layer_norm}.weight",
        "embeddings layers.{0-11} output",
    ),
    "ViT": (
        "vit.embeddings.{cls_token,patch_embeddings.projection.weight} vit.layernorm.weight "
        "vit.encoder.layer.{0-11}.{output,intermediate}.dense.weight classifier.weight",
        "embeddings layer.{0-11} output",
    ),
    "SigLIP of timm": (
        "patch_embed.proj.weight pos_embed blocks.{0-26}.attn.qkv.weight norm.weight",
        "embeddings blocks.{0-26} output",
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
    "VAE of Diffusers": (
        "encoder.{conv_in,conv_norm_out,conv_out}.weight {quant_conv,post_quant_conv}.weight "
        "decoder.{conv_in,conv_norm_out,conv_out}.weight encoder.down_blocks.{0-3}.resnets.0.a "
        "{encoder,decoder}.mid_block.attentions.0.a decoder.up_blocks.{0-3}.resnets.0.a",
        "input encoder.down_blocks.{0-3} encoder.mid_block encoder.output decoder.input "
        "decoder.mid_block decoder.up_blocks.{0-3} output",
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
    "SD3": (
        "model.diffusion_model.{x_embedder.proj,context_embedder,final_layer.linear}.weight "
        "model.diffusion_model.joint_blocks.{0-23}.x_block.attn.qkv.weight "
        "model.diffusion_model.pos_embed",
        "embeddings joint_blocks.{0-23} output",
    ),
    "HunyuanVideo": (
        "{img_in.proj,time_in.mlp.0,final_layer.linear}.weight "
        "txt_in.individual_token_refiner.blocks.{0-1}.mlp.fc1.weight "
        "double_blocks.{0-19}.img_mod.linear.weight single_blocks.{0-39}.linear1.weight",
        "input txt_in.blocks.{0-1} double_blocks.{0-19} single_blocks.{0-39} output",
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
    "LoRA of SDXL": (
        "lora_te{1,2}_text_model_encoder_layers_{0-11}_mlp_fc1.alpha "
        "lora_unet_input_blocks_{4-8}_1_transformer_blocks_{0-1}_attn1_to_q.alpha "
        "lora_unet_middle_block_1_transformer_blocks_0_attn1_to_q.alpha "
        "lora_unet_output_blocks_{0-5}_1_proj_in.alpha",
        "lora_te1.lora_te1_text_model_encoder_layers_{0-11} "
        "lora_te2.lora_te2_text_model_encoder_layers_{0-11} lora_unet_input_blocks_{4-8} "
        "lora_unet_middle_block lora_unet_output_blocks_{0-5}",
    ),
    "layers behind words and counts that nobody has seen": (
        "net.{0-1}.unit.{0-39}.{k,v}.weight net.1.tail.weight",
        "net.0.unit.{0-39} net.1.unit.{0-39} tail",
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ["as listed", "by name", "at random"])
def test_that_a_models_blocks_are_what_people_call_them_however_it_was_written(
    family: str, order: str
) -> None:
    patterns, expected = FAMILIES[family]
    names = spread(patterns)
    if order == "by name":
        names.sort()
    elif order == "at random":
        random.Random(0).shuffle(names)
    assert block_names(names) == spread(expected)
