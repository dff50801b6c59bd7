package lazy

import (
	"reflect"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestTraceHasTheFusedOperations: one group of four operations that reads one array, and a constant.
func TestTraceHasTheFusedOperations(t *testing.T) {
	x := Linspace(0, 1, 100)
	Eval(x)
	x.Mul(x).Add(2).Sin().Sum().Float64()
	g := trace.Last().Graph()
	want := []trace.Op{
		{Name: "multiply", Args: []int{^0, ^0}},
		{Name: "add", Args: []int{0, trace.Constant}},
		{Name: "sin", Args: []int{1}},
		{Name: "sum", Args: []int{2}},
	}
	if g == nil || len(g.Tasks) != 1 || !reflect.DeepEqual(g.Tasks[0].Ops, want) {
		t.Errorf("graph %+v, want one task of %+v", g, want)
	}
}
