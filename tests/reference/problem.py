"""What is wrong with a file, in the words of the contract.

A Problem carries a code, a reason and the byte offset at which it shows.
Some files are wrong in two ways at once (a cycle is also a node with two
parents); `also` lists the other true answers, and a comparison takes any.
"""

PARSE = "ARTIFACT_PARSE_FAILED"
CORRUPT = "ARTIFACT_CORRUPT"
UNSUPPORTED = "UNSUPPORTED_FORMAT"
EMPTY = "EMPTY_INPUT"


class Problem(Exception):
    def __init__(self, code, reason, offset=0, also=()):
        super().__init__(f"{code}/{reason} at {offset}")
        self.code = code
        self.reason = reason
        self.offset = offset
        self.also = list(also)

    def answers(self):
        """Every (code, reason) that is a true answer, the best one first."""
        return [(self.code, self.reason)] + self.also


def parse_problem(reason, offset=0, also=()):
    return Problem(PARSE, reason, offset, [(PARSE, other) for other in also])
