"""Time: intervals, time expressions, constraints, decomposition, temporal score."""
