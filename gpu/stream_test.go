package gpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// use makes the named device run kernels.
func use(t *testing.T, name string) {
	t.Helper()
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.AddFamily("sim:", nil, new(simgpu.Machines).Open)
	rt, err := offload.New(r, name)
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { lazy.Wiring{}.SetRuntime(nil) })
}

// TestStreams: the copies and kernels of two streams give what plain Go gives, overlap in the device's time on a
// simulated GPU, and are in the trace.
func TestStreams(t *testing.T) {
	saxpy, err := kernels.Source("Saxpy")
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 16
	for _, name := range []string{"host", "sim:v100"} {
		use(t, name)
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(i % 100)
		}
		var begins, ends [2]*gpu.Event
		var outs [2][]float32
		var streams []*gpu.Stream
		for k := range 2 {
			s := gpu.NewStream()
			streams = append(streams, s)
			begins[k] = s.Record()
			in, out := gpu.NewBuffer(arrays.Float32, n), gpu.NewBuffer(arrays.Float32, n)
			s.CopyIn(in, x)
			s.CopyIn(out, lazy.Full(float32(k), n))
			launched := s.Launch(saxpy, gpu.Blocks(n, 256), 256, k+2, in, out)
			outs[k] = make([]float32, n)
			ends[k] = s.CopyOut(outs[k], out)
			if launched.Time() <= 0 || ends[k].Elapsed(launched) <= 0 {
				t.Errorf("%s: a launch took %v, the copy behind it %v", name, launched.Time(), ends[k].Elapsed(launched))
			}
		}
		for _, s := range streams {
			s.Sync()
		}
		for k, out := range outs {
			for i, v := range out {
				if want := float32(k) + float32(k+2)*x[i]; v != want {
					t.Fatalf("%s, stream %d, element %d: %v, want %v", name, k, i, v, want)
				}
			}
		}
		kinds, rows := map[trace.Kind]int{}, map[int]bool{}
		var sum trace.Time
		events := trace.Last().Events()
		for _, e := range events {
			kinds[e.Kind]++
			rows[e.Stream] = true
			sum += e.Duration()
		}
		if kinds[trace.Kernel] != 2 || kinds[trace.CopyIn] != 4 || kinds[trace.CopyOut] != 2 || len(rows) != 2 {
			t.Errorf("%s: the trace has %v on %d streams", name, kinds, len(rows))
		}
		if ends[0].Elapsed(begins[0]) <= 0 {
			t.Errorf("%s: the first stream took %v", name, ends[0].Elapsed(begins[0]))
		}
	}
}

// TestStreamsWait: what one stream makes another reads, after its event.
func TestStreamsWait(t *testing.T) {
	use(t, "sim:v100")
	a, b := gpu.NewStream(), gpu.NewStream()
	x, y := gpu.NewBuffer(arrays.Int64, 3), gpu.NewBuffer(arrays.Int64, 3)
	b.Wait(a.CopyIn(x, []int{1, 2, 3}))
	b.Copy(y, x)
	out := make([]int64, 2)
	b.CopyOut(out, y).Wait()
	if out[0] != 1 || out[1] != 2 {
		t.Error(out)
	}
	b.Sync()
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.CopyPeer && len(e.After) != 1 {
			t.Errorf("the copy comes after %v", e.After)
		}
	}
}

// TestStreamErrors: what does not fit is refused where it is asked for, and the error of a run comes with Sync.
func TestStreamErrors(t *testing.T) {
	use(t, "host")
	saxpy, err := kernels.Source("Saxpy")
	if err != nil {
		t.Fatal(err)
	}
	s := gpu.NewStream()
	x, y := gpu.NewBuffer(arrays.Float32, 4), gpu.NewBuffer(arrays.Float64, 4)
	freed := gpu.NewBuffer(arrays.Float32, 4)
	freed.Free()
	s.CopyIn(x, []float32{1, 2, 3, 4})
	for want, f := range map[string]func(){
		"the slice has 5 elements, the buffer 4":                   func() { s.CopyIn(x, make([]float32, 5)) },
		"a slice of float32 is wanted, as the buffer has":          func() { s.CopyOut(make([]float64, 4), x) },
		"the array has elements of float64, the buffer of float32": func() { s.CopyIn(x, lazy.Ones(4)) },
		"a slice is wanted, not the number 3":                      func() { s.CopyIn(x, 3) },
		"does not fit into":                                        func() { s.Copy(x, y) },
		"the argument is an array of float64":                      func() { s.Launch(saxpy, 1, 4, 2, x, y) },
		"give it a buffer":                                         func() { s.Launch(saxpy, 1, 4, 2, x, []float32{1}) },
		"has been freed":                                           func() { s.Launch(saxpy, 1, 4, 2, x, freed) },
		"freed. ":                                                  func() { defer func() { panic(fmt.Sprint(recover(), ". ")) }(); freed.Free() },
		"buffers are for the method Launch of a stream":            func() { gpu.Launch(saxpy, 1, 4, 2, x, x) },
		"the number must be 0 or more":                             func() { gpu.NewBuffer(arrays.Int8, -1) },
		"there is no time":                                         func() { e := gpu.NewStream().Record(); e.Elapsed(e) },
	} {
		if got := panics(f); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	use(t, "sim:v100")
	if got := panics(func() { gpu.NewStream().CopyIn(x, []float32{1}) }); !strings.Contains(got, "the buffer is on host, the stream on sim:v100#0") {
		t.Error(got)
	}
	use(t, "host")
	s = gpu.NewStream()
	cut, err := kernels.Source("CSRMul") // rows of which the first says that it has no end
	if err != nil {
		t.Fatal(err)
	}
	ptr, col, f := gpu.NewBuffer(arrays.Int32, 2), gpu.NewBuffer(arrays.Int32, 1), gpu.NewBuffer(arrays.Float32, 1)
	s.CopyIn(ptr, []int32{0, 1 << 30})
	s.CopyIn(col, []int32{0})
	s.Launch(cut, 1, 1, ptr, col, f, f, f)
	if got := panics(s.Sync); !strings.Contains(got, "index 1 is out of range: the length is 1") {
		t.Error(got)
	}
	s.Sync() // it is clean again
}

func panics(f func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestCopiesBetweenGPUs: both ways of a copy between two GPUs of a machine bring the values, the trace has where they
// came from and went, and the copy takes as long as the preset's link says.
func TestCopiesBetweenGPUs(t *testing.T) {
	const n = 1 << 20
	use(t, "sim:v100x8")
	one, x := gpu.NewStream(), gpu.NewBuffer(arrays.Float64, n)
	host := make([]float64, n)
	for i := range host {
		host[i] = float64(i)
	}
	one.CopyIn(x, host).Wait()
	lazy.Use("sim:v100x8#3")
	two, y := gpu.NewStream(), gpu.NewBuffer(arrays.Float64, n)
	preset, err := simgpu.PresetByName("sim:v100x8")
	if err != nil {
		t.Fatal(err)
	}
	rate, nvlink := preset.PeerRate(0, 3)
	if !nvlink {
		t.Fatal("no link")
	}
	for name, s := range map[string]*gpu.Stream{"from the sender's stream": one, "from the receiver's": two} {
		s.Sync() // what came before
		if took, least := s.Copy(y, x).Time(), float64(8*n)/float64(rate); took.Seconds() < least || took.Seconds() > 1.5*least {
			t.Errorf("%s: the copy took %v, by the link's rate it takes %.3g s", name, took, least)
		}
		s.Sync()
		events := trace.Last().Events()
		e := events[len(events)-1]
		if to := max(e.To, e.Device); e.Kind != trace.CopyPeer || e.Peer != "sim:v100x8#0" || to != "sim:v100x8#3" || e.Bytes != 8*n {
			t.Errorf("%s: the trace has %+v", name, e)
		}
	}
	back := make([]float64, n)
	two.CopyOut(back, y).Wait()
	if back[1] != 1 || back[n-1] != n-1 {
		t.Errorf("the copy has %v … %v", back[1], back[n-1])
	}
	lazy.Use("sim:v100x8#5")
	three := gpu.NewStream()
	defer func() {
		if e := fmt.Sprint(recover()); !strings.Contains(e, "the buffers are on sim:v100x8#0 and sim:v100x8#3, the stream on sim:v100x8#5") {
			t.Errorf("a stream of a third device: %s", e)
		}
	}()
	three.Copy(y, x)
}
