"""How servers that somebody starts by hand show that they are ready."""

import pytest

from modelmon.core.programs.readiness import ready_sign
from modelmon.core.watch.ready import parse_readiness


@pytest.mark.parametrize(
    ("command", "sign"),
    [
        ("llama-server -m model.gguf", "http:/health"),
        ("/usr/bin/llama-server --model model.gguf --port 9000", "http:9000/health"),
        ("llama-server -m model.gguf --host 0.0.0.0 --port=9000", "http:9000/health"),
        ("env CUDA_VISIBLE_DEVICES=0 llama-server -m model.gguf", "http:/health"),
        ("modelmon launch model.gguf -- llama-server -m model.gguf", "http:/health"),
        ("llama-server -m model.gguf --host 10.0.0.1", ""),
        ("llama-server -m model.gguf --api-prefix /v2", ""),
        ("llama-server -m model.gguf --ssl-key-file key --ssl-cert-file cert", ""),
        ("env LLAMA_ARG_PORT=9000 llama-server -m model.gguf", ""),
        ("llama-server --port 9000", ""),
        ("llama-cli -m model.gguf", ""),
        ("vllm serve model --port 9000", "http:9000/health"),
        ("vllm serve model --ssl_keyfile key", ""),
        ("vllm bench latency --model model", ""),
        ("python3 -m vllm.entrypoints.openai.api_server --model model", "http:8000/health"),
        ("python -m sglang.launch_server --model-path model", "http:30000/health"),
        ("sglang serve --model-path model --port 9000", "http:9000/health"),
        ("text-generation-launcher --model-id model -p 9000", "http:9000/health"),
        ("trtllm-serve model", "http:8000/health"),
        ("python -m llama_cpp.server --model model.gguf", "http:8000/v1/models"),
        ("ollama serve", "output:(llama runner|llama-server) started in"),
        ("ollama run llama3", ""),
        ("python /srv/ComfyUI/main.py --listen", "output:Prompt executed in"),
        ("python main.py", ""),
        ("python", ""),
        ("env", ""),
        ("", ""),
    ],
)
def test_that_a_known_server_is_ready_when_it_says_so(command, sign):
    assert ready_sign(command.split()) == sign
    parse_readiness(sign)


def test_that_comfyui_is_known_in_its_own_folder(tmp_path, monkeypatch):
    folder = tmp_path / "ComfyUI"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert ready_sign(["python", "main.py"]) == "output:Prompt executed in"
