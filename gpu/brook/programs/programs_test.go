package programs_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/programs"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

var machines = []string{"host", "sim:v100", "sim:nv40", "go"}

var source = sync.OnceValues(func() (*load.Package, error) { return load.Load(".", ".") })

// on are the programs on a machine.
func on(t *testing.T, machine string) *programs.Programs {
	t.Helper()
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	for _, name := range append(machines[1:3:3], "sim:r420") {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	rt, err := offload.New(r, "host")
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { np.Wiring{}.SetRuntime(nil) })
	return &programs.Programs{Settings: brook.With(brook.On(machine)), Kernel: func(name string, f any) any {
		p, err := source()
		require.NoError(t, err)
		obj, err := p.Func(name)
		require.NoError(t, err)
		return gosrc.NewFunc(p.Source, obj, nil, f)
	}}
}

func vectors(n int) []brook.F4 {
	out := make([]brook.F4, n)
	for i := range out {
		out[i] = brook.F4{X: rand.Float32() - 0.5, Y: rand.Float32() - 0.5, Z: rand.Float32() - 0.5, W: rand.Float32() - 0.5}
	}
	return out
}

func TestSaxpyIsALoop(t *testing.T) {
	x, y := vectors(100), vectors(100)
	want := make([]brook.F4, len(x))
	for i := range x {
		want[i] = brook.F4{X: float32(2*x[i].X) + y[i].X, Y: float32(2*x[i].Y) + y[i].Y, Z: float32(2*x[i].Z) + y[i].Z, W: float32(2*x[i].W) + y[i].W}
	}
	for _, m := range machines {
		require.Equal(t, want, brook.Write(on(t, m).Saxpy(2, brook.Of(x), brook.Of(y))), m)
	}
}

// alpha A x + beta y as a loop in float64 has it, to rounding.
func TestSgemvIsALoop(t *testing.T) {
	const rows, cols = 24, 40
	a, x, y := make([]float32, rows*cols), make([]float32, cols), make([]float32, rows)
	for _, list := range [][]float32{a, x, y} {
		for i := range list {
			list[i] = rand.Float32() - 0.5
		}
	}
	for _, m := range machines {
		got := brook.Slice[float32](on(t, m).Sgemv(3, brook.Of(a).Reshape(rows, cols), brook.Of(x).Reshape(1, cols), -2, brook.Of(y).Reshape(rows, 1)))
		for i := range rows {
			want := -2 * float64(y[i])
			for k := range cols {
				want += 3 * float64(a[i*cols+k]) * float64(x[k])
			}
			require.InDelta(t, want, got[i], 1e-4, m)
		}
	}
}

// The transform is the sum that defines it, to a part in 10,000, with one reversal and as many passes along rows and
// columns as there are levels.
func TestFFTIsTheDFT(t *testing.T) {
	require.Equal(t, 419_430_400, programs.FFTFlops(1024, 4), "of the paper's count for 1024 by 1024")
	const n = 16
	re, im := vectors(n*n), vectors(n*n)
	want := make([]complex128, n*n) // of channel X
	largest := 0.0
	for v := range n {
		for u := range n {
			for y := range n {
				for x := range n {
					of := complex(float64(re[y*n+x].X), float64(im[y*n+x].X))
					want[v*n+u] += of * cmplx.Rect(1, -2*math.Pi*float64(u*x+v*y)/n)
				}
			}
			largest = max(largest, cmplx.Abs(want[v*n+u]))
		}
	}
	for _, m := range machines {
		r, i := on(t, m).FFT(brook.Of(re).Reshape(n, n), brook.Of(im).Reshape(n, n))
		rep := r.Report()
		rs, is := brook.Slice[brook.F4](r), brook.Slice[brook.F4](i)
		for k := range want {
			require.Less(t, cmplx.Abs(want[k]-complex(float64(rs[k].X), float64(is[k].X))), 1e-4*largest, m)
		}
		if m == "go" {
			continue
		}
		passes := map[string]int{}
		for _, k := range rep.Kernels {
			passes[k.Name]++
		}
		require.Equal(t, map[string]int{"Reverse": 1, "Rows": 4, "Columns": 4}, passes, m)
	}
}

// What the paper says of the transform in words: about even with a CPU that has 1224 MFLOPS, on ATI's machine.
func TestFFTIsAboutEvenWithTheCPU(t *testing.T) {
	testsize.InTurn(t, 2)
	const n, fftw = 64, 1224e6
	rates := map[string]float64{}
	for _, m := range []string{"sim:nv40", "sim:r420"} {
		zeros := brook.New[brook.F4](n, n)
		r, _ := on(t, m).FFT(zeros, zeros)
		rates[m] = float64(programs.FFTFlops(n, 4)) / r.Report().Time().Seconds()
	}
	require.Less(t, rates["sim:nv40"], rates["sim:r420"])
	require.True(t, rates["sim:r420"] > fftw/1.5 && rates["sim:r420"] < fftw*1.5, rates)
}

// Seeds take their region of a picture of two, and a step has the operations and bytes that the paper states.
func TestSegment(t *testing.T) {
	const h, w = 24, 32
	picture, seeds := make([]float32, h*w), make([]float32, h*w)
	inside := func(y, x int) bool { return (y-12)*(y-12)+(x-16)*(x-16) < 64 }
	for y := range h {
		for x := range w {
			seeds[y*w+x] = 0.5
			if picture[y*w+x] = 0.2; inside(y, x) {
				picture[y*w+x] = 0.8
			}
		}
	}
	seeds[12*w+16], seeds[2*w+2] = 1, 0
	var want any
	for _, m := range machines {
		out := on(t, m).Segment(brook.Of(picture).Reshape(h, w), brook.Of(seeds).Reshape(h, w), 120)
		state := brook.Slice[float32](out)
		for y := range h {
			for x := range w {
				require.Equal(t, inside(y, x), state[y*w+x] > 0.5, "%s: %d, %d", m, y, x)
			}
		}
		if want == nil {
			want = state
		}
		require.Equal(t, want, state, m)
	}
	p := on(t, "sim:v100")
	step := p.Segment(brook.Of(picture).Reshape(h, w), brook.Of(seeds).Reshape(h, w), 1).Report().Memory()
	require.EqualValues(t, 32*h*w, step.Flops)
	require.EqualValues(t, 10*4*h*w, step.Streamed+step.Gathered)
	require.EqualValues(t, 2*4*h*w, step.Streamed)
	require.EqualValues(t, 2*4*h*w, step.Written)
}

// The ray of the test in the specification meets the triangle; one that is not active, or whose list is empty, meets
// nothing. An index outside is an error with the element.
func TestRayMeetsTriangle(t *testing.T) {
	ray := programs.Ray{O: brook.F3{X: .25, Y: .25, Z: -1}, D: brook.F3{Z: 1}, TMax: 100}
	tris := []programs.Triangle{{V0: brook.F3{Z: 9}, V1: brook.F3{X: 1, Z: 9}, V2: brook.F3{Y: 1, Z: 9}}, {V1: brook.F3{X: 1}, V2: brook.F3{Y: 1}}}
	rays := []programs.Ray{ray, ray}
	for _, m := range machines {
		p := on(t, m)
		hits := brook.Slice[programs.Hit](p.Intersect(rays, tris, []int32{programs.Active, 0}, []int32{0, 1, -1}))
		require.Equal(t, []programs.Hit{{T: 1, U: .25, V: .25, Index: 1}, {Index: -1}}, hits, m)
		require.Equal(t, []programs.Hit{{Index: -1}, {Index: -1}}, brook.Slice[programs.Hit](p.Intersect(rays, tris, programs.Active, []int32{-1})), m)
		require.Panics(t, func() { p.Intersect(rays, tris, programs.Active, []int32{7}).Eval() }, m)
	}
}

// The picture has the ball, the floor and the sky, and is the same on all machines.
func TestTrace(t *testing.T) {
	tris, list := programs.Scene(6)
	require.Len(t, tris, 6*12*2-2*12+2)
	var want []brook.F3
	for _, m := range machines {
		got := brook.Slice[brook.F3](on(t, m).Trace(12, 16, tris, list))
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, m)
	}
	require.Greater(t, want[8].Z, want[8].X, "sky")
	require.Greater(t, want[6*16+8].X, want[6*16+8].Z, "the ball")
	require.Equal(t, want[11*16+1].X, want[11*16+1].Z, "the floor")
}
