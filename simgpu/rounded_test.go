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

// TestCostsAreThoseOfTheDefinitions: elementary functions cost the instructions that their definitions, which a card
// runs, take on the way of common arguments, on the unit on which they compute; but for the five that costs names.
func TestCostsAreThoseOfTheDefinitions(t *testing.T) {
	published := map[kir.Op]bool{kir.OpExp: true, kir.OpLog: true, kir.OpSin: true, kir.OpCos: true, kir.OpPow: true}
	b := newBench(t, "v100")
	for op := range kir.NumOps {
		if !op.IsElementary() || published[op] {
			continue
		}
		x, y := 0.7, 1.3
		if op == kir.OpAcosh { // defined from 1 on
			x = 1.3
		}
		for _, typ := range []kir.Type{kir.F32, kir.F64} {
			f := ptx.Elementary(op.String() + "_" + typ.String())
			args := []any{float32(x)}
			if typ == kir.F64 {
				args = []any{x}
			}
			if op.NArgs() == 2 && typ == kir.F64 {
				args = append(args, y)
			} else if op.NArgs() == 2 {
				args = append(args, float32(y))
			}
			st := b.launch(f, kir.D1(1), kir.D1(1), append(args, b.alloc(8))...).Stats
			const around = 2 // the store of the result, and the end
			c := costs[op][column(typ)]
			assert.EqualValues(t, st.WarpInstructions-around, c.count, "%v of %v", op, typ)
			assert.Equal(t, st.Flops64 > 0, c.unit == UnitFP64, "%v of %v", op, typ)
		}
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
