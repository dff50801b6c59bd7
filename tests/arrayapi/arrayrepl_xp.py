"""Package arrays as a namespace of the array API standard 2025.12, for its conformance suite: every function forwards to a process
of ours (main.go), named by ARRAYREPL_ARRAYAPI. Nothing is computed here but how Python writes it: defaults, tuples, and the few
parameters that are two calls of ours (README.md lists them).

An array is its dtype, shape and bytes; the process holds nothing between calls."""

import base64
import builtins
import json
import math
import operator
import os
import struct
import subprocess
import sys
from collections import namedtuple

__array_api_version__ = "2025.12"
__version__ = "0"
e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None

_process = subprocess.Popen([os.environ["ARRAYREPL_ARRAYAPI"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


class Error(ValueError, TypeError, IndexError):
    """What package arrays says is wrong; it has one type of error where Python has several."""


class DType:
    def __init__(self, name, code, kind):
        self.name, self.code, self.kind = name, code, kind
        self.size = struct.calcsize("<" + code) * (2 if kind == "complex floating" else 1)

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return self.name


_SIGNED, _UNSIGNED, _REAL, _COMPLEX = "signed integer", "unsigned integer", "real floating", "complex floating"
bool = DType("bool", "?", "bool")
int8, int16, int32, int64 = (DType(f"int{8 << i}", c, _SIGNED) for i, c in enumerate("bhiq"))
uint8, uint16, uint32, uint64 = (DType(f"uint{8 << i}", c, _UNSIGNED) for i, c in enumerate("BHIQ"))
float32, float64 = DType("float32", "f", _REAL), DType("float64", "d", _REAL)
complex64, complex128 = DType("complex64", "f", _COMPLEX), DType("complex128", "d", _COMPLEX)
_DTYPES = {d.name: d for d in (bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128)}


def _encode(v):
    if isinstance(v, array):
        return {"a": v.dtype.name, "shape": v.shape, "data": base64.b64encode(v._data).decode()}
    if isinstance(v, DType):
        return {"d": v.name}
    if isinstance(v, int) and not isinstance(v, builtins.bool):
        return {"i": str(v)}
    if isinstance(v, float):
        return {"f": repr(float(v))}
    if isinstance(v, complex):
        return {"c": [repr(v.real), repr(v.imag)]}
    if isinstance(v, slice):
        return {"slice": [b if b is None else operator.index(b) for b in (v.start, v.stop, 1 if v.step is None else v.step)]}
    if v is Ellipsis:
        return {"dots": True}
    if isinstance(v, _Ints):
        return {"ints": v}
    if isinstance(v, (list, tuple)):
        return [_encode(x) for x in v]
    if hasattr(v, "__index__") and not isinstance(v, builtins.bool):
        return {"i": str(v.__index__())}
    return v


def _decode(v):
    if isinstance(v, list):
        return [_decode(x) for x in v]
    if not isinstance(v, dict):
        return v
    if "a" in v:
        return array(_DTYPES[v["a"]], tuple(v["shape"]), base64.b64decode(v["data"]))
    if "i" in v:
        return int(v["i"])
    if "f" in v:
        return float(v["f"])
    if "d" in v:
        return _DTYPES[v["d"]]
    return {k: _decode(x) for k, x in v.items()}


def _call(name, *args):
    line = json.dumps({"f": name, "args": [_encode(a) for a in args]})
    _process.stdin.write(line.encode() + b"\n")
    _process.stdin.flush()
    answer = json.loads(_process.stdout.readline())
    if "error" in answer:
        raise Error(answer["error"])
    out = _decode(answer["out"] or [])
    return out[0] if len(out) == 1 else tuple(out)


class _Option(dict):
    """An option of a reduction or transform, which _encode leaves as it is."""


def _options(axis=None, keepdims=False, **more):
    out = []
    if axis is not None:
        out.append(_Option(axis=list(axis) if isinstance(axis, tuple) else [axis]))
    if keepdims:
        out.append(_Option(keepdims=True))
    return out + [_Option({k: v}) for k, v in more.items() if v is not None]


def _axes(axis):
    return () if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def _key(key):
    key = key if isinstance(key, tuple) else (key,)
    return [_Option(newaxis=True) if k is None else k for k in key]


class array:
    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self._data = dtype, shape, data

    device = property(lambda self: "cpu")
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    T = property(lambda self: self._transposed())
    mT = property(lambda self: matrix_transpose(self))

    def _transposed(self):
        if self.ndim != 2:
            raise Error(f"T is of matrices; this array has {self.ndim} axes")
        return _call("T", self)

    def __array_namespace__(self, /, *, api_version=None):
        return sys.modules[__name__]

    def to_device(self, device, /, *, stream=None):
        _cpu(device)
        return self

    def __dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None):
        raise BufferError("memory is not shared with another process")

    def __dlpack_device__(self, /):
        return 1, 0

    def _item(self):
        if self.size != 1:
            raise Error(f"an array of {self.size} elements is not a number")
        return _items(self)[0]

    def __bool__(self, /):
        return builtins.bool(self._item())

    def __int__(self, /):
        return int(self._item())

    def __float__(self, /):
        return float(self._item())

    def __complex__(self, /):
        return complex(self._item())

    def __index__(self, /):
        if "integer" not in self.dtype.kind:
            raise TypeError(f"an array of {self.dtype} is not an index")
        return self._item()

    def __getitem__(self, key, /):
        return _call("At", self, *_key(key))

    def __setitem__(self, key, value, /):
        self._data = _call("assigned", self, value, *_key(key))._data

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"array({_items(self)}, shape={self.shape}, dtype={self.dtype})"

    def __abs__(self, /):
        return abs(self)

    def __neg__(self, /):
        return negative(self)

    def __pos__(self, /):
        return positive(self)

    def __invert__(self, /):
        return bitwise_invert(self)

    __hash__ = None


def _items(x):
    v = struct.unpack(f"<{x.size * (2 if x.dtype.kind == _COMPLEX else 1)}{x.dtype.code}", x._data)
    return [complex(*p) for p in zip(v[::2], v[1::2])] if x.dtype.kind == _COMPLEX else list(v)


# The operators: Python's name, ours.
for _name, _ours in {"add": "Add", "sub": "Sub", "mul": "Mul", "truediv": "Div", "floordiv": "FloorDivide", "mod": "Remainder", "pow": "Pow", "matmul": "MatMul", "and": "BitAnd", "or": "BitOr",
                     "xor": "BitXor", "lshift": "LeftShift", "rshift": "RightShift", "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual", "eq": "Equal", "ne": "NotEqual"}.items():
    def _make(ours):
        def direct(self, other, /):
            if not isinstance(other, (array, builtins.bool, int, float, complex)):
                return NotImplemented
            return _call(ours, self, other)

        def reflected(self, other, /):
            if not isinstance(other, (array, builtins.bool, int, float, complex)):
                return NotImplemented
            return _call(ours, other, self)

        def inplace(self, other, /):
            out = direct(self, other)
            if out is NotImplemented:
                return out
            if out.dtype != self.dtype or out.shape != self.shape:
                raise Error(f"the result is {out.dtype} of shape {out.shape}; the array is {self.dtype} of shape {self.shape}")
            self._data = out._data
            return self

        return direct, reflected, inplace

    _o, _r, _i = _make(_ours)
    setattr(array, f"__{_name}__", _o)
    if _ours not in ("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"):
        setattr(array, f"__r{_name}__", _r)
        setattr(array, f"__i{_name}__", _i)

# Functions of arrays alone: the standard's name, ours.
_UNARY = {"abs": "Abs", "acos": "Acos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan", "atanh": "Atanh", "bitwise_invert": "Invert", "ceil": "Ceil", "conj": "Conj", "cos": "Cos",
          "cosh": "Cosh", "exp": "Exp", "expm1": "Expm1", "floor": "Floor", "imag": "Imag", "isfinite": "IsFinite", "isinf": "IsInf", "isnan": "IsNaN", "log": "Log", "log1p": "Log1p", "log2": "Log2",
          "log10": "Log10", "logical_not": "LogicalNot", "negative": "Neg", "positive": "Positive", "real": "Real", "reciprocal": "Reciprocal", "round": "Round", "sign": "Sign", "signbit": "SignBit",
          "sin": "Sin", "sinh": "Sinh", "square": "Square", "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh", "trunc": "Trunc", "matrix_transpose": "MatrixTranspose", "unique_values": "Unique"}
_BINARY = {"add": "Add", "atan2": "Atan2", "bitwise_and": "BitAnd", "bitwise_left_shift": "LeftShift", "bitwise_or": "BitOr", "bitwise_right_shift": "RightShift", "bitwise_xor": "BitXor",
           "copysign": "CopySign", "divide": "Div", "equal": "Equal", "floor_divide": "FloorDivide", "greater": "Greater", "greater_equal": "GreaterEqual", "hypot": "Hypot", "less": "Less",
           "less_equal": "LessEqual", "logaddexp": "LogAddExp", "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor", "maximum": "Maximum", "minimum": "Minimum",
           "multiply": "Mul", "nextafter": "NextAfter", "not_equal": "NotEqual", "pow": "Pow", "remainder": "Remainder", "subtract": "Sub", "matmul": "MatMul"}


def _forward(name, ours, binary):
    if binary:
        def f(x1, x2, /):
            return _call(ours, x1, x2)
    else:
        def f(x, /):
            return _call(ours, x)
    f.__name__ = f.__qualname__ = name
    return f


for _name, _ours in _UNARY.items():
    globals()[_name] = _forward(_name, _ours, False)
for _name, _ours in _BINARY.items():
    globals()[_name] = _forward(_name, _ours, True)


def clip(x, /, min=None, max=None):
    return _call("Clip", x, min, max)


# --- creation ---


def _cpu(device):
    if device not in (None, "cpu"):
        raise ValueError(f"there is no device {device!r}")


def _shape(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def _of_scalars(obj):
    """A nested list of numbers and 0-d arrays as shape and flat list."""
    if isinstance(obj, array):
        return obj.shape, _items(obj)
    if not isinstance(obj, (list, tuple)):
        return (), [obj]
    parts = [_of_scalars(o) for o in obj]
    if builtins.any(p[0] != parts[0][0] for p in parts):
        raise ValueError("rows differ in length")
    return (len(obj), *(parts[0][0] if parts else ())), [v for p in parts for v in p[1]]


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    _cpu(device)
    if isinstance(obj, array):
        if dtype is None or dtype == obj.dtype:
            return array(obj.dtype, obj.shape, obj._data) if copy else obj
        if copy is False:
            raise ValueError("another dtype needs a copy")
        return astype(obj, dtype)
    if copy is False:
        raise ValueError("numbers need a copy")
    shape, values = _of_scalars(obj)
    kinds = {type(v) for v in values}
    found = complex128 if complex in kinds else float64 if float in kinds or not values else int64 if int in kinds else bool
    if found == int64 and builtins.any(v > 2**63 - 1 for v in values):
        found = uint64
    if found == complex128:
        values = [part for v in values for part in (complex(v).real, complex(v).imag)]
    out = array(found, shape, struct.pack(f"<{len(values)}{found.code}", *values))
    return out if dtype is None else astype(out, dtype)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    _cpu(device)
    out = _call("Arange", *((0, start, step) if stop is None else (start, stop, step)))
    return out if dtype is None else astype(out, dtype)


def empty(shape, *, dtype=None, device=None):
    return zeros(shape, dtype=dtype, device=device)


def zeros(shape, *, dtype=None, device=None):
    _cpu(device)
    return _call("New", dtype or float64, *_shape(shape))


def ones(shape, *, dtype=None, device=None):
    return full(shape, 1, dtype=dtype or float64, device=device)


def full(shape, fill_value, *, dtype=None, device=None):
    _cpu(device)
    if isinstance(fill_value, array):
        out = broadcast_to(fill_value, _shape(shape))
    else:
        out = _call("Full", fill_value, *_shape(shape))
    return out if dtype is None else astype(out, dtype)


def empty_like(x, /, *, dtype=None, device=None):
    return zeros(x.shape, dtype=dtype or x.dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    return zeros(x.shape, dtype=dtype or x.dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    return ones(x.shape, dtype=dtype or x.dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    _cpu(device)
    k = builtins.max(-(2**62), builtins.min(k, 2**62))  # Python's integers have no end
    return astype(_call("Eye", n_rows, n_rows if n_cols is None else n_cols, k), dtype or float64)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    _cpu(device)
    if isinstance(start, complex) or isinstance(stop, complex) or (dtype is not None and dtype.kind == _COMPLEX):
        start, stop = complex(start), complex(stop)
        parts = [linspace(a, b, num, endpoint=endpoint) for a, b in ((start.real, stop.real), (start.imag, stop.imag))]
        return astype(parts[0] + parts[1] * 1j, dtype or complex128)
    out = _call("Linspace", float(start), float(stop), num if endpoint else num + 1)
    return astype(out if endpoint else out[:-1], dtype or float64)


def meshgrid(*arrays, indexing="xy"):
    grids = _call("Meshgrid", *arrays)
    return tuple([_call("SwapAxes", g, 0, 1) for g in grids] if indexing == "xy" and len(arrays) > 1 else grids)


def _copy(x):
    return array(x.dtype, x.shape, x._data)


def tril(x, /, *, k=0):
    return _call("Tril", x, k)


def triu(x, /, *, k=0):
    return _call("Triu", x, k)


# --- dtypes ---


def astype(x, dtype, /, *, copy=True, device=None):
    _cpu(device)
    if dtype == x.dtype and not copy:
        return x
    return _call("AsType", x, dtype)


def can_cast(from_, to, /):
    return _call("CanCast", from_.dtype if isinstance(from_, array) else from_, to)


_FInfo = namedtuple("finfo", "bits eps max min smallest_normal dtype")
_IInfo = namedtuple("iinfo", "bits max min dtype")


def finfo(type, /):
    d = type.dtype if isinstance(type, array) else type
    v = _call("FInfo", d)
    return _FInfo(v["Bits"], v["Eps"], v["Max"], v["Min"], v["SmallestNormal"], {complex64: float32, complex128: float64}.get(d, d))


def iinfo(type, /):
    d = type.dtype if isinstance(type, array) else type
    v = _call("IInfo", d)
    return _IInfo(v["Bits"], v["Max"], v["Min"], d)


_KINDS = {"integral": (_SIGNED, _UNSIGNED), "numeric": (_SIGNED, _UNSIGNED, _REAL, _COMPLEX)}


def isdtype(dtype, kind):
    if isinstance(kind, tuple):
        return builtins.any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, DType):
        return dtype == kind
    return dtype.kind in _KINDS.get(kind, (kind,))


def result_type(*arrays_and_dtypes):
    return _call("ResultType", *arrays_and_dtypes)


# --- manipulation ---


def broadcast_arrays(*arrays):
    shape = broadcast_shapes(*(a.shape for a in arrays))
    return tuple(broadcast_to(a, shape) for a in arrays)


def broadcast_shapes(*shapes):
    return tuple(_call("BroadcastShapes", *(_Ints(s) for s in shapes)))


def broadcast_to(x, /, shape):
    return _call("BroadcastTo", x, *shape)


def concat(arrays, /, *, axis=0):
    if axis is None:
        arrays, axis = [reshape(a, (-1,)) for a in arrays], 0
    return _call("Concat", axis, *arrays)


def stack(arrays, /, *, axis=0):
    return _call("Stack", axis, *arrays)


def unstack(x, /, *, axis=0):
    return tuple(_call("Unstack", x, axis))


def expand_dims(x, /, axis):
    axes = _axes(axis)
    n = x.ndim + len(axes)
    if builtins.any(not -n <= a < n for a in axes):
        raise IndexError(f"axes {axes} of {n}")
    if len({a % n for a in axes}) < len(axes):
        raise ValueError(f"axes {axes} name one twice")
    for a in sorted(a % n for a in axes):
        x = _call("ExpandDims", x, a)
    return x


def squeeze(x, /, axis):
    return x if axis == () else _call("Squeeze", x, *_axes(axis))  # of none, ours takes all of size 1


def flip(x, /, *, axis=None):
    return _call("Flip", x, *_axes(axis))


def moveaxis(x, source, destination, /):
    if isinstance(source, int):
        return _call("MoveAxis", x, source, destination)
    source, destination = [s % x.ndim for s in source], [d % x.ndim for d in destination]
    order = [a for a in range(x.ndim) if a not in source]
    for d, s in sorted(zip(destination, source)):
        order.insert(d, s)
    return permute_dims(x, tuple(order))


def permute_dims(x, /, axes):
    return _call("T", x, *axes) if x.ndim else _copy(x)


def reshape(x, /, shape, *, copy=None):
    out = _call("Reshape", x, *_shape(shape))
    if not copy:
        out._data = x._data
    return out


def repeat(x, repeats, /, *, axis=None):
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    if isinstance(repeats, int):
        return _call("Repeat", x, repeats, axis)
    counts = _items(broadcast_to(repeats, (x.shape[axis],)))
    return take(x, asarray([i for i, n in enumerate(counts) for _ in range(n)], dtype=int64), axis=axis)


def roll(x, /, shift, *, axis=None):
    if axis is None:
        return reshape(_call("Roll", reshape(x, (-1,)), shift), x.shape)
    axes = _axes(axis)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    for s, a in zip(shifts, axes):
        x = _call("Roll", x, s, a)
    return x


def tile(x, repetitions, /):
    return _call("Tile", x, *repetitions)


# --- indexing, searching, sorting, sets ---


def take(x, indices, /, *, axis=None):
    return _call("Take", x, indices, *(() if axis is None else (axis,)))


def take_along_axis(x, indices, /, *, axis=-1):
    return _call("TakeAlongAxis", x, indices, axis)


def where(condition, x1, x2, /):
    return _call("Where", condition, x1, x2)


def nonzero(x, /):
    if x.ndim == 0:
        raise Error("a 0-d array has no indices")
    return tuple(_call("NonZero", x))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    if sorter is not None:
        x1 = take(x1, sorter)
    return _call("SearchSorted" if side == "left" else "SearchSortedRight", x1, x2)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    out = _call("Sort", x, axis)
    return flip(out, axis=axis) if descending else out


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    if not descending:
        return _call("ArgSort", x, axis)
    return (x.shape[axis] - 1) - flip(_call("ArgSort", flip(x, axis=axis), axis), axis=axis)


def isin(x1, x2, /, *, invert=False):
    out = _call("IsIn", x1, x2)
    return logical_not(out) if invert else out


_All = namedtuple("unique_all_result", "values indices inverse_indices counts")
_Counts = namedtuple("unique_counts_result", "values counts")
_Inverse = namedtuple("unique_inverse_result", "values inverse_indices")


def unique_all(x, /):
    return _All(*_call("UniqueAll", x))


def unique_counts(x, /):
    return _Counts(*_call("UniqueCounts", x))


def unique_inverse(x, /):
    return _Inverse(*_call("UniqueInverse", x))


# --- reductions ---


def _reduction(name, ours):
    def f(x, /, *, axis=None, keepdims=False):
        return _call(ours, x, *_options(axis, keepdims))

    f.__name__ = f.__qualname__ = name
    return f


for _name, _ours in {"all": "All", "any": "Any", "max": "Max", "min": "Min", "mean": "Mean", "argmax": "ArgMax", "argmin": "ArgMin", "count_nonzero": "CountNonZero"}.items():
    globals()[_name] = _reduction(_name, _ours)


def _typed(x, dtype):
    return x if dtype is None else astype(x, dtype)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return _typed(_call("Sum", _typed(x, dtype), *_options(axis, keepdims)), dtype)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return _typed(_call("Prod", _typed(x, dtype), *_options(axis, keepdims)), dtype)


def _spread(ours, x, axis, correction, keepdims):
    if correction == int(correction):
        return _call(ours, x, *_options(axis, keepdims, ddof=[int(correction)]))
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    n = math.prod(x.shape[a] for a in axes)
    scale = n / (n - correction) if n > correction else nan
    return _call(ours, x, *_options(axis, keepdims)) * (scale if ours == "Var" else math.sqrt(scale))


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    return _spread("Std", x, axis, correction, keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    return _spread("Var", x, axis, correction, keepdims)


def _cumulated(ours, x, axis, dtype, initial):
    if axis is None:
        if x.ndim != 1:
            raise Error("an array of more axes needs an axis")
        axis = 0
    out = _typed(_call(ours, _typed(x, dtype), axis), dtype)
    if initial is not None:
        shape = list(x.shape)
        shape[axis] = 1
        out = concat([full(tuple(shape), initial, dtype=out.dtype), out], axis=axis)
    return out


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulated("CumSum", x, axis, dtype, 0 if include_initial else None)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulated("CumProd", x, axis, dtype, 1 if include_initial else None)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    x = concat([p for p in (prepend, x, append) if p is not None], axis=axis)
    for _ in range(n):
        x = _call("Diff", x, axis)
    return x


# --- products ---


class _Ints(list):
    """A list that stays one where it is empty."""


def tensordot(x1, x2, /, *, axes=2):
    return _call("TensorDot", x1, x2, axes if isinstance(axes, int) else [list(axes[0]), list(axes[1])])


def vecdot(x1, x2, /, *, axis=-1):
    return _call("VecDot", x1, x2, axis)


# --- extensions ---


class _Extension:
    def __init__(self, **functions):
        self.__dict__.update(functions)


def _linalg():
    def cholesky(x, /, *, upper=False):
        out = _call("Cholesky", x)
        return conj(matrix_transpose(out)) if upper else out

    def cross(x1, x2, /, *, axis=-1):
        return _call("Cross", x1, x2, axis)

    def det(x, /):
        return _call("Det", x)

    def diagonal(x, /, *, offset=0):
        return _call("Diagonal", x, offset)

    _eigh, _eig, _qr = namedtuple("eigh_result", "eigenvalues eigenvectors"), namedtuple("eig_result", "eigenvalues eigenvectors"), namedtuple("qr_result", "Q R")
    _slogdet, _svd = namedtuple("slogdet_result", "sign logabsdet"), namedtuple("svd_result", "U S Vh")

    def eigh(x, /):
        return _eigh(*_call("EigH", x))

    def eigvalsh(x, /):
        return _call("EigValsH", x)

    def eig(x, /):
        return _eig(*_call("Eig", x))

    def eigvals(x, /):
        return _call("EigVals", x)

    def inv(x, /):
        return _call("Inv", x)

    def matrix_norm(x, /, *, keepdims=False, ord="fro"):
        out = _call("MatrixNorm", x, ord if isinstance(ord, str) else float(ord))
        return reshape(out, (*x.shape[:-2], 1, 1)) if keepdims else out

    def matrix_power(x, n, /):
        return _call("MatrixPower", x, n)

    def matrix_rank(x, /, *, rtol=None):
        if isinstance(rtol, array):
            s = svdvals(x)
            return sum(astype(s > rtol[..., None] * max(s, axis=-1, keepdims=True), int64), axis=-1)
        return _call("MatrixRank", x, *(() if rtol is None else (float(rtol),)))

    def outer(x1, x2, /):
        return _call("Outer", x1, x2)

    def pinv(x, /, *, rtol=None):
        if isinstance(rtol, array):
            u, s, vh = _call("SVDThin", x)
            kept = s > rtol[..., None] * max(s, axis=-1, keepdims=True)
            return matrix_transpose(conj(vh)) @ (matrix_transpose(conj(u)) * where(kept, 1 / s, 0.0)[..., None])
        return _call("PInv", x, *(() if rtol is None else (float(rtol),)))

    def qr(x, /, *, mode="reduced"):
        return _qr(*_call("QR" if mode == "reduced" else "QRComplete", x))

    def slogdet(x, /):
        return _slogdet(*_call("SLogDet", x))

    def solve(x1, x2, /):
        return _call("Solve", x1, x2)

    def svd(x, /, *, full_matrices=True):
        return _svd(*_call("SVD" if full_matrices else "SVDThin", x))

    def svdvals(x, /):
        return _call("SVDVals", x)

    def trace(x, /, *, offset=0, dtype=None):
        return sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)

    def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
        return _call("VectorNorm", x, float(ord), *_options(axis, keepdims))

    return {k: v for k, v in locals().items() if not k.startswith("_")}


def _fft():
    def one(name, ours):
        def f(x, /, *, n=None, axis=-1, norm="backward"):
            return _call(ours, x, *_options(axis, length=None if n is None else [n], scaled=norm))

        f.__name__ = f.__qualname__ = name
        return f

    def many(name, ours):
        def f(x, /, *, s=None, axes=None, norm="backward"):
            if s is not None and axes is None:
                axes = tuple(range(x.ndim - len(s), x.ndim))
            return _call(ours, x, *_options(None if axes is None else tuple(axes), length=None if s is None else list(s), scaled=norm))

        f.__name__ = f.__qualname__ = name
        return f

    def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
        _cpu(device)
        return _typed(_call("FFTFreq", n, float(d)), dtype)

    def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
        _cpu(device)
        return _typed(_call("RFFTFreq", n, float(d)), dtype)

    def fftshift(x, /, *, axes=None):
        return _call("FFTShift", x, *_axes(axes))

    def ifftshift(x, /, *, axes=None):
        return _call("IFFTShift", x, *_axes(axes))

    out = {n: one(n, n.upper()) for n in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")}
    out |= {n: many(n, n.upper()) for n in ("fftn", "ifftn", "rfftn", "irfftn")}
    return out | dict(fftfreq=fftfreq, rfftfreq=rfftfreq, fftshift=fftshift, ifftshift=ifftshift)


linalg = _Extension(matmul=matmul, matrix_transpose=matrix_transpose, tensordot=tensordot, vecdot=vecdot, **_linalg())
fft = _Extension(**_fft())


# --- inspection ---


class _Info:
    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 32}

    def default_device(self):
        return "cpu"

    def devices(self):
        return ("cpu",)

    def default_dtypes(self, *, device=None):
        _cpu(device)
        return {"real floating": float64, "complex floating": complex128, "integral": int64, "indexing": int64}

    def dtypes(self, *, device=None, kind=None):
        _cpu(device)
        return {n: d for n, d in _DTYPES.items() if kind is None or isdtype(d, kind)}


def __array_namespace_info__():
    return _Info()


def from_dlpack(x, /, *, device=None, copy=None):
    raise BufferError("memory is not shared with another process")
