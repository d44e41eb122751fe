import pytest

from separatrix.errors import BadInput
from separatrix.training.budget import Budget


def test_the_rate_warms_up_linearly_and_then_stays() -> None:
    budget = Budget(steps=100, rate=0.8, warmup=4)
    assert [budget.rate_at(step) for step in (0, 1, 3, 4, 99)] == [0.2, 0.4, 0.8, 0.8, 0.8]


def test_a_cosine_falls_from_the_rate_to_zero_with_its_half_in_the_middle() -> None:
    budget = Budget(steps=110, rate=0.8, warmup=10, schedule="cosine")
    assert budget.rate_at(10) == 0.8
    assert budget.rate_at(60) == pytest.approx(0.4)
    assert budget.rate_at(35) == pytest.approx(0.4 * (1 + 0.5**0.5))  # cos(pi/4)
    assert budget.rate_at(110) == pytest.approx(0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"batch": 0}, "budget: batch must be at least 1, found 0"),
        ({"steps": -1}, "budget: steps must not be negative, found -1"),
        ({"rate": 0.0}, "budget: rate must be a positive number, found 0.0"),
        ({"rate": float("nan")}, "budget: rate must be a positive number, found nan"),
        ({"clip": float("nan")}, "budget: clip must not be negative, found nan"),
        ({"decay": 0.1}, "budget: decay 0.1 needs optimiser=adamw, found adam"),
    ],
)
def test_what_cannot_be_spent_is_refused(wrong: dict[str, float], says: str) -> None:
    with pytest.raises(BadInput, match=f"^{says}$"):
        Budget(**wrong)  # type: ignore[arg-type]
