"""A tiny Llama and a tiny Mamba of transformers (extra [hf]), trained by `separatrix train` and refuted by `separatrix attack`.

    separatrix train dyck --length 20 --model examples/hugging_face.py:llama --steps 3000 --batch 128 --rate 0.001 \
        --set budget.clip=1 --set budget.schedule=cosine --set budget.enough=1 --set budget.validate_every=250 \
        --set budget.validation=2000 --out llama
    separatrix attack llama dyck --length 20 --code examples/hugging_face.py:llama --out failure.json
    separatrix attack llama dyck --length 20 --code examples/hugging_face.py:llama --replay failure.json

The checker cannot run a model of transformers: the outcome is a record of tokens, outputs and a hash of the weights, which anyone who
has the run can replay. For the Mamba: --length 12 --model examples/hugging_face.py:mamba --steps 2400 --batch 64 --rate 0.005.
"""

from __future__ import annotations

from transformers import LlamaConfig, MambaConfig

# two layers of width 64 with four heads; the vocabulary is the task's
llama = LlamaConfig(
    hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, initializer_range=0.1, use_cache=False
)
# one layer of width 32, with eight numbers of state for each of its 64 channels
mamba = MambaConfig(hidden_size=32, num_hidden_layers=1, state_size=8, use_cache=False)
