package cpu

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/sfu"
	"github.com/arrayrepl/arrayrepl/kir"
)

// elementaryOps gives the operation of each function of package elementary, which defines them for every back end and
// for eager arrays: exact operations only, for equal bits on real devices too.
var elementaryOps = func() map[string]kir.Op {
	m := make(map[string]kir.Op)
	for o := kir.Op(0); o < kir.NumOps; o++ {
		if o.IsElementary() {
			m[o.String()] = o
		}
	}
	return m
}()

// approximateOps gives the operation of each function of package sfu.
var approximateOps = func() map[string]kir.Op {
	m := make(map[string]kir.Op)
	for _, f := range sfu.Functions {
		m[f.Name] = kir.OpNamed("approx_" + f.Name)
	}
	return m
}()

type float interface{ float32 | float64 }

func sqrt[T float](x T) T { return T(math.Sqrt(float64(x))) } // rounding twice is harmless: 53 >= 2*24+2 bits
