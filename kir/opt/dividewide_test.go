package opt_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// quotient is kir's quotient and remainder of x by a k that is not 0 or -1, computed by Go.
func quotient(typ kir.Type, x, k uint64) (q, rem uint64) {
	switch typ {
	case kir.I32:
		return uint64(uint32(int32(x) / int32(k))), uint64(uint32(int32(x) % int32(k)))
	case kir.U32:
		return uint64(uint32(x) / uint32(k)), uint64(uint32(x) % uint32(k))
	case kir.I64:
		return uint64(int64(x) / int64(k)), uint64(int64(x) % int64(k))
	}
	return x / k, x % k
}

// Quotients and remainders by a constant are computed by products, whatever is known of the dividend, and are those of
// Go.
func TestDivisionsByConstantsAreProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	edges := []uint64{0, 1, 2, math.MaxInt32, 1 << 31, math.MaxUint32, 1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64}
	divisors := []uint64{3, 5, 6, 7, 9, 10, 11, 12, 14, 25, 28, 60, 100, 125, 641, 1000, 3600, 1e6, 1e9, 0xaaaaaaab, 1e18,
		math.MaxInt32, 1<<31 + 1, math.MaxUint32, 1<<32 + 1, 6700417, math.MaxInt64, 1<<63 + 1, math.MaxUint64 - 1, 0xaaaaaaaaaaaaaaab}
	for range 12 {
		divisors = append(divisors, r.Uint64()>>r.IntN(62)|3)
	}
	for _, typ := range []kir.Type{kir.I32, kir.U32, kir.I64, kir.U64} {
		size := typ.Bytes()
		seen := map[uint64]bool{}
		for _, k := range divisors {
			k = kir.Canonical(typ, k)
			if s := kir.SignExtend(typ, k); seen[k] || k == 0 || typ.IsSigned() && (s == -1 || s == 1 || kir.Canonical(typ, -k) == k) {
				continue
			}
			seen[k] = true
			for _, shift := range []uint32{0, 1, uint32(4*size - 1), uint32(4 * size), uint32(4*size + 9)} { // how much is known of the dividend
				b := kir.NewBuilder("divide")
				in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
				i := b.GlobalIDX()
				x := b.Load(kir.Global, typ, b.Index(in, i, typ))
				if shift > 0 {
					x = b.Op(kir.OpShr, x, b.Int(kir.U32, int64(shift)))
				}
				two := b.Op(kir.OpMul, i, b.Int(kir.I64, 2))
				c := b.Int(typ, kir.SignExtend(typ, k))
				b.Store(kir.Global, b.Index(out, two, typ), b.Op(kir.OpDiv, x, c))
				b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, two, b.Int(kir.I64, 1)), typ), b.Op(kir.OpRem, x, c))
				b.Return()
				g := opt.Optimize(testkernels.MustFunc(t, b))
				for _, blk := range g.Blocks {
					for _, v := range blk.Values {
						require.False(t, v.Op == kir.OpDiv || v.Op == kir.OpRem, "%v by %d, shifted by %d:\n%v", typ, k, shift, g)
					}
				}

				const n = 64
				var values []byte
				xs := make([]uint64, n)
				for i := range xs {
					switch near := edges[r.IntN(len(edges))]; r.IntN(3) {
					case 0:
						xs[i] = near + uint64(r.IntN(5)) - 2
					case 1:
						xs[i] = k*(r.Uint64()>>r.IntN(64)) + uint64(r.IntN(3)) - 1
					default:
						xs[i] = r.Uint64() >> r.IntN(64)
					}
					if size == 4 {
						values = binary.LittleEndian.AppendUint32(values, uint32(xs[i]))
					} else {
						values = binary.LittleEndian.AppendUint64(values, xs[i])
					}
				}
				p, err := cpu.Compile(g)
				require.NoError(t, err)
				m, got := cpu.NewMemory(), make([]byte, 2*n*size)
				m.Map(1<<20, values)
				m.Map(2<<20, got)
				params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1<<20), 2<<20)
				_, err = p.Run(t.Context(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(n), Params: params, Memory: m})
				require.NoError(t, err)
				word := func(i int) uint64 {
					if size == 4 {
						return uint64(binary.LittleEndian.Uint32(got[4*i:]))
					}
					return binary.LittleEndian.Uint64(got[8*i:])
				}
				for i, x := range xs {
					if typ.IsSigned() {
						x = kir.Canonical(typ, uint64(kir.SignExtend(typ, x)>>shift))
					} else {
						x = kir.Canonical(typ, x) >> shift
					}
					q, rem := quotient(typ, x, k)
					require.Equal(t, []uint64{q, rem}, []uint64{word(2 * i), word(2*i + 1)}, "%v: %#x by %#x", typ, x, k)
				}
			}
		}
	}
}
