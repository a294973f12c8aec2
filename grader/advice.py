"""What an exception from NumPy or Python means for somebody who writes array code, in a sentence."""
import re

ADVICE = (
    (r"could not be broadcast together|could not broadcast input",
     "Two arrays do not line up: NumPy matches axes from the last one backwards, and a missing axis is added in "
     "front. To pair rows with rows, give the shorter array a last axis: a[:, None]."),
    (r"mismatch in its core dimension|shapes .* not aligned",
     "In a matrix product the last axis of the left must be as long as the second to last of the right: one of the "
     "two may have to be transposed."),
    (r"is read-only",
     "The code writes into its argument, or into a view of it: make a new array for the result."),
    (r"Cannot cast ufunc .* from dtype\('(float|complex)",
     "The array that is written to holds integers and cannot take fractions: make it a float array."),
    (r"cannot reshape array of size",
     "The number of entries does not fit the shape that was asked for."),
    (r"is out of bounds for axis",
     "An index goes past the end of an axis: clip or check it before it is used."),
    (r"only integer scalar arrays can be|arrays used as indices must be of integer|only integers, slices",
     "An index must be a whole number: / gives fractions even where they are whole, // does not."),
    (r"truth value of an array",
     "`if` and `and` need one True or False, an array has many: use .any() or .all(), or & and | between arrays."),
    (r"unexpected keyword argument|positional argument|required positional",
     "The function's arguments must be named and ordered as in the stub, with the same defaults."),
    (r"name '\w+' is not defined", "A name is used that was never given a value; is it spelled as where it was made?"),
    (r"maximum recursion depth", "The function calls itself without an end."),
    (r"'NoneType'", "Something is None that should have a value; does a helper lack its `return`?"),
    (r"list indices must be|list' object", "A list is used where an array is needed: np.array(...) makes one."),
)


def advice(message):
    """The sentence for an exception's text, or None."""
    return next((sentence for expression, sentence in ADVICE if re.search(expression, message)), None)
