package opt

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

// ConstantError says why what a parameter points to cannot be in constant memory.
type ConstantError struct {
	Why string
	At  *kir.Value // where the kernel does so
}

func (e *ConstantError) Error() string { return e.Why }

// Constant returns f with bytes bytes of what the parameter number param, an address of global memory, points to in
// constant memory, which each launch fills (kir.Array.From). It is called name. Its error is a *ConstantError when the
// kernel writes there, or does more with addresses in it than to read from them.
func Constant(f *kir.Func, param, bytes int, name string) (*kir.Func, error) {
	g := f.Clone()
	in := make([]bool, g.NumValues()) // addresses in the table
	var table *kir.Value
	for _, v := range g.Blocks[0].Values {
		if n, _ := v.ParamRef(); v.Op == kir.OpParam && n == param {
			in[v.ID], table = true, v
		}
	}
	if table == nil { // nothing uses it
		return g, nil
	}
	a := kir.Array{Name: name, Elem: kir.U8, Len: bytes, Offset: kir.OffsetBehind(g.Const, 16), From: param + 1}
	for changed := true; changed; {
		changed = false
		join := func(to, from *kir.Value) {
			changed = changed || in[from.ID] && !in[to.ID]
			in[to.ID] = in[to.ID] || in[from.ID]
		}
		for _, blk := range g.Blocks {
			for _, v := range blk.Values {
				if v.Op == kir.OpAdd || v.Op == kir.OpSub || v.Op == kir.OpSelect {
					for _, x := range v.Args {
						join(v, x)
					}
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, x := range e.Args {
					join(e.To.Params[i], x)
				}
			}
		}
	}
	fail := func(v *kir.Value, format string, args ...any) error {
		return &ConstantError{fmt.Sprintf(format, args...), v}
	}
	const mixed = "it takes an address in constant memory here and one of other memory elsewhere"
	for _, blk := range g.Blocks {
		for _, v := range blk.Values {
			for i, x := range v.Args {
				switch {
				case v.Op.IsMemory() && i == 0 && in[x.ID] && v.Op != kir.OpLoad:
					return nil, fail(v, "it writes to it, and constant memory cannot be written")
				case v.Op.IsMemory() && i == 0 && in[x.ID]:
					v.Space, v.Access = kir.Const, kir.Ordinary
				case v.Op == kir.OpSelect && i > 0 && in[v.ID] && !in[x.ID]:
					return nil, fail(v, mixed)
				case in[x.ID] && !in[v.ID]:
					return nil, fail(v, "it does more with an address in it than to read from there")
				}
			}
		}
		for _, e := range blk.Term.Edges() {
			for i, x := range e.Args {
				if p := e.To.Params[i]; in[p.ID] && !in[x.ID] {
					return nil, fail(p, mixed)
				}
			}
		}
	}
	table.Op, table.Imm = kir.OpConstTable, uint64(len(g.Const))
	g.Const = append(g.Const, a)
	return g, kir.Verify(g)
}
