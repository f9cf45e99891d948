"""Real programs' lines, with times that are known: each phase is as long as it was."""

import pytest

from modelmon.core.worker.program_phases import NAMES, WEIGHTS, Line, Printed

SECOND = 10**9
READ_S = 0.2
# `in PHASE` notes what it is in from then on, as modelmon calls it.
STARTS = {
    "llama.cpp": """\
in devices
sleep 0.3
say load_model: loading model 'model.gguf'
in fit
say common_init_: fitting params to device memory ...
sleep 0.4
say common_fit_params: fitting params to free memory took 0.40 seconds
in headers
say llama_model_loader: loaded meta data with 21 key-value pairs and 111 tensors
sleep 0.4
say load_tensors: loading model tensors, this can take a while... (load_mode = mmap)
in reading
read
in kv-cache
say llama_context: constructing llama_context
sleep 0.5
in graph
say sched_reserve: reserving ...
sleep 0.3
in warm-up
say common_init_: warming up the model with an empty run - please wait ...
compute 1.5
in server
say srv load_model: initializing slots, n_slots = 4
sleep 0.3
""",
    "vLLM": """\
in imports
sleep 0.6
in engine
say INFO 06-18 [__init__.py:244] Automatically detected platform cuda.
sleep 0.3
say (EngineCore_0) INFO Initializing a V1 LLM engine (v0.9.1) with config: model='m'
sleep 0.3
in distributed
say INFO vLLM is using nccl==2.26.2
sleep 0.3
in p2p
say INFO generating GPU P2P access cache in /tmp/gpu_p2p_access_cache.json
sleep 1.2
in weights
say INFO Starting to load model m...
sleep 0.1
in reading
read
in weights
say INFO Loading weights took 0.20 seconds
sleep 0.4
say INFO Model loading took 1.5 GiB and 0.60 seconds
in compile
sleep 0.4
say INFO Dynamo bytecode transform time: 0.40 s
compute 1.2
say INFO torch.compile takes 1.60 s in total
in profiling
sleep 0.3
say INFO Initial profiling/warmup run took 0.30 s
in warm-up
sleep 0.2
say INFO JIT kernel warmup finished in 0.20s.
in kernels
say DeepGEMM warmup:   0%|          | 0/1261 [00:00<?, ?it/s]
sleep 0.7
say DeepGEMM warmup:  50%|####8     | 640/1261 [00:00<00:00, 3.87it/s]
sleep 0.7
say DeepGEMM warmup: 100%|##########| 1261/1261 [00:01<00:00, 3.87it/s]
in graphs
sleep 1.0
say INFO Graph capturing finished in 1.0 secs, took 0.5 GiB
in server
say INFO Started server process [1]
sleep 0.4
""",
    "SGLang": """\
in imports
sleep 0.6
in engine
say [2025-09-01 10:00:00] server_args=ServerArgs(model_path='m')
sleep 0.4
in distributed
say [2025-09-01 10:00:01] Init torch distributed begin.
sleep 0.5
say [2025-09-01 10:00:01] Init torch distributed ends. mem usage=0.10 GB
in weights
say [2025-09-01 10:00:01] Load weight begin. avail mem=78.0 GB
sleep 0.1
in reading
read
in weights
sleep 0.3
say [2025-09-01 10:00:02] Load weight end. type=LlamaForCausalLM
in kv-cache
sleep 0.2
in engine
say [2025-09-01 10:00:02] Memory pool end. avail mem=11.08 GB
sleep 0.1
in graphs
say [2025-09-01 10:00:02] Capture cuda graph begin. This can take up to several minutes.
compute 1.0
in kernels
say [2025-09-01 10:00:03] Entering DeepGEMM JIT Pre-Compile session. It may take a long time
say DeepGEMM warmup:   0%|          | 0/256 [00:00<?, ?it/s]
sleep 0.8
say DeepGEMM warmup: 100%|####| 256/256 [00:44<00:00,  5.75it/s]
say DeepGEMM warmup: 100%|####| 256/256 [00:44<00:00,  5.75it/s]
in graphs
compute 0.5
say [2025-09-01 10:00:04] Capture cuda graph end. Time elapsed: 1.50 s.
in engine
sleep 0.1
in warm-up
say INFO:     Started server process [1]
sleep 0.8
say The server is fired up and ready to roll!
""",
    "ComfyUI": """\
in imports
sleep 0.7
in nodes
say Total VRAM 24564 MB, total RAM 64213 MB
sleep 1.5
in server
say Import times for custom nodes:
sleep 0.3
in weights
say got prompt
sleep 0.3
say Requested to load Flux
in reading
read
in weights
sleep 0.3
in answer
say loaded completely 22000.0 11350.0 True
compute 1.0
""",
    # Shortened lines of ollama/ollama#12027 and #15930.
    "Ollama": """\
in server
say time=2025-11-13 level=INFO source=server.go:400 msg="starting runner" cmd="ollama runner"
sleep 0.3
in devices
say time=2025-11-13 level=INFO source=runner.go:1349 msg="starting ollama engine"
sleep 0.2
in fit
say time=2025-11-13 msg=load request="{Operation:fit LoraPath:[] Parallel:1 KvSize:4096"
sleep 0.3
in kv-cache
say time=2025-11-13 msg=load request="{Operation:alloc LoraPath:[] Parallel:1 KvSize:4096"
sleep 0.4
in weights
say time=2025-11-13 msg=load request="{Operation:commit LoraPath:[] Parallel:1 KvSize:4096"
say time=2025-11-13 msg="waiting for llama runner to start responding"
sleep 0.3
in reading
read
in weights
sleep 1.0
say time=2025-11-13 level=INFO source=server.go:1339 msg="llama runner started in 1.00 seconds"
""",
    # From the log of a gpt-oss-120b, shortened.
    "TensorRT-LLM": """\
in imports
sleep 2.0
in weights
say [12/20/2025-04:20:21] [TRT-LLM] [I] Use 63.32 GB for model weights.
sleep 0.2
say Loading safetensors weights in parallel: 100%|##########| 15/15 [00:00<00:00, 81.92it/s]
read
say Loading weights: 100%|##########| 801/801 [00:46<00:00, 17.29it/s]
say Model init total -- 0.40s
in
say [12/20/2025-04:21:10] [TRT-LLM] [I] max_seq_len=8224, max_num_requests=64
sleep 0.1
in kernels
say [12/20/2025-04:21:10] [TRT-LLM] [I] [Autotuner] Autotuning process starts ...
sleep 0.7
say 2025-12-20 04:21:30,232 - INFO - flashinfer.jit: Finished loading JIT ops: norm
sleep 0.7
in
say [12/20/2025-04:21:37] [TRT-LLM] [I] [Autotuner] Autotuning process ends
in graphs
say [12/20/2025-04:21:37] [TRT-LLM] [I] Creating CUDA graph instances for 11 batch sizes.
say [12/20/2025-04:21:37] [TRT-LLM] [I] Run generation only CUDA graph warmup for batch size=64
sleep 1.0
in
say [TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage profiling
sleep 0.1
in server
say INFO:     Started server process [41]
sleep 0.2
""",
    "ktransformers": """\
in imports
sleep 0.6
in engine
say Injecting model as default
sleep 0.2
say Injecting model.layers.0.mlp as ktransformers.operators.experts . KTransformersExperts
sleep 0.2
in weights
say loading token_embd.weight to cpu
say loading token_embd.weight with CPU
read
say loading blk.0.attn_q_norm.weight to cuda
sleep 0.4
in graphs
say capturing cuda graph 1 1
say 2025-04-05 12:17:54,410 - INFO - flashinfer.jit: Loading JIT ops: batch_mla_attention
sleep 0.5
in engine
say Getting inference context from sched_client.
sleep 0.5
in server
say INFO:     Started server process [41]
sleep 0.1
""",
    "text-generation-webui": """\
in imports
sleep 0.6
in server
say 22:39:10-079753 INFO     Starting Text generation web UI
say 22:39:10-081758 INFO     Loading settings from "user_data/settings.yaml"
sleep 0.3
in weights
say 22:39:10-305748 INFO     Loading "model"
sleep 0.2
read
sleep 0.6
say 04:21:10-232 INFO     Loaded "model" in 1.00 seconds.
in server
say 04:21:10-233 INFO     LOADER: "ExLlamav3"
sleep 0.4
""",
}


@pytest.mark.parametrize("program", STARTS)
def test_that_each_phase_is_as_long_as_it_was(program):
    printed, known_ns, phase, now_ns = Printed(), {}, "", 0
    for step in STARTS[program].splitlines():
        what, _, rest = step.partition(" ")
        if what == "say":
            printed.add(Line(now_ns, rest))
        elif what == "in":
            # What is read is weights to a program.
            phase = WEIGHTS if rest == "reading" else rest
        else:
            took_ns = round(float(rest or READ_S) * SECOND)
            now_ns += took_ns
            known_ns[phase] = known_ns.get(phase, 0) + took_ns
    assert printed.program.name == program
    told_ns = {}
    for part in printed.stretches(now_ns):
        told_ns[part.phase] = told_ns.get(part.phase, 0) + part.end_ns - part.begin_ns
    assert {phase: ns for phase, ns in told_ns.items() if ns} == known_ns


@pytest.mark.parametrize("program", STARTS)
def test_that_hardly_any_of_a_known_program_is_left_unexplained(program):
    printed, now_ns = Printed(), 0
    for step in STARTS[program].splitlines():
        what, _, rest = step.partition(" ")
        if what == "say":
            printed.add(Line(now_ns, rest))
        elif what != "in":
            now_ns += round(float(rest or READ_S) * SECOND)
    unnamed = (part for part in printed.stretches(now_ns) if part.phase not in NAMES)
    assert sum(part.end_ns - part.begin_ns for part in unnamed) <= 0.05 * now_ns
