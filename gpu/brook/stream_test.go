package brook_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// machines are the CPU, and GPUs that look for races and run blocks in an order of their own.
var machines = []string{"host", simgpu.Custom("g80", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(1))), simgpu.Custom("v100", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(3)))}

// shuffled runs blocks in an order of its own, and does not look for races.
var shuffled = simgpu.Custom("v100", simgpu.WithBlockOrder(simgpu.Shuffle(5)))

// small has room for a million floats.
var small = simgpu.Custom("nv40", simgpu.Change(func(p *simgpu.Preset) { p.MemoryBytes = 4 << 20 }))

func use(t *testing.T) *offload.Runtime {
	t.Helper()
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	for _, name := range append(slices.Clone(machines[1:]), "sim:v100", "sim:nv40", "sim:r420", shuffled, small) {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	rt, err := offload.New(r, "host")
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { np.Wiring{}.SetRuntime(nil) })
	return rt
}

var source = sync.OnceValues(func() (*load.Package, error) { return load.Load(".", "./internal/streamed") })

// compiled is whether kernels are functions that go generate has compiled, as those of programs are.
var compiled bool

// kernel is a function of package streamed with its source, as cells give it, or the function itself where kernels are
// compiled.
func kernel(t *testing.T, name string, f any) any {
	t.Helper()
	p, err := source()
	require.NoError(t, err)
	obj, err := p.Func(name)
	require.NoError(t, err)
	fn := gosrc.NewFunc(p.Source, obj, nil, f)
	if !compiled {
		return fn
	}
	s, err := fn.Streaming()
	require.NoError(t, err)
	text, err := s.Encode()
	require.NoError(t, err)
	gosrc.Register(nil, gosrc.Entry{Name: p.PkgPath + "." + name, Stream: text})
	return f
}

// Functions that go generate has compiled have the results and the passes of those with source.
func TestCompiledKernels(t *testing.T) {
	compiled = true
	defer func() { compiled = false }()
	t.Run("Map", TestMapIsALoop)
	t.Run("Gathers", TestGathersOfAxes)
	t.Run("Counts", TestCountsOfTable1)
	t.Run("Search", TestSearchFindsWhatIsShared)
	t.Run("Split", TestSplitKernelsAreTheSame)
	t.Run("Flat", TestFlatIsALoop)
	t.Run("Places", TestPlacesInKernels)
	t.Run("Reduce", TestReductionsAreFolds)
	t.Run("Refused", TestReductionsThatCannotBe)
}

func message(t *testing.T, run func()) (msg string) {
	t.Helper()
	defer func() {
		err, ok := recover().(error)
		require.True(t, ok, "no error")
		msg = err.Error()
	}()
	run()
	return ""
}

// What is read is what is written, of numbers, structs and structs in structs, in all shapes.
func TestStreamsAreTheirElements(t *testing.T) {
	use(t)
	rays := make([]streamed.Ray, 24)
	for i := range rays {
		rays[i] = streamed.Ray{O: brook.F3{X: float32(i), Y: 1, Z: 2}, D: brook.F3{Z: 1}, TMax: float32(10 * i)}
	}
	s := brook.Of(rays)
	require.Equal(t, rays, brook.Slice[streamed.Ray](s))
	require.Equal(t, []string{"O.X", "O.Y", "O.Z", "D.X", "D.Y", "D.Z", "TMax"}, s.Fields())
	require.Equal(t, "[  0.  10.  20.  30.  40.  50.  60.  70.  80.  90. 100. 110. 120. 130.\n 140. 150. 160. 170. 180. 190. 200. 210. 220. 230.]", s.Field("TMax").String())
	require.Equal(t, []int{24, 3}, s.Field("O").Shape())
	require.Equal(t, brook.F3{X: 5, Y: 1, Z: 2}, brook.Slice[brook.F3](s.Member("O"))[5])
	require.Same(t, s.Field("O.X"), s.Member("O").Field("X"), "without a copy")
	four := s.Reshape(2, 3, 2, 2)
	require.Equal(t, []int{2, 3, 2, 2}, four.Shape())
	require.Equal(t, rays, brook.Slice[streamed.Ray](four))
	require.Contains(t, brook.Of(rays[:2]).String(), "{{0 1 2} {0 0 1} 0}")

	z := brook.New[streamed.Ray](4, 6)
	require.Equal(t, make([]streamed.Ray, 24), brook.Slice[streamed.Ray](z))
	brook.Read(z, rays)
	require.Equal(t, rays, brook.Write(z))
	require.Equal(t, []int{4, 6}, z.Shape())

	a := np.Arange(6).AsType(np.Float32).Reshape(2, 3)
	require.Same(t, a, brook.Of(a).Field(""))
	require.Equal(t, []int{2, 3}, brook.Of([][]float32{{1, 2, 3}, {4, 5, 6}}).Shape())
	require.Equal(t, []int{1, 2, 3}, brook.Slice[int](brook.Of([]int{1, 2, 3})))
	require.Contains(t, s.Layout(), "TMax         float32  96 bytes, element i at byte 4i")
}

func TestWhatIsNotAStream(t *testing.T) {
	use(t)
	for want, run := range map[string]func(){
		"brook.Of: a int is not a list; give a slice of numbers or structs, or an array":                                               func() { brook.Of(3) },
		"records: Name of struct { Name string } is of type string; records have numbers and bools: keep it in a slice of its own":     func() { brook.Of([]struct{ Name string }{}) },
		"records: P of struct { P []int } is of type []int; records have numbers and bools: keep it in a slice of its own":             func() { brook.Of([]struct{ P []int }{}) },
		"brook.New: the shape [1 2 3 4 5] has 5 axes; streams have 1 to 4":                                                             func() { brook.New[float32](1, 2, 3, 4, 5) },
		"brook.New: the elements are of type string; those of a stream are numbers, bools, and structs and fixed arrays of them":       func() { brook.New[string](3) },
		"brook.Field: there is no field \"Z\"; elements of type brook.F2 have [\"X\" \"Y\"]":                                           func() { brook.New[brook.F2](3).Field("Z") },
		"brook.Read: the memory has 2 elements, the stream 3: shape [3]":                                                               func() { brook.Read(brook.New[int](3), []int{1, 2}) },
		"brook.Read: a stream of int reads a []int, not a []float64":                                                                   func() { brook.Read(brook.New[int](3), []float64{1, 2, 3}) },
		"brook.Of: a stream is nil; was it never assigned?":                                                                            func() { brook.Of((*brook.Stream)(nil)) },
		"brook.Of: the array has elements of complex128; those of a stream are numbers that Go has, and bools: convert it with AsType": func() { brook.Of(np.Zeros(3).AsType(np.Complex128)) },
	} {
		require.Equal(t, want, message(t, run))
	}
}
