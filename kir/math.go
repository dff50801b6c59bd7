package kir

import "math"

// elementaryOps gives the operation of each function of package elementary, which defines them for every back end and for
// eager arrays: exact operations only, for equal bits on real devices too.
var elementaryOps = func() map[string]Op {
	m := make(map[string]Op)
	for o := Op(0); o < numOps; o++ {
		if o.IsElementary() {
			m[o.String()] = o
		}
	}
	return m
}()

type float interface{ float32 | float64 }

func sqrt[T float](x T) T { return T(math.Sqrt(float64(x))) } // rounding twice is harmless: 53 >= 2*24+2 bits
