package scan

import "github.com/arrayrepl/arrayrepl/kir"

// packed is how many of the arrays are of packed flags: the first one, or none.
func (m *maker) packed() int {
	if m.Form.Packed {
		return 1
	}
	return 0
}

// flags are the thread's of the packed array: of each element a bool. A thread that has a multiple of eight elements
// reads a byte for eight of them, and each flag is a bit of a register.
func (m *maker) flags() []*kir.Value {
	three, seven := m.Int(kir.U32, 3), m.num(7)
	last := m.Op(kir.OpShr, m.Op(kir.OpSub, m.length, m.num(1)), three)
	load := func(at *kir.Value) *kir.Value {
		at = m.Op(kir.OpShr, at, three)
		if !m.whole {
			at = m.Op(kir.OpMin, at, last)
		}
		return m.Convert(kir.U32, m.Load(kir.Global, kir.U8, m.Index(m.in[0], at, kir.U8)))
	}
	out := make([]*kir.Value, m.Form.Each)
	var bits *kir.Value
	for k := range out {
		at := m.add(m.first, m.own(k))
		shift := m.Int(kir.U32, int64(7-k%8))
		switch {
		case m.Form.Each%8 != 0:
			bits = load(at)
			shift = m.Convert(kir.U32, m.Op(kir.OpSub, seven, m.Op(kir.OpAnd, at, seven)))
		case k%8 == 0:
			bits = load(at)
		}
		one := m.Op(kir.OpAnd, m.Op(kir.OpShr, bits, shift), m.Int(kir.U32, 1))
		out[k] = m.Op(kir.OpNe, one, m.Int(kir.U32, 0))
	}
	return out
}
