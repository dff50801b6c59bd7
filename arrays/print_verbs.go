package arrays

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Format writes a for the verbs of package fmt: %v and %s as [Array.String] does, %#v as [Array.GoString]. Any other
// verb, a width or a precision is that of each element, as with Go's slices: fmt.Printf("%.2f", a) writes all elements
// with two decimals. The verbs of floats take every real dtype.
func (a *Array) Format(s fmt.State, verb rune) {
	_, wide := s.Width()
	_, precise := s.Precision()
	switch {
	case a.missing():
		fmt.Fprint(s, noText)
	case verb == 'v' && s.Flag('#'):
		fmt.Fprint(s, a.GoString())
	case (verb == 'v' || verb == 's') && !wide && !precise:
		fmt.Fprint(s, a.String())
	case a.Size() == 0:
		fmt.Fprint(s, "[]")
	default:
		opts := currentPrint()
		p := printer{shape: a.layout.Shape, separator: " ", edge: opts.edgeItems, shorten: a.Size() > opts.threshold}
		p.words = a.verbWords(p.positions(nil, a.layout, 0, a.layout.Offset), s, verb)
		if a.NDim() == 0 {
			fmt.Fprint(s, p.words[0])
			return
		}
		fmt.Fprint(s, p.nested(0, " ", opts.lineWidth))
	}
}

// verbWords formats the elements at the given storage positions by a verb, and pads them to one width.
func (a *Array) verbWords(positions []int, s fmt.State, verb rune) []string {
	_, precise := s.Precision()
	directive := fmt.FormatString(s, verb)
	if verb == 'v' && !precise {
		directive = fmt.FormatString(s, 's') // of the text that the element has without a width
	}
	words, width := make([]string, len(positions)), 0
	shown := &Array{dtype: a.dtype, data: a.data}
	for i, at := range positions {
		shown.layout.Offset = at
		var value any
		switch {
		case verb == 's' || verb == 'v' && !precise:
			value = shown.scalarString()
		case strings.ContainsRune("eEfFgG", verb) && (a.dtype.IsInt() || a.dtype.IsBool()):
			value = shown.Float64()
		default:
			value = shown.Item()
		}
		words[i] = fmt.Sprintf(directive, value)
		width = max(width, utf8.RuneCountInString(words[i]))
	}
	if s.Flag('-') {
		for i, w := range words {
			words[i] = w + strings.Repeat(" ", width-utf8.RuneCountInString(w))
		}
		return words
	}
	padLeft(words, width)
	return words
}
