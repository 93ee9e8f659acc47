"""Tail probabilities, compared with SciPy."""

from __future__ import annotations

import pytest
from scipy import special, stats

from seamark.tail_probabilities import (
    chi_square_tail,
    incomplete_beta,
    kolmogorov_tail,
    normal_tail,
    t_quantile,
    t_tails,
)


@pytest.mark.parametrize(
    ("a", "b", "x"), [(0.5, 0.5, 0.3), (2, 3, 0.9), (50, 0.5, 0.99), (1000, 0.5, 0.5), (1, 1, 0.2)]
)
def test_the_incomplete_beta_function_matches_scipy(a: float, b: float, x: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-9)
    assert incomplete_beta(0.0, a, b) == 0 and incomplete_beta(1.0, a, b) == 1


@pytest.mark.parametrize("degrees", [1, 1.5, 2, 3.7, 8, 40, 1e4])
@pytest.mark.parametrize("t", [0.0, 1e-8, 0.3, -2.1, 5.0, 60.0])
def test_the_tails_of_students_t_match_scipy(t: float, degrees: float) -> None:
    assert t_tails(t, degrees) == pytest.approx(2 * stats.t.sf(abs(t), degrees), rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("degrees", [1, 2, 9, 300, 99_999])
def test_the_quantile_of_students_t_matches_scipy(degrees: int) -> None:
    assert t_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-7)


@pytest.mark.parametrize("z", [-40.0, -1.96, 0.0, 0.5, 1.64, 8.0, 37.0])
def test_the_tail_of_the_normal_distribution_matches_scipy(z: float) -> None:
    assert normal_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-10)


@pytest.mark.parametrize("degrees", [1, 2, 3, 19, 200, 1000])
@pytest.mark.parametrize("value", [0.0, 1e-9, 0.5, 3.84, 50.0, 900.0, 2000.0])
def test_the_tail_of_chi_square_matches_scipy(value: float, degrees: float) -> None:
    assert chi_square_tail(value, degrees) == pytest.approx(stats.chi2.sf(value, degrees), rel=1e-8, abs=1e-14)


@pytest.mark.parametrize("value", [0.0, 0.03, 0.2, 0.5, 0.9, 1.17, 1.19, 1.36, 2.0, 5.0])
def test_the_tail_of_kolmogorovs_limit_matches_scipy(value: float) -> None:
    assert kolmogorov_tail(value) == pytest.approx(special.kolmogorov(value), rel=1e-9, abs=1e-14)
