package brook

import (
	"fmt"
	"slices"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Option changes calls of kernels: [Shape], [On], [MaxOutputs] and others. Options stand among the arguments of a
// call, or in [With] for several calls.
type Option struct{ set func(s *Settings) }

// Settings are options for several calls.
type Settings struct {
	shape     []int // of the result; nil for what the inputs say
	on        string
	most      int // of outputs of a pass; 0 for any number
	search    bool
	limits    Limits
	factor    int           // of a pass of a reduction; 0 for the largest
	single    bool          // pass
	mask      *np.Array     // bools; nil for all elements
	format    AddressFormat // of floats that address elements; 0 for integers
	unwrapped bool          // streams are textures as they are
	copies    bool          // of results, see CopyOut
	bypass    bool          // of streams, see StreamsBypass
	anyOrder  bool          // see AnyOrder
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

// noSettings are those of calls without options. Nobody writes to it.
var noSettings Settings

// with are the settings with the options among args, and the other arguments.
func (s *Settings) with(args []any) (*Settings, []any) {
	if s == nil {
		s = &noSettings
	}
	if !slices.ContainsFunc(args, func(a any) bool { _, ok := a.(Option); return ok }) {
		return s, args
	}
	out := new(Settings)
	*out = *s
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

// Shape is the shape of the streams that a call makes. Inputs with fewer elements along an axis repeat them, those
// with more are read in strides; see [Map] and [Reduce].
func Shape(sizes ...int) Option {
	sizes = shapeOf("brook.Shape", sizes)
	return Option{func(s *Settings) { s.shape = sizes }}
}

// On runs calls on a device by its name, in the place of that which np.Use has chosen: "host", "sim:v100", "cuda:0".
// "go" is the reference: the function itself is called for one element after the other. "auto" has each call run on
// the CPU or on the device that np.Use has chosen, sim:v100 where that is the CPU: where the cost model of [Advise]
// says that it takes least, with the copies that it needs then. The first call of a kernel is run on both, to know.
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

// MaxOutputs runs kernels with more outputs than a machine can write in one pass as several: each a copy of the whole
// kernel that stores a group of its outputs, without what only others need. Each member of the elements counts as one
// output: a number, or a vector F2, F3 or F4. Results are the same for all numbers from 1 on.
func MaxOutputs(most int) Option {
	if most < 1 {
		check("brook.MaxOutputs", fmt.Errorf("%d outputs for a pass; give 1 or more", most))
	}
	return Option{func(s *Settings) { s.most = most }}
}

// Search groups outputs so that passes load and compute least together, where without it they are grouped in the order
// of their declaration.
func Search() Option { return Option{func(s *Settings) { s.search = true }} }

// Limits are what a pass may have of other things than outputs, 0 for any number: inputs that it loads, and
// instructions. As an option, [Within], it splits kernels as [MaxOutputs] does.
type Limits struct{ Inputs, Instructions int }

// Within splits kernels so that no pass has more than the limits say. A kernel of which one output alone needs more is
// an *Error.
func Within(l Limits) Option {
	if l.Inputs < 0 || l.Instructions < 0 {
		check("brook.Within", fmt.Errorf("the limits are %+v; give numbers of 0 or more", l))
	}
	return Option{func(s *Settings) { s.limits = l }}
}

// Mask runs kernels for those elements alone for which m, bools or numbers in a stream, an array or a slice, is not
// 0: the others do nothing, and their results are zeros. Warps of others alone issue nothing but the test. The mask
// repeats and is read in strides as inputs are.
func Mask(m any) Option {
	s, ok := streamOf("brook.Mask", m)
	if !ok || s.records != nil {
		check("brook.Mask", fmt.Errorf("the mask is a %T; give bools or numbers", m))
	}
	on := s.columns[0]
	if on.DType() != np.Bool {
		on = on.NotEqual(0)
	}
	return Option{func(s *Settings) { s.mask = on }}
}

// CopyOut has each pass write its results to a buffer, and copies them from there to where they belong, in a call of
// its own for each output: what the paper's OpenGL runtime had to do, whose results were rendered to a buffer that no
// kernel could read. Results are the same.
func CopyOut() Option { return Option{func(s *Settings) { s.copies = true }} }

// StreamsBypass has kernels read their streams past the cache of the SM, which is left to what they gather: an element
// of a stream is read once. The paper names it as what caches of its time lacked. Results are the same.
func StreamsBypass() Option { return Option{func(s *Settings) { s.bypass = true }} }

// AnyOrder lets [ScatterOp] add floats and [GatherOp] hand out numbers in whatever order threads come, by atomics, on
// devices that have them for the type: sums differ in their last bits from run to run, and who gets which number does.
func AnyOrder() Option { return Option{func(s *Settings) { s.anyOrder = true }} }

// Deterministic undoes [AnyOrder], as if it had not been given: elements meet in the order of the indices, which are
// sorted for that, on every device.
func Deterministic() Option { return Option{func(s *Settings) { s.anyOrder = false }} }
