package brook

import (
	"fmt"
	"slices"
)

// Option changes calls of kernels: [Shape], [On], [MaxOutputs] and others. Options stand among the arguments of a call,
// or in [With] for several calls.
type Option struct{ set func(s *Settings) }

// Settings are options for several calls.
type Settings struct {
	shape         []int // of the result; nil for what the inputs say
	on            string
	most          int // of outputs of a pass; 0 for any number
	factor        int // of a pass of a reduction
	single        bool
	search        bool
	unassociative bool
}

// With keeps options for several calls: brook.With(brook.MaxOutputs(1)).Map(cloth, particles).
func With(options ...Option) *Settings {
	s := new(Settings)
	for _, o := range options {
		o.apply(s)
	}
	return s
}

func (o Option) apply(s *Settings) {
	if o.set != nil {
		o.set(s)
	}
}

// with are the settings with the options among args, and the other arguments.
func (s *Settings) with(args []any) (*Settings, []any) {
	out := new(Settings)
	if s != nil {
		*out = *s
	}
	var rest []any
	for _, a := range args {
		if o, ok := a.(Option); ok {
			o.apply(out)
			continue
		}
		rest = append(rest, a)
	}
	return out, rest
}

// Shape is the shape of the streams that a call makes. Inputs with fewer elements along an axis repeat them, those with
// more are read in strides; see [Map] and [Reduce].
func Shape(sizes ...int) Option {
	sizes = shapeOf("brook.Shape", sizes)
	return Option{func(s *Settings) { s.shape = sizes }}
}

// On runs calls on a device by its name, in the place of that which np.Use has chosen: "host", "sim:v100", "cuda:0".
// "go" is the reference: the function itself is called for one element after the other.
func On(device string) Option { return Option{func(s *Settings) { s.on = device }} }

// maxFactor is how many neighbours a pass of a reduction merges at most: as many as the paper's fragment programs.
const maxFactor = 8

// Passes says how many neighbours a pass of a reduction merges at most: 2 to 8, 8 where nothing is said.
func Passes(most int) Option {
	if most < 2 || most > maxFactor {
		check("brook.Passes", fmt.Errorf("passes that merge %d elements; they merge 2 to %d", most, maxFactor))
	}
	return Option{func(s *Settings) { s.factor, s.single = most, false }}
}

// SinglePass reduces in one pass, in which a thread goes through all elements of its result: what hardware with an
// accumulator register would do, says the paper. It is slow where there are few results.
func SinglePass() Option { return Option{func(s *Settings) { s.single = true }} }

// sameShape reports whether two shapes are one.
func sameShape(a, b []int) bool { return slices.Equal(a, b) }
