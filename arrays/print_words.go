package arrays

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// words formats the elements at the given storage positions so that they align.
func (a *Array) words(positions []int, opts printOptions) []string {
	out := make([]string, len(positions))
	shown := &Array{dtype: a.dtype, data: a.data}
	gather := func(dtype DType) []byte {
		b, cast, size := allocate(len(positions)*dtype.Size()), castOf(a.dtype, dtype), dtype.Size()
		for i, at := range positions {
			cast(b[i*size:(i+1)*size], a.data, at, 0)
		}
		return b
	}
	switch a.dtype.Kind() {
	case KindFloat:
		return floatFormatOf(a.dtype, opts).words(elements[float64](gather(Float64)))
	case KindComplex:
		re, im := make([]float64, len(positions)), make([]float64, len(positions))
		for i, z := range elements[complex128](gather(Complex128)) {
			re[i], im[i] = real(z), imag(z)
		}
		f := floatFormatOf(realOf(a.dtype), opts)
		left := f.words(re)
		f.signed = true
		for i, word := range f.words(im) {
			digits := strings.TrimRight(word, " ")
			out[i] = left[i] + digits + "j" + word[len(digits):]
		}
		return out
	case KindString:
		for i, at := range positions {
			shown.layout.Offset = at
			out[i] = quote(shown.scalarString())
		}
		return out
	case KindTime:
		for i, v := range elements[int64](gather(a.dtype)) {
			switch {
			case v == notATime:
				out[i] = "'NaT'"
			case a.dtype.isDate():
				out[i] = "'" + dateText(v, a.dtype.unit()) + "'"
			default:
				out[i] = spanText(v)
			}
		}
	default:
		for i, at := range positions {
			shown.layout.Offset = at
			out[i] = shown.scalarString()
		}
	}
	width := 0
	for _, word := range out {
		width = max(width, utf8.RuneCountInString(word))
	}
	if a.dtype.IsBool() && a.NDim() > 0 {
		width = len(" True")
	}
	padLeft(out, width)
	return out
}

// quote writes a string as Python's repr does.
func quote(s string) string {
	mark := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		mark = `"`
	}
	var b strings.Builder
	b.WriteString(mark)
	for _, c := range s {
		switch {
		case c == '\\' || string(c) == mark:
			b.WriteString(`\` + string(c))
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case strconv.IsPrint(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	return b.String() + mark
}

// padLeft fills words up to width with spaces at the left.
func padLeft(words []string, width int) {
	for i, w := range words {
		words[i] = strings.Repeat(" ", max(width-utf8.RuneCountInString(w), 0)) + w
	}
}

// floatFormat is the common format of the floats of an array.
type floatFormat struct {
	bits      int // 16, 32 or 64: how many digits are needed to tell two values apart
	precision int
	suppress  bool
	signed    bool // with a plus before positive numbers
}

func floatFormatOf(d DType, opts printOptions) floatFormat {
	return floatFormat{bits: 8 * d.Size(), precision: opts.precision, suppress: opts.suppress}
}

// cutoff is the magnitude from which on NumPy writes exponents: ten to the dtype's decimal precision, at most limit.
func (f floatFormat) cutoff(limit int) float64 {
	digits := map[int]int{16: 3, 32: 6, 64: 15}[f.bits]
	return math.Pow10(min(digits, limit))
}

// sign returns what stands before the digits of a number that is not negative.
func (f floatFormat) sign(v float64) string {
	if f.signed && !math.Signbit(v) {
		return "+"
	}
	return ""
}

// words aligns the points of all values; either all have exponents or none.
func (f floatFormat) words(values []float64) []string {
	scientific := f.needsExponent(values)
	out := make([]string, len(values))
	var left, right, exponent int // widths before and after the point, and of the exponent's digits
	infinite, negativeInf := false, false
	for i, v := range values {
		if v-v != 0 {
			infinite, negativeInf = true, negativeInf || v < 0 || f.signed
			continue
		}
		out[i] = f.sign(v) + f.digits(v, scientific)
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
			out[i] = f.sign(1) + "nan"
		case math.IsInf(v, 0):
			out[i] = map[bool]string{true: "-inf", false: f.sign(1) + "inf"}[v < 0]
		case scientific:
			// NumPy fills up with the digits of the exact value, which differ from zeros for float32.
			mantissa, exp, _ := strings.Cut(strconv.FormatFloat(v, 'e', right, 64), "e")
			if right == 0 {
				mantissa += "."
			}
			out[i] = f.sign(v) + mantissa + "e" + exp[:1] + strings.Repeat("0", exponent-len(exp)+1) + exp[1:]
		default:
			out[i] += strings.Repeat(" ", right-(len(out[i])-strings.IndexByte(out[i], '.')-1))
		}
	}
	padLeft(out, width)
	return out
}

// needsExponent is NumPy's rule: magnitudes too large, too small or too far apart. Ratios are taken in the array's
// dtype.
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
	switch f.bits {
	case 32:
		ratio, tiny = float64(float32(largest)/float32(smallest)), float64(float32(0.0001))
	case 16:
		ratio, tiny = float64(halfOf(ratio).float()), float64(halfOf(0.0001).float())
	}
	if f.suppress {
		return largest >= f.cutoff(8)
	}
	return largest >= f.cutoff(8) || smallest < tiny || ratio > 1000
}

// digits writes a finite value with the fewest digits that tell it from its neighbours, at most precision of them after
// the point, and without trailing zeros but with the point: "1.", "0.25", "1.5e+10".
func (f floatFormat) digits(v float64, scientific bool) string {
	verb := byte('f')
	if scientific {
		verb = 'e'
	}
	text := shortest(v, verb, f.bits)
	mantissa, exp, _ := strings.Cut(text, "e")
	if point := strings.IndexByte(mantissa, '.'); point >= 0 && len(mantissa)-point-1 > f.precision {
		mantissa, exp, _ = strings.Cut(strconv.FormatFloat(v, verb, f.precision, 64), "e")
		if f.precision > 0 {
			mantissa = strings.TrimRight(mantissa, "0")
		}
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if scientific {
		return mantissa + "e" + exp
	}
	return mantissa
}

// shortest writes a float with the fewest digits that tell it from its neighbours of so many bits.
func shortest(v float64, verb byte, bits int) string {
	if bits != 16 || v-v != 0 {
		return strconv.FormatFloat(v, verb, -1, bits)
	}
	for digits := range 5 {
		text := strconv.FormatFloat(v, 'e', digits, 64)
		if near, _ := strconv.ParseFloat(text, 64); halfOf(near) == halfOf(v) {
			return strconv.FormatFloat(near, verb, -1, 64)
		}
	}
	return strconv.FormatFloat(v, verb, -1, 64)
}

// scalarString writes the element of a 0-d array as NumPy's scalars print.
func (a *Array) scalarString() string {
	if a.dtype == StringDType {
		return textsOf(a.data)[a.layout.Offset]
	}
	one := allocate(max(a.dtype.Size(), 8))[:a.dtype.Size()]
	castOf(a.dtype, a.dtype)(one, a.data, a.layout.Offset, 0)
	switch d := a.dtype; {
	case d.IsBool():
		return map[byte]string{0: "False", 1: "True"}[one[0]]
	case d.IsUnsigned():
		var v [1]uint64
		casts[d][Uint64](bytesOf(v[:]), one, 0, 0)
		return strconv.FormatUint(v[0], 10)
	case d.IsInt():
		var v [1]int64
		casts[d][Int64](bytesOf(v[:]), one, 0, 0)
		return strconv.FormatInt(v[0], 10)
	case d.IsFloat():
		text := scalarFloat(a.float64At(a.layout.Offset), 8*d.Size())
		if !strings.ContainsAny(text, ".en") {
			text += ".0"
		}
		return text
	case d.IsComplex():
		var z [1]complex128
		casts[d][Complex128](bytesOf(z[:]), one, 0, 0)
		re, im, bits := real(z[0]), imag(z[0]), 4*d.Size()
		text := scalarFloat(im, bits) + "j"
		if re == 0 && !math.Signbit(re) {
			return text
		}
		if !math.Signbit(im) || im != im {
			text = "+" + text
		}
		return "(" + scalarFloat(re, bits) + text + ")"
	case d.IsString():
		return rowString(one, d.chars(), 0)
	case d.isDate():
		return dateText(elements[int64](one)[0], d.unit())
	default:
		v := elements[int64](one)[0]
		if v == notATime {
			return spanText(v)
		}
		return spanText(v) + " " + strings.ToLower(d.unit().String()) + "s"
	}
}

// scalarFloat writes all digits of a float, with an exponent from 1e16 (float32: 1e6, float16: 1e3) and below 1e-4.
func scalarFloat(v float64, bits int) string {
	limit := math.Pow10(16)
	if bits < 64 {
		limit = floatFormat{bits: bits}.cutoff(16)
	}
	switch abs := math.Abs(v); {
	case v != v:
		return "nan"
	case math.IsInf(v, 0):
		return map[bool]string{true: "-inf", false: "inf"}[v < 0]
	case abs != 0 && (abs < 1e-4 || abs >= limit):
		return shortest(v, 'e', bits)
	}
	return shortest(v, 'f', bits)
}
