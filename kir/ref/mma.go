package ref

import (
	"math"
	"math/big"

	"github.com/arrayrepl/arrayrepl/kir"
)

// matrixElement is what an OpMMA gives a lane, computed with all digits. Which lane has which element is the figure of
// mma.m16n8k16 in the PTX manual.
func matrixElement(v *kir.Value, threads map[int]*thread, lane int) uint32 {
	i, brain := kir.MMAOf(v.Imm)
	element := func(arg, lane, upper int) float64 {
		bits := uint16(threads[lane].val[v.Args[arg]] >> (16 * upper))
		if brain {
			return float64(math.Float32frombits(uint32(bits) << 16))
		}
		return half(bits)
	}
	row, col := lane>>2, lane&3*2+i&1
	exact := new(big.Float).SetPrec(4000)
	plain, allZero := float64(math.Float32frombits(uint32(threads[lane].val[v.Args[6+i]]))), true
	c := plain
	for k := range 16 {
		reg := 0 // a0 and a1 are of rows 0 to 7, a2 and a3 of rows 8 to 15, the next four of columns 8 to 15
		if i >= 2 {
			reg++
		}
		if k >= 8 {
			reg += 2
		}
		a := element(reg, row<<2|k&7>>1, k&1)
		b := element(4+k>>3, col<<2|k&7>>1, k&1)
		plain += a * b
		allZero = allZero && a*b == 0
		if p := a * b; !math.IsNaN(p) && !math.IsInf(p, 0) {
			exact.Add(exact, new(big.Float).SetPrec(4000).SetFloat64(p))
		}
	}
	if math.IsNaN(plain) {
		return math.Float32bits(float32(math.NaN()))
	}
	if math.IsInf(plain, 0) || allZero && c == 0 {
		return math.Float32bits(float32(plain))
	}
	f, _ := exact.Add(exact, new(big.Float).SetFloat64(c)).Float32()
	return math.Float32bits(f)
}
