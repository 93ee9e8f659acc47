"""Analyses of one point: distances, counterfactuals, partial dependence and attributions."""
