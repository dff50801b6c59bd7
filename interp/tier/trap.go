package tier

import (
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
)

// Traps make the engine's frames, so that the panic has a trace, and do in Go what the code does wrong: the panic is
// Go's. They do not return, and have results for [machine.run], which leaves by them.

var zeroInt int

func (m *machine) trapDivide(c *code, in *instr) int {
	m.frame(c, in)
	zeroInt = 1 / zeroInt
	return exitReturn
}

func (m *machine) trapNil(c *code, in *instr) int {
	m.frame(c, in)
	panic(goerror.Nil)
}

func (m *machine) trapShift(c *code, in *instr) int {
	m.frame(c, in)
	shift := -1 - zeroInt
	zeroInt = 0 << shift
	return exitReturn
}

// trapIndex panics as an index out of range does: a negative one is told without the length.
func (m *machine) trapIndex(c *code, in *instr, i, n int64) int {
	m.frame(c, in)
	panic(goerror.IndexOutOfRange(c.from[c.pc(in)], i, int(n)))
}

// trapSlice panics as the slice expression does.
func (m *machine) trapSlice(c *code, in *instr, lo, hi, most, n, limit int) {
	m.frame(c, in)
	panic(goerror.Slice(c.from[c.pc(in)].(*ssa.Slice), int64(lo), int64(hi), int64(most), n, limit))
}
