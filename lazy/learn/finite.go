package learn

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// finite panics with *arrays.Error, which names the column, where samples, (n, features), have NaN or an infinity. It
// is for functions on the CPU, which see the numbers.
func finite(op string, x *arrays.Array) {
	v, width := arrays.Data[float64](x), x.Shape()[1]
	for i, f := range v {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			panic(&arrays.Error{Op: op, Msg: fmt.Sprintf("column %d of the samples has %s, first in row %d: leave those rows out, as x.At(np.IsNaN(x).AnyTrue(np.Axis(1)).LogicalNot()), or fill them",
				i%width, map[bool]string{true: "NaN", false: "an infinity"}[math.IsNaN(f)], i/width)})
		}
	}
}

// finiteHere is finite of samples where they are: the CPU is told whether all are finite, and gets the samples where
// one is not.
func finiteHere(op string, x *np.Array) {
	if !np.IsFinite(x).AllTrue().Bool() {
		finite(op, x.Array())
	}
}

// finiteTargets is finite of the targets of a regression.
func finiteTargets(op string, y *arrays.Array) {
	for i, f := range y.Float64s() {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			panic(&arrays.Error{Op: op, Msg: fmt.Sprintf("target %d is %v; targets are finite numbers", i, f)})
		}
	}
}
