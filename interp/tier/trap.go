package tier

import (
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// Traps make the engine's frames, so that the panic has a trace, and do in Go what the code does wrong: the panic is Go's.

var zeroInt int

func (m *machine) trapDivide(c *code, in *instr) {
	m.frame(c, in)
	zeroInt = 1 / zeroInt
}

func (m *machine) trapNil(c *code, in *instr) {
	m.frame(c, in)
	var none *int
	*none = 0
}

func (m *machine) trapShift(c *code, in *instr) {
	m.frame(c, in)
	shift := -1 - zeroInt
	zeroInt = 0 << shift
}

// trapIndex panics as an index out of range does: a negative one is told without the length.
func (m *machine) trapIndex(c *code, in *instr, i, n int64) {
	m.frame(c, in)
	s := make([]struct{}, n)
	if i < 0 && unsignedIndex(c.from[c.pc(in)]) {
		_ = s[uint64(i)]
	}
	_ = s[i]
}

// unsignedIndex reports whether in indexes with an unsigned number.
func unsignedIndex(in ssa.Instruction) bool {
	switch x := in.(type) {
	case *ssa.IndexAddr:
		return isUnsigned(x.Index.Type())
	case *ssa.Index:
		return isUnsigned(x.Index.Type())
	case *ssa.Lookup:
		return isUnsigned(x.Index.Type())
	}
	return false
}

// trapSlice panics as the slice expression does, by doing it with elements that take no memory.
func (m *machine) trapSlice(c *code, in *instr, s *slicing, lo, hi, most, n, limit int) {
	m.frame(c, in)
	if s.isText {
		text := unsafe.String((*byte)(unsafe.Pointer(&zeroInt)), n)
		if s.hi >= 0 {
			_ = text[lo:hi]
		}
		_ = text[lo:]
		return
	}
	elems := make([]struct{}, n, limit)
	switch {
	case s.max >= 0:
		_ = elems[lo:hi:most]
	case s.hi >= 0 || s.array < 0 && s.lo < 0:
		_ = elems[lo:hi]
	default:
		_ = elems[lo:]
	}
}
