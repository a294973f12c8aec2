"""Advice on the exceptions that are common in array code, in a sentence or two."""
import re

WHAT_IS_THERE = "Where submissions are graded, only NumPy and Python's standard library are there."
AS_IN_THE_STUB = "Give the arguments the names, the order and the defaults that they have in the stub."
ADVICE = (
    (r"could not be broadcast together|could not broadcast input",
     "The shapes of two arrays do not fit. NumPy compares shapes from the last axis to the first and adds missing "
     "axes in front. Print both shapes. None makes a new axis where you need one, as in a[..., None]."),
    (r"mismatch in its core dimension|shapes .* not aligned",
     "In a matrix product, the last axis of the left array must be as long as the second to last axis of the right "
     "one. np.swapaxes(a, -1, -2) swaps the last two axes; a.T reverses all of them."),
    (r"is read-only",
     "Your code writes into an argument or into a view of one. Make a new array for the result."),
    (r"Cannot cast ufunc .* from dtype\('(float|complex)",
     "Your code writes fractions into an array of integers. Make it an array of floats."),
    (r"cannot reshape array of size",
     "The array and the new shape do not have the same number of entries."),
    (r"is out of bounds for axis",
     "An index is beyond the end of an axis. Print the index and the shape of the array before this line."),
    (r"only integer scalar arrays can be|arrays used as indices must be of integer|only integers, slices",
     "An index must be a whole number. / always returns a float; use // to get an int."),
    (r"truth value of an array",
     "`if` and `and` need a single True or False, but an array has many. Use .any() or .all(), or & and | for arrays."),
    (r"unexpected keyword argument|positional argument|required positional",
     AS_IN_THE_STUB),
    (r"^(ModuleNotFoundError: )?No module named", WHAT_IS_THERE),
    (r"EOF when reading a line|reading from stdin", "Nobody answers input() while your file is graded. Remove it."),
    (r"name '(get_ipython|display)' is not defined", "Only notebooks have this function. Remove the call."),
    (r"name '\w+' is not defined", "Your code uses a name that has no value. Is it spelled the same everywhere?"),
    (r"maximum recursion depth", "The function calls itself and never stops."),
    (r"'NoneType'",
     "A value is None. Is it an argument whose default is None, or does a helper function have no `return`?"),
    (r"list indices must be|list' object", "Your code uses a list where it needs an array. np.array(...) makes one."),
)


def advice(message, function=None):
    """The sentence for an exception's text, or None; `function` is the one that was asked."""
    sentence = next((sentence for expression, sentence in ADVICE if re.search(expression, message)), None)
    if sentence == AS_IN_THE_STUB and not (function and message.startswith(f"{function}() ")):
        return None                       # it is about a function of NumPy or of the learner's own
    return sentence
