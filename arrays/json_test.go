package arrays

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJSONAsPython: what json.dumps makes of NumPy's lists, but for the blanks, and what json.loads makes of ours.
func TestJSONAsPython(t *testing.T) {
	dir := t.TempDir()
	for name, a := range map[string]*Array{
		"i": Arange(6).Reshape(2, 3).Sub(2), "f": FromSlice([]float64{0.1, 1, -2.5e300, 1e22, 5e-324}), "f4": FromSlice([]float32{0.1, 3}), "b": Arange(4).Gt(1).Reshape(2, 2),
		"s": FromSlice([]string{"né", `a"b\c`, ""}), "zero": Scalar(2.5), "none": New(Float64, 2, 0), "u": FromSlice([]uint64{1<<64 - 1}), "view": Arange(6).Reshape(2, 3).T(),
		"date": FromSlice([]string{"2020-02-29"}).AsType(DateTime(Day)),
	} {
		if err := SaveJSON(filepath.Join(dir, name+".json"), a); err != nil {
			t.Fatal(err)
		}
	}
	got := python(t, dir, `
import json
for n in ("i", "f", "f4", "b", "s", "zero", "none", "u", "view", "date"): print(n, json.load(open(n + ".json")))
import numpy as np
json.dump(np.arange(24).reshape(2, 3, 4).tolist(), open("cube.json", "w"), indent=1)
json.dump([[0.5, None], [1, -3e-9]], open("gaps.json", "w"))
json.dump(["a", None, "ß"], open("texts.json", "w"))
`)
	want := `i [[-2, -1, 0], [1, 2, 3]]
f [0.1, 1.0, -2.5e+300, 1e+22, 5e-324]
f4 [0.1, 3.0]
b [[False, False], [True, True]]
s ['né', 'a"b\\c', '']
zero 2.5
none [[], []]
u [18446744073709551615]
view [[0, 3], [1, 4], [2, 5]]
date ['2020-02-29']
`
	if got != want {
		t.Errorf("Python reads\n%swant\n%s", got, want)
	}
	for name, want := range map[string]*Array{"cube": Arange(24).Reshape(2, 3, 4), "texts": FromSlice([]string{"a", "", "ß"})} {
		if a, err := LoadJSON(filepath.Join(dir, name+".json")); err != nil || a.DType() != want.DType() || !ArrayEqual(a, want) {
			t.Errorf("%s: %v %v", name, a, err)
		}
	}
	if a, err := LoadJSON(filepath.Join(dir, "gaps.json")); err != nil || a.String() != "[[ 5.e-01     nan]\n [ 1.e+00 -3.e-09]]" {
		t.Errorf("gaps: %v %v", a, err)
	}
}

func TestJSONThereAndBack(t *testing.T) {
	type record struct {
		Name string
		X    *Array
	}
	text, err := json.Marshal(record{"a", Arange(4.0).Reshape(2, 2)})
	if err != nil || string(text) != `{"Name":"a","X":[[0.0,1.0],[2.0,3.0]]}` {
		t.Fatalf("%s %v", text, err)
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil || !ArrayEqual(r.X, Arange(4.0).Reshape(2, 2)) || r.X.DType() != Float64 {
		t.Error(r, err)
	}
	for text, want := range map[string]string{
		`[]`: "float64 (0,)", `[[],[]]`: "float64 (2,0)", `3`: "int64 ()", `[null,null]`: "float64 (2,)", `[null,1]`: "float64 (2,)", `[null,"a"]`: "<U1 (2,)", `[1,2.0]`: "float64 (2,)",
		`[true]`: "bool (1,)", `[9223372036854775808]`: "uint64 (1,)", `"é"`: "<U1 ()",
	} {
		var a Array
		if err := json.Unmarshal([]byte(text), &a); err != nil || a.DType().String()+" "+shapeString(a.Shape()) != want {
			t.Errorf("%s: %v %v, want %s", text, a.DType(), a.Shape(), want)
		}
	}
	for text, want := range map[string]string{
		`[[1,2],[3]]`: "the list at [1] has 1 elements and one before it 2", `[1,[2]]`: "there is a list at [1], where other lists have elements", `[[1],2]`: "there is an element at [1], where other lists have lists",
		`[1,"a"]`: `a at [1] stands among numbers`, `[true,null]`: "null at [1] among bools", `[null,true]`: "null among bools", `[{"a":1}]`: "there is an object at [0]", `[1e999]`: "too large for float64",
		strings.Repeat("[", 40) + strings.Repeat("]", 40): "nested more than",
		`[[],[1]]`: "the list at [1] has 1 elements and one before it 0",
	} {
		var a Array
		if err := json.Unmarshal([]byte(text), &a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for want, a := range map[string]*Array{"element 1 in C order is +Inf": FromSlice([]float64{1, math.Inf(1)}), "elements of complex128": Scalar(1i), "elements of timedelta64": FromSlice([]int{1}).AsType(TimeDelta(Day))} {
		if _, err := json.Marshal(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if text, err := json.Marshal(FromSlice([]float64{1, math.NaN()})); string(text) != "[1.0,null]" {
		t.Errorf("%s %v", text, err)
	}
}

// TestJSONWholeNumbers: whole numbers come back to the last digit, or are an error that names one.
func TestJSONWholeNumbers(t *testing.T) {
	for _, x := range []*Array{
		FromSlice([]uint64{0, math.MaxUint64, 1 << 63}), FromSlice([]int64{math.MinInt64, math.MaxInt64}), FromSlice([]float64{1e300, 1 << 60, -1 << 63}),
	} {
		text, err := json.Marshal(x)
		require.NoError(t, err)
		got := new(Array)
		require.NoError(t, json.Unmarshal(text, got))
		require.Equal(t, x.DType(), got.DType(), "%s", text)
		require.Equal(t, x.String(), got.String())
		require.True(t, x.Eq(got).All().Bool())
	}
	got := new(Array)
	require.NoError(t, json.Unmarshal([]byte("[100000000000000000000, -1]"), got)) // float64 has it
	require.Equal(t, []float64{1e20, -1}, got.Float64s())
	for text, number := range map[string]string{"[18446744073709551615, -1]": "18446744073709551615", "[36893488147419103233, 1]": "36893488147419103233", "[9007199254740993, null]": "9007199254740993"} {
		require.ErrorContains(t, json.Unmarshal([]byte(text), got), "the whole number "+number, text)
	}
	require.NoError(t, json.Unmarshal([]byte("[9007199254740992, null]"), got))
	require.Equal(t, Float64, got.DType())
}
