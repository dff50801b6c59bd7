package arrays

import (
	"math"
	"strconv"
	"strings"
)

// words formats the elements at the given storage positions so that they align.
func (a *Array) words(positions []int, precision int) []string {
	out := make([]string, len(positions))
	switch a.dtype.Kind() {
	case KindBool:
		for i, at := range positions {
			out[i] = strconv.FormatBool(a.data[at] != 0)
			out[i] = strings.ToUpper(out[i][:1]) + out[i][1:]
		}
		if a.NDim() == 0 {
			return out
		}
		padLeft(out, len(" True"))
	case KindInt:
		width := 0
		for i, at := range positions {
			out[i] = strconv.FormatInt(elements[int64](a.data)[at], 10)
			width = max(width, len(out[i]))
		}
		padLeft(out, width)
	case KindFloat:
		f := floatFormat{bits: 8 * a.dtype.Size(), precision: precision}
		values := make([]float64, len(positions))
		for i, at := range positions {
			values[i] = a.float64At(at)
		}
		return f.words(values)
	}
	return out
}

// padLeft fills words up to width with spaces at the left.
func padLeft(words []string, width int) {
	for i, w := range words {
		words[i] = strings.Repeat(" ", max(width-len(w), 0)) + w
	}
}

// floatFormat is the common format of the floats of an array.
type floatFormat struct {
	bits      int // 32 or 64: how many digits are needed to tell two values apart
	precision int
}

// cutoff is the magnitude from which on NumPy writes exponents: ten to the dtype's decimal precision, at most limit.
func (f floatFormat) cutoff(limit int) float64 {
	digits := 15
	if f.bits == 32 {
		digits = 6
	}
	return math.Pow10(min(digits, limit))
}

// words aligns the points of all values; either all have exponents or none.
func (f floatFormat) words(values []float64) []string {
	scientific := f.needsExponent(values)
	out := make([]string, len(values))
	var left, right, exponent int // widths before and after the point, and of the exponent's digits
	infinite, negativeInf := false, false
	for i, v := range values {
		if v-v != 0 {
			infinite, negativeInf = true, negativeInf || v < 0
			continue
		}
		out[i] = f.digits(v, scientific)
		mantissa, exp, _ := strings.Cut(out[i], "e")
		point := strings.IndexByte(mantissa, '.')
		left, right, exponent = max(left, point), max(right, len(mantissa)-point-1), max(exponent, len(exp)-1)
	}
	width := left + 1 + right
	if scientific {
		width += exponent + 2
	}
	if infinite {
		width = max(width, len("nan"))
		if negativeInf {
			width = max(width, len("-inf"))
		}
	}
	for i, v := range values {
		switch {
		case math.IsNaN(v):
			out[i] = "nan"
		case math.IsInf(v, 0):
			out[i] = strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "+", "", 1)
			out[i] = strings.ToLower(out[i])
		case scientific:
			// NumPy fills up with the digits of the exact value, which differ from zeros for float32.
			mantissa, exp, _ := strings.Cut(strconv.FormatFloat(v, 'e', right, 64), "e")
			if right == 0 {
				mantissa += "."
			}
			out[i] = mantissa + "e" + exp[:1] + strings.Repeat("0", exponent-len(exp)+1) + exp[1:]
		default:
			out[i] += strings.Repeat(" ", right-(len(out[i])-strings.IndexByte(out[i], '.')-1))
		}
	}
	padLeft(out, width)
	return out
}

// needsExponent is NumPy's rule: magnitudes too large, too small or too far apart. Ratios are taken in the array's dtype.
func (f floatFormat) needsExponent(values []float64) bool {
	smallest, largest := math.Inf(1), 0.0
	for _, v := range values {
		if v-v == 0 && v != 0 {
			smallest, largest = min(smallest, math.Abs(v)), max(largest, math.Abs(v))
		}
	}
	if largest == 0 {
		return false
	}
	ratio, tiny := largest/smallest, 0.0001
	if f.bits == 32 {
		ratio, tiny = float64(float32(largest)/float32(smallest)), float64(float32(0.0001))
	}
	return largest >= f.cutoff(8) || smallest < tiny || ratio > 1000
}

// digits writes a finite value with the fewest digits that tell it from its neighbours, at most precision of them after the
// point, and without trailing zeros but with the point: "1.", "0.25", "1.5e+10".
func (f floatFormat) digits(v float64, scientific bool) string {
	verb := byte('f')
	if scientific {
		verb = 'e'
	}
	text := strconv.FormatFloat(v, verb, -1, f.bits)
	mantissa, exp, _ := strings.Cut(text, "e")
	if point := strings.IndexByte(mantissa, '.'); point >= 0 && len(mantissa)-point-1 > f.precision {
		mantissa, exp, _ = strings.Cut(strconv.FormatFloat(v, verb, f.precision, 64), "e")
		mantissa = strings.TrimRight(mantissa, "0")
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if scientific {
		return mantissa + "e" + exp
	}
	return mantissa
}

// scalarString writes the element of a 0-d array as NumPy's scalars print: all digits, an exponent from 1e16 (float32: 1e6)
// and below 1e-4.
func (a *Array) scalarString() string {
	if !a.dtype.IsFloat() {
		return a.words([]int{a.layout.Offset}, 0)[0]
	}
	f := floatFormat{bits: 8 * a.dtype.Size()}
	limit := math.Pow10(16)
	if f.bits == 32 {
		limit = f.cutoff(16)
	}
	v := a.float64At(a.layout.Offset)
	abs := math.Abs(v)
	if v-v != 0 {
		return f.words([]float64{v})[0]
	}
	if abs != 0 && (abs < 1e-4 || abs >= limit) {
		return strconv.FormatFloat(v, 'e', -1, f.bits)
	}
	text := strconv.FormatFloat(v, 'f', -1, f.bits)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
