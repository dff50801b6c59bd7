package simgpu

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/stretchr/testify/require"
)

// cluster is a machine of several GPUs, each with a stream and a buffer.
type cluster struct {
	gpus    []*GPU
	streams []device.Stream
	buffers []device.Buffer
}

func newCluster(t *testing.T, name string, bytes int) *cluster {
	p, err := PresetByName(name)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{gpus: NewMachine(p)}
	for _, g := range c.gpus {
		t.Cleanup(func() { g.Close() })
		s, err := g.NewStream(0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := g.Alloc(bytes)
		if err != nil {
			t.Fatal(err)
		}
		c.streams, c.buffers = append(c.streams, s), append(c.buffers, b)
	}
	return c
}

func (c *cluster) sync(t *testing.T) {
	t.Helper()
	for _, s := range c.streams {
		if err := s.Sync(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

// Memory that one GPU of a machine has pinned is pinned for the others too, and not for those of another machine.
func TestPinnedMemoryIsTheMachines(t *testing.T) {
	const n = 8 << 20
	c, other := newCluster(t, "v100x8", n), newCluster(t, "v100x8", n)
	host, err := c.gpus[0].HostAlloc(n)
	require.NoError(t, err)
	took := func(c *cluster, number int) trace.Time {
		e := c.streams[number].CopyIn(c.buffers[number], 0, host)
		require.NoError(t, e.Wait(ctx))
		return e.Trace().End - e.Trace().Start
	}
	require.Equal(t, took(c, 0), took(c, 5))
	require.Greater(t, took(other, 5), 2*took(c, 5)) // 5.5 GB/s in place of 11.95
}

// Copies between each two of the GPUs run at the measured rates of distributed-and-offload.md section 0: of the eight
// V100 every one has two partners at 48 GB/s, two at 24, three at 8.5; between A100 it is 250 everywhere. The DGX-1V
// has as many links, between other pairs; two H100 have what a copy engine moves, and L4 have PCIe alone.
func TestPeerCopiesRunAtTheMeasuredRates(t *testing.T) {
	const n = 8 << 20
	for _, m := range []struct {
		name string
		want []float64 // GB/s from a GPU to the others, sorted
	}{
		{"v100x8", []float64{8.5, 8.5, 8.5, 24, 24, 48, 48}},
		{"a100x8", []float64{250, 250, 250, 250, 250, 250, 250}},
		{"dgx1v", []float64{8.5, 8.5, 8.5, 24, 24, 48, 48}},
		{"h100x8", []float64{400, 400, 400, 400, 400, 400, 400}},
		{"l4x8", []float64{20, 20, 20, 20, 20, 20, 20}},
	} {
		c := newCluster(t, m.name, n)
		latency := trace.Time(c.gpus[0].preset.CopyLatency) * trace.Nanosecond
		for i := range c.gpus {
			var rates []float64
			for j := range c.gpus {
				if i == j {
					continue
				}
				e := c.streams[i].CopyPeer(c.buffers[j], 0, c.buffers[i], 0, n)
				c.sync(t)
				r := e.Trace()
				rates = append(rates, n/(r.Duration()-latency).Seconds()/1e9)
				if r.Peer != c.gpus[i].ID() || !strings.HasSuffix(c.gpus[j].ID(), string(rune('0'+j))) {
					t.Errorf("the copy comes from %q to %q", r.Peer, c.gpus[j].ID())
				}
			}
			slices.Sort(rates)
			for k := range rates {
				if d := rates[k] / m.want[k]; d < 0.999 || d > 1.001 {
					t.Fatalf("%s, GPU %d: rates %.1f, want %v", m.name, i, rates, m.want)
				}
			}
		}
	}
}

func TestPeerCopiesMoveBytes(t *testing.T) {
	c := newCluster(t, "v100x8", 1000)
	data := make([]byte, 1000)
	for i := range data {
		data[i] = byte(i * 7)
	}
	in := c.streams[0].CopyIn(c.buffers[0], 0, data)
	c.streams[5].Wait(in)
	there := c.streams[5].CopyPeer(c.buffers[5], 100, c.buffers[0], 50, 900)
	got := make([]byte, 900)
	c.streams[5].CopyOut(got, c.buffers[5], 100)
	c.sync(t)
	if !bytes.Equal(got, data[50:950]) {
		t.Error("the bytes are others")
	}
	if there.Trace().Start < in.Trace().End {
		t.Error("Wait does not hold between GPUs")
	}
	lone := newBench(t, "v100")
	if err := lone.stream.CopyPeer(lone.alloc(8), 0, c.buffers[0], 0, 8).Wait(ctx); err == nil || !strings.Contains(err.Error(), "another device") {
		t.Errorf("a copy from another machine: %v", err)
	}
}

// GPUs on one PCIe switch share its way to the host, others do not; NVLink copies disturb neither.
func TestTheWayToTheHostIsShared(t *testing.T) {
	const n = 16 << 20
	c := newCluster(t, "v100x8", n)
	took := func(copies func() []device.Event) trace.Time {
		es := copies()
		c.sync(t)
		from, to := es[0].Trace().Start, trace.Time(0)
		for _, e := range es {
			to = max(to, e.Trace().End)
		}
		return to - from
	}
	host := make([][]byte, 8)
	for i := range host {
		host[i], _ = c.gpus[i].HostAlloc(n)
	}
	in := func(gpus ...int) trace.Time {
		return took(func() (es []device.Event) {
			for _, g := range gpus {
				es = append(es, c.streams[g].CopyIn(c.buffers[g], 0, host[g]))
			}
			return es
		})
	}
	alone := in(0)
	calls := 3 * 2 * trace.Microsecond
	if apart := in(0, 2); float64(apart) < 1.59*float64(alone) || apart > alone*7/4+calls {
		t.Errorf("on two switches copies take %v, one alone %v", apart, alone)
	}
	if both := in(0, 1); float64(both) < 1.9*float64(alone) || float64(both) > 2.01*float64(alone) {
		t.Errorf("on one switch two copies take %v, one alone %v", both, alone)
	}
	if with := took(func() []device.Event {
		c.streams[1].CopyPeer(c.buffers[3], 0, c.buffers[1], 0, n)
		return []device.Event{c.streams[0].CopyIn(c.buffers[0], 0, host[0])}
	}); with != alone {
		t.Errorf("beside a copy over NVLink it takes %v, alone %v", with, alone)
	}
}

// TestTheHostsRootIsShared: one GPU of v100x8 copies at 11.95 GB/s and eight together at 15, in each direction, less a
// little at the end, when the last copies leave some of it free; memory that is not pinned too. Of a100x8, whose root
// is not the limit, each switch copies as fast as one GPU alone.
func TestTheHostsRootIsShared(t *testing.T) {
	testsize.InTurn(t, 1)
	const n = 8 << 20
	together := func(c *cluster, gpus int, pinned, out bool) float64 { // GB/s
		const rounds = 4 // what comes first goes first, so that the last copy has the host alone
		var es []device.Event
		for range rounds {
			for i, g := range c.gpus[:gpus] {
				host := make([]byte, n)
				if pinned {
					host, _ = g.HostAlloc(n)
				}
				if out {
					es = append(es, c.streams[i].CopyOut(host, c.buffers[i], 0))
				} else {
					es = append(es, c.streams[i].CopyIn(c.buffers[i], 0, host))
				}
			}
		}
		c.sync(t)
		from, to := es[0].Trace().Start, trace.Time(0)
		for _, e := range es {
			from, to = min(from, e.Trace().Start), max(to, e.Trace().End)
		}
		return float64(rounds*gpus*n) / (to - from).Seconds() / 1e9
	}
	c := newCluster(t, "v100x8", n)
	for _, out := range []bool{false, true} {
		require.InEpsilon(t, 11.95, together(c, 1, true, out), 0.03)
		require.InDelta(t, 14.5, together(c, 8, true, out), 0.5)
		require.InDelta(t, 14.5, together(c, 8, false, out), 0.5)
		pageable := float64(c.gpus[0].preset.PageableRate) / 1e9
		require.InEpsilon(t, pageable, together(c, 1, false, out), 0.03)
	}
	a := newCluster(t, "a100x8", n)
	require.InEpsilon(t, 4*together(a, 1, true, false), together(a, 8, true, false), 0.03)
}

// Small kernels of several streams run at a time, as many as there is room for; large ones after each other.
func TestKernelsAreResidentAtOnce(t *testing.T) {
	testsize.InTurn(t, 0)
	together := func(blocks int) (took, alone trace.Time) {
		b := newBench(t, "v100", Full())
		k, err := b.gpu.Load(triangle(t))
		if err != nil {
			t.Fatal(err)
		}
		x := b.alloc(8 * 256 * blocks)
		first := b.stream.Launch(k, kir.D1(blocks), kir.D1(256), 0, pack(t, x, 256*blocks))
		if err := b.stream.Sync(ctx); err != nil {
			t.Fatal(err)
		}
		one := first.Trace()
		var es []device.Event
		for range 4 {
			s, _ := b.gpu.NewStream(0)
			es = append(es, s.Launch(k, kir.D1(blocks), kir.D1(256), 0, pack(t, x, 256*blocks)))
		}
		lo, hi := trace.Time(1<<62), trace.Time(0)
		for _, e := range es {
			if err := e.Wait(ctx); err != nil {
				t.Fatal(err)
			}
			r := e.Trace()
			lo, hi = min(lo, r.Start), max(hi, r.End)
		}
		return hi - lo, one.Duration()
	}
	small, one := together(40) // of 640 blocks that the SMs hold
	if calls := 3 * 2 * trace.Microsecond; small > one+calls {
		t.Errorf("four small kernels take %v together, one %v and the calls %v", small, one, calls)
	}
	large, one := together(1280) // twice what the SMs hold
	if large < 4*one*9/10 {      // the first found L2 empty, and what ends slowly leaves room for the next
		t.Errorf("four kernels that fill the GPU take %v together, one %v", large, one)
	}
}

// Work takes no more than there is, all that it can at each time, and as much in all as it needs.
func TestOccupyAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		meters := [2]meter{}
		for range 12 {
			ready, length := trace.Time(r.IntN(2000)), trace.Time(1+r.IntN(600))
			amounts := [2]int64{int64(r.IntN(5)) * whole / 4, int64(1+r.IntN(4)) * whole / 4}
			before := [2]meter{{slices.Clone(meters[0].taken)}, {slices.Clone(meters[1].taken)}}
			start, end := occupy(ready, length, share{&meters[0], amounts[0]}, share{&meters[1], amounts[1]})
			done, stints := int64(0), int64(0)
			for at := ready; at < end; {
				next, rate, full := end, int64(whole), false
				for i := range meters {
					was, until := before[i].from(at)
					left, until2 := meters[i].from(at)
					next, full = min(next, until, until2), full || left < 8
					if left < 0 {
						t.Fatalf("more than all is taken at %d", at)
					}
					if amounts[i] > 0 {
						rate = min(rate, (was-left)*whole/amounts[i])
					}
				}
				if rate < whole-8 && !full || rate > 8 && at < start {
					t.Fatalf("at %d: rate %d of work from %d on, nothing is full: %v %v", at, rate, start, before, meters)
				}
				done, stints, at = done+rate*int64(next-at), stints+1, next
			}
			if off := done - int64(length)*whole; off > 2*stints*whole || off < -8*int64(end) {
				t.Fatalf("%d of %d is done by %d", done, int64(length)*whole, end)
			}
		}
	}
}

func TestOutOfMemoryOnOneOfSeveral(t *testing.T) {
	c := newCluster(t, "v100x8", 8)
	_, err := c.gpus[3].Alloc(17 << 30)
	var oom *device.OutOfMemory
	if !errors.As(err, &oom) || oom.Device != "sim:v100x8#3" || oom.Need != 17<<30 || oom.Size != 16<<30 {
		t.Errorf("error %v", err)
	}
	if err := c.gpus[3].Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.gpus[3].Alloc(8); err == nil {
		t.Error("a closed GPU allocates")
	}
	if err := c.streams[2].CopyIn(c.buffers[2], 0, make([]byte, 8)).Wait(ctx); err != nil {
		t.Errorf("after another has closed: %v", err)
	}
}

// Names with a number are GPUs of one machine; of another opener they are of another machine.
func TestMachinesOpensGPUsOfOneMachine(t *testing.T) {
	m := new(Machines)
	open := func(m *Machines, name string) *GPU {
		d, err := m.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		return d.(*GPU)
	}
	first, third := open(m, "sim:v100x8"), open(m, "sim:v100x8#3")
	if first != open(m, "sim:v100x8#0") || first.box != third.box || third.ID() != "sim:v100x8#3" {
		t.Errorf("%s and %s are not of one machine", first.ID(), third.ID())
	}
	if other := open(new(Machines), "sim:v100x8#3"); other.box == third.box {
		t.Error("two openers share a machine")
	}
	if alone := open(m, Custom("v100", Change(func(p *Preset) { p.SMs = 3 }))); alone.box == first.box {
		t.Error("two machines are one")
	}
	first.Close()
	if again := open(m, "sim:v100x8"); again == first {
		t.Error("a closed GPU was returned")
	}
	for name, want := range map[string]string{
		"sim:v100x8#8": "sim:v100x8 has 8 GPUs, numbers 0 to 7", "sim:v100#1": "sim:v100 has one GPU, number 0",
		"sim:v100x8#b": `"b" is not a GPU number`, "sim:none#1": "there is no simulated GPU", "sim:v100x8#-1": `"-1" is not a GPU number`,
	} {
		if _, err := m.Open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
