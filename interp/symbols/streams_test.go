package symbols_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
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

// streamWriter writes functions of streams at random.
type streamWriter struct {
	*rand.Rand
	strings.Builder
	floats, ints []string // what can be read and assigned
	depth        int
	gathers      bool   // without, it is put into fused kernels
	place        string // what it asks IndexOf of
}

func (w *streamWriter) of(list []string) string { return list[w.IntN(len(list))] }

func (w *streamWriter) float(depth int) string {
	if depth == 0 || w.IntN(4) == 0 {
		return w.of(append([]string{"0.5", "-3", "float32(n)"}, w.floats...))
	}
	switch k := w.IntN(6); {
	case k == 0:
		return fmt.Sprintf("float32(%s)", w.integer(depth-1))
	case k == 1 && w.gathers:
		return fmt.Sprintf("g.At(int(uint32(%s) %% uint32(g.Len()))).%s", w.integer(depth-1), w.of([]string{"V.Y", "F", "V.X"}))
	case k == 2:
		return fmt.Sprintf("s.V.Scale(%s).Dot(r.V)", w.float(depth-1))
	case k == 3:
		return fmt.Sprintf("min(%s, %s)", w.float(depth-1), w.float(depth-1))
	}
	return fmt.Sprintf("float32(%s %s %s)", w.float(depth-1), w.of([]string{"+", "-", "*", "/"}), w.float(depth-1))
}

func (w *streamWriter) integer(depth int) string {
	if depth == 0 || w.IntN(4) == 0 {
		return w.of(append([]string{"seven", "minus", "at.X", "at.Y"}, w.ints...))
	}
	switch w.IntN(8) {
	case 0:
		return fmt.Sprintf("s.A[uint32(%s)%%3]", w.integer(depth-1))
	case 1:
		return fmt.Sprintf("brook.IndexOf(%s).%s", w.place, w.of([]string{"X", "Y", "W"}))
	}
	return fmt.Sprintf("(%s %s %s)", w.integer(depth-1), w.of([]string{"+", "-", "*", "^", "&", "|"}), w.integer(depth-1))
}

func (w *streamWriter) statements(n int) {
	for range n {
		switch k := w.IntN(6); {
		case k == 0 && w.depth < 3:
			w.depth++
			fmt.Fprintf(w, "if %s < %s {\n", w.float(2), w.float(2))
			w.statements(2)
			w.WriteString("} else {\n")
			w.statements(1)
			w.WriteString("}\n")
			w.depth--
		case k == 1 && w.depth < 2:
			w.depth++
			fmt.Fprintf(w, "for i%d := range %d {\n if i%d == int(n) { break }\n", w.depth, 1+w.IntN(5), w.depth)
			w.statements(2)
			w.WriteString("}\n")
			w.depth--
		case k < 4:
			fmt.Fprintf(w, "%s = %s\n", w.of(w.floats), w.float(3))
		default:
			fmt.Fprintf(w, "%s = %s\n", w.of(w.ints), w.integer(3))
		}
	}
}

// Functions of streams at random, with structs, gathers and several results, do on devices what they do when the
// interpreter calls them for one element after the other: fused, and as launches.
func TestRandomStreamFunctions(t *testing.T) {
	symbols.Register()
	r := new(devices.Registry)
	r.Add("host", func() (devices.Device, error) { return host.Open(0), nil })
	r.Add("sim:v100", func() (devices.Device, error) { return simgpu.Open("sim:v100") })
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
	run("type S struct { F float32; A [3]int32; V brook.F2; On bool }")
	for seed := range testsize.Seeds("interp/symbols.TestRandomStreamFunctions") {
		w := &streamWriter{Rand: rand.New(rand.NewPCG(seed, 0))}
		name := fmt.Sprintf("k%d", number)
		gather, given := "", ""
		if w.gathers = w.IntN(2) == 0; w.gathers {
			gather, given = ", g brook.Gather[S]", ", ss"
		}
		fmt.Fprintf(w, "func %s(s S, x float32, n int32, at brook.Index%s) (r S, y float32, m int32) {\nseven, minus := int32(7), int32(-2)\n_, _ = seven, minus\n", name, gather)
		w.floats, w.ints = []string{"x", "y", "s.F", "r.F", "r.V.X", "s.V.Y", "r.V.Y"}, []string{"n", "m", "s.A[1]", "r.A[0]", "r.A[2]"}
		w.place = w.of([]string{"s", "x", "y", "r"}) // one: those that repeat in different ways are refused by On("go")
		w.statements(3 + w.IntN(6))
		w.WriteString("r.On = s.On != (x < y)\nreturn\n}")
		require.Empty(t, run(w.String()), w.String())
		k, rows, cols := 1+w.IntN(5), 1+w.IntN(3), 1+w.IntN(40)
		run(fmt.Sprintf("ss := make([]S, %d); for i := range ss { ss[i] = S{float32(i%%7) - 2.5, [3]int32{int32(i), int32(-i), 3}, brook.F2{float32(i) / 3, 2}, i%%3 == 1} }", rows*cols))
		result := func(options string) string {
			run(fmt.Sprintf("out := brook.With(%s, brook.Shape(%d, %d)).Maps(%s, brook.Of(ss).Reshape(%d, %d), np.Arange(%d).AsType(np.Float32), %d, brook.Indices(brook.Shape(%d, %d))%s)",
				options, rows*k, cols, name, rows, cols, cols, k, rows*k, cols, given))
			return run("fmt.Sprint(brook.Write(out[0]), brook.Write(out[1]), brook.Write(out[2]))")
		}
		want := result(`brook.On("go")`)
		require.NotContains(t, want, "panic", w.String())
		for _, on := range []string{`brook.On("host")`, `brook.On("sim:v100")`, "brook.Option{}", `brook.On("sim:v100"), brook.CopyOut(), brook.StreamsBypass(), brook.MaxOutputs(3)`} {
			require.Equal(t, want, result(on), "%s\n%s", on, w.String())
		}
	}
}
