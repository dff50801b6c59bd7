package simgpu

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// TestCostsInFloat32: functions that are float32 throughout cost what their definitions, which a card runs, take.
func TestCostsInFloat32(t *testing.T) {
	for name, op := range map[string]kir.Op{"exp2": kir.OpExp2, "log2": kir.OpLog2, "log10": kir.OpLog10, "cbrt": kir.OpCbrt} {
		b := newBench(t, "v100")
		st := b.launch(ptx.Elementary(name+"_f32"), kir.D1(1), kir.D1(1), int(math.Float32bits(1.3)), b.alloc(4)).Stats
		const around = 2 // the store of the result, and the end
		assert.EqualValues(t, st.WarpInstructions-around, costsOf(op)[column(kir.F32)].count, name)
		assert.Zero(t, st.Flops64, name)
	}
}

// TestRoundedCostsAreThoseOfTheDefinitions: what a function of float32 costs is what its definition, which a card runs,
// takes on the way of all but rare arguments: counted by running it.
func TestRoundedCostsAreThoseOfTheDefinitions(t *testing.T) {
	for _, f := range elementary.Rounded {
		b, x := newBench(t, "v100"), float32(1.3)
		out := b.alloc(4)
		args, want := int(math.Float32bits(x)), float32(0)
		if f.Arity() == 2 {
			args, want = args|int(math.Float32bits(2.7))<<32, f.Binary(x, 2.7)
		} else {
			want = f.Unary(x)
		}
		st := b.launch(ptx.Elementary(f.Name+"_rounded"), kir.D1(1), kir.D1(1), args, out).Stats
		const around = 2 // the store of the result, and the end
		assert.EqualValues(t, st.WarpInstructions-around, roundedCosts[f.Name].count, f.Name)
		assert.Zero(t, st.Flops64, f.Name)
		assert.Equal(t, math.Float32bits(want), binary.LittleEndian.Uint32(b.get(out)), f.Name)
	}
}
