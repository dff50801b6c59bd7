package dp

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir/scan"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Texts have no kernels: the CPU calls an operator's function for each pair that is combined, in the order of the
// kernels, when the verb is called, whatever device is in use.

// textOp makes an operator of a function of texts; identity is that, or nothing.
func textOp(name string, combine func(a, b string) string, identity []any) *Operator {
	o := &Operator{name: name, texts: combine}
	switch len(identity) {
	case 0:
		return o
	case 1:
		if _, is := identity[0].(string); is {
			o.identity = identity[0]
			return o
		}
		check(name, fmt.Errorf("it combines texts, and its identity is a %T: give a string", identity[0]))
	}
	check(name, fmt.Errorf("an operator has one identity, not %d", len(identity)))
	return nil
}

// text is an element of a scan by segments.
type text struct {
	begins bool
	s      string
}

// scannedTexts scans x, by segments where there are heads.
func (o *Operator) scannedTexts(name string, x, heads *np.Array, exclusive bool, opts options) *np.Array {
	if !x.DType().IsString() && x.Size() > 0 {
		check(name, fmt.Errorf("the array has elements of %v, the function %s takes texts", x.DType(), o.name))
	}
	if len(opts.axis) > 0 && x.NDim() != 1 {
		check(name, fmt.Errorf("texts of shape %v are not scanned along an axis: scan each line by itself", x.Shape()))
	}
	if exclusive && o.identity == nil {
		check(name, fmt.Errorf("an exclusive scan begins with the operator's identity: give it to dp.Op(%s, identity)", o.name))
	}
	if x.Size() == 0 {
		return np.FromSlice([]string{})
	}
	line := make([]text, x.Size())
	for i, s := range x.Reshape(-1).Strings() {
		line[i].s = s
	}
	begins := []bool(nil)
	if heads != nil {
		begins = make([]bool, len(line))
		for i, b := range heads.Array().Copy().Bytes() {
			begins[i], line[i].begins = b != 0, b != 0
		}
	}
	form := opts.form
	if form == (scan.Form{}) {
		form = scan.Default
	}
	scan.Line(form, line, line, func(a, b text) text {
		if b.begins {
			return b
		}
		return text{a.begins, o.texts(a.s, b.s)}
	})
	out := make([]string, len(line))
	for i := range out {
		switch {
		case !exclusive:
			out[i] = line[i].s
		case i == 0 || begins != nil && begins[i]:
			out[i] = o.identity.(string)
		default:
			out[i] = line[i-1].s
		}
	}
	return np.FromSlice(out).Reshape(x.Shape()...)
}

// reducedTexts combines each of count segments, of which those with elements end at ends.
func (o *Operator) reducedTexts(name string, x *np.Array, s *Segments) *np.Array {
	heads := s.of(name, x)
	scanned := o.scannedTexts(name, x, heads, false, options{}).Strings()
	if s.count < 0 {
		out := []string{}
		for _, end := range lasts(heads).Ints() {
			out = append(out, scanned[end])
		}
		return np.FromSlice(out)
	}
	full, ends := s.full.Ints(), s.ends.Ints()
	out := make([]string, s.count)
	if len(full) < s.count {
		if o.identity == nil {
			check(name, fmt.Errorf("of %d segments %d are empty: give the operator's identity to dp.Op(%s, identity)", s.count, s.count-len(full), o.name))
		}
		for i := range out {
			out[i] = o.identity.(string)
		}
	}
	for i, k := range full {
		out[k] = scanned[ends[i]]
	}
	return np.FromSlice(out)
}

// checkTexts is [CheckOp] of an operator of texts.
func (o *Operator) checkTexts(name string, samples any) error {
	a := array(name, samples)
	if !a.DType().IsString() && a.Size() > 0 {
		check(name, fmt.Errorf("the samples are %v, the function %s takes texts", a.DType(), o.name))
	}
	var xs []string
	if a.Size() > 0 {
		xs = a.Reshape(-1).Strings()
	}
	xs = xs[:min(len(xs), mostSamples/2)]
	for _, x := range xs {
		for _, y := range xs {
			for _, z := range xs {
				if l, r := o.texts(o.texts(x, y), z), o.texts(x, o.texts(y, z)); l != r {
					return &np.Error{Op: name, Msg: fmt.Sprintf("%s is not associative: %s(%s(%q, %q), %q) is %q, %s(%q, %s(%q, %q)) is %q; a scan needs an operator for which they are the same",
						o, o, o, x, y, z, l, o, x, o, y, z, r)}
				}
			}
		}
		if o.identity == nil {
			continue
		}
		i := o.identity.(string)
		for _, got := range []string{o.texts(i, x), o.texts(x, i)} {
			if got != x {
				return &np.Error{Op: name, Msg: fmt.Sprintf("%q is not the identity of %s: with %q it gives %q", i, o, x, got)}
			}
		}
	}
	return nil
}
