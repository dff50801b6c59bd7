package lazy

import (
	goruntime "runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// TestTextsOfAnyLengthRunOnTheCPU: operations on StringDType wait as all do, run on the CPU, and Explain says why.
func TestTextsOfAnyLengthRunOnTheCPU(t *testing.T) {
	x := FromSlice([]string{"b", "", "a", "cc"}).AsType(StringDType)
	before := x.Sort()
	x.Set("a text that is longer than the others", 1)
	x.Set([]string{"p", "q"}, S(2, 4))
	x.Set("r", []int{0, 0})
	picked := Where(x.Lt("q"), x, "none").At(S(End, End, -1))
	e := Explain(picked).String()
	assert.Contains(t, e, "on the CPU")
	assert.Contains(t, e, "there is no kernel for less of StringDType() and <U1")
	goruntime.GC()
	assert.Equal(t, []string{"none", "p", "a text that is longer than the others", "none"}, picked.Strings())
	assert.Equal(t, []string{"", "a", "b", "cc"}, before.Strings(), "what was computed before the assignments does not see them")
	assert.Equal(t, "['r' 'a text that is longer than the others' 'p' 'q']", x.String())
	assert.Equal(t, StringDType, Concat(0, x, FromSlice([]string{"s"})).DType())
	assert.Equal(t, []string{"", ""}, New(StringDType, 2).Strings())
	assert.Equal(t, 0, New(StringDType, 0).Sort().Len())
	assert.Equal(t, []int64{1, 2}, FromSlice([]string{"1", "2"}).AsType(StringDType).AsType(Int64).Add(0).Int64s())
	assert.Equal(t, "x", FromArray(arrays.Scalar("x").AsType(StringDType)).Item())
	assert.Equal(t, []string{"x", "x"}, Full("x", 2).AsType(StringDType).Strings())
}
