package offload

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// machines is a runtime with all machines of package simgpu.
func machines(t *testing.T, name string) *Runtime {
	var r device.Registry
	all := new(simgpu.Machines)
	r.AddFamily("sim:", simgpu.Names, all.Open)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	rt, err := New(&r, name)
	require.NoError(t, err)
	return rt
}

// TestProbeFindsThePresetsLinks: the rates of a probe are those of the preset, within 2 %.
func TestProbeFindsThePresetsLinks(t *testing.T) {
	for _, name := range []string{"sim:v100x8", "sim:a100x8", "sim:dgx1v", "sim:h100x8", "sim:l4x8", "sim:v100"} {
		p, err := simgpu.PresetByName(name)
		require.NoError(t, err)
		rt := machines(t, name)
		l, err := rt.Probe()
		require.NoError(t, err)
		require.Equal(t, max(1, p.GPUs), l.Devices())
		for i := range l.Devices() {
			assert.InEpsilon(t, float64(p.PinnedRate)/1e9, l.Rate(CPU, i), 0.02, "%s: the host to %d", name, i)
			assert.InEpsilon(t, float64(p.PinnedRate)/1e9, l.Rate(i, CPU), 0.02, "%s: %d to the host", name, i)
			within := l.Rate(i, i) / (float64(p.DRAMPeak) / 1e9) // what is copied is read and written
			assert.True(t, 0.33 < within && within <= 0.5, "%s, within %d: %.3f of the memory's rate", name, i, within)
			for j := range l.Devices() {
				if i != j {
					rate, _ := p.PeerRate(i, j)
					assert.InEpsilon(t, float64(rate)/1e9, l.Rate(i, j), 0.02, "%s: %d to %d", name, i, j)
				}
			}
		}
		assert.Zero(t, rt.Stats().BytesIn, "a probe is not work")
	}
}

// TestProbeWithoutALink: GPUs of two machines copy through the host, out and in again.
func TestProbeWithoutALink(t *testing.T) {
	rt := machines(t, "sim:v100")
	l, err := rt.Probe("sim:v100", "sim:p100")
	require.NoError(t, err)
	through := 1 / (1/l.Rate(0, CPU) + 1/l.Rate(CPU, 1))
	assert.InEpsilon(t, through, l.Rate(0, 1), 0.01)
	_, err = rt.Probe("sim:v100", "sim:v100")
	assert.ErrorContains(t, err, "sim:v100 is named twice")
	_, err = rt.Probe("host")
	assert.ErrorContains(t, err, "host works in the host's memory")
	_, err = rt.Probe("sim:nothing")
	assert.ErrorContains(t, err, "there is no simulated GPU")
}

// TestProbeIsInterrupted: it ends, and gives back what it has taken.
func TestProbeIsInterrupted(t *testing.T) {
	rt := machines(t, "sim:v100x8")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rt.Context = func() context.Context { return ctx }
	_, err := rt.Probe()
	require.ErrorIs(t, err, context.Canceled)
	free, all := rt.Device().(*simgpu.GPU).MemInfo()
	assert.Equal(t, all, free)
}

// TestLinksAreReadAsGrCUDAReads: floors, and means of both directions; the matrix is that of its own test.
func TestLinksAreReadAsGrCUDAReads(t *testing.T) {
	l, err := ReadLinks(strings.NewReader("From,To,Bandwidth\n-1,0,10.9\n-1,1,20\n0,0,30\n0,1,40\n1,0,50.7\n1,1,60\n"))
	require.NoError(t, err)
	assert.Equal(t, [][]float64{{30, 45, 10}, {45, 60, 20}, {10, 20, 0}}, l.Rates)
	assert.Equal(t, 10.0, l.Rate(CPU, 0))

	for text, want := range map[string]string{
		"":                       "there is no row",
		"-1,0,x":                 `line 1: "x" is not a bandwidth`,
		"-1,0,NaN":               "is not a bandwidth",
		"-1,-2,4":                `"-2" is not a number of a device`,
		"-1,0,4\n0,0,3\n-1,0,5":  "line 3: the pair -1,0 is there twice",
		"-1,0,4\n-1,1,4\n0,0,3":  "there is no row for the pair 0,1",
		"-1,0\n":                 "wrong number of fields",
		"-1,99999999,4":          "is not a number of a device",
		"From,To,Bandwidth\n0,0": "wrong number of fields",
	} {
		_, err := ReadLinks(strings.NewReader(text))
		assert.ErrorContains(t, err, want, "%q", text)
	}
}

// TestLinksAreSaved: what a probe writes is read again, rounded down.
func TestLinksAreSaved(t *testing.T) {
	rt := machines(t, "sim:v100x8")
	l, err := rt.Probe()
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, l.Write(&b))
	assert.Equal(t, 1+9*9-1, strings.Count(b.String(), "\n"))
	again, err := ReadLinks(strings.NewReader(b.String()))
	require.NoError(t, err)
	assert.InDelta(t, 48, again.Rate(0, 3), 1)
	assert.InDelta(t, 11, again.Rate(CPU, 5), 0)
	assert.InDelta(t, 8, again.Rate(0, 4), 0)
	assert.Contains(t, again.String(), "CPU")
}

// TestFullDevicesAreProbed: neither what was freed and is kept for the next values, nor values that nothing uses now,
// keep an evaluation from measuring the links between its devices.
func TestFullDevicesAreProbed(t *testing.T) {
	rt := small(t, 1<<20)
	d := rt.among[0]
	x := rt.HostValue(ints(1000, 1))
	var held []*Task
	for range 200 { // of 8 kB: more than there is room for
		held = append(held, double(t, rt, x))
	}
	_, err := rt.Run(Program{Tasks: held})
	require.NoError(t, err)
	_, err = d.Alloc(4096)
	require.ErrorIs(t, err, device.ErrOutOfMemory)
	l, err := rt.linksInUse(t.Context())
	require.NoError(t, err)
	assert.Positive(t, l.Rate(CPU, 0))
	again := double(t, rt, held[0].Out[0])
	_, err = rt.Run(Program{Tasks: []*Task{again}, Want: again.Out})
	require.NoError(t, err)
	assert.Equal(t, 4*(1+9), at(again.Out[0].Host(), 9))
	runtime.KeepAlive(held)
}
