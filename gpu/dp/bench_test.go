package dp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/gpu/dp/internal/combined"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// BenchmarkOperators scans by the operator of the package, by functions of one operation, with a branch, and of a
// struct's four numbers.
func BenchmarkOperators(b *testing.B) {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	rt, err := offload.New(r, "host")
	require.NoError(b, err)
	np.Wiring{}.SetRuntime(rt)
	defer np.Wiring{}.SetRuntime(nil)
	p, err := load.Load(".", "./internal/combined")
	require.NoError(b, err)
	op := func(name string, fn any, identity ...any) *dp.Operator {
		obj, err := p.Func(name)
		require.NoError(b, err)
		return dp.Op(gosrc.NewFunc(p.Source, obj, nil, fn), identity...)
	}
	const n = 1 << 22
	e := arrays.DefaultRNG(1).Random(n)
	x, y := np.FromArray(e.AsType(np.Float32)), np.FromArray(e.Mul(1000).AsType(np.Int64))
	np.Eval(x, y)
	lengths := make([]int, n/128)
	for i := range lengths {
		lengths[i] = 128 - 27 + 54*(i%2)
	}
	segments := dp.Lengths(lengths)
	for _, c := range []struct {
		name string
		run  func() *np.Array
	}{
		{"Sum", func() *np.Array { return dp.Scan(dp.Sum, x) }},
		{"Add", func() *np.Array { return dp.Scan(op("Add", combined.Add), x) }},
		{"Max", func() *np.Array { return dp.Scan(dp.Max, y) }},
		{"Most", func() *np.Array { return dp.Scan(op("Most", combined.Most), y) }},
		{"SegReduce", func() *np.Array { return dp.SegReduce(dp.Sum, x, segments) }},
		{"CumSum", func() *np.Array { return np.CumSum(y) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			np.Eval(c.run())
			b.SetBytes(n)
			for b.Loop() {
				np.Eval(c.run())
			}
		})
	}
}
