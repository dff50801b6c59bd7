package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// prefetch writes the loop that asks for lines of memory before they are needed: into the second cache, as the first is
// full of what is computed with meanwhile.
func prefetch() {
	TEXT("prefetch", NOSPLIT, "func(n int, p *byte)")
	n := Load(Param("n"), GP64())
	p := Load(Param("p"), GP64())
	Label("line")
	PREFETCHT1(Mem{Base: p})
	ADDQ(Imm(64), p)
	SUBQ(Imm(64), n)
	JG(LabelRef("line"))
	RET()
}
