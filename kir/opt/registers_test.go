package opt

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

// TestRegisters counts by hand: what is live at the fullest place, in 32-bit registers.
func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(b *kir.Builder)
		want int
	}{
		{"nothing", func(b *kir.Builder) { b.Return() }, 0},
		{"address and value", func(b *kir.Builder) { // an address (2), the loaded f64 (2)
			a := b.Op(kir.OpAdd, b.Param("p", kir.U64), b.Int(kir.U64, 8))
			b.Store(kir.Global, a, b.Load(kir.Global, kir.F64, a))
			b.Return()
		}, 4},
		// at the last load three f32 and an address, which must begin at an even register
		{"four sums at once", func(b *kir.Builder) {
			p := b.Param("p", kir.U64)
			var x []*kir.Value
			for i := range 4 {
				x = append(x, b.Load(kir.Global, kir.F32, b.Op(kir.OpAdd, p, b.Int(kir.U64, int64(4*i)))))
			}
			b.Store(kir.Global, p, b.Op(kir.OpAdd, b.Op(kir.OpAdd, x[0], x[1]), b.Op(kir.OpAdd, x[2], x[3])))
			b.Return()
		}, 6},
		{"predicates are free", func(b *kir.Builder) { // x, y
			x, y := b.Special(kir.TidX), b.Special(kir.TidY)
			c := b.Op(kir.OpLt, x, y)
			b.Store(kir.Global, b.Param("p", kir.U64), b.Op(kir.OpSelect, c, x, y))
			b.Return()
		}, 2},
		// the counter, and the sum that only the end needs, and the u64 it never changes
		{"live round a loop", func(b *kir.Builder) {
			p := b.Op(kir.OpAdd, b.Param("p", kir.U64), b.Int(kir.U64, 4))
			head, body, exit := b.NewBlock("head", kir.U32, kir.F32), b.NewBlock("body"), b.NewBlock("exit")
			b.Jump(head, b.Int(kir.U32, 0), b.Const(kir.F32, 0))
			b.SetBlock(head)
			b.Branch(b.Op(kir.OpLt, head.Params[0], b.Int(kir.U32, 9)), body, exit)
			b.SetBlock(body)
			b.Jump(head, b.Op(kir.OpAdd, head.Params[0], b.Int(kir.U32, 1)), b.Op(kir.OpNeg, head.Params[1]))
			b.SetBlock(exit)
			b.Store(kir.Global, p, head.Params[1])
			b.Return()
		}, 4},
	} {
		b := kir.NewBuilder(c.name)
		c.make(b)
		if got := Registers(testkernels.MustFunc(t, b)) - fixedRegisters; got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}

// No two values that live at the same place have a register in common, and pairs are aligned: by the definition of
// being live, one value and one place at a time, on random kernels.
func TestAllocationKeepsLivingValuesApart(t *testing.T) {
	for seed := range uint64(60) {
		f := randomFunc(seed)
		if seed%2 == 1 {
			f = Optimize(f)
		}
		a, low := Allocate(f), LowWords(f)
		for _, set := range liveTogether(f) {
			owner := map[int]*kir.Value{}
			for v := range set {
				if registerName(v) != v {
					continue
				}
				r, width := a.Of[v.ID], max(1, v.Type.Bytes()/4)
				if low[v.ID] {
					width = 1
				}
				if v.Type == kir.Bool && r < 0 {
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

// liveTogether returns the sets of values that are live between two operations, found by walking back from each use
// until the definition.
func liveTogether(f *kir.Func) []map[*kir.Value]bool {
	type place struct {
		blk *kir.Block
		at  int // before value number at
	}
	live := map[place]map[*kir.Value]bool{}
	into := incoming(f)
	var back func(v *kir.Value, p place)
	back = func(v *kir.Value, p place) {
		for {
			if live[p] == nil {
				live[p] = map[*kir.Value]bool{}
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
		if v.Block == p.blk && v.Op == kir.OpArg {
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
		var end []*kir.Value
		if blk.Term.Kind == kir.TermBranch {
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
	var out []map[*kir.Value]bool
	for _, set := range live {
		out = append(out, set)
	}
	return out
}
