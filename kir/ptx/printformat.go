package ptx

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// directive is one conversion of a format, the same in Go and C but for the letter and C's length of the operand.
type directive struct {
	flags  string // of "+-# 0"
	number string // width and precision
	length string // of C: h, hh, l, ll, j, z, t
	verb   byte
}

// directives calls text for what stands between the conversions of a format and do for each conversion. Before its
// letter may stand lengths.
func directives(format string, text func(string), lengths string, do func(directive) error) error {
	for len(format) > 0 {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			text(format)
			return nil
		}
		text(format[:i])
		format = format[i+1:]
		cut := func(set string) string {
			rest := strings.TrimLeft(format, set)
			part := format[:len(format)-len(rest)]
			format = rest
			return part
		}
		d := directive{flags: cut("+-# 0"), number: cut("0123456789."), length: cut(lengths)}
		if format == "" {
			return fmt.Errorf("the format ends within a conversion")
		}
		d.verb, format = format[0], format[1:]
		if d.verb == '*' || d.verb == '[' {
			return fmt.Errorf("a width or an operand's number in the format must be written out: devices take no %%%c", d.verb)
		}
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}

// cVerbs are C's conversions for the verbs of Go that a device can print a type with. Numbers that %v and %g print in
// as many digits as it takes have six there; negative ones are printed by %x and %o as the bits that they are.
func cVerb(t kir.Type, verb byte) (string, bool) {
	switch {
	case t == kir.Bool:
		return "s", verb == 'v' || verb == 't'
	case t.IsFloat():
		if verb == 'v' {
			verb = 'g'
		}
		return string(verb), strings.IndexByte("eEfFgG", verb) >= 0
	}
	long := ""
	if t.Bytes() == 8 {
		long = "ll"
	}
	switch verb {
	case 'd', 'v':
		if t.IsUnsigned() {
			return long + "u", true
		}
		return long + "d", true
	case 'x', 'X', 'o':
		return long + string(verb), true
	case 'c':
		return "c", t.Bytes() <= 4
	}
	return "", false
}

// cFormat returns C's format for one of Go's and the types of its operands.
func cFormat(format string, ts []kir.Type) (string, error) {
	var out strings.Builder
	i := 0
	text := func(s string) { out.WriteString(s) }
	err := directives(format, text, "", func(d directive) error {
		if d.verb == '%' {
			out.WriteString("%%")
			return nil
		}
		if i >= len(ts) {
			return fmt.Errorf("the format has more conversions than there are operands")
		}
		verb, ok := cVerb(ts[i], d.verb)
		if !ok || d.verb == 'v' && strings.Contains(d.flags, "#") {
			return fmt.Errorf("a device cannot print %v with %%%s%c", ts[i], d.flags+d.number, d.verb)
		}
		if d.verb == 'v' {
			d.flags = strings.ReplaceAll(d.flags, "+", "")
		}
		fmt.Fprintf(&out, "%%%s%s%s", d.flags, d.number, verb)
		i++
		return nil
	})
	if err == nil && i < len(ts) {
		err = fmt.Errorf("the format has fewer conversions than there are operands")
	}
	return out.String(), err
}

// goFormat returns Go's format for one of C's. It calls operand with type and size in memory of each operand, Void for
// a string, whose text operand returns.
func goFormat(format string, operand func(t kir.Type, size int) (string, error)) (string, error) {
	var out strings.Builder
	text := func(s string) { out.WriteString(s) }
	err := directives(format, text, "hljzt", func(d directive) error {
		signed := map[string]kir.Type{"": kir.I32, "h": kir.I16, "hh": kir.I8}
		unsigned := map[string]kir.Type{"": kir.U32, "h": kir.U16, "hh": kir.U8}
		integer := func(of map[string]kir.Type, wide kir.Type) (kir.Type, int) {
			if t, ok := of[d.length]; ok {
				return t, 4
			}
			return wide, 8
		}
		t, size, verb := kir.Void, 8, d.verb
		switch d.verb {
		case '%':
			out.WriteString("%%")
			return nil
		case 'd', 'i':
			t, size = integer(signed, kir.I64)
			verb = 'd'
		case 'u':
			t, size = integer(unsigned, kir.U64)
			verb = 'd'
		case 'x', 'X', 'o':
			t, size = integer(unsigned, kir.U64)
		case 'c':
			t, size = kir.U8, 4
		case 'e', 'E', 'f', 'F', 'g', 'G':
			t = kir.F64
			if verb|0x20 == 'g' && !strings.Contains(d.number, ".") {
				d.number += ".6"
			}
		case 'p':
			t, verb, d.flags = kir.U64, 'x', d.flags+"#"
		case 's':
		default:
			return fmt.Errorf("%%%c is not a conversion that can be printed", d.verb)
		}
		s, err := operand(t, size)
		if t == kir.Void {
			out.WriteString(strings.ReplaceAll(fmt.Sprintf("%"+d.flags+d.number+"s", s), "%", "%%"))
			return err
		}
		fmt.Fprintf(&out, "%%%s%s%c", d.flags, d.number, verb)
		return err
	})
	return out.String(), err
}
