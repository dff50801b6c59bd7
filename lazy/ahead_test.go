package lazy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload"
)

// hasRun reports whether x has been computed.
func hasRun(x *Array) bool { return x.Places() != nil }

func TestTriggers(t *testing.T) {
	defer offload.SetTrigger(offload.OnDisplay)
	x := Arange(1000.0).Reshape(10, 100)
	y := x.Mul(2)
	require.False(t, hasRun(y), "on display, as at first")

	offload.SetTrigger(offload.Eager)
	z := x.Add(1)
	assert.True(t, hasRun(z), "at the call")
	assert.False(t, hasRun(y), "made before")
	z.Set(7, 3)
	assert.True(t, hasRun(z), "assignments too")
	assert.Equal(t, 7.0, z.At(3, 4).Item())

	offload.SetTrigger(offload.Trigger{Tasks: 3})
	a, b := x.Sub(1), x.Sqrt()
	assert.False(t, hasRun(a) || hasRun(b))
	c := a.Mul(b)
	assert.True(t, hasRun(a) && hasRun(b) && hasRun(c), "three wait: all run, in one evaluation")
	d := c.Neg()
	assert.False(t, hasRun(d), "it counts anew")

	Eval(d)
	offload.SetTrigger(offload.Trigger{Bytes: 40_000})
	e, f, g := x.Mul(3), x.Mul(4), x.Mul(5)
	assert.False(t, hasRun(e) || hasRun(f) || hasRun(g), "24 kB")
	i := x.Mul(7)
	assert.True(t, hasRun(e) && hasRun(f) && hasRun(g) && hasRun(i), "40 kB with what has run since")

	offload.SetTrigger(offload.OnDisplay)
	h := x.Mul(6)
	assert.False(t, hasRun(h))
	assert.Equal(t, -2.0, d.Add(h).At(0, 0).Sub(2).Item())
}
