package main

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// scaled recognizes y*2^(k>>1)*2^(k-k>>1), which package elementary computes so because 2^k may be no float, and
// returns y and the float k: AVX-512 has an instruction for it, which rounds once too. k is what nearest and Expf have:
// the low bits of a float to which a shifter was added.
func (l *line) scaled(t kir.Type, x []*value) (y, k *value) {
	inner := l.definition(x[0])
	if !l.machine.masks || t == kir.F32 && !l.narrow || inner == nil || inner.name != "mulf" {
		return nil, nil
	}
	half, rest := l.exponent(t, inner.args[1]), l.exponent(t, x[1])
	r := l.definition(rest)
	if half == nil || r == nil || r.name != "subi" || r.args[1] != half {
		return nil, nil
	}
	sum, shift := l.shiftedBack(r.args[0])
	again, one := l.shiftedBack(half)
	shifter := l.constant(t, math.Float64bits(0x1.8p52))
	if t == kir.F32 {
		shifter = l.constant(t, uint64(math.Float32bits(0x1.8p23)))
	}
	if op := l.definition(sum); sum != again || one != shift+1 || op == nil || op.name != "addf" || op.args[1] != shifter {
		return nil, nil
	}
	return inner.args[0], l.add("subf", t, 0, sum, shifter)
}

// exponent is what the float v is 2 to the power of, nil if it is not made so.
func (l *line) exponent(t kir.Type, v *value) *value {
	fraction, bias := uint64(52), uint64(1023)
	if t == kir.F32 {
		fraction, bias = 23, 127
	}
	op := l.definition(v)
	if op == nil || op.name != "shl" || op.imm != fraction {
		return nil
	}
	sum := l.definition(op.args[0])
	if sum == nil || sum.name != "addi" || !sum.args[1].known || sum.args[1].bits != bias {
		return nil
	}
	return sum.args[0]
}

// shiftedBack returns what v's lower bits are, and by how much they are shifted to the right after they were extended
// by their sign.
func (l *line) shiftedBack(v *value) (of *value, by uint64) {
	op := l.definition(v)
	if op == nil || op.name != "sar" {
		return v, 0
	}
	if w := l.wrapped[v]; w != nil {
		return w, 0
	}
	if w := l.wrapped[op.args[0]]; w != nil {
		return w, op.imm
	}
	if from := l.definition(op.args[0]); from != nil && from.name == "shl" && from.imm <= op.imm {
		return from.args[0], op.imm - from.imm
	}
	return v, 0
}
