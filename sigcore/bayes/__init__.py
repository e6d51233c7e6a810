"""How probable is it that B beats A: the Bayes test on m x 2 cross-validation, and around it."""
