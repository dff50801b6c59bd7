package kir

import "testing"

// TestRegisters counts by hand: what is live at the fullest place, in 32-bit registers.
func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(b *Builder)
		want int
	}{
		{"nothing", func(b *Builder) { b.Return() }, 0},
		{"address and value", func(b *Builder) { // an address (2), the loaded f64 (2)
			a := b.Op(OpAdd, b.Param("p", U64), b.Int(U64, 8))
			b.Store(Global, a, b.Load(Global, F64, a))
			b.Return()
		}, 4},
		{"four sums at once", func(b *Builder) { // at the last load three f32 and an address, which must begin at an even register
			p := b.Param("p", U64)
			var x []*Value
			for i := range 4 {
				x = append(x, b.Load(Global, F32, b.Op(OpAdd, p, b.Int(U64, int64(4*i)))))
			}
			b.Store(Global, p, b.Op(OpAdd, b.Op(OpAdd, x[0], x[1]), b.Op(OpAdd, x[2], x[3])))
			b.Return()
		}, 6},
		{"predicates are free", func(b *Builder) { // x, y
			x, y := b.Special(TidX), b.Special(TidY)
			c := b.Op(OpLt, x, y)
			b.Store(Global, b.Param("p", U64), b.Op(OpSelect, c, x, y))
			b.Return()
		}, 2},
		{"live round a loop", func(b *Builder) { // the counter, and the sum that only the end needs, and the u64 it never changes
			p := b.Op(OpAdd, b.Param("p", U64), b.Int(U64, 4))
			head, body, exit := b.NewBlock("head", U32, F32), b.NewBlock("body"), b.NewBlock("exit")
			b.Jump(head, b.Int(U32, 0), b.Const(F32, 0))
			b.SetBlock(head)
			b.Branch(b.Op(OpLt, head.Params[0], b.Int(U32, 9)), body, exit)
			b.SetBlock(body)
			b.Jump(head, b.Op(OpAdd, head.Params[0], b.Int(U32, 1)), b.Op(OpNeg, head.Params[1]))
			b.SetBlock(exit)
			b.Store(Global, p, head.Params[1])
			b.Return()
		}, 4},
	} {
		b := NewBuilder(c.name)
		c.make(b)
		if got := Registers(mustFunc(t, b)) - fixedRegisters; got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}

// No two values that live at the same place have a register in common, and pairs are aligned: by the definition of being
// live, one value and one place at a time, on random kernels.
func TestAllocationKeepsLivingValuesApart(t *testing.T) {
	for seed := range uint64(60) {
		f := randomFunc(seed)
		if seed%2 == 1 {
			f = Optimize(f)
		}
		a, low := Allocate(f), LowWords(f)
		for _, set := range liveTogether(f) {
			owner := map[int]*Value{}
			for v := range set {
				if registerName(v) != v {
					continue
				}
				r, width := a.Of[v.ID], max(1, v.Type.Bytes()/4)
				if low[v.ID] {
					width = 1
				}
				if v.Type == Bool && r < 0 {
					continue // a predicate
				}
				if r < 0 || r%width != 0 || r+width > a.Registers-fixedRegisters {
					t.Fatalf("seed %d: %q in register %d of %d", seed, v.Text(), r, a.Registers)
				}
				for k := range width {
					if o := owner[r+k]; o != nil {
						t.Fatalf("seed %d: register %d holds %q and %q at once\n%v", seed, r+k, o.Text(), v.Text(), f)
					}
					owner[r+k] = v
				}
			}
		}
	}
}

// liveTogether returns the sets of values that are live between two operations, found by walking back from each use until
// the definition.
func liveTogether(f *Func) []map[*Value]bool {
	type place struct {
		blk *Block
		at  int // before value number at
	}
	live := map[place]map[*Value]bool{}
	into := f.incoming()
	var back func(v *Value, p place)
	back = func(v *Value, p place) {
		for {
			if live[p] == nil {
				live[p] = map[*Value]bool{}
			}
			if live[p][v] {
				return
			}
			live[p][v] = true
			if p.at == 0 {
				break
			}
			p.at--
			if p.blk.Values[p.at] == v {
				return
			}
		}
		if v.Block == p.blk && v.Op == OpArg {
			return
		}
		for _, e := range into[p.blk.ID] {
			back(v, place{e.from, len(e.from.Values)})
		}
	}
	for _, blk := range f.Blocks {
		for i, v := range blk.Values {
			for _, a := range v.Args {
				if a = registerName(a); a != nil {
					back(a, place{blk, i})
				}
			}
		}
		var end []*Value
		if blk.Term.Kind == TermBranch {
			end = append(end, blk.Term.Cond)
		}
		for _, e := range blk.Term.Edges() {
			end = append(end, e.Args...)
		}
		for _, a := range end {
			if a = registerName(a); a != nil {
				back(a, place{blk, len(blk.Values)})
			}
		}
	}
	var out []map[*Value]bool
	for _, set := range live {
		out = append(out, set)
	}
	return out
}
