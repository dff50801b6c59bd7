//go:build !portable

package vector

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tape gives what plain Go computes: (x*k + y*y) < y*x of three rounds, the last in memory behind those before.
func TestTape(t *testing.T) {
	if !hasAVX512 {
		t.Skip("this processor has no tapes")
	}
	const rounds, n = 3, 3 * TapeLanes
	x, y, sums, less := make([]float32, n), make([]float32, n), make([]float32, n), make([]uint8, n)
	for i := range x {
		x[i], y[i] = float32(i)*0.7-100, 90-float32(i)*0.3
	}
	k, uniform, product := float32(1.25), make([]float32, TapeLanes), make([]float32, TapeLanes)
	at := func(p any) uintptr {
		switch p := p.(type) {
		case []float32:
			return uintptr(unsafe.Pointer(&p[0]))
		case []uint8:
			return uintptr(unsafe.Pointer(&p[0]))
		}
		return uintptr(unsafe.Pointer(p.(*float32)))
	}
	op := func(name string, places ...uint16) (o TapeOp) {
		o.Code = TapeCode(name)
		require.NotZero(t, o.Code, name)
		for i, p := range places {
			o.At[i] = 8 * p
		}
		return o
	}
	tape := Tape{
		Ops: []TapeOp{
			op("uniform 4", 5, 6), op("rounds"), op("mul+mul+add f32", 2, 0, 5, 1, 1), op("mul f32", 4, 0, 1), op("lt f32", 3, 2, 4), op("next"),
		},
		Places: []uintptr{at(x), at(y), at(sums), at(less), at(product), at(uniform), at(&k), 0},
		Steps:  []uintptr{4 * TapeLanes, 4 * TapeLanes, 4 * TapeLanes, TapeLanes, 0, 0, 0, 0},
	}
	tape.Run(rounds)
	for i := range x {
		sum := float32(x[i]*k) + float32(y[i]*y[i])
		require.Equal(t, sum, sums[i], "element %d", i)
		require.Equal(t, sum < float32(x[i]*y[i]), less[i] == 1, "element %d", i)
	}
	assert.Zero(t, TapeCode("add f16"))
}
