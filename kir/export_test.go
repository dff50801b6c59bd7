package kir

// The reference interpreter and the generator of kernels, which import this package; the external tests set them.
var (
	randomFunc func(seed uint64) *Func
	refRun     func(f *Func, grid, block Dim3, params []byte, memory map[uint64][]byte) error
	refOp      func(v *Value, args []uint64) uint64
	refFma32   func(x, y, z float64) float64
)

// SetReference brings package kir/ref to the tests of this package.
func SetReference(run func(f *Func, grid, block Dim3, params []byte, memory map[uint64][]byte) error,
	op func(v *Value, args []uint64) uint64, fma32 func(x, y, z float64) float64) {
	refRun, refOp, refFma32 = run, op, fma32
}

// SetRandom brings package kir/random to the tests of this package.
func SetRandom(f func(seed uint64) *Func) { randomFunc = f }

// Passes returns what each pass of the pipeline makes of a copy of a kernel, by its name, and whether it changed it.
func Passes() map[string]func(*Func) (*Func, bool) {
	m := make(map[string]func(*Func) (*Func, bool))
	for _, p := range pipeline {
		m[p.name] = func(f *Func) (*Func, bool) {
			g := f.clone()
			if p.when != clean { // as in the pipeline
				cleanUp(g)
			}
			changed := p.run(g)
			return g, changed
		}
	}
	return m
}

// CheckRanges returns a copy of f that checks each integer of which walkRanges knows more than its type, and how many they are.
func CheckRanges(f *Func) (*Func, int) {
	f = f.clone()
	type bounds struct{ lo, hi uint64 }
	known := map[*Value]bounds{}
	walkRanges(f, func(v *Value, _ [3]interval, out interval) {
		if all, _ := typeRange(v.Type); out.known && out != all && v.Type.IsInteger() && v.Op != OpConst {
			known[v] = bounds{uint64(out.lo), uint64(out.hi)}
		}
	})
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, at: &Value{}}
		guard := func(v *Value) {
			if n, ok := known[v]; ok {
				in := r.op(OpAnd, Bool, r.op(OpLe, Bool, r.constant(v.Type, n.lo), v), r.op(OpLe, Bool, v, r.constant(v.Type, n.hi)))
				f.Strings = append(f.Strings, v.Text())
				c := r.op(OpCheck, Void, in, r.convert(I64, v), r.constant(I64, n.hi))
				c.Imm = uint64(CheckPanic) | uint64(len(f.Strings))<<8
			}
		}
		for _, p := range blk.Params {
			guard(p)
		}
		for _, v := range blk.Values {
			r.out = append(r.out, v)
			guard(v)
		}
		blk.Values = r.out
		blk.splitVectors()
	}
	return f, len(known)
}
