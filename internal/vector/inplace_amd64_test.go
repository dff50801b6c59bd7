//go:build !portable

package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// TestLoopsInPlace: the results of a loop may take the place of an operand whose elements are as large.
func TestLoopsInPlace(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	loops := tables(func(o *Operation) []Loop { return list(o.avx2) })
	lists := map[string][]Loop{
		"AVX2":                 slices.Concat(loops, tables(func(o *Operation) []Loop { return slices.Concat(list(o.more), halves(o)) }), functionLoops(avx2Functions)),
		"AVX2 past the caches": tables(func(o *Operation) []Loop { return list(o.past) }),
	}
	if hasAVX512 {
		lists["AVX-512 past the caches"] = tables(func(o *Operation) []Loop { return list(o.pastWide) })
		lists["AVX-512"] = append(tables(func(o *Operation) []Loop { return withWide(list(o.avx2), list(o.wide)) }), functionLoops(avx512Functions)...)
	}
	const n = 1024
	rng := rand.New(rand.NewPCG(1, 2))
	var operands [3][n]uint64
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 0x1p-1074, 1e10, -1e10}
	for i := range operands {
		for j := range operands[i] {
			x := 8*rng.Float64() - 4
			if rng.IntN(8) == 0 {
				x = special[rng.IntN(len(special))]
			}
			operands[i][j] = math.Float64bits(x)
		}
	}
	for name, list := range lists {
		for _, l := range list {
			f := l.Forms[0]
			// bytes
			gives := slices.Contains([]string{"logical_and", "logical_or", "logical_xor", "logical_not", "eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "signbit"}, l.Op)
			if f == nil || l.To != "" || gives || l.Op == "shl" || l.Op == "shr" || l.Op == "abs" && l.Type[0] == 'c' {
				continue
			}
			in := operands
			size := 8
			switch l.Type {
			case "bool":
				size = 1
				for i := range in {
					for j := range in[i] {
						in[i][j] &= 0x0101010101010101
					}
				}
			case "i8", "u8":
				size = 1
			case "i16", "u16", "f16":
				size = 2
			case "f32", "i32", "u32", "c64":
				size = 4
				for i := range in {
					for j, v := range in[i] {
						bits := uint64(math.Float32bits(float32(math.Float64frombits(v))))
						in[i][j] = bits | bits>>7<<32
					}
				}
			}
			first := 0
			if l.Op == "select" { // the condition is bytes
				first = 1
				for j := range in[0] {
					in[0][j] &= 0x0101010101010101
				}
			}
			run := func(d int) []byte { // with the results in place of operand d, or apart
				to := in
				var apart [n]uint64
				out := &apart
				if d >= 0 {
					out = &to[d]
				}
				f(n, unsafe.Pointer(out), unsafe.Pointer(&to[0]), unsafe.Pointer(&to[1]), unsafe.Pointer(&to[2]))
				return slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(out)), size*n))
			}
			want := run(-1)
			for _, plain := range loops {
				if plain.Op == l.Op && plain.Type == l.Type && plain.To == "" {
					f = plain.Forms[0]
					if got := run(-1); !slices.Equal(got, want) {
						t.Errorf("%s: %s %s: the bits differ from those of AVX2 alone", name, l.Op, l.Type)
					}
					f = l.Forms[0]
				}
			}
			for d := first; d < 3; d++ {
				if got := run(d); !slices.Equal(got, want) {
					t.Errorf("%s: %s %s in place of operand %d: the bits differ", name, l.Op, l.Type, d)
				}
			}
		}
	}
}

// tables are the loops of one kind of all operations.
func tables(of func(o *Operation) []Loop) (all []Loop) {
	for _, o := range operations {
		all = append(all, of(o)...)
	}
	return all
}
