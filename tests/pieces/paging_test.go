package pieces

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// paged is a runtime whose simulated GPU may use so many bytes.
func paged(t *testing.T, bytes int64) *offload.Runtime {
	rt := testdevices.Use(t, simgpu.SampleAbove(256))
	lazy.Use("sim:tiny")
	rt.SetMemLimit(bytes)
	return rt
}

// TestBlackScholesInPieces: of the offload-annotations paper's workload with 2^20 options, on 16 MB, with the largest
// pieces that fit, as in the paper. Twelve arrays of a piece of 2^17 take 12.6 MB; the inputs go in once, the results
// out once.
func TestBlackScholesInPieces(t *testing.T) {
	const n = 1 << 20
	rt := paged(t, 0)
	rt.SetPieces(offload.LargestPieces)
	call, put := workloads.BlackScholes(workloads.Options(n))
	lazy.Eval(call, put)
	s := rt.Stats()
	if s.Pieces != 8 || s.BytesIn != 5*8*n || s.BytesOut != 2*8*n {
		t.Errorf("%d pieces, %d launches, %d bytes in, %d out; want 8, %d, %d", s.Pieces, s.Launches, s.BytesIn, s.BytesOut, 5*8*n, 2*8*n)
	}
	for _, m := range rt.MemoryUse() {
		if m.Device == "sim:tiny#0" && (m.Pool.Peak > 12*8<<17 || m.Pool.InUse != 0) {
			t.Errorf("at most %d bytes, want %d; %d are in use still", m.Pool.Peak, 12*8<<17, m.Pool.InUse)
		}
	}
	for i, v := range call.Float64s() {
		if math.Abs(v-workloads.Call) > 1e-12 {
			t.Fatalf("call %d is %v, want %v", i, v, workloads.Call)
		}
	}
	if v := put.Float64(n - 1); math.Abs(v-workloads.Put) > 1e-12 {
		t.Errorf("the last put is %v, want %v", v, workloads.Put)
	}
}

// TestPiecesGiveTheSameBits: what is computed in pieces, sums too, has the bits of what is computed whole.
func TestPiecesGiveTheSameBits(t *testing.T) {
	testsize.InTurn(t, 1)
	const n = 300_001
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Sin(float64(i)) * 1000
	}
	programs := map[string]func() *lazy.Array{
		"map":        func() *lazy.Array { return lazy.FromSlice(x).Sin().Add(lazy.Arange(n)).Mul(2) },
		"sum":        func() *lazy.Array { return lazy.FromSlice(x).Mul(lazy.FromSlice(x)).Sum() },
		"mean, then": func() *lazy.Array { y := lazy.FromSlice(x).Exp2(); return y.Sub(y.Mean()).Abs() },
		"rows": func() *lazy.Array {
			return lazy.FromSlice(x[:300_000], 3000, 100).Add(lazy.FromSlice(x[:100])).Abs().Sqrt()
		},
		"iota sum": func() *lazy.Array { return lazy.Arange(n).Add(lazy.FromSlice(x)).Sum() },
		"bool":     func() *lazy.Array { return lazy.FromSlice(x).Greater(0).AsType(lazy.Int8) },
	}
	for name, f := range programs {
		rt := paged(t, 0)
		want := f().Float64s()
		if p := rt.Stats().Pieces; p != 0 {
			t.Errorf("%s: %d pieces of what fits", name, p)
		}
		rt = paged(t, 1<<20)
		got := f().Float64s()
		s := rt.Stats()
		if s.Pieces < 2 {
			t.Errorf("%s: %d pieces", name, s.Pieces)
		}
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%s: element %d is %v in pieces, %v whole", name, i, got[i], want[i])
			}
		}
	}
}

// TestCopiesOverlapKernels: where there is room, a piece is copied in while the one before is computed.
func TestCopiesOverlapKernels(t *testing.T) {
	paged(t, 5<<20)
	lazy.Eval(lazy.FromSlice(make([]float64, 1<<20)).Sin().Exp().Log().Cos())
	var copies, kernels []trace.Event
	for _, e := range trace.Last().Events() {
		switch e.Kind {
		case trace.CopyIn:
			copies = append(copies, e)
		case trace.Kernel:
			kernels = append(kernels, e)
		}
	}
	overlaps := 0
	for _, c := range copies {
		for _, k := range kernels {
			if c.Start < k.End && k.Start < c.End {
				overlaps++
			}
		}
	}
	if len(copies) < 3 || overlaps == 0 {
		t.Errorf("%d copies, %d of them beside a kernel", len(copies), overlaps)
	}
}

func TestPagingOff(t *testing.T) {
	rt := paged(t, 1<<20)
	rt.Paging(false)
	x := lazy.FromSlice(make([]float64, 1<<20)).Add(1)
	func() {
		defer func() {
			if _, ok := recover().(error); !ok {
				t.Error("Eval did not panic with an error")
			}
		}()
		lazy.Eval(x)
	}()
	err := lazy.TryEval(x)
	var not *offload.NotPaged
	if !errors.As(err, &not) || !errors.Is(err, device.ErrOutOfMemory) {
		t.Fatalf("error %v", err)
	}
	for _, w := range []string{"16.8 MB", "1.05 MB", "Paging(true)"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not name %s", err, w)
		}
	}
	if s := rt.Stats(); s.Launches != 0 {
		t.Errorf("%d kernels ran before it was found out", s.Launches)
	}
	rt.Paging(true)
	if got := x.Sum().Item(); got != float64(1<<20) {
		t.Errorf("afterwards the sum is %v", got)
	}
}

// TestCannotBeCut: a kernel of a cell may read any element, so that it is not cut. Where it is too large it runs on the
// CPU, which is said before, by Explain, and then.
func TestCannotBeCut(t *testing.T) {
	rt := paged(t, 1<<20)
	var said []string
	rt.Warn = func(m string) { said = append(said, m) }
	const n = 1 << 18
	b := kir.NewBuilder("backwards")
	in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	from := b.Op(kir.OpSub, b.Int(kir.I64, n-1), i)
	b.Store(kir.Global, b.Index(out, i, kir.F64), b.Load(kir.Global, kir.F64, b.Index(in, from, kir.F64)))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	x, y := lazy.FromArray(arrays.Arange(n).AsType(arrays.Float64)), lazy.Zeros(n)
	lazy.Wiring{}.Launch(kernelcall.Call[lazy.Array]{Name: "backwards", Func: f, Grid: kir.D1(n / 256), Block: kir.D1(256), Args: []kernelcall.Arg[lazy.Array]{{Array: x}, {Array: y, Writes: true}}})
	e := lazy.Explain(y)
	if len(e.TooLarge) != 1 || !strings.Contains(e.String(), "any part of it may need all of what it reads: it will run on the CPU") {
		t.Errorf("Explain says\n%v", e)
	}
	if got := y.Float64(0); got != n-1 {
		t.Errorf("element 0 is %v", got)
	}
	if len(said) != 1 || !strings.Contains(said[0], "runs on the CPU: it cannot be cut into pieces, as any part of it may need") {
		t.Errorf("it said %q", said)
	}
}

// TestRandomGraphsInPieces: random expressions of large arrays have the same bits in pieces, whole, and on the CPU.
func TestRandomGraphsInPieces(t *testing.T) {
	const n = 20_000
	graph := func(seed uint64) []*lazy.Array {
		r := rand.New(rand.NewPCG(seed, 5))
		var at []*lazy.Array
		for k := range 3 {
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			at = append(at, lazy.FromSlice(x))
			if k == 2 {
				at[2] = at[2].Reshape(n/10, 10).Add(0).Reshape(-1)
			}
		}
		pick := func() *lazy.Array { return at[r.IntN(len(at))] }
		for range 15 {
			x, y := pick(), pick()
			at = append(at, []func() *lazy.Array{
				func() *lazy.Array { return x.Add(y) },
				func() *lazy.Array { return x.Mul(y) },
				func() *lazy.Array { return x.Sin() },
				func() *lazy.Array { return lazy.Where(x.Greater(y), x, 1) },
				func() *lazy.Array { return x.Sub(y.Mean()) },
				func() *lazy.Array { return x.AsType(lazy.Float32).AsType(lazy.Float64) },
				func() *lazy.Array { return x.Add(lazy.Arange(n)) },
				func() *lazy.Array { return lazy.Maximum(x.At(lazy.S(lazy.End, -n-1, -1)), y) },
				func() *lazy.Array { return x.Abs().Sqrt().Sub(y.Max()) },
			}[r.IntN(9)]())
		}
		return at[len(at)-4:]
	}
	pieces := int64(0)
	for seed := range testsize.Seeds("tests/pieces.TestRandomGraphsInPieces") {
		var want [][]float64
		for _, where := range []struct {
			device string
			limit  int64
		}{{"host", 0}, {"sim:tiny", 0}, {"sim:tiny", 300_000}} {
			rt := testdevices.Use(t)
			lazy.Use(where.device)
			rt.SetMemLimit(where.limit)
			xs := graph(seed)
			lazy.Eval(xs...)
			pieces += rt.Stats().Pieces
			for i, x := range xs {
				got := x.Float64s()
				if len(want) <= i {
					want = append(want, got)
				}
				for k := range got {
					if math.Float64bits(got[k]) != math.Float64bits(want[i][k]) {
						t.Fatalf("seed %d, result %d, on %s with %d bytes: element %d is %v, on the host %v", seed, i, where.device, where.limit, k, got[k], want[i][k])
					}
				}
			}
		}
	}
	if pieces == 0 {
		t.Error("nothing ran in pieces")
	}
}

// The distance that the published program gives, on the CPU, on a device, and in pieces.
func TestHaversine(t *testing.T) {
	testsize.InTurn(t, 1)
	testdevices.Use(t)
	for _, name := range []string{"host", "sim:v100", "sim:tiny"} {
		lazy.Use(name)
		const n = 1 << 20 // 25 MB in all: more than sim:tiny has
		lat, lon := workloads.Places(n)
		miles := workloads.Haversine(lat, lon)
		for _, i := range []int{0, n / 2, n - 1} {
			if got := miles.Float64(i); math.Abs(got-workloads.Miles) > 1e-9 {
				t.Errorf("%s: element %d is %v, want %v", name, i, got, workloads.Miles)
			}
		}
	}
}

// What is on the device already counts: an array and its result, of 12 MB each, do not fit in 16 MB together.
func TestPiecesOfWhatIsThere(t *testing.T) {
	rt := paged(t, 0)
	rt.Warn = func(m string) { t.Errorf("it said: %s", m) }
	const n = 3 << 19
	x := lazy.Arange(n).Mul(0.5)
	lazy.Eval(x)
	if use := rt.MemoryUse(); use[0].Pool.InUse < 8*n {
		t.Fatalf("x is not on the device: %v", use)
	}
	y := x.Mul(2)
	forecast := lazy.Explain(y).TooLarge
	lazy.Eval(y)
	if s := rt.Stats(); s.Pieces == 0 || len(forecast) != 1 || s.Pieces != int64(forecast[0].Pieces) {
		t.Errorf("%d pieces; foreseen: %v", s.Pieces, forecast)
	}
	if got := y.Float64(n - 1); got != n-1 {
		t.Errorf("the last element is %v", got)
	}
}

// Foreseen is what then happens: the sizes of pieces, whole programs of several steps, what cannot be cut, and bounds.
func TestForecast(t *testing.T) {
	rt := paged(t, 0)
	const n = 1 << 20
	call, put := workloads.BlackScholes(workloads.Options(n))
	rt.PieceRows(100_000)
	e := lazy.Explain(call, put)
	if f := e.TooLarge; len(f) != 1 || f[0].Pieces != 11 || f[0].Piece != 100_000 || f[0].Need <= 16<<20 || f[0].Room != 16<<20 {
		t.Fatalf("%+v", f)
	}
	for _, want := range []string{"sim:tiny#0 has 16.8 MB", "in 11 pieces of 100000 rows"} {
		if !strings.Contains(e.String(), want) {
			t.Errorf("%q is not in:\n%v", want, e)
		}
	}
	rt.Paging(false)
	if f := lazy.Explain(call, put).TooLarge; len(f) != 1 || !strings.Contains(f[0].String(), "it will fail") {
		t.Errorf("without paging: %v", f)
	}
	rt.Paging(true)
	lazy.Eval(call, put)
	if got := rt.Stats().Pieces; got != 11 {
		t.Errorf("%d pieces", got)
	}
	if v := call.Float64(n - 1); math.Abs(v-workloads.Call) > 1e-12 {
		t.Errorf("the last call is %v, want %v", v, workloads.Call)
	}
	x := lazy.FromSlice(make([]float64, 1<<22), 4096, 1024)
	if f := lazy.Explain(x.T().Mul(2)).TooLarge; len(f) != 1 || f[0].Pieces < 2 || f[0].Tasks != 1 {
		t.Errorf("of a transpose: %v", f)
	}
	rt.PieceRows(0)
	if e := lazy.Explain(x.Sum(lazy.Axis(0))); len(e.TooLarge) != 1 || !strings.Contains(e.String(), " columns, in ") {
		t.Errorf("of the sums of columns:\n%v", e)
	}
	if f := lazy.Explain(lazy.Zeros(10).Add(1)).TooLarge; f != nil {
		t.Errorf("of what fits: %v", f)
	}
}

// Pieces of the size that is foreseen to be the fastest are: none of the other powers of two is faster by more than a
// tenth.
func TestPieceSizes(t *testing.T) {
	const n = 1 << 20
	at := 0
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		program := programs[name]
		for _, c := range []struct {
			device string
			memory int64
		}{{"sim:tiny", 0}, {"sim:p100", 16 << 20}, {"sim:h200", 8 << 20}} {
			if name == "sums" {
				continue // fits
			}
			if at++; !testsize.Part(at, 3) { // a short test has a third of them, each turn another
				continue
			}
			took := func(rows int, policy offload.PiecePolicy) (trace.Time, int64) {
				rt := testdevices.Use(t)
				lazy.Use(c.device)
				rt.SetMemLimit(c.memory)
				rt.PieceRows(rows)
				rt.SetPieces(policy)
				lazy.Eval(program(n)...)
				return trace.Last().Took(), rt.Stats().Pieces
			}
			chosen, pieces := took(0, offload.FastestPieces)
			largest, _ := took(0, offload.LargestPieces)
			best := min(chosen, largest)
			for i, rows := 0, 1<<11; rows <= 1<<18; i, rows = i+1, rows*2 {
				if !testsize.Part(i+at, 2) {
					continue
				}
				d, _ := took(rows, offload.FastestPieces)
				best = min(best, d)
			}
			t.Logf("%s on %s: %v in %d pieces, the best %v; the largest %v", name, c.device, chosen, pieces, best, largest)
			if pieces < 2 || float64(chosen) > 1.1*float64(best) {
				t.Errorf("%s on %s: %v in %d pieces, but %v in others", name, c.device, chosen, pieces, best)
			}
		}
	}
}
