"""The table of mixers: name -> the function that configures one for training; its return type is the configuration. No torch here."""

MIXERS = {
    "attention": "separatrix.models.mixers.attention:attention",
    "window": "separatrix.models.mixers.window:window",
    "block-sparse": "separatrix.models.mixers.block_sparse:block_sparse",
    "linear-attention": "separatrix.models.mixers.linear_attention:linear_attention",
    "linear-rnn": "separatrix.models.mixers.linear_rnn:linear_rnn",
    "lstm": "separatrix.models.mixers.lstm:lstm",
    "gru": "separatrix.models.mixers.gru:gru",
    "elman": "separatrix.models.mixers.elman:elman",
    "register-file": "separatrix.models.mixers.register_file:register_file",
    "user": "separatrix.models.mixers.user:user",
}
