"""Blocks of whole models of the families that people load, by the names of their tensors."""

import itertools
import random
import re

import pytest
from tests.core.model.image_families import IMAGE_FAMILIES

from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.tensors import Tensor


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


def block_names(names):
    tensors = [Tensor(name, "U8", (4,), 0, 4 * at, 4) for at, name in enumerate(names)]
    return [block.name for block in blocks_of(tensors)]


LLAMA = (
    "model.embed_tokens.weight model.layers.{0-31}.{self_attn.q_proj,mlp.up_proj,input_layernorm}."
    "weight model.norm.weight lm_head.weight"
)
FAMILIES = IMAGE_FAMILIES | {
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
    assert block_names(names) == spread(expected)
