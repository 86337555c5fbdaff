"""Reading by rules: candidates, how well each fits the type of answer, and when it held."""
