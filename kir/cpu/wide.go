package cpu

import (
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// wide holds the loops of package vector by the types of operand and result and by operation, pairs those that do two
// operations at once. They give the same bits as vectors and conversions but for the payloads of NaNs.
var wide, pairs = func() (map[wideKey]*[8]vector.Func, map[pairKey]*[8]vector.Func) {
	types, ops := map[string]kir.Type{}, map[string]kir.Op{}
	for t := range kir.NumTypes {
		types[t.String()] = t
	}
	for o := range kir.NumOps {
		ops[o.String()] = o
	}
	single, double := map[wideKey]*[8]vector.Func{}, map[pairKey]*[8]vector.Func{}
	loops := slices.Concat(vector.Loops(), vector.FunctionLoops())
	for i := range loops {
		l := &loops[i]
		// package arrays has complex numbers, and computes on some F16
		if t, known := types[l.Type]; !known || t == kir.F16 && l.To == "" {
			continue
		}
		if at := strings.IndexAny(l.Op, "+-"); at > 0 {
			double[pairKey{ops[l.Op[:at]], ops[l.Op[at+1:]], l.Op[at] == '-', types[l.Type]}] = &l.Forms
			continue
		}
		if op, known := ops[l.Op]; known { // package arrays has more
			single[wideKey{op, types[l.Type], types[l.To]}] = &l.Forms
		}
	}
	return single, double
}()

type wideKey struct {
	op  kir.Op
	typ kir.Type // of the first operand; of the second for OpSelect
	to  kir.Type // of the result, for OpConvert
}

type pairKey struct {
	first, second kir.Op
	from          bool // the first one's result is the second operand of the second
	typ           kir.Type
}

// joinPairs finds neighbours of which the second alone uses the first's result, where there is a loop for both.
func (c *code) joinPairs(uses []int) {
	for i := range len(c.instrs) - 1 {
		a, b := &c.instrs[i], &c.instrs[i+1]
		if a.nargs != 2 || b.nargs != 2 || !a.local || uses[a.dst] != 1 || a.fn == nil || b.fn == nil {
			continue
		}
		k := pairKey{first: a.op, second: b.op, typ: a.v.Type}
		third := b.args[1]
		if third == a.dst {
			third = b.args[0]
			k.from = !b.op.Commutes()
		} else if b.args[0] != a.dst {
			continue
		}
		if forms := pairs[k]; forms != nil && b.v.Type == a.v.Type {
			a.pair, a.third = forms, third
		}
	}
}

// computePair executes in and next, which in's pair joins, at once, and reports whether it did.
func (w *worker) computePair(in, next *instr) bool {
	if w.partial {
		return false
	}
	x, y, z := &w.regs[in.args[0]], &w.regs[in.args[1]], &w.regs[in.third]
	form := x.form(0) | y.form(1) | z.form(2)
	if form&3 == 3 || in.pair[form] == nil { // the first is the same for all threads
		return false
	}
	d, ext := &w.regs[next.dst], &w.extent
	in.pair[form](w.n, d.p, x.operand(ext, form&1, 0), y.operand(ext, form&2, 0), z.operand(ext, form&4, 0))
	d.setLanes()
	return true
}

// wideOf returns the loops that compute v, or nil.
func wideOf(v *kir.Value) *[8]vector.Func {
	if len(v.Args) == 0 {
		return nil
	}
	k := wideKey{op: v.Op, typ: v.Args[0].Type}
	switch v.Op {
	case kir.OpSelect:
		k.typ = v.Type
	case kir.OpConvert:
		k.to = v.Type
	}
	return wide[k]
}
