package gokernels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// Variables in constant memory: CUDA's __constant__ and cudaMemcpyToSymbol. Sums by hand.
func TestConstants(t *testing.T) {
	testsize.InTurn(t, 2)
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	gpu.Wiring{}.NameVariables(s.VariableAt, s.UsersOf)
	defer gpu.Wiring{}.NameVariables(nil, nil)
	r := judge.Record(t, s)
	for i, c := range []struct{ src, want string }{
		{`var w [16]float32
func sum(y []float32) { s := float32(0); for j := range 16 { s += w[j] * float32(gpu.GlobalID()) }; y[gpu.GlobalID()] = s }
y := make([]float32, 4)
np.Use("sim:tiny")
fmt.Println(gpu.Launch(sum, 1, 4, y).Stats().ConstLoads > 0, y)`, "false [0 0 0 0]\n"},
		{`gpu.Const(&w, []float32{1, 2, 3})
fmt.Println(gpu.Launch(sum, 1, 4, y).Stats().ConstLoads > 0, y, w[:4])`, "true [0 6 12 18] [1 2 3 0]\n"},
		// what the program assigns is there at the next launch, as for other variables, and on another device
		{`w[3] = 4
np.Use("host")
gpu.Launch(sum, 1, 4, y)
fmt.Println(y)`, "[0 10 20 30]\n"},
		{`gpu.Const(&w, np.Full(5, 16).AsType(np.Float32))
gpu.Launch(sum, 1, 4, y)
fmt.Println(y)`, "[0 80 160 240]\n"},
		// the checker, pictures and Emulate have the same
		{`fmt.Println(len(gpu.Check(sum, 1, 4, y).List), gpu.Accesses(sum, 1, 4, y) != nil)
clear(y)
gpu.Emulate(sum, 1, 4, y)
fmt.Println(y)`, "0 true\n[0 80 160 240]\n"},
		// structs, numbers, pointers into a table, two tables
		{`type rule struct { Scale float64; Add [3]int32 }
var rr rule
var n int16
func apply(out []float64) {
	p := &rr.Add[0]
	if gpu.GlobalID()%2 == 1 { p = &rr.Add[2] }
	out[gpu.GlobalID()] = rr.Scale*float64(n) + float64(*p)
}
gpu.Const(&rr, rule{0.5, [3]int32{10, 20, 30}})
gpu.Const(&n, 7)
out := make([]float64, 3)
gpu.Launch(apply, 1, 3, out, gpu.FastMath())
fmt.Println(out)`, "[13.5 33.5 13.5]\n"},
		{`np.Use("sim:gtx280"); clear(out); gpu.Launch(apply, 1, 3, out); fmt.Println(out)`, "[13.5 33.5 13.5]\n"},
	} {
		require.Equal(t, c.want, r.Run(i+1, c.src), c.src)
	}
	for i, c := range []struct{ src, want string }{
		{`var big [16385]float32
gpu.Const(&big, []float32{1})`, "gpu.Const: constant memory has 65536 bytes, big takes 65540: leave it"},
		{`func first(y []float32) { y[0] = big[gpu.GlobalID()] }
func second(y []float32) {
	y[0] = big[gpu.GlobalID()]
}
gpu.Const(&big, []float32{1})`, "big takes 65540 for first (cell 21, line 1), second (cell 21, line 3): leave it"},
		{`func bad() { w[gpu.GlobalID()] = 1 }
gpu.Launch(bad, 1, 4)`, "kernel bad: cell 22, line 1, column 15: gpu.Const has put the variable w into constant memory: it writes to it"},
		{`gpu.Const(&w, make([]float32, 17))`, "there are 17 elements for a table of 16"},
		{`gpu.Const(&w, []float64{1})`, "a table of type [16]float32 cannot have a []float64"},
		{`gpu.Const(&w, np.Ones(3))`, "a table of [16]float32 cannot have elements of float64: AsType converts them"},
		{`gpu.Const(&n, 70_000)`, "70000 does not fit into a int16"},
		{`gpu.Const(n, 7)`, "a pointer to a variable is wanted"},
		{`var a1, a2 [10_000]float32
func both(y []float32) { y[0] = a1[gpu.GlobalID()] + a2[gpu.GlobalID()] }
gpu.Const(&a1, a1); gpu.Const(&a2, a2)
gpu.Launch(both, 1, 4, y)`, "kernel both: its tables in constant memory take 80000 bytes, which has 65536: a1 of 40000, a2 of 40000"},
		{`func mixed(y []float32) { p := &y[0]; if y[1] > 0 { p = &w[0] }; y[2] = *p }
gpu.Launch(mixed, 1, 4, y)`, "in constant memory"},
	} {
		require.Contains(t, r.Run(i+20, c.src), c.want, c.src)
	}
}
