package brook_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// calls are the runtime's calls for a stream, in their order.
func calls(r *brook.Report) (out []string) {
	for _, c := range r.Calls() {
		out = append(out, c.String())
	}
	return out
}

// The calls of the paper's runtime, in its order, for maps, passes, masks, gathers, reductions and copies of results.
func TestCallsOfTheRuntime(t *testing.T) {
	use(t)
	saxpy, sum, look, mat := kernel(t, "Saxpy", streamed.Saxpy), kernel(t, "Sum", streamed.Sum), kernel(t, "Look", streamed.Look), kernel(t, "Mat4Mult", streamed.Mat4Mult)
	x := brook.New[brook.F4](16)
	with := brook.With(brook.On("sim:v100"))
	rep := with.Map(saxpy, 2, x, x, brook.Mask([]bool{true, false})).Report()
	require.Equal(t, []string{"get kernel Saxpy", "push constant a", "push stream x", "push stream y", "push stream the mask", "push output r", "map"}, calls(rep))
	require.EqualValues(t, 16*16, rep.Calls()[2].Bytes)
	require.Contains(t, rep.String(), "  calls: get kernel Saxpy, push constant a, push stream x")
	require.Equal(t, []string{"get kernel Look", "push stream x", "push gather table", "push output the result", "map"},
		calls(with.Map(look, make([]float32, 16), make([]float32, 64)).Report()))
	require.Equal(t, []string{
		"get kernel Sum pass 1/2", "push stream a", "push reduce r", "map", "get kernel Sum pass 2/2", "push stream a", "push reduce r", "map",
	}, calls(with.Reduce(sum, make([]float32, 16)).Report()))
	rows := brook.New[streamed.Rows](16)
	require.Equal(t, []string{
		"get kernel Mat4Mult 1/2", "push stream a", "push stream b", "push output c.R0", "push output c.R1", "push output c.R2", "map",
		"copy out Mat4Mult 1/2 c.R0", "copy out Mat4Mult 1/2 c.R1", "copy out Mat4Mult 1/2 c.R2",
		"get kernel Mat4Mult 2/2", "push stream a", "push stream b", "push output c.R3", "map", "copy out Mat4Mult 2/2 c.R3",
	}, calls(with.Map(mat, rows, rows, brook.MaxOutputs(3), brook.CopyOut()).Report()))
}

// Bytes are counted by kinds, exactly: a stream's are its elements', a gather's those that threads ask for.
func TestBytesByKinds(t *testing.T) {
	use(t)
	const n = 1 << 12
	look := kernel(t, "Look", streamed.Look)
	xs, table := np.Arange(n).AsType(np.Float32), make([]float32, 64)
	r := brook.Map(look, xs, table, brook.On("sim:v100"))
	m := r.Report().Memory()
	require.EqualValues(t, []int64{4 * n, 8 * 4 * n, 4 * n}, []int64{m.Streamed, m.Gathered, m.Written})
	require.EqualValues(t, 8*n, m.Flops)
	require.Greater(t, float64(m.GatherHits)/float64(m.GatherSectors), 0.9, "a table of two lines is in the cache")
	require.Zero(t, m.StreamHits, "an element is read once")
	require.Equal(t, m, r.Report().Memory(), "of what has run before")
	require.Contains(t, r.Report().String(), "for each of 4096 elements: 8 flops, 4 bytes streamed, 32 gathered, 4 written\nfloat32, shape [4096]: 1 array,")

	there := brook.Of([]float32{1, 2})
	require.Contains(t, there.Report().String(), "nothing ran")
	host := brook.Map(look, xs, table, brook.On("host")).Report()
	require.False(t, host.Memory().Counted)
	require.Contains(t, host.String(), "Look on host")
}

// Streams that bypass the cache leave it to what is gathered: more of that is found there, and results are the same.
func TestStreamsThatBypassTheCache(t *testing.T) {
	use(t)
	const n = 1 << 14
	look := kernel(t, "Look", streamed.Look)
	xs, table := np.Arange(n).AsType(np.Float32).Mul(37), np.Arange(1600).AsType(np.Float32) // of 6,400 bytes; the cache has 8,192
	rates := map[bool]float64{}
	var want any
	for _, bypass := range []bool{false, true} {
		with := brook.With(brook.On("sim:nv40"))
		if bypass {
			with = brook.With(brook.On("sim:nv40"), brook.StreamsBypass())
		}
		out := with.Map(look, xs, table)
		m := out.Report().Memory()
		if want == nil {
			want = brook.Write(out)
		}
		require.Equal(t, want, brook.Write(out))
		rates[bypass] = float64(m.GatherHits) / float64(m.GatherSectors)
	}
	require.Greater(t, rates[true], rates[false])
}

// Copies of results change no result, and take their calls.
func TestCopiesOfResults(t *testing.T) {
	use(t)
	mat, sum := kernel(t, "Mat4Mult", streamed.Mat4Mult), kernel(t, "Sum", streamed.Sum)
	rows := make([]streamed.Rows, 256)
	for i := range rows {
		rows[i] = streamed.Rows{R0: brook.F4{X: float32(i)}, R1: brook.F4{Y: 2}, R3: brook.F4{X: 1, W: float32(i % 7)}}
	}
	xs := np.Arange(1000).AsType(np.Float32)
	for _, m := range append(machines, "sim:nv40") {
		plain, copied := brook.With(brook.On(m)), brook.With(brook.On(m), brook.CopyOut())
		a, b := plain.Map(mat, rows, rows), copied.Map(mat, rows, rows)
		require.Equal(t, brook.Write(a), brook.Write(b), m)
		if strings.HasPrefix(m, "sim:nv40") {
			require.Greater(t, b.Report().Time(), a.Report().Time())
		}
		require.Equal(t, brook.Write(plain.Reduce(sum, xs)), brook.Write(copied.Reduce(sum, xs)), m)
	}
}

// The calls stand in the trace of an evaluation, at the kernel that they have set up.
func TestCallsAreInTheTrace(t *testing.T) {
	use(t)
	brook.Map(kernel(t, "Inc", streamed.Inc), make([]float32, 8), brook.On("host")).Eval()
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			require.Len(t, e.Calls, 4)
			require.Equal(t, trace.Call{Name: "push stream", Of: "x", Bytes: 32}, e.Calls[1])
		}
	}
}
