package gokernels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// Variables of cells in kernels: CUDA's __device__ variables (CUDA C++ Programming Guide, "Variable memory space
// specifiers"): one copy on each device, which launches leave to each other. What cells assign goes to all of them.
func TestVariables(t *testing.T) {
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	cell := 0
	for _, c := range []struct{ src, want string }{
		// in the cell that declares both
		{`var hits int32
func count(x []float32) { if i := gpu.GlobalID(); i < len(x) && x[i] > 0 { gpu.AtomicAdd(&hits, 1) } }
x := np.Arange(100).AsType(np.Float32)
np.Use("sim:tiny")
gpu.Launch(count, 4, 32, x);
fmt.Println(hits)`, "99\n"},
		// in later ones
		{`gpu.Launch(count, 1, 32, x);
fmt.Println(hits, gpu.CopyFrom(&hits))`, "130 130\n"},
		// another device has the value that the program gives it, and its own from then on
		{`np.Use("host")
gpu.CopyTo(&hits, 0)
gpu.Launch(count, 2, 32, x);
fmt.Println(hits)
np.Use("sim:tiny")
fmt.Println(gpu.CopyFrom(&hits), hits)`, "63\n130 63\n"},
		// assignments are those of all devices, and so is the cell that is run again
		{`hits = 1000
gpu.Launch(count, 1, 32, x);
np.Use("host")
fmt.Println(hits, gpu.CopyFrom(&hits))
gpu.CopyTo(&hits, 5)
gpu.Launch(count, 1, 32, x);
fmt.Println(hits)`, "1031 1000\n36\n"},
		{"var hits int32", ""},
		{"gpu.Launch(count, 1, 32, x); fmt.Println(hits)", "31\n"},
		// a variable of another type is another variable, and the kernel keeps the one that it was written for
		{"hits := 2.5", ""},
		{"gpu.Launch(count, 1, 32, x); fmt.Println(hits)", "2.5\n"},
		// structs, arrays, bools, through pointers and functions
		{`type state struct { Sum int64; Seen [8]bool; At struct{ X, Y float32 } }
var st state
var table = [2][4]uint16{{1, 2, 3, 4}, {5, 6, 7, 8}}
func add(p *int64, v int64) { gpu.AtomicAdd(p, v) }
func k() {
	i := gpu.GlobalID()
	add(&st.Sum, int64(table[i/4][i%4]))
	st.Seen[i] = table[1][i%4]%2 == 0
	if i == 3 { st.At.X, st.At.Y = float32(i), 0.5 }
}
gpu.Launch(k, 1, 8);
fmt.Println(st)
table[1][3] = 100
gpu.Launch(k, 1, 8);
fmt.Println(st.Sum)`, "{36 [false true false true false true false true] {3 0.5}}\n164\n"},
		// a launch that fails leaves what the program has
		{`func bad(x []int) { gpu.AtomicAdd(&st.Sum, 1); x[gpu.GlobalID()] = 0 }
func() {
	defer func() { fmt.Println(recover() != nil, st.Sum) }()
	gpu.Launch(bad, 1, 32, make([]int, 4));
}()
gpu.Launch(k, 1, 8);
fmt.Println(st.Sum)`, "true 164\n292\n"},
		// the checker, recordings and pictures leave variables as they are
		{`gpu.Check(k, 1, 8);
gpu.Accesses(k, 1, 8);
gpu.Record(k, 1, 8);
fmt.Println(st.Sum)
gpu.Emulate(k, 1, 8)
fmt.Println(st.Sum)
gpu.Launch(k, 1, 8);
fmt.Println(st.Sum)`, "292\n420\n548\n"},
	} {
		cell++
		require.Equal(t, c.want, r.Run(cell, c.src), c.src)
	}
	for _, c := range []struct{ src, want string }{
		{"var list []int\nfunc k1() { list[gpu.GlobalID()] = 1 }", "kernel code cannot use the variable list, which lives outside of the function: a slice in it is memory of the program"},
		{"var word string\nfunc k2(x []int) { x[gpu.GlobalID()] = len(word) }", "kernel code cannot use the variable word"},
		{"var big [100_000_000]float64\nfunc k3(x []float64) { x[gpu.GlobalID()] = big[3] }", "it takes 800000000 bytes, of which a variable of a device may have 67108864"},
		{"n := 3\nfunc f(x float64) float64 { return x * float64(n) }\nnp.Map(f, x)", "kernel code cannot use the variable n"},
		{"gpu.CopyFrom(&x)", "cannot be on a device"},
	} {
		cell++
		require.Contains(t, r.Run(cell, c.src), c.want, c.src)
	}
}
