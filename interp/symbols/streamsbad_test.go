package symbols_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	devices "github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// What cells do wrong with streams is an error that names the kernel, the stream, its shapes and the cell's line, and
// the session goes on with all that it had.
func TestStreamsInCellsThatAreWrong(t *testing.T) {
	testsize.InTurn(t, 2)
	symbols.Register()
	// small has room for a million floats: for two results of 2^18, and not for a third that is a vector of four
	small := simgpu.Custom("nv40", simgpu.Change(func(p *simgpu.Preset) { p.MemoryBytes = 4 << 20 }))
	r := new(devices.Registry)
	r.Add("host", func() (devices.Device, error) { return host.Open(0), nil })
	r.Add(small, func() (devices.Device, error) { return simgpu.Open(small) })
	rt, err := offload.New(r, "host")
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { np.Wiring{}.SetRuntime(nil) })
	s, err := interp.New(interp.Options{Engine: ixgo.New(), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	cells := judge.Record(t, s)
	number := 0
	run := func(src string) string { number++; return cells.Run(number, src) }
	require.Empty(t, run(`before := 41.5; X := brook.Of([]float32{1, 2, 3, 4, 5}); Y := brook.Of([]float32{1, 2, 3, 4, 5, 6, 7})
func add(a, b float32) float32 { return a + b }
func pick(x float32, g brook.Gather[float32]) float32 { return g.At(int(x) + 3) }
func many(x float32, emit func(float32)) { for k := 0; k < 3000; k++ { emit(x) } }
func counted(x float32) float32 { before++; return x }
func pointed(x *float32) float32 { return *x }
func fan(x float32) (a, b float32, c brook.F4, d, e float32) { return x + 1, x + 2, brook.F4{x, x, x, 3}, x + 4, x + 5 }
func minus(a, b float32) float32 { return a - b }`))
	for _, q := range []struct {
		src  string
		want []string
	}{
		{"brook.Map(add, X, Y)", []string{"brook.Map: kernel add: the stream of parameter a: shape [5] does not repeat into shape [7]: along axis 0", "line 1"}},
		{"brook.Map(add, Y, X, brook.Shape(6))", []string{"kernel add: the stream of parameter a: shape [7] has no stride into shape [6]: along axis 0", "line 1"}},
		{"two := 2\nbrook.Map(pick, X, X).Eval()", []string{"kernel pick", "index 5 is out of range: the length is 5 (gather g)", "line 2"}},
		{`brook.With(brook.On("go")).Map(pick, X, X).Eval()`, []string{"kernel pick, element 1: runtime error: index out of range [5] with length 5", "line 1"}},
		{"brook.Flat(many, brook.New[float32](1<<20))", []string{"brook.Flat: kernel many: from streams of shape [1048576] it emits 3145728000 elements; one call may emit", "line 1"}},
		{"brook.Map(counted, X)", []string{"kernel code cannot use the variable before, which lives outside of the function", "line 5"}},
		{"brook.Map(pointed, X)", []string{"cell 1, line 6: the parameter x of pointed is not a number or bool: its type is *float32"}},
		{"func into(x float32, g brook.Gather[float32]) float32 { g.At(0) = x; return x }", []string{"cannot assign to g.At(0)", "line 1"}},
		{"func into(x float32, g brook.Gather[float32]) float32 { g.Elements[0] = x; return x }\nbrook.Map(into, X, X)", []string{"kernel code cannot write to the stream that its parameter g gathers from", "a gather is read only", "line 1, column"}},
		{"func into(x float32, g brook.Gather[brook.F2]) float32 { g.Elements[1].Y = x; return x }\nbrook.Map(into, X, []brook.F2{{}})", []string{"kernel code cannot write to the stream that its parameter g gathers from", "line 1, column"}},
		{"func into(x float32, g brook.Gather[float32]) float32 { g.Sizes[3] = 1; return x }\nbrook.Map(into, X, X)", []string{"kernel code cannot write to the stream that its parameter g gathers from", "line 1, column"}},
		{"func into(x float32, g brook.Gather[float32]) float32 { h := g; h.Elements[0] = x; return x }\nbrook.Map(into, X, X)", []string{"kernel code cannot write to the stream that its parameter g gathers from", "line 1, column"}},
		{"func into(x float32, g, o brook.Gather[float32]) float32 { h := g; if x > 0 { h = o }; h.Elements[0] = x; return x }\nbrook.Map(into, X, X, X)", []string{"kernel code cannot write to a stream that it gathers from", "line 1, column"}},
		{"func look(x float32, g brook.Gather[float32]) float32 { return g.Elements[0] }\nbrook.Map(look, X, X)", []string{"kernel code cannot look into a gather", "line 1, column"}},
		{"type Named struct { N string }\nbrook.New[Named](3)", []string{"N of main.Named is of type string", "line 2"}},
		{"type Sliced struct { S []float32 }\nbrook.New[Sliced](3)", []string{"S of main.Sliced is of type []float32", "line 2"}},
		{"brook.With(brook.MaxOutputs(0)).Map(add, X, X)", []string{"brook.MaxOutputs: 0 outputs for a pass; give 1 or more", "line 1"}},
		{"brook.Map(add, brook.New[float32](5000), 1, brook.Unwrapped())", []string{"kernel add: the stream of parameter a of shape [5000] has 5000 elements along axis 0, a texture has 4096", "line 1"}},
		{"brook.Map(add, brook.New[float32](200000), 1, brook.Address(brook.S16E7))", []string{"kernel add: the stream of parameter a of shape [200000]", "it would read element 131073 as that in row 64", "line 1"}},
		{"brook.Reduce(add, brook.New[float32](0))", []string{"brook.Reduce: kernel add: the stream has shape [0], its reduction [1]: along axis 0 there is no element", "line 1"}},
		{"brook.Reduce(minus, X)", []string{"warning: minus is not associative: minus(minus(1, 1), 1) is -1, minus(1, minus(1, 1)) is 1"}},
		{"brook.Slice[float32](brook.Map(add, brook.New[float32](0), 1))", []string{"[]\n"}},
	} {
		got := run(q.src)
		for _, want := range q.want {
			require.Contains(t, got, want, q.src)
		}
		require.Equal(t, "41.5 [1. 2. 3. 4. 5.]\n", run("fmt.Sprint(before, X)"), q.src)
	}
	// The third of five passes of a call in place has no room on the device.
	run(`n := 1 << 18; x := brook.Of(np.Arange(n).AsType(np.Float32))`)
	run(`out := brook.With(brook.MaxOutputs(1), brook.On("` + small + `")).Maps(fan, x); np.Eval(out[0].Field(""), out[1].Field(""))`)
	require.Contains(t, run(`np.TryEval(out[2].Field("X"))`), "fan 3/5")
	require.Equal(t, "262144 262145 262143\n", run(`fmt.Sprint(brook.Slice[float32](out[0])[n-1], " ", brook.Slice[float32](out[1])[n-1], " ", brook.Slice[float32](x)[n-1])`))
	require.Equal(t, "262147 41.5\n", run(`x = brook.With(brook.MaxOutputs(1), brook.On("host")).Maps(fan, x)[3]; fmt.Sprint(brook.Slice[float32](x)[n-1], " ", before)`))
}
