import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models.transformer import transformer


@pytest.mark.parametrize("name", ["vocabulary", "targets", "width", "layers", "heads", "length"])
def test_sizes_below_one_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match=f"transformer: {name} must be at least 1, found 0"):
        transformer(**{"vocabulary": 5, "targets": 3, name: 0})


def test_lengths_beyond_the_learned_positions_are_refused() -> None:
    model = transformer(5, 3, width=8, length=6)
    with pytest.raises(BadInput, match="position 7 lies beyond the 6 positions that this model stores"):
        model(torch.zeros(1, 7, dtype=torch.int64))
    state = model.initial_state(1)
    for _ in range(6):
        state, _ = model.step(state, torch.tensor([0]))
    with pytest.raises(BadInput, match="position 7 lies beyond the 6 positions"):
        model.step(state, torch.tensor([0]))


def test_rotary_and_sinusoidal_positions_have_no_longest_input() -> None:
    for positions in ("rotary", "sinusoidal"):
        model = transformer(5, 3, width=8, length=4, positions=positions)  # type: ignore[arg-type]
        assert model(torch.zeros(1, 40, dtype=torch.int64)).shape == (1, 40, 3)


def test_the_initial_weights_have_the_deviation_that_is_asked() -> None:
    for deviation in (0.02, 0.125):
        model = transformer(50, 50, width=64, deviation=deviation)
        assert float(model.embedding.table.detach().std()) == pytest.approx(deviation, rel=0.05)
        assert float(model.each_layer()[0].mixer.out.detach().std()) == pytest.approx(
            deviation / 2**0.5, rel=0.05
        )  # writes into the stream
    with pytest.raises(BadInput, match=r"transformer: deviation must be positive, found 0\.0"):
        transformer(5, 3, deviation=0.0)
