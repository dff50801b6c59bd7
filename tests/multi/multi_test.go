// Package multi_test tries programs on several devices at once: they have the values that they have on one.
package multi_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

var policies = []string{"round-robin", "stream-aware", "min-transfer-size", "min-max-transfer-time", "key-affinity", "earliest-finish"}

// chain is a program of kernels over arrays of their own, which meet in the end; each operation is one.
func chain(n int) *lazy.Array {
	x := lazy.Arange(float32(n)).AsType(lazy.Float32)
	sum := lazy.Zeros(n).AsType(lazy.Float32)
	for i := range 6 {
		sum = sum.Add(x.Mul(float32(i + 1)))
	}
	return sum
}

// cards starts a driver of three cards.
var cards = sync.OnceValue(func() error {
	driver, err := testdevices.Driver()
	if err == nil {
		driver.Reset(3, 64<<20, 12040, 1)
	}
	return err
})

// use gives lazy a runtime with all devices, and a driver of three cards, and a kernel to each operation.
func use(t *testing.T) *offload.Runtime {
	t.Helper()
	if err := cards(); err != nil { // first: the driver is looked for once
		require.ErrorIs(t, err, fake.ErrNone)
	}
	rt := testdevices.Use(t)
	lazy.Fuse(false)
	t.Cleanup(func() { lazy.Fuse(true) })
	return rt
}

func TestKernelsOnEightDevices(t *testing.T) {
	rt := use(t)
	lazy.Use("host")
	const n = 500
	want := lazy.Data[float32](chain(n))
	require.Equal(t, float32(21), want[1]) // 1+2+3+4+5+6
	for _, policy := range policies {
		lazy.Use("sim:v100x8")
		require.Equal(t, "sim:v100x8", lazy.Device())
		offload.Policy(policy)
		before := rt.Stats()
		require.Equal(t, want, lazy.Data[float32](chain(n)), policy)
		after := rt.Stats()
		on := map[string]int{}
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel {
				on[e.Device]++
			}
		}
		peers := after.CopiesPeer - before.CopiesPeer
		if policy == "round-robin" {
			assert.Greater(t, len(on), 3, policy)
			assert.Positive(t, peers)
		}
		t.Logf("%s: kernels on %v, %d copies between devices, %d in, %d out", policy, on, peers, after.CopiesIn-before.CopiesIn, after.CopiesOut-before.CopiesOut)
		assert.Equal(t, int64(1), after.CopiesOut-before.CopiesOut, "the result alone goes to the host")
	}
}

func TestPlaces(t *testing.T) {
	use(t)
	lazy.Use("sim:v100x8")
	x := lazy.Arange(300.0)
	y := x.Mul(2)
	require.Empty(t, y.Places())
	require.Equal(t, []string{"host"}, lazy.FromArray(arrays.Arange(3.0)).Places(), "nothing has been asked of it yet")
	offload.Policy(func(c offload.Candidates) int { return 3 })
	lazy.Eval(y)
	require.Equal(t, []string{"sim:v100x8#3"}, y.Places())
	offload.Policy(func(c offload.Candidates) int { return c.Least(c.Bytes) })
	z := y.Add(1)
	require.Contains(t, lazy.Explain(z).String(), "on sim:v100x8#3")
	lazy.Eval(z)
	require.Equal(t, []string{"sim:v100x8#3"}, z.Places())
	offload.Policy(func(c offload.Candidates) int { return 5 })
	lazy.Eval(y.Sub(1))
	require.Equal(t, []string{"sim:v100x8#3", "sim:v100x8#5"}, y.Places())
	y.Array()
	require.Equal(t, []string{"host", "sim:v100x8#3", "sim:v100x8#5"}, y.Places())
}

func TestBadNamesAndPolicies(t *testing.T) {
	testdevices.Use(t)
	says := func(what string, f func()) {
		t.Helper()
		defer func() {
			t.Helper()
			require.Contains(t, fmt.Sprint(recover()), what)
		}()
		f()
	}
	says("sim:v100x8#3 is named twice", func() { lazy.Use("sim:v100x8", "sim:v100x8#3") })
	says("cannot be used together with GPUs", func() { lazy.Use("sim:tiny", "host") })
	says("name a device to use", func() { lazy.Use() })
	says(`there is no device`, func() { lazy.Use("nobody:*") })
	says(`there is no policy "fastest"`, func() { offload.Policy("fastest") })
	says("0 to 1, not 2", func() { offload.Policy("min-transfer-size", 2) })
	lazy.Use("sim:v100x8")
	x := lazy.Arange(100.0)
	for what, policy := range map[string]func(offload.Candidates) int{
		"chose device -1": func(offload.Candidates) int { return -1 },
		"panics":          func(offload.Candidates) int { panic("no idea") },
		"asks for elements of a lazy array while it runs": func(offload.Candidates) int { return int(x.Mul(3).Sum().Array().Item().(float64)) },
	} {
		offload.Policy(policy)
		says(what, func() { x.Mul(2).Array() })
		offload.Policy("round-robin")
		require.Equal(t, 2.0, lazy.Data[float64](x.Mul(2))[1], "it goes on")
	}
}

func TestMachinesWithoutALink(t *testing.T) {
	rt := use(t)
	lazy.Use("sim:v100", "sim:tiny")
	require.Equal(t, "sim:v100, sim:tiny", lazy.Device())
	offload.Policy("round-robin")
	require.Equal(t, float32(21), lazy.Data[float32](chain(200))[1])
	require.Zero(t, rt.Stats().CopiesPeer, "all goes through the host")
}

// TestCards: with a driver that has several GPUs, "cuda:*" is all of them, and values go from one to another by the
// driver's peer copies.
func TestCards(t *testing.T) {
	testsize.InTurn(t, 2)
	if err := cards(); errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	}
	rt := use(t)
	lazy.Use("cuda:*")
	devices, name := rt.Using()
	require.Len(t, devices, 3)
	require.Equal(t, "cuda:*", name)
	for _, policy := range policies {
		offload.Policy(policy)
		before := rt.Stats()
		require.Equal(t, float32(21*7), lazy.Data[float32](chain(500))[7], policy)
		after := rt.Stats()
		require.Equal(t, int64(1), after.CopiesOut-before.CopiesOut, policy)
		if policy == "round-robin" {
			require.Positive(t, after.CopiesPeer-before.CopiesPeer)
			peers := 0
			for _, e := range trace.Last().Events() {
				if e.Kind == trace.CopyPeer && e.Peer != "" {
					peers++
				}
			}
			require.Equal(t, int(after.CopiesPeer-before.CopiesPeer), peers)
		}
	}
}

// TestDifferentGPUs: what is planned for one machine, as the kernels of products and scans are, does not go to another
// kind, whatever the policy wants.
func TestDifferentGPUs(t *testing.T) {
	use(t)
	for _, names := range [][]string{{"sim:v100", "sim:g80", "sim:gtx280"}, {"sim:g80", "sim:v100"}, {"sim:tiny", "sim:v100x8#1", "sim:v100x8#2"}} {
		lazy.Use(names...)
		offload.Policy(func(c offload.Candidates) int { return c.Devices[len(c.Devices)-1] })
		a := lazy.Arange(60.0*60).AsType(lazy.Float32).Reshape(60, 60).Mod(7)
		product, running := lazy.Dot(a, a), a.Reshape(-1).CumSum()
		eager := arrays.Arange(60.0*60).AsType(arrays.Float32).Reshape(60, 60).Mod(7)
		require.Equal(t, arrays.Dot(eager, eager).String(), product.Array().String(), "%v", names)
		require.Equal(t, eager.Reshape(-1).CumSum().String(), running.Array().String(), "%v", names)
	}
}

// TestOneAfterTheOther: what one GPU of a machine has made goes to another directly, also where only one is in use.
func TestOneAfterTheOther(t *testing.T) {
	rt := use(t)
	lazy.Use("sim:v100x8#0")
	x := lazy.Arange(100.0).Add(1)
	lazy.Eval(x)
	lazy.Use("sim:v100x8#3")
	y := x.Mul(2)
	lazy.Eval(y)
	s := rt.Stats()
	require.Equal(t, []int64{1, 800, 0}, []int64{s.CopiesPeer, s.BytesPeer, s.CopiesOut})
	require.Equal(t, []string{"sim:v100x8#3"}, y.Places())
	require.Equal(t, 200.0, lazy.Data[float64](y)[99])
}
