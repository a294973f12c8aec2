"""Submissions that patch what might judge them, or whose answers lie about themselves."""
from tests.isolation.attacks.attack import Attack

EQUAL = '''
class Equal:
    shape, dtype, ndim, size = (5, 8), np.dtype(float), 2, 40
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __hash__(self): return 0
    def __bool__(self): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __mul__ = __rmul__ = __abs__ = lambda self, *other: 0.0
    def __getitem__(self, place): return self
    def __len__(self): return 5
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return True
'''

ATTACKS = (
    Attack("patched_numpy_testing", '''
import numpy.testing
for name in dir(np.testing):
    if name.startswith("assert"):
        setattr(np.testing, name, lambda *args, **kwargs: None)
np.allclose = np.array_equal = np.isclose = lambda *args, **kwargs: True
'''),
    Attack("patched_numpy", '''
for name in ("abs", "absolute", "isnan", "isfinite", "asarray", "maximum", "shape", "all", "any"):
    setattr(np, name, lambda *args, **kwargs: SEVENS)
np.ndarray = type("ndarray", (), {})
''', ("failed", "crashed", "error")),
    Attack("patched_array_methods", '''
class Patched(np.ndarray):
    pass
for name in ("all", "any", "copy", "astype", "tobytes", "__eq__", "__sub__"):
    with contextlib.suppress(TypeError):
        setattr(np.ndarray, name, lambda *args, **kwargs: True)
    setattr(Patched, name, lambda *args, **kwargs: True)
answer_with(lambda *args, **kwargs: SEVENS.view(Patched))
''', ("failed", "crashed", "error")),
    Attack("patched_builtins", '''
import builtins
builtins.isinstance = lambda *args: True
builtins.AssertionError = builtins.ValueError = type("Fine", (Exception,), {})
builtins.len = lambda one: 25
builtins.print = builtins.repr = builtins.all = lambda *args, **kwargs: True
''', ("failed", "crashed", "error")),
    Attack("patched_json_and_pickle", '''
import json, pickle
TEXT = '{"outcome": "returned", "value": {"is": true}}'
json.dumps = lambda *args, **kwargs: TEXT
json.loads = pickle.loads = pickle.dumps = lambda *args, **kwargs: {"outcome": "passed"}
''', ("failed", "crashed", "error")),
    Attack("patched_grader", '''
for name, module in list(sys.modules.items()):
    if name.startswith(("grader", "_pytest", "pytest")) or name == "__main__":
        for key, value in list(vars(module).items()):
            if callable(value) and key in ("fault", "same", "assert_same", "packed", "row", "answered"):
                setattr(module, key, lambda *args, **kwargs: None)
''', ("failed", "crashed", "error")),
    Attack("imported_grader", '''
for name in ("grader.compare", "grader.expect", "grader.grading", "pytest", "_pytest.runner", "conftest"):
    with contextlib.suppress(*FAULTS):
        module = __import__(name, fromlist=["x"])
        for key in ("fault", "assert_same", "call_and_report"):
            setattr(module, key, lambda *args, **kwargs: None)
'''),
    Attack("lying_subclass", '''
class Lying(np.ndarray):
    shape = property(lambda self: (5, 8))
    dtype = property(lambda self: np.dtype(float))
    def __array_ufunc__(self, *args, **kwargs): return np.True_
    def __array_function__(self, *args, **kwargs): return True
    def __eq__(self, other): return True
    def __getitem__(self, place): return self
answer_with(lambda *args, **kwargs: SEVENS.view(Lying))
'''),
    Attack("masked_array", '''
answer_with(lambda *args, **kwargs: np.ma.masked_array(np.zeros((5, 8), np.float32), True))
'''),
    Attack("equal_to_everything", EQUAL + "answer_with(lambda *args, **kwargs: Equal())"),
    Attack("objects_in_an_array", EQUAL + '''
answer_with(lambda *args, **kwargs: np.array([[Equal()] * 8] * 5, dtype=object))
''', ("failed", "error")),
    Attack("claims_to_be_an_array", EQUAL + '''
Equal.__class__ = np.ndarray
answer_with(lambda *args, **kwargs: Equal())
''', ("failed", "crashed", "error")),
    Attack("array_protocol", '''
class Late:
    __array_priority__ = 1e9
    def __array__(self, *args, **kwargs):
        won()
        return SEVENS
    __array_interface__ = property(
        lambda self: {"shape": (10**12, 0), "typestr": "<f8", "version": 3, "data": (8, False)})
answer_with(lambda *args, **kwargs: Late())
''', ("failed", "error")),
    Attack("pickled_code", '''
OUTSIDE = {outside}
class Bomb:
    def __reduce__(self):
        return exec, (f"open({OUTSIDE + '/unpickled'!r}, 'w')",)
answer_with(lambda *args, **kwargs: [Bomb(), np.array([Bomb()], dtype=object), (Bomb(),)])
'''),
    Attack("numbers_that_lie", '''
class Number(float):
    def __eq__(self, other): return True
    def __array__(self, *args, **kwargs): return SEVENS
    __hash__ = float.__hash__
class Text(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
class Pair(tuple):
    def __len__(self): return 5
    def __iter__(self): return iter(())
answer_with(lambda *args, **kwargs: Pair([Number(1), Text("x")]))
'''),
    Attack("the_argument_itself", "answer_with(lambda *args, **kwargs: args[0])"),
    Attack("says_that_all_is_todo", '''
def later(*args, **kwargs):
    raise NotImplementedError
answer_with(later)
''', ("todo",)),
    Attack("metaclass_without_names", '''
class Meta(type):
    __name__ = property(lambda self: os._exit(0))
    __mro__ = property(lambda self: [])
class Strange(Exception, metaclass=Meta):
    pass
def strange(*args, **kwargs):
    raise Strange
answer_with(strange)
''', ("crashed", "error", "failed")),
)
