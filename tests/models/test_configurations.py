import pytest

from separatrix.errors import BadInput
from separatrix.models import make_model, model_for
from separatrix.models.configurations import configuration
from separatrix.models.stack import Stack
from separatrix.models.transformer import Transformer


def test_a_name_tells_architecture_layers_and_width() -> None:
    assert configuration("tf-1-64", {"heads": 2}) == ("transformer", {"layers": 1, "width": 64, "heads": 2})
    assert configuration("lstm-3-256", {}) == ("lstm", {"layers": 3, "width": 256})
    assert configuration("gru", {"width": 8}) == ("gru", {"width": 8})


def test_models_are_made_by_such_names() -> None:
    tf = make_model("tf-2-16", vocabulary=5, targets=3)
    assert isinstance(tf, Transformer)
    assert (len(tf.config.layers), tf.config.width) == (2, 16)
    lstm = make_model("lstm-3-16", vocabulary=5, targets=3)
    assert isinstance(lstm, Stack)
    assert lstm.config.mixers == ("lstm",) * 3


def test_a_size_that_contradicts_the_name_is_refused() -> None:
    with pytest.raises(BadInput, match="model tf-1-64: width is 64 by its name, found width=128 too"):
        make_model("tf-1-64", vocabulary=5, targets=3, width=128)


def test_an_unknown_architecture_is_refused() -> None:
    with pytest.raises(BadInput, match=r"unknown model 'lstn': expected one of elman, gru, .* did you mean 'lstm'"):
        make_model("lstn-1-64", vocabulary=5, targets=3)


def test_a_model_takes_the_sizes_that_its_architecture_knows() -> None:
    sizes = {"vocabulary": 13, "targets": 4, "length": 10, "seed": 3}
    model = model_for("tf-1-64", sizes, {"heads": "2"})
    assert isinstance(model, Transformer)
    assert (model.config.embedding.vocabulary, model.config.targets, model.config.length, model.config.layers[0].heads) == (13, 4, 10, 2)
    assert isinstance(model_for("lstm-1-8", sizes, {}), Stack)  # which has no length
    with pytest.raises(BadInput, match="model lstm-1-8 has no parameter 'heads'"):
        model_for("lstm-1-8", sizes, {"heads": 2})
