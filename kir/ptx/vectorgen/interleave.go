package main

// interleaved is l for the arguments of n rounds at a time, the operations of the rounds in turn: constants are read
// once for all, and an operation that waits for one before it leaves the unit to those of other rounds.
func interleaved(l *line, n int) *line {
	out := *l
	out.ops, out.outs, out.rounds = nil, nil, n
	copies := make([]map[*value]*value, n)
	for i := range copies {
		copies[i] = map[*value]*value{}
	}
	in := func(i int, v *value) *value {
		if v.known {
			return v
		}
		return copies[i][v]
	}
	for _, op := range l.ops {
		for i := range n {
			v := *op.result
			copies[i][op.result] = &v
			again := &operation{name: op.name, result: &v, imm: op.imm, round: i}
			for _, a := range op.args {
				again.args = append(again.args, in(i, a))
			}
			out.ops = append(out.ops, again)
		}
	}
	for i := range n {
		out.outs = append(out.outs, in(i, l.outs[0]))
	}
	if l.bail == nil {
		return &out
	}
	out.bail = in(0, l.bail)
	for i := range n - 1 {
		any := &value{typ: l.bail.typ}
		out.ops = append(out.ops, &operation{name: "or", args: []*value{out.bail, in(i+1, l.bail)}, result: any})
		out.bail = any
	}
	return &out
}
