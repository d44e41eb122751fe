"""The table of mixers: name -> the function that configures one for training; its return type is the configuration. No torch here."""

MIXERS = {
    "attention": "separatrix.models.mixers.attention:attention",
    "window": "separatrix.models.mixers.window:window",
    "block-sparse": "separatrix.models.mixers.block_sparse:block_sparse",
    "linear-attention": "separatrix.models.mixers.linear_attention:linear_attention",
    "retnet": "separatrix.models.mixers.retnet:retnet",
    "dss": "separatrix.models.mixers.dss:dss",
    "mamba": "separatrix.models.mixers.mamba:mamba",
    "mamba2": "separatrix.models.mixers.mamba2:mamba2",
    "deltanet": "separatrix.models.mixers.deltanet:deltanet",
    "gated-deltanet": "separatrix.models.mixers.gated_deltanet:gated_deltanet",
    "rank-one": "separatrix.models.mixers.rank_one:rank_one",
    "pd": "separatrix.models.mixers.pd:pd",
    "linear-rnn": "separatrix.models.mixers.linear_rnn:linear_rnn",
    "relu-rnn": "separatrix.models.mixers.relu_rnn:relu_rnn",
    "selective-rnn": "separatrix.models.mixers.selective_rnn:selective_rnn",
    "lstm": "separatrix.models.mixers.lstm:lstm",
    "gru": "separatrix.models.mixers.gru:gru",
    "elman": "separatrix.models.mixers.elman:elman",
    "register-file": "separatrix.models.mixers.register_file:register_file",
    "user": "separatrix.models.mixers.user:user",
}
