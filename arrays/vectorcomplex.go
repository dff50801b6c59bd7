package arrays

import (
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// vectoredComplex replaces loops of complex numbers by those of package vector, and by those of the floats that they are pairs of.
func vectoredComplex(table *[numDTypes]loopTable) {
	for d, part := range map[DType]DType{Complex64: Float32, Complex128: Float64} {
		for _, u := range []Ufunc{OpAdd, OpSub, OpNeg} {
			table[d][u] = table[part][u]
		}
	}
	for _, l := range vector.Loops() {
		d, is := map[string]DType{"c64": Complex64, "c128": Complex128}[l.Type]
		if !is {
			continue
		}
		t, f, part := &table[d], l.Forms[0], d.Size()/2
		switch l.Op {
		case "conj":
			t[OpConj] = byVector(f, t[OpConj], part)
		case "mul":
			t[OpMul] = byVector(f, t[OpMul], part)
			t[OpSquare] = byVector(func(n int, d, a, _, c unsafe.Pointer) { f(n, d, a, a, c) }, t[OpSquare], part)
		case "abs":
			t[OpAbs] = halving(f, t[OpAbs], part)
		}
	}
}

// halving is byVector for results that are half as many as the floats of size bytes of the operand.
func halving(f vector.Func, plain loop, size int) loop {
	shift := bits.TrailingZeros(uint(size))
	return func(dst, a, _, _ []byte) {
		n := len(a) >> shift
		m := n &^ (vector.Step - 1)
		if m > 0 {
			f(m, address(dst), address(a), nil, nil)
		}
		if m < n {
			plain(dst[m/2<<shift:], a[m<<shift:], nil, nil)
		}
	}
}
