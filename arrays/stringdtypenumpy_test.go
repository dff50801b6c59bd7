package arrays

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// TestStringDTypeAsNumPy: what NumPy's StringDType gives for the same texts, as str, for each expression.
func TestStringDTypeAsNumPy(t *testing.T) {
	python := judges.Python(t, "numpy")
	words := []string{"", "a", "b", "ab", "aé", "é", "日本", "日", "zz", "a\x00", "a\x00b", "Z", "😀", "\uffff", strings.Repeat("n", 3000), "it's"}
	r := rand.New(rand.NewPCG(1, 2))
	var x, y []string
	for range 40 {
		x, y = append(x, words[r.IntN(len(words))]), append(y, words[r.IntN(len(words))])
	}
	a, b := ofTexts(x), ofTexts(y)
	m := a.Reshape(8, 5)
	mask := Arange(40).Mod(3).Eq(0)
	sortedA := Sort(a)
	set := func(v any, idx ...any) *Array {
		c := a.Copy()
		c.Set(v, idx...)
		return c
	}
	cases := []struct {
		python string
		ours   *Array
	}{
		{"a", a}, {"a == b", a.Eq(b)}, {"a != b", a.Ne(b)}, {"a < b", a.Lt(b)}, {"a <= b", a.Le(b)}, {"a > b", a.Gt(b)}, {"a >= b", a.Ge(b)},
		{"a == 'ab'", a.Eq("ab")}, {"a == np.array(b.tolist(), dtype='U3000')", a.Eq(b)},
		{"np.sort(a)", sortedA}, {"np.sort(m, 0)", Sort(m, 0)}, {"np.sort(m)", m.Sort()}, {"np.argsort(a, kind='stable')", ArgSort(a)},
		{"np.unique(a)", Unique(a)}, {"np.unique(a, return_counts=True)[1]", second(UniqueCounts(a))},
		{"np.searchsorted(np.sort(a), b)", SearchSorted(sortedA, b)}, {"np.searchsorted(np.sort(a), b, side='right')", SearchSortedRight(sortedA, b)},
		{"np.concatenate([a, b])", Concat(0, a, b)}, {"np.concatenate([a, np.array(['x', 'yyy'])])", Concat(0, a, []string{"x", "yyy"})},
		{"np.stack([a, b], 1)", Stack(1, a, b)}, {"np.where(mask, a, b)", Where(mask, a, b)}, {"np.where(mask, a, 'gone')", Where(mask, a, "gone")},
		{"a[3]", a.At(3)}, {"a[::-2]", a.At(S(End, End, -2))}, {"a[mask]", a.At(mask)}, {"a[[3, -1, 3]]", a.At([]int{3, -1, 3})}, {"m.T[1:3]", m.T().At(S(1, 3))}, {"m[:, [0, 2]]", m.At(All, []int{0, 2})},
		{"put(a, 3, 'long' * 50)", set(strings.Repeat("long", 50), 3)}, {"put(a, slice(2, 9), b[2:9])", set(b.At(S(2, 9)), S(2, 9))}, {"put(a, mask, 'm')", set("m", mask)}, {"put(a, [1, 1, 2], ['p', 'q', 'r'])", set([]string{"p", "q", "r"}, []int{1, 1, 2})},
		{"np.repeat(a, 2)", Repeat(a, 2)}, {"np.tile(a, 2)", Tile(a, 2)}, {"np.roll(a, 3)", Roll(a, 3)}, {"np.take(m, [1, 0], 1)", Take(m, []int{1, 0}, 1)},
		{"np.array(['1', '22', '-3'], dtype=T).astype(int)", texts("1", "22", "-3").AsType(Int64)}, {"np.array(['1.5', 'nan', '-3e2'], dtype=T).astype(float)", texts("1.5", "nan", "-3e2").AsType(Float64)},
		{"np.array(['', 'x'], dtype=T).astype(bool)", texts("", "x").AsType(Bool)},
		{"np.array([1, -22]).astype(T)", FromSlice([]int{1, -22}).AsType(StringDType)}, {"np.array([True, False]).astype(T)", FromSlice([]bool{true, false}).AsType(StringDType)}, {"np.array([1.5, 1e20, float('nan')]).astype(T)", FromSlice([]float64{1.5, 1e20, math.NaN()}).AsType(StringDType)},
		{"np.array(['ab', 'é']).astype(T)", FromSlice([]string{"ab", "é"}).AsType(StringDType)},
		{"np.array(['2020-01-02'], dtype='M8[D]').astype(T)", FromSlice([]string{"2020-01-02"}).AsType(DateTime(Day)).AsType(StringDType)},
		{"np.empty(3, dtype=T)", New(StringDType, 3)}, {"np.zeros((2, 2), dtype=T)", New(StringDType, 2, 2)}, {"np.nonzero(a)[0]", NonZero(a)[0]}, {"np.isin(a, b[:5])", IsIn(a, b.At(To(5)))},
	}
	var list []string
	for _, c := range cases {
		list = append(list, c.python)
	}
	in, err := json.Marshal(map[string]any{"x": x, "y": y, "cases": list})
	require.NoError(t, err)
	cmd := exec.Command(python, "-c", `import sys, json, numpy as np
given = json.load(sys.stdin)
T = np.dtypes.StringDType()
a, b = np.array(given["x"], dtype=T), np.array(given["y"], dtype=T)
m, mask = a.reshape(8, 5), np.arange(40) % 3 == 0
def put(x, i, v):
    x = x.copy()
    x[i] = v
    return x
out = []
for c in given["cases"]:
    try:
        v = np.asarray(eval(c)) if not c.startswith("a[3]") else np.array(eval(c), dtype=T)
        out.append([str(v.dtype), list(v.shape), [x if x == x else 'NaN' for x in v.ravel().tolist()]])
    except Exception as e:
        out.append(["error", [], [str(e)]])
small = np.array(["a", "it's", "", "é"], dtype=T)
json.dump([out, [str(T), repr(small), str(small), repr(small.reshape(2, 2)), repr(small[:0]), repr(np.array(["n" * 100, "b"], dtype=T)), str(np.array("x", dtype=T)), str(np.result_type(T, np.dtype("U5")))]], sys.stdout)`)
	cmd.Stdin = strings.NewReader(string(in))
	var said strings.Builder
	cmd.Stderr = &said
	answer, err := cmd.Output()
	require.NoError(t, err, said.String())
	var both []json.RawMessage
	require.NoError(t, json.Unmarshal(answer, &both))
	var results [][3]any
	require.NoError(t, json.Unmarshal(both[0], &results))
	for i, c := range cases {
		want := results[i]
		flat := []any{}
		for k, s := range c.ours.Strings() {
			one := c.ours.Reshape(-1).At(k)
			switch {
			case c.ours.DType().IsString():
				flat = append(flat, s)
			case c.ours.DType() == Bool:
				flat = append(flat, one.Bool())
			case one.Float64() != one.Float64():
				flat = append(flat, "NaN")
			default:
				flat = append(flat, one.Float64())
			}
		}
		assert.Equal(t, fmt.Sprint(want[0]), c.ours.DType().String(), c.python)
		assert.Equal(t, fmt.Sprint(want[1]), fmt.Sprint(c.ours.Shape()), c.python)
		assert.Equal(t, fmt.Sprintf("%q", want[2]), fmt.Sprintf("%q", flat), c.python)
	}
	small := texts("a", "it's", "", "é")
	var shown []string
	require.NoError(t, json.Unmarshal(both[1], &shown))
	assert.Equal(t, shown, []string{StringDType.String(), small.GoString(), small.String(), small.Reshape(2, 2).GoString(), small.At(To(0)).GoString(), texts(strings.Repeat("n", 100), "b").GoString(), texts("x").Reshape().String(), Promote(StringDType, Str(5)).String()})
}
