"""Models that make pictures, by the names of their tensors, and the blocks that they have."""

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

IMAGE_FAMILIES = {
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
    "HunyuanVideo": (
        "{img_in.proj,time_in.mlp.0,final_layer.linear}.weight "
        "txt_in.individual_token_refiner.blocks.{0-1}.mlp.fc1.weight "
        "double_blocks.{0-19}.img_mod.linear.weight single_blocks.{0-39}.linear1.weight",
        "input txt_in.blocks.{0-1} double_blocks.{0-19} single_blocks.{0-39} output",
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
}
