package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// placed is on which device each kernel of the last evaluation ran, in the order of their tasks, a digit each.
func placed() string {
	on := map[int]byte{}
	last := 0
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			on[e.Task] = e.Device[len(e.Device)-1]
			last = max(last, e.Task)
		}
	}
	var out []byte
	for k := 1; k <= last; k++ {
		if on[k] != 0 {
			out = append(out, on[k])
		}
	}
	return string(out)
}

// TestWholeArraysAsPublished: with arrays as units, the kernels of MUL and VEC run where GrCUDA's policies put them,
// and what is copied is its bytes, with n in the place of 20,000.
func TestWholeArraysAsPublished(t *testing.T) {
	rt := use(t)
	defer offload.Preset("default")
	const n, parts = 640, 16
	for policy, want := range map[string]struct {
		mul  string  // devices
		vec  string  // on two
		peer float64 // bytes of n elements that MUL copies between devices: in the paper 1.310 and 0.630 MB of 0.08
	}{
		"round-robin":           {"01234567012345670113355701133557", "010101010101", 16.375},
		"min-transfer-size":     {"", "010010010010", 7.875},
		"min-max-transfer-time": {"", "010010010010", 7.875},
	} {
		k := sharedKernels()
		offload.Preset("grcuda")
		offload.SetTrigger(offload.OnDisplay)
		offload.Policy(policy)
		lazy.Use("sim:v100x8")
		zeros := func(n int) *lazy.Array { return lazy.Zeros(n).AsType(lazy.Float32) }
		x, out := lazy.FromArray(arrays.Arange(float64(n)).AsType(arrays.Float32)), zeros(n)
		var all, z []*lazy.Array
		for p := range parts {
			a := lazy.FromArray(arrays.Arange(float64(n * n / parts)).AsType(arrays.Float32).Mul(float32(p)))
			z = append(z, zeros(n/parts))
			launchOf(k.add, n/parts, []*lazy.Array{a, x}, z[p])
		}
		for p := range parts {
			launch(k.put, n/parts, z[p], out.At(arrays.S(p*n/parts, (p+1)*n/parts)))
		}
		before := rt.Stats()
		lazy.Eval(append(all, out)...)
		after := rt.Stats()
		require.Equal(t, int64(4*(n*n+3*n)), after.BytesIn-before.BytesIn, policy)
		require.Equal(t, int64(want.peer*4*n), after.BytesPeer-before.BytesPeer, policy)
		if want.mul != "" {
			require.Equal(t, want.mul, placed(), policy)
		}
		got := lazy.Data[float32](out)
		for i := range got { // element j of part p
			j, p := i%(n/parts), i/(n/parts)
			require.Equal(t, float32(p*j+j), got[i], "%s: element %d", policy, i)
		}

		lazy.Use("sim:v100x8#0", "sim:v100x8#1")
		all = nil
		for p := range 4 {
			v := lazy.FromArray(arrays.Arange(4096.).Add(p).AsType(arrays.Float32))
			w := lazy.FromArray(arrays.Arange(4096.).Mul(p).AsType(arrays.Float32))
			x1, y1, s := zeros(4096), zeros(4096), zeros(1)
			launch(k.square, 4096, v, x1)
			launch(k.square, 4096, w, y1)
			launchOf(k.difference, 4096, []*lazy.Array{x1, y1}, s)
			all = append(all, s)
		}
		lazy.Eval(all...)
		require.Equal(t, want.vec, placed(), policy)
	}
}

// TestPartsOfWholeArrays: a kernel over parts is given all of an array where arrays are whole, and else what it
// reaches.
func TestPartsOfWholeArrays(t *testing.T) {
	rt := use(t)
	defer offload.Preset("default")
	lazy.Use("sim:v100x8")
	for _, whole := range []bool{true, false} {
		offload.Preset("default")
		offload.WholeArrays(whole)
		offload.Policy("round-robin")
		x := lazy.FromArray(arrays.Arange(8 * 1000.).AsType(arrays.Float32))
		var outs []*lazy.Array
		for p := range 8 {
			out := lazy.Zeros(1000).AsType(lazy.Float32)
			launch(sharedKernels().square, 1000, x.At(arrays.S(p*1000, (p+1)*1000)), out)
			outs = append(outs, out)
		}
		before := rt.Stats()
		lazy.Eval(outs...)
		after := rt.Stats()
		in, between := after.BytesIn-before.BytesIn, after.BytesPeer-before.BytesPeer
		if whole {
			require.Equal(t, []int64{4 * (8000 + 8*1000), 4 * 7 * 8000}, []int64{in, between})
		} else {
			require.Equal(t, []int64{4 * (8000 + 8*1000), 0}, []int64{in, between})
		}
		y := x.Mul(2)
		offload.MinTile(1000)
		lazy.Eval(y)
		offload.MinTile(0)
		require.Equal(t, whole, y.Tiling().Tiles == nil)
		require.Contains(t, lazy.Explain(x.Mul(3)).String(), map[bool]string{true: "arrays are whole (offload.WholeArrays)", false: "is not two tiles"}[whole])
	}
}
