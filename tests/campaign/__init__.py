"""A campaign against the library: random questions, most of them tiny, for as long as one likes.

`make campaign MINUTES=60` runs it, `python -m tests.campaign --help` tells more. Each part is a module with a function
`check(number)`: it draws the case of that number, the same everywhere, and raises where an answer is wrong or an error
is none of ours. The runner (`__main__`) lets parts run in processes of their own, so that a crash or a hang is
counted, told and survived; every failure is printed with the command that repeats it.

parts: differential (against brute force, SciPy, NetworkX, igraph), metamorphic (changes of known effect), files
(mutated files of every format), arguments (any value for any argument of any public function), compositions (of
techniques), budgets (bounds that must hold) and kills (kill -9 while something is written).
"""
