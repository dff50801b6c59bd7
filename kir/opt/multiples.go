package opt

import (
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// addMultiples makes x + c*k of x + (c-1)*k where that stands before it in the block: one addition in the place of a
// product and one, for indices like i + j*n of a loop that has been written out. All wrap around alike.
func addMultiples(f *kir.Func) bool {
	type multiple struct {
		x, k *kir.Value
		c    uint64
	}
	changed := false
	for _, blk := range f.Blocks {
		seen := map[multiple]*kir.Value{}
		for _, v := range blk.Values {
			if v.Op != kir.OpAdd || !v.Type.IsInteger() {
				continue
			}
			x, y := v.Args[0], v.Args[1]
			before := (*kir.Value)(nil)
			var by *kir.Value
			var found []multiple
			for _, m := range [2][2]*kir.Value{{x, y}, {y, x}} {
				k, c := multipleOf(m[1])
				if m[0].Op == kir.OpConst || k.Op == kir.OpConst {
					continue
				}
				found = append(found, multiple{m[0], k, c})
				if w := seen[multiple{m[0], k, c - 1}]; c > 1 && w != nil && before == nil {
					before, by = w, k
				}
			}
			if before != nil {
				v.Args, changed = []*kir.Value{before, by}, true
			}
			for _, m := range found {
				if seen[m] == nil {
					seen[m] = v
				}
			}
		}
	}
	return changed
}

// multipleOf returns k and c of v = c*k; c is 1 where v is not a product by a constant.
func multipleOf(v *kir.Value) (k *kir.Value, c uint64) {
	if len(v.Args) == 2 && v.Args[1].Op == kir.OpConst && v.Type.IsInteger() {
		c = v.Args[1].Imm
		switch {
		case v.Op == kir.OpShl && c < uint64(8*v.Type.Bytes()) && c < 32:
			return v.Args[0], 1 << c
		case v.Op == kir.OpMul && c > 1 && bits.Len64(c) < 8*v.Type.Bytes():
			return v.Args[0], c
		}
	}
	return v, 1
}
