package cpu

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// TestWideLoopsEqualPlainGo compares every vector loop, in every form, with the plain Go of the same operation, on all
// pairs of edge values and some random ones.
func TestWideLoopsEqualPlainGo(t *testing.T) {
	testsize.InTurn(t, 0)
	if len(wide) == 0 {
		t.Skip("this processor has no vector instructions that package vector knows")
	}
	if len(wide) < 80 {
		t.Errorf("only %d loops: names in package vector do not match those of kir", len(wide))
	}
	r := rand.New(rand.NewPCG(1, 2))
	word := func(typ kir.Type) uint64 {
		if o := operands(typ); r.IntN(3) > 0 {
			return o[r.IntN(len(o))]
		}
		return kir.Canonical(typ, r.Uint64())
	}
	for key, forms := range wide {
		v := &kir.Value{Op: key.op, Type: key.typ}
		types := []kir.Type{key.typ, key.typ, key.typ}[:key.op.NArgs()]
		switch {
		case key.op == kir.OpConvert:
			v.Type = key.to
		case key.op == kir.OpSelect:
			types[0] = kir.Bool
		case key.op == kir.OpShl || key.op == kir.OpShr:
			types[1] = kir.U32
		case key.op.IsCompare():
			v.Type = kir.Bool
		}
		for _, typ := range types {
			v.Args = append(v.Args, &kir.Value{Type: typ})
		}
		plain := vectorOf(v)
		for form, fn := range forms {
			if fn == nil {
				continue
			}
			for _, n := range []int{1, 15, 16, 17, 2000} {
				var in, uniform [3][]uint64 // the lanes; what the form takes
				for i, typ := range types {
					all := make([]uint64, n+pad)
					same := word(typ)
					for j := range n {
						x := word(typ)
						if form>>i&1 == 1 {
							x = same
						}
						setLane(all, typ.Bytes(), j, x)
					}
					in[i], uniform[i] = all, all
					if form>>i&1 == 1 {
						uniform[i] = []uint64{same}
					}
				}
				got, want := make([]uint64, n+pad), make([]uint64, n+pad)
				call := func(f func(int, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer), d []uint64, x [3][]uint64) {
					p := func(i int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x[i])) }
					f(n, unsafe.Pointer(&d[0]), p(0), p(1), p(2))
				}
				call(plain, want, in)
				call(vector.Func(fn), got, uniform)
				for j := range n {
					g, w := lane(got, v.Type.Bytes(), j), lane(want, v.Type.Bytes(), j)
					nan := v.Type.IsFloat() && kir.FloatOf(v.Type, g) != kir.FloatOf(v.Type, g) && kir.FloatOf(v.Type, w) != kir.FloatOf(v.Type, w)
					if g != w && !nan {
						t.Fatalf("%v %v %v, form %03b, element %d of %d: %#x, want %#x", key.op, key.typ, v.Type, form, j, n, g, w)
					}
				}
			}
		}
	}
}

func setLane(words []uint64, size, i int, x uint64) {
	b := lanes[byte](unsafe.Pointer(&words[0]), 8*len(words))
	for k := range size {
		b[i*size+k] = byte(x >> (8 * k))
	}
}

func lane(words []uint64, size, i int) (x uint64) {
	b := lanes[byte](unsafe.Pointer(&words[0]), 8*len(words))
	for k := range size {
		x |= uint64(b[i*size+k]) << (8 * k)
	}
	return x
}

// TestPairsEqualTheirParts compares the loops of two operations with the two in plain Go, one after the other.
func TestPairsEqualTheirParts(t *testing.T) {
	if len(pairs) == 0 {
		t.Skip("this processor has no vector instructions that package vector knows")
	}
	r := rand.New(rand.NewPCG(3, 4))
	const n = 333
	for key, forms := range pairs {
		size, o := key.typ.Bytes(), operands(key.typ)
		for form, fn := range forms {
			if fn == nil {
				continue
			}
			var in, uniform [3][]uint64
			for i := range in {
				in[i] = make([]uint64, n+pad)
				same := o[r.IntN(len(o))]
				for j := range n {
					x := o[r.IntN(len(o))]
					if form>>i&1 == 1 {
						x = same
					}
					setLane(in[i], size, j, x)
				}
				uniform[i] = in[i]
				if form>>i&1 == 1 {
					uniform[i] = []uint64{same}
				}
			}
			p := func(x []uint64) unsafe.Pointer { return unsafe.Pointer(&x[0]) }
			half, want := make([]uint64, n+pad), make([]uint64, n+pad)
			vectors[key.typ][key.first](n, p(half), p(in[0]), p(in[1]), nil)
			if key.from {
				vectors[key.typ][key.second](n, p(want), p(in[2]), p(half), nil)
			} else {
				vectors[key.typ][key.second](n, p(want), p(half), p(in[2]), nil)
			}
			got := make([]uint64, n+pad)
			if form&1 == 0 { // the result may take the place of an operand
				copy(got, in[0])
				uniform[0] = got
			}
			fn(n, p(got), p(uniform[0]), p(uniform[1]), p(uniform[2]))
			for j := range n {
				g, w := lane(got, size, j), lane(want, size, j)
				if x, y := kir.FloatOf(key.typ, g), kir.FloatOf(key.typ, w); g != w && (x == x || y == y) {
					t.Fatalf("%v, form %03b, element %d: %#x, want %#x", key, form, j, g, w)
				}
			}
		}
	}
	if len(pairs) != 14 {
		t.Errorf("%d pairs", len(pairs))
	}
}
