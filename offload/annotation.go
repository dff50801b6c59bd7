package offload

// Annotation says how a function of a library may be run: where, in what pieces, at what cost. It is the offload
// annotation of the paper (Yuan, Palkar, Narayanan, Zaharia, "Offload Annotations", ATC 2020) for Go: the function
// itself stays as it is.
//
// An array library turns an annotation into a function that returns placeholders; package lazy's is np.Annotate. The
// library's own functions are annotated by the same type.
type Annotation struct {
	Name string

	// CPU computes the function on the host: any Go function whose parameters and results the array library can make of
	// arrays. GPU, which may be nil, computes the same on a device: a function of placeholders, whose operations become
	// kernels together with those before and after it.
	CPU, GPU any

	Args []Param   // for the leading arguments; others are broadcast
	Ret  SplitType // nil when the function changes a mutable argument instead, or nothing is known of its result

	// Result, where the result is not like an argument of Ret's type, says what it is like, in a form that the array
	// library defines. Without it the call is evaluated at once.
	Result any

	Alloc bool // makes new data, of its arguments' values alone: made where it is used first
	Whole bool // must see all of its arguments at once
	Cost  Estimator
}

// Param is what an annotation says of one argument.
type Param struct {
	Type SplitType

	// Mutable says that the function writes to it. Of a Go value that is not an array, such as a model, the function
	// returns the new value instead, as its last result: who was given the value before still has it.
	Mutable bool
}

// Types are parameters that the function only reads.
func Types(types ...SplitType) []Param {
	out := make([]Param, len(types))
	for i, t := range types {
		out[i].Type = t
	}
	return out
}

// SplitType is how data of one kind is cut into pieces and put together again. One is written for each kind of data,
// and shared by the annotations of all libraries that work on it. Pieces are numbered 0 to Elements(v)-1 in the order
// in which they are merged. Where data is, and moving it, is the runtime's business.
type SplitType interface {
	// Name tells split types apart: data that is split by types of one name, into as many elements, can stay split from
	// one function to the next.
	Name() string
	// Elements is how many elements v can be cut into; data that is not splittable is passed whole.
	Elements(v any) (n int, splittable bool)
	// Split returns elements lo to hi, without a copy where it can; ok is false when there are none.
	Split(v any, lo, hi int) (piece any, ok bool)
	// Merge puts pieces together, in their order. It must be associative.
	Merge(pieces []any) (any, error)
	// TransferCost is the cost of moving n elements between the host and a device, in the unit of Estimator.
	TransferCost(n int) (cost float64, ok bool)
}

// Broadcast is the split type of data that every piece gets whole: numbers, weights, models.
var Broadcast SplitType = broadcast{}

type broadcast struct{}

func (broadcast) Name() string                      { return "broadcast" }
func (broadcast) Elements(any) (int, bool)          { return 0, false }
func (broadcast) Split(v any, _, _ int) (any, bool) { return v, true }
func (broadcast) Merge(pieces []any) (any, error)   { return pieces[0], nil }
func (broadcast) TransferCost(int) (float64, bool)  { return 0, true }

// Generic is a split type that stands for any other: arguments and results of a call that have the same one are split
// alike, as those of the function that made them were. It becomes the array library's default type when nothing says
// more.
func Generic(name string) SplitType { return generic{broadcast{}, name} }

type generic struct {
	broadcast
	name string
}

func (g generic) Name() string { return g.name }

// IsGeneric reports whether t was made by Generic.
func IsGeneric(t SplitType) bool {
	_, ok := t.(generic)
	return ok
}

// Combined is the split type of a result that the pieces' results are combined to: of a sum, by addition. It cannot be
// split.
func Combined(name string, f func(a, b any) any) SplitType { return combined{broadcast{}, name, f} }

type combined struct {
	broadcast
	name string
	f    func(a, b any) any
}

func (c combined) Name() string { return c.name }
func (c combined) Merge(pieces []any) (any, error) {
	out := pieces[0]
	for _, p := range pieces[1:] {
		out = c.f(out, p)
	}
	return out, nil
}

// IsCombined reports whether t was made by Combined.
func IsCombined(t SplitType) bool {
	_, ok := t.(combined)
	return ok
}

// TransferCost tells what moving so many elements costs, in the unit of the call's Estimator.
type TransferCost interface{ Of(elements int) float64 }

// WithTransfer returns t with a cost of moving its elements: a Linear, or a Measured.
func WithTransfer(t SplitType, cost TransferCost) SplitType {
	return transfer{t, cost}
}

type transfer struct {
	SplitType
	cost TransferCost
}

func (t transfer) TransferCost(n int) (float64, bool) { return t.cost.Of(n), true }
