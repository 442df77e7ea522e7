"""A second, deliberately naive reading of the rule book, against which the referee is compared.

It shares no code with `referee`: cards are strings such as "QS", rule sets are plain dicts with the option
names of a record, and every question is answered by walking over lists. Where the two disagree one of
them has misread the rules.
"""
