package tier

import "golang.org/x/tools/go/ssa"

// moves are assignments that take place at once, a register each.
type moves struct{ words, pointers [][2]uint16 } // to, from

func (ms *moves) add(to, from place, s shape) {
	for i := range uint16(s.words) {
		if to.n != from.n {
			ms.words = append(ms.words, [2]uint16{to.n + i, from.n + i})
		}
	}
	for i := range uint16(s.pointers) {
		if to.p != from.p {
			ms.pointers = append(ms.pointers, [2]uint16{to.p + i, from.p + i})
		}
	}
}

// edge returns the moves for the phis of to when it is entered from b.
func (u *unit) edge(b, to *ssa.BasicBlock) (ms moves) {
	k := 0
	for i, p := range to.Preds {
		if p == b {
			k = i
			break
		}
	}
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		ms.add(u.place(phi), u.place(phi.Edges[k]), shapeOf(phi.Type()))
	}
	return ms
}

func (u *unit) hasMoves(b, to *ssa.BasicBlock) bool {
	ms := u.edge(b, to)
	return len(ms.words)+len(ms.pointers) > 0
}

func (u *unit) phis(b, to *ssa.BasicBlock) { u.move(u.edge(b, to)) }

func (u *unit) move(ms moves) {
	u.sequence(ms.words, opMov, func() uint16 { u.nregs++; return uint16(u.nregs - 1) })
	u.sequence(ms.pointers, opMovP, func() uint16 { u.pregs++; return uint16(u.pregs - 1) })
}

// sequence orders moves so that none overwrites what another still reads; a cycle goes through a spare register.
func (u *unit) sequence(ms [][2]uint16, o opcode, spare func() uint16) {
	for len(ms) > 0 {
		done := false
		for i, m := range ms {
			read := false
			for j, other := range ms {
				read = read || j != i && other[1] == m[0]
			}
			if !read {
				u.emit(o, m[0], m[1], 0, 0)
				ms = append(ms[:i:i], ms[i+1:]...)
				done = true
				break
			}
		}
		if !done {
			t := spare()
			u.emit(o, t, ms[0][1], 0, 0)
			ms[0][1] = t
		}
	}
}
