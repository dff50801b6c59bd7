package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// loopsOf are the loops of an operation by what it computes in. T stands for the type of an element, C for one of
// complex numbers and F for its parts. A later field is for fewer dtypes and goes before an earlier one.
type loopsOf struct {
	bools, reals, ints, signed, floats, complexes string
	others                                        string // a function that makes loops of other operations' loops
}

const whole = "unary(same[T])"

// loopRows is the table of loops. What has a function of package elementary in ufunc_table.go has its loops of floats
// from there.
var loopRows = map[string]loopsOf{
	"OpAdd":        {bools: "binary(or)", reals: "binary(add[T])", complexes: "binary(add[C])"},
	"OpSub":        {reals: "binary(sub[T])", complexes: "binary(sub[C])"},
	"OpMul":        {bools: "binary(and)", reals: "binary(mul[T])", complexes: "complexPair[C](mulComplex)"},
	"OpDiv":        {floats: "binary(div[T])", complexes: "complexPair[C](divComplex)"},
	"OpPow":        {ints: "binary(powInt[T])", complexes: "complexPair[C](powComplex)"},
	"OpMinimum":    {bools: "binary(and)", reals: "binary(minimum[T])", complexes: "complexExtreme[C](-1, false)"},
	"OpMaximum":    {bools: "binary(or)", reals: "binary(maximum[T])", complexes: "complexExtreme[C](1, false)"},
	"OpNeg":        {reals: "unary(neg[T])", complexes: "unary(neg[C])"},
	"OpAbs":        {bools: whole, ints: whole, signed: "unary(absInt[T])", floats: "unary(absFloat[T])", complexes: "complexPart[C, F](absComplex)"},
	"OpSqrt":       {floats: "unary(sqrt[T])", complexes: "complexEach[C](cmplx.Sqrt)"},
	"OpExp":        {complexes: "complexEach[C](cmplx.Exp)"},
	"OpLog":        {complexes: "complexEach[C](logComplex)"},
	"OpSin":        {complexes: "complexEach[C](cmplx.Sin)"},
	"OpCos":        {complexes: "complexEach[C](cmplx.Cos)"},
	"OpExp2":       {complexes: "complexEach[C](exp2Complex)"},
	"OpExpm1":      {complexes: "complexEach[C](expm1Complex)"},
	"OpLog2":       {complexes: "complexEach[C](scaledLog(1 / math.Ln2))"},
	"OpLog10":      {complexes: "complexEach[C](scaledLog(1 / math.Ln10))"},
	"OpLog1p":      {complexes: "complexEach[C](log1pComplex)"},
	"OpTan":        {complexes: "complexEach[C](tanComplex)"},
	"OpAsin":       {complexes: "complexEach[C](asinComplex)"},
	"OpAcos":       {complexes: "complexEach[C](acosComplex)"},
	"OpAtan":       {complexes: "complexEach[C](atanComplex)"},
	"OpSinh":       {complexes: "complexEach[C](cmplx.Sinh)"},
	"OpCosh":       {complexes: "complexEach[C](cmplx.Cosh)"},
	"OpTanh":       {complexes: "complexEach[C](tanhComplex)"},
	"OpAsinh":      {complexes: "complexEach[C](asinhComplex)"},
	"OpAcosh":      {complexes: "complexEach[C](acoshComplex)"},
	"OpAtanh":      {complexes: "complexEach[C](atanhComplex)"},
	"OpFloor":      {bools: whole, ints: whole, floats: "unary(floor[T])"},
	"OpCeil":       {bools: whole, ints: whole, floats: "unary(ceil[T])"},
	"OpTrunc":      {bools: whole, ints: whole, floats: "unary(trunc[T])"},
	"OpRint":       {floats: "unary(rint[T])", complexes: "complexEach[C](rintComplex)"},
	"OpSign":       {reals: "unary(sign[T])", complexes: "complexEach[C](signComplex)"},
	"OpSquare":     {reals: "unary(square[T])", complexes: "complexEach[C](squareComplex)"},
	"OpReciprocal": {floats: "unary(reciprocal[T])", complexes: "complexEach[C](reciprocalComplex)"},
	"OpFloorDiv":   {ints: "binary(eachPair(floorDivInt[T]))", floats: "binary(eachPair(floorDiv[T]))"},
	"OpRemainder":  {ints: "binary(eachPair(remainderInt[T]))", floats: "binary(eachPair(remainder[T]))"},
	"OpCopySign":   {floats: "binary(eachPair(copySign[T]))"},
	"OpFMin": {bools: "binary(and)", ints: "binary(minimum[T])", floats: "binary(eachPair(fmin[T]))", complexes: "complexExtreme[C](-1, true)",
		others: "intsOf(&opMinimum)"},
	"OpFMax": {bools: "binary(or)", ints: "binary(maximum[T])", floats: "binary(eachPair(fmax[T]))", complexes: "complexExtreme[C](1, true)",
		others: "intsOf(&opMaximum)"},
	"OpDeg2Rad":    {floats: "unary(times[T](math.Pi / 180))"},
	"OpRad2Deg":    {floats: "unary(times[T](180 / math.Pi))"},
	"OpIsNaN":      {bools: "never", ints: "never", floats: "unary(isNaN[T])", complexes: "complexTest[C](math.IsNaN, true)"},
	"OpIsInf":      {bools: "never", ints: "never", floats: "unary(isInf[T])", complexes: "complexTest[C](infinite, true)"},
	"OpIsFinite":   {bools: "always", ints: "always", floats: "unary(isFinite[T])", complexes: "complexTest[C](finite, false)"},
	"OpSignBit":    {bools: "never", reals: "unary(signBit[T])"},
	"OpBitAnd":     {bools: "binary(and)", ints: "binary(eachPair(bitAnd[T]))"},
	"OpBitOr":      {bools: "binary(or)", ints: "binary(eachPair(bitOr[T]))"},
	"OpBitXor":     {bools: "binary(xor)", ints: "binary(eachPair(bitXor[T]))"},
	"OpInvert":     {bools: "unary(not)", ints: "unary(each(invert[T]))"},
	"OpLeftShift":  {ints: "binary(eachPair(leftShift[T]))"},
	"OpRightShift": {ints: "binary(eachPair(rightShift[T]))"},
	"OpLogicalXor": {bools: "binary(xor)", reals: "binary(logicalXor[T])"},
	"OpLogicalAnd": {bools: "binary(and)", reals: "binary(logicalAnd[T])"},
	"OpLogicalOr":  {bools: "binary(or)", reals: "binary(logicalOr[T])"},
	"OpLogicalNot": {bools: "unary(not)", reals: "unary(logicalNot[T])"},
	"OpEqual":      {bools: "binary(equal[T])", reals: "binary(equal[T])", complexes: "binary(equal[C])"},
	"OpNotEqual":   {bools: "binary(notEqual[T])", reals: "binary(notEqual[T])", complexes: "binary(notEqual[C])"},
	"OpLess": {bools: "binary(less[T])", reals: "binary(less[T])", complexes: "binary(complexLess[F](0))",
		others: "lexicalLoops(false, false)"},
	"OpLessEqual": {bools: "binary(lessEqual[T])", reals: "binary(lessEqual[T])", complexes: "binary(complexLess[F](1))",
		others: "lexicalLoops(true, false)"},
	"OpGreater": {bools: "binary(greater[T])", reals: "binary(greater[T])", complexes: "binary(turned(complexLess[F](0)))",
		others: "lexicalLoops(false, true)"},
	"OpGreaterEqual": {bools: "binary(greaterEqual[T])", reals: "binary(greaterEqual[T])", complexes: "binary(turned(complexLess[F](1)))",
		others: "lexicalLoops(true, true)"},
	"OpReal":     {bools: whole, reals: whole, complexes: "complexPart[C, F](realPart)"},
	"OpImag":     {bools: "never", reals: "unary(each(zero[T]))", complexes: "complexPart[C, F](imagPart)"},
	"OpConj":     {reals: whole, complexes: "complexEach[C](cmplx.Conj)"},
	"OpAngle":    {floats: "unary(each(angle[T]))", complexes: "complexPart[C, F](cmplx.Phase)"},
	"OpBitCount": {ints: "unary(each(bitCount[T]))"},
	"OpWhere":    {bools: "whereLoop(sizeOfElement[T]())", reals: "whereLoop(sizeOfElement[T]())", complexes: "whereLoop(sizeOfElement[C]())"},
}

// element is a dtype with the type of its elements.
type element struct{ dtype, typ, part string }

var elements = []element{
	{"Bool", "uint8", ""}, {"Int8", "int8", ""}, {"Int16", "int16", ""}, {"Int32", "int32", ""}, {"Int64", "int64", ""},
	{"Uint8", "uint8", ""}, {"Uint16", "uint16", ""}, {"Uint32", "uint32", ""}, {"Uint64", "uint64", ""},
	{"Float32", "float32", ""}, {"Float64", "float64", ""}, {"Complex64", "complex64", "float32"}, {"Complex128", "complex128", "float64"},
}

// of returns the loop for a dtype as Go text, empty where there is none.
func (l loopsOf) of(e element, function string, operands int) string {
	var fields []string // the first that is there
	switch {
	case e.dtype == "Bool":
		fields = []string{l.bools}
	case strings.HasPrefix(e.dtype, "Int"):
		fields = []string{l.signed, l.ints, l.reals}
	case strings.HasPrefix(e.dtype, "Uint"):
		fields = []string{l.ints, l.reals}
	case strings.HasPrefix(e.dtype, "Float"):
		fields = []string{elementary(e, function, operands), l.floats, l.reals}
	default:
		fields = []string{l.complexes}
	}
	for _, f := range fields {
		if f != "" {
			return strings.NewReplacer("[T]", "["+e.typ+"]", "[C", "["+e.typ, "F]", e.part+"]").Replace(f)
		}
	}
	return ""
}

// elementary is the loop of a function of package elementary.
func elementary(e element, function string, operands int) string {
	if function == "" {
		return ""
	}
	name := string(unicode.ToUpper(rune(function[0]))) + function[1:]
	if e.dtype == "Float32" {
		name += "f"
	}
	if operands == 1 {
		return fmt.Sprintf("unary(each(elementary.%s))", name)
	}
	return fmt.Sprintf("binary(eachPair(elementary.%s))", name)
}

// writeLoops is the text of zz_loops.go.
func writeLoops(rows []row) ([]byte, error) {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("// Code generated by arrays/internal/ufuncs from internal/ufuncs/loops.go; DO NOT EDIT.\n\npackage arrays\n")
	const module = "github.com/arrayrepl/arrayrepl/internal/"
	line("import (\n\"math\"\n\"math/cmplx\"\n\n%q\n%q\n)\n", module+"elementary", module+"vector")
	line("// The operations. A function names the one that it is, so that a program links the loops of what it uses.\nvar (")
	for _, r := range rows {
		others := ""
		if f := loopRows[r.op].others; f != "" {
			others = ", others: func(_ Ufunc, t *dtypeLoops) { " + strings.TrimSuffix(f, ")") + ", t) }"
		} else if r.function != "" {
			others = ", others: vectoredFunction"
		}
		vectors := ""
		if list := vectorsOf(r); list != nil {
			vectors = ", vectors: []*vector.Operation{&vector." + strings.Join(list, ", &vector.") + "}"
		}
		line("%s = operation{Ufunc: %s, plain: %s%s%s}", variable(r), r.op, plain(r), vectors, others)
	}
	line(")\n\n// allOperations are for what is called with any of them.\nvar allOperations = [NumUfuncs]*operation{")
	for _, r := range rows {
		line("%s: &%s,", r.op, variable(r))
	}
	line("}")
	for _, r := range rows {
		loops, known := loopRows[r.op]
		if !known && r.function == "" {
			return nil, fmt.Errorf("%s has neither a function nor a row of loops", r.op)
		}
		line("\nfunc %s() dtypeLoops {\nreturn dtypeLoops{", plain(r))
		for _, e := range elements {
			if text := loops.of(e, r.function, len(r.operands)); text != "" {
				line("%s: %s,", e.dtype, text)
			}
		}
		line("}\n}")
	}
	return b.Bytes(), nil
}

// madeOf are the operations of package vector that operations are made of which have no row there.
var madeOf = map[string][]string{"OpSignBit": {"lt"}, "OpSquare": {"mul"}, "OpReciprocal": {"div"}, "OpConj": {"conj"}}

// vectorsOf names the variables of package vector.
func vectorsOf(r row) (list []string) {
	for _, name := range append(slices.Clone(r.vectors), madeOf[r.op]...) {
		var title strings.Builder
		for word := range strings.SplitSeq(name, "_") {
			title.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		if !slices.Contains(list, title.String()) {
			list = append(list, title.String())
		}
	}
	return list
}

// variable names the operation of a row, and plain the function that makes its loops.
func variable(r row) string { return "op" + strings.TrimPrefix(r.op, "Op") }
func plain(r row) string    { return "plain" + strings.TrimPrefix(r.op, "Op") }
