package multi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/anyorder"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// onMachine runs a random program on the host, or on the devices of m under a random policy with random tiles.
func onMachine(t *testing.T, m *anyorder.Machine, seed uint64) []*arrays.Array {
	t.Helper()
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	names := []string{"host"}
	if m != nil {
		names = nil
		for _, d := range m.Devices {
			r.Add(d.ID(), func() (device.Device, error) { return d, nil })
			names = append(names, d.ID())
		}
	}
	rt, err := offload.New(&r, names[0])
	require.NoError(t, err)
	lazy.Wiring{}.SetRuntime(rt)
	lazy.Use(names...)
	rnd := rand.New(rand.NewPCG(seed, 11))
	offload.Policy([]string{"round-robin", "min-max-transfer-time", "key-affinity", "earliest-finish"}[rnd.IntN(4)])
	offload.MinTile([]int64{16, 1000, 20_000}[rnd.IntN(3)])
	offload.SetTiles([]offload.TileForm{offload.Slabs, offload.Balanced}[rnd.IntN(2)])
	offload.WholeArrays(rnd.IntN(5) == 0)
	lazy.Fuse(rnd.IntN(3) > 0)
	if seed%2 == 0 {
		out, _ := program(seed)
		return out
	}
	made, _ := operate(seed, func() {})
	out := make([]*arrays.Array, len(made))
	for i, p := range made {
		out[i] = p.lazy.Copy().Array()
	}
	return out
}

// wrongWithout reports whether a program has other results than want, or fails, where one of the waits of its plan is
// left out.
func wrongWithout(t *testing.T, wait int, seed uint64, devices int, bytes int64, want []*arrays.Array) (wrong bool) {
	defer func() {
		if failed := recover(); failed != nil { // an index out of range, say
			wrong = true
		}
	}()
	less := anyorder.NewMachine(seed, devices, bytes)
	less.Skipped = wait
	for i, a := range onMachine(t, less, seed) {
		if string(a.Bytes()) != string(want[i].Bytes()) {
			return true
		}
	}
	return false
}

// TestPlansOrderWhatConflicts: on devices that do what they have to in any order that the events between their streams
// allow, random programs have the bits that they have on the host: no two accesses of which one writes are left without
// an order. Where one wait of a stream is left out, a third or so of the programs have others: waits are left out until
// one has.
func TestPlansOrderWhatConflicts(t *testing.T) {
	testsize.InTurn(t, 2)
	defer lazy.Fuse(true)
	crossed, waits, wrong, tried := 0, 0, 0, 0
	for seed := range testsize.Seeds("tests/multi.TestPlansOrderWhatConflicts") {
		rnd := rand.New(rand.NewPCG(seed, 12))
		devices, bytes := 2+rnd.IntN(3), []int64{64 << 20, 64 << 20, 200_000}[rnd.IntN(3)]
		want := onMachine(t, nil, seed)
		m := anyorder.NewMachine(seed, devices, bytes)
		got := onMachine(t, m, seed)
		for i := range want {
			require.Equal(t, want[i].Bytes(), got[i].Bytes(), "seed %d, %d devices with %d bytes: result %d", seed, devices, bytes, i)
		}
		crossed, waits = crossed+m.Crossed, waits+m.Waits
		for k, wait := range rnd.Perm(m.Waits) {
			if k >= 3 && wrong > 0 || k >= 30 {
				break
			}
			tried++
			if wrongWithout(t, 1+wait, seed, devices, bytes, want) {
				wrong++
			}
		}
	}
	testdevices.Use(t)
	t.Logf("%d operations were done before some that were queued earlier; %d waits; of %d programs without one of theirs %d were wrong", crossed, waits, tried, wrong)
	require.Positive(t, crossed)
	require.Positive(t, wrong)
}
