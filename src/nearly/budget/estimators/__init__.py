"""Estimators, a module for each algorithm that has any; see `nearly.budget.estimator`."""
