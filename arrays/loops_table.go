package arrays

import (
	"math"
	"math/cmplx"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// loopTable holds the loops of one dtype, by operation.
type loopTable [NumUfuncs]loop

// ufuncLoops holds the loop of each operation for each dtype of numbers that it computes in. Those of strings and dates
// are made by loopOf.
var ufuncLoops = vectored([numDTypes]loopTable{
	Bool:       boolLoops(),
	Int8:       signedLoops[int8](),
	Int16:      signedLoops[int16](),
	Int32:      signedLoops[int32](),
	Int64:      signedLoops[int64](),
	Uint8:      intLoops[uint8](),
	Uint16:     intLoops[uint16](),
	Uint32:     intLoops[uint32](),
	Uint64:     intLoops[uint64](),
	Float16:    {}, // from those of Float32
	Float32:    floatLoops[float32](float32Functions()),
	Float64:    floatLoops[float64](float64Functions()),
	Complex64:  complexLoops[complex64, float32](),
	Complex128: complexLoops[complex128, float64](),
})

// whereLoops are the loops of OpWhere by the size of the elements.
var whereLoops = vectoredWhere(map[int]loop{1: choose[uint8], 2: choose[uint16], 4: choose[uint32], 8: choose[uint64], 16: choose[[2]uint64]})

func boolLoops() loopTable {
	return loopTable{
		OpAdd: binary(or), OpMul: binary(and), OpMinimum: binary(and), OpMaximum: binary(or), OpFMin: binary(and), OpFMax: binary(or),
		OpAbs: unary(same[uint8]), OpFloor: unary(same[uint8]), OpCeil: unary(same[uint8]), OpTrunc: unary(same[uint8]),
		OpBitAnd: binary(and), OpBitOr: binary(or), OpBitXor: binary(xor), OpInvert: unary(not),
		OpLogicalAnd: binary(and), OpLogicalOr: binary(or), OpLogicalXor: binary(xor), OpLogicalNot: unary(not),
		OpIsNaN: never, OpIsInf: never, OpIsFinite: always, OpSignBit: never, OpReal: unary(same[uint8]), OpImag: never,
		OpEqual: binary(equal[uint8]), OpNotEqual: binary(notEqual[uint8]),
		OpLess: binary(less[uint8]), OpLessEqual: binary(lessEqual[uint8]), OpGreater: binary(greater[uint8]), OpGreaterEqual: binary(greaterEqual[uint8]),
		OpWhere: whereLoops[1],
	}
}

// realLoops are those that ints and floats have alike.
func realLoops[T realNumber]() loopTable {
	return loopTable{
		OpAdd: binary(add[T]), OpSub: binary(sub[T]), OpMul: binary(mul[T]), OpSquare: unary(square[T]), OpNeg: unary(neg[T]), OpSign: unary(sign[T]),
		OpMinimum: binary(minimum[T]), OpMaximum: binary(maximum[T]),
		OpEqual: binary(equal[T]), OpNotEqual: binary(notEqual[T]),
		OpLess: binary(less[T]), OpLessEqual: binary(lessEqual[T]), OpGreater: binary(greater[T]), OpGreaterEqual: binary(greaterEqual[T]),
		OpLogicalAnd: binary(logicalAnd[T]), OpLogicalOr: binary(logicalOr[T]), OpLogicalXor: binary(logicalXor[T]), OpLogicalNot: unary(logicalNot[T]),
		OpReal: unary(same[T]), OpImag: unary(each(func(T) T { return 0 })), OpConj: unary(same[T]),
		OpSignBit: unary(signBit[T]),
	}
}

func intLoops[T plainInt]() loopTable {
	t := realLoops[T]()
	for u, l := range map[Ufunc]loop{
		OpPow: binary(powInt[T]), OpAbs: unary(same[T]), OpFMin: binary(minimum[T]), OpFMax: binary(maximum[T]),
		OpFloorDiv: binary(eachPair(floorDivInt[T])), OpRemainder: binary(eachPair(remainderInt[T])),
		OpFloor: unary(same[T]), OpCeil: unary(same[T]), OpTrunc: unary(same[T]),
		OpBitAnd: binary(eachPair(bitAnd[T])), OpBitOr: binary(eachPair(bitOr[T])), OpBitXor: binary(eachPair(bitXor[T])), OpInvert: unary(each(invert[T])),
		OpLeftShift: binary(eachPair(leftShift[T])), OpRightShift: binary(eachPair(rightShift[T])),
		OpIsNaN: never, OpIsInf: never, OpIsFinite: always, OpBitCount: unary(each(bitCount[T])),
		OpWhere: whereLoops[sizeOfElement[T]()],
	} {
		t[u] = l
	}
	return t
}

func signedLoops[T signedInt]() loopTable {
	t := intLoops[T]()
	t[OpAbs] = unary(absInt[T])
	return t
}

func floatLoops[T float](functions loopTable) loopTable {
	t := realLoops[T]()
	for u, l := range functions {
		if l != nil {
			t[u] = l
		}
	}
	for u, l := range map[Ufunc]loop{
		OpDiv: binary(div[T]), OpReciprocal: unary(reciprocal[T]), OpAbs: unary(absFloat[T]), OpSqrt: unary(sqrt[T]),
		OpFMin: binary(eachPair(fmin[T])), OpFMax: binary(eachPair(fmax[T])),
		OpFloorDiv: binary(eachPair(floorDiv[T])), OpRemainder: binary(eachPair(remainder[T])), OpCopySign: binary(eachPair(copySign[T])),
		OpFloor: unary(floor[T]), OpCeil: unary(ceil[T]), OpTrunc: unary(trunc[T]), OpRint: unary(rint[T]),
		OpDeg2Rad: unary(times[T](math.Pi / 180)), OpRad2Deg: unary(times[T](180 / math.Pi)),
		OpIsNaN: unary(isNaN[T]), OpIsInf: unary(isInf[T]), OpIsFinite: unary(isFinite[T]),
		OpAngle: unary(each(angle[T])),
		OpWhere: whereLoops[sizeOfElement[T]()],
	} {
		t[u] = l
	}
	return t
}

func float32Functions() (t loopTable) {
	for u, row := range ufuncs {
		if row.function == "" {
			continue
		}
		if f := function(row.function); f.Arity() == 1 {
			t[u] = unary(each(f.Unary32))
		} else {
			t[u] = binary(eachPair(f.Binary32))
		}
	}
	return t
}

func float64Functions() (t loopTable) {
	for u, row := range ufuncs {
		if row.function == "" {
			continue
		}
		if f := function(row.function); f.Arity() == 1 {
			t[u] = unary(each(f.Unary))
		} else {
			t[u] = binary(eachPair(f.Binary))
		}
	}
	return t
}

func function(name string) elementary.Function {
	for _, f := range elementary.Functions {
		if f.Name == name {
			return f
		}
	}
	panic("arrays: there is no elementary function " + name)
}

// halfLoops widens to the loops of float32.
func halfLoops(single loopTable) (t loopTable) {
	for u, l := range single {
		if l == nil {
			continue
		}
		in := make([]Operand, Ufunc(u).NIn())
		for i := range in {
			in[i].DType = Float16
		}
		_, gives, err := ufuncs[u].rule(in)
		check(ufuncs[u].name, err)
		t[u] = halfLoop(l, Ufunc(u).NIn(), gives)
	}
	t[OpWhere] = whereLoops[2]
	return t
}

func complexLoops[C complexNumber, F float]() loopTable {
	part := func(f func(complex128) float64) loop { return complexPart[C, F](f) }
	is := func(f func(float64) bool, any bool) loop { return complexTest[C](f, any) }
	return loopTable{
		OpAdd: binary(add[C]), OpSub: binary(sub[C]), OpMul: complexPair[C](mulComplex), OpDiv: complexPair[C](divComplex), OpPow: complexPair[C](powComplex),
		OpSquare:     complexEach[C](func(z complex128) complex128 { return mulComplex(z, z) }),
		OpReciprocal: complexEach[C](func(z complex128) complex128 { return divComplex(1, z) }),
		OpNeg:        unary(neg[C]), OpSign: complexEach[C](signComplex), OpRint: complexEach[C](rintComplex),
		OpAbs: part(absComplex), OpReal: part(realPart), OpImag: part(imagPart), OpAngle: part(cmplx.Phase), OpConj: complexEach[C](cmplx.Conj),
		OpSqrt: complexEach[C](cmplx.Sqrt), OpExp: complexEach[C](cmplx.Exp), OpExp2: complexEach[C](exp2Complex), OpExpm1: complexEach[C](expm1Complex),
		OpLog: complexEach[C](logComplex), OpLog2: complexEach[C](scaledLog(1 / math.Ln2)), OpLog10: complexEach[C](scaledLog(1 / math.Ln10)), OpLog1p: complexEach[C](log1pComplex),
		OpSin: complexEach[C](cmplx.Sin), OpCos: complexEach[C](cmplx.Cos), OpTan: complexEach[C](tanComplex),
		OpAsin: complexEach[C](asinComplex), OpAcos: complexEach[C](acosComplex), OpAtan: complexEach[C](atanComplex),
		OpSinh: complexEach[C](cmplx.Sinh), OpCosh: complexEach[C](cmplx.Cosh), OpTanh: complexEach[C](tanhComplex),
		OpAsinh: complexEach[C](asinhComplex), OpAcosh: complexEach[C](acoshComplex), OpAtanh: complexEach[C](atanhComplex),
		OpMinimum: complexExtreme[C](-1, false), OpMaximum: complexExtreme[C](1, false), OpFMin: complexExtreme[C](-1, true), OpFMax: complexExtreme[C](1, true),
		OpIsNaN: is(math.IsNaN, true), OpIsInf: is(func(v float64) bool { return math.IsInf(v, 0) }, true), OpIsFinite: is(func(v float64) bool { return v-v == 0 }, false),
		OpEqual: binary(equal[C]), OpNotEqual: binary(notEqual[C]),
		OpLess: binary(complexLess[F](0)), OpLessEqual: binary(complexLess[F](1)),
		OpGreater: binary(turned(complexLess[F](0))), OpGreaterEqual: binary(turned(complexLess[F](1))),
		OpWhere: whereLoops[sizeOfElement[C]()],
	}
}
