package lazy

import (
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/offload"
)

// The types and values that lazy shares with arrays, so that a program needs one import.
type (
	DType           = arrays.DType
	Ufunc           = arrays.Ufunc
	Error           = arrays.Error
	Matrix          = arrays.Matrix
	Slice           = arrays.Slice
	AxisOption      = arrays.AxisOption
	ReduceOption    = arrays.ReduceOption
	CSVOption       = arrays.CSVOption
	CSVReport       = arrays.CSVReport
	RaggedRows      = arrays.RaggedRows
	PrintOption     = arrays.PrintOption
	DensityOption   = arrays.DensityOption
	QuantileOption  = arrays.QuantileOption
	GradientOption  = arrays.GradientOption
	FFTOption       = arrays.FFTOption
	HistogramOption = arrays.HistogramOption
	BinCountOption  = arrays.BinCountOption
	LimitsOption    = arrays.LimitsOption
	MinLengthOption = arrays.MinLengthOption
	EdgeOption      = arrays.EdgeOption
	FrequencyOption = arrays.FrequencyOption
	LeftOption      = arrays.LeftOption
	InterpOption    = arrays.InterpOption
	PeriodOption    = arrays.PeriodOption
	RightOption     = arrays.RightOption
	SorterOption    = arrays.SorterOption
	PadMode         = arrays.PadMode
	PadOption       = arrays.PadOption
	QuantileMethod  = arrays.QuantileMethod
	WeightOption    = arrays.WeightOption
	Unit            = arrays.Unit
	FloatInfo       = arrays.FloatInfo
	IntInfo         = arrays.IntInfo
)

// Dtypes and indices: see package arrays.
const (
	Bool       = arrays.Bool
	Int8       = arrays.Int8
	Int16      = arrays.Int16
	Int32      = arrays.Int32
	Int64      = arrays.Int64
	Uint8      = arrays.Uint8
	Uint16     = arrays.Uint16
	Uint32     = arrays.Uint32
	Uint64     = arrays.Uint64
	Float16    = arrays.Float16
	Float32    = arrays.Float32
	Float64    = arrays.Float64
	Complex64  = arrays.Complex64
	Complex128 = arrays.Complex128

	StringDType = arrays.StringDType

	Year        = arrays.Year
	Month       = arrays.Month
	Week        = arrays.Week
	Day         = arrays.Day
	Hour        = arrays.Hour
	Minute      = arrays.Minute
	Second      = arrays.Second
	Millisecond = arrays.Millisecond
	Microsecond = arrays.Microsecond
	Nanosecond  = arrays.Nanosecond

	RaggedRefused = arrays.RaggedRefused
	RaggedFilled  = arrays.RaggedFilled
	RaggedSkipped = arrays.RaggedSkipped

	PadConstant  = arrays.PadConstant
	PadEdge      = arrays.PadEdge
	PadReflect   = arrays.PadReflect
	PadSymmetric = arrays.PadSymmetric
	PadWrap      = arrays.PadWrap

	PadLinearRamp = arrays.PadLinearRamp
	PadMaximum    = arrays.PadMaximum
	PadMean       = arrays.PadMean
	PadMedian     = arrays.PadMedian
	PadMinimum    = arrays.PadMinimum

	QuantileInvertedCDF             = arrays.QuantileInvertedCDF
	QuantileAveragedInvertedCDF     = arrays.QuantileAveragedInvertedCDF
	QuantileClosestObservation      = arrays.QuantileClosestObservation
	QuantileInterpolatedInvertedCDF = arrays.QuantileInterpolatedInvertedCDF
	QuantileHazen                   = arrays.QuantileHazen
	QuantileWeibull                 = arrays.QuantileWeibull
	QuantileLinear                  = arrays.QuantileLinear
	QuantileMedianUnbiased          = arrays.QuantileMedianUnbiased
	QuantileNormalUnbiased          = arrays.QuantileNormalUnbiased
	QuantileLower                   = arrays.QuantileLower
	QuantileHigher                  = arrays.QuantileHigher
	QuantileMidpoint                = arrays.QuantileMidpoint
	QuantileNearest                 = arrays.QuantileNearest

	All     = arrays.All
	NewAxis = arrays.NewAxis
	Dots    = arrays.Dots
	End     = arrays.End
)

// Array is a placeholder for an N-dimensional array: a storage through a layout. Operations return new placeholders;
// Set and AddAt change the storage, so that all views of it see it. Methods may be called from several goroutines.
type Array struct {
	*storage
	layout *arrays.Layout // which others may have: it is never written to

	gathered *gathered // nil where all of the node is brought to the host; written by eval alone
}

// gathered is the elements of a small view of node of, to be brought to the host without the others.
type gathered struct{ node, of *node }

// storage is what the views of one array share: the node that makes its elements as they now are. An assignment puts
// another node in its place; what was computed from the array before keeps the node that it saw, so that the order of
// the program is kept though nothing has run.
type storage struct {
	dtype arrays.DType
	ref   *ref
}

// ref is apart from the storage so that a cleanup can have it.
type ref struct {
	mu   sync.Mutex
	node *node // nil while there are only the elements of a hosted array
	unseen
}

// handle is an Array and what it refers to in one piece of memory.
type handle struct {
	array   Array
	storage storage
	ref     ref
}

// view is a node's elements through a layout.
type view struct {
	node   *node
	layout *arrays.Layout
}

// kind is how a node's elements come to be.
type kind uint8

const (
	kindValue  kind = iota // they exist: value holds them
	kindConst              // all are the same: scalar
	kindIota               // element i is i
	kindUfunc              // ufunc of args, broadcast
	kindCast               // args[0] as dtype; also gathers a view into a contiguous array
	kindReduce             // reduction of args[0]
	kindPatch              // args[0], but through layout it is args[1]
	kindHost               // what host computes of args, on the CPU
	kindMap                // a Go function of args, broadcast
	kindLaunch             // what a kernel of the user's leaves of args, the first of which are what it began with
)

// node is one operation of the graph. Its elements, once made, lie contiguous in C order in value. A node is written by
// its constructor, and by eval under the evaluation lock. Nodes refer to each other by views, never by the Arrays that
// cells hold, so that handles tells whether a cell can still ask for the elements.
//
// Graphs of tiny arrays cost what their nodes take in memory: one is 96 bytes, and a view of another is 16.
type node struct {
	handles atomic.Int32 // storages of this node that are not known to be garbage; those of small arrays never are
	refs    atomic.Int32 // how many launches refer to the node as it is, and whether anything else may: others
	part    bool         // of an operation that has a name of its own: not named

	kind    kind
	ufunc   arrays.Ufunc
	dtype   arrays.DType
	compute arrays.DType // the dtype in which ufunc works

	layout *arrays.Layout // of all elements
	args   []view         // to be changed by become alone, or one by one
	scalar *arrays.Array  // of a constant
	*rare

	visited uint32       // number of the walk that came to it last
	depth   atomic.Int32 // how many operations wait for each other up to this one, at most; see grows
	readers int32        // in the evaluation that is being planned
	// its number in the order of that evaluation; of a constant, among the inputs of the group that is looked at
	at int32

	value *offload.Value
	made  *made // nil until the elements are
}

// rare is what few nodes have.
type rare struct {
	reduce *arrays.ReduceSpec // of a reduction
	into   *arrays.Layout     // of a patch: where it assigns
	// of a patch: launches have made what it assigns, see [portion]; what it reads counts it among what refers to it
	portion bool
	afresh  bool // of a portion: others that are assigned later cover all else
	host    *hostOp
	launch  *kernelRun
	inline  *gosrc.Inline // of a map
	result  int           // which of its results; of those after the first, the node of the first is the last argument

	onDisk    bool       // the elements are in a file, and not in memory
	outOfCore *outOfCore // how it is computed block by block; nil otherwise, and decided for each evaluation
	spills    string     // where its elements go to a temporary file: in which directory
	inFile    *inFile    // which can be assigned to; nil otherwise
	of        []*inFile  // of a node that waits: those that it is made of
	label     string     // instead of the operation's name
	why       []string   // why it runs where it does, where that was decided
	placed    []Placement
	rewritten []string // the rules that made it what it is
	past      *past    // nil where the elements cannot be lost
	wrote     any      // the place that wrote it, of what can fail because of its elements; see writtenHere
}

// ordinary is what nodes have of which nothing rare is said. Nobody writes to it.
var ordinary rare

// nodeOfFew is a node with its arguments in one piece of memory.
type nodeOfFew struct {
	node
	few [2]view
}

// newNode returns a node with elements of that layout, which is contiguous, that is made of args, and of what is rare.
func newNode(k kind, dtype arrays.DType, l *arrays.Layout, r *rare, args ...view) *node {
	var n *node
	if few := len(args); few > 0 && few <= len(nodeOfFew{}.few) {
		m := new(nodeOfFew)
		n = &m.node
		n.args = m.few[:few:few]
		copy(n.args, args)
	} else {
		n = &node{args: slices.Clone(args)}
	}
	n.kind, n.dtype, n.layout, n.rare = k, dtype, l, r
	n.readsFiles()
	if n.grows(); len(args) > 0 {
		waiting.Add(1)
	}
	return n
}

// constant returns the node of elements that are all the same.
func constant(v *arrays.Array, l *arrays.Layout) *node {
	return &node{kind: kindConst, dtype: v.DType(), layout: l, scalar: v, rare: &ordinary}
}

// become makes n another operation with the same elements. What it was made of is let go, also where the node itself
// has it.
func (n *node) become(k kind, args ...view) {
	args = slices.Clone(args)
	clear(n.args)
	n.kind, n.args = k, args
	n.readsFiles()
	n.grows()
}

// own returns what is rare of n, to be written to.
func (n *node) own() *rare {
	if n.rare == &ordinary {
		n.rare = new(rare)
	}
	return n.rare
}

// contiguous returns the layout of an array of its own. It panics on a shape that no memory holds.
func contiguous(shape []int) *arrays.Layout {
	l := arrays.Contiguous(shape...)
	return &l
}

// whole returns the placeholder of all of n's elements.
func (n *node) whole() *Array { return newArray(n, n.layout) }

// smallBytes is the most that an array has of which nobody is told when no cell can ask for it any more: to be told
// takes longer than all else that a placeholder does, and there is little to be gained. Its elements, where they were
// stored, go with the garbage.
const smallBytes = 4096

// newArray returns a placeholder of n's elements through l, with a storage of its own. It evaluates them where too much
// waits for that.
func newArray(n *node, l *arrays.Layout) *Array {
	p := new(handle)
	p.storage.dtype, p.storage.ref = n.dtype, &p.ref
	p.array.storage, p.array.layout = &p.storage, l
	if sizeBytes(n) > smallBytes {
		p.storage.ref = new(ref)
		goruntime.AddCleanup(&p.storage, letGo, p.storage.ref)
	}
	p.storage.ref.node = n
	n.handles.Add(1)
	p.array.bound(n)
	return &p.array
}

// others is a bit of a node's refs: something may refer to it that is no launch.
const others = 1 << 30

// see notes that something may refer to n as it is.
func (n *node) see() {
	if n.refs.Load()&others == 0 {
		n.refs.Or(others)
	}
}

// letGo tells the node of a storage that is gone.
func letGo(r *ref) {
	r.node.handles.Add(-1)
}

// view returns what a is now, which later assignments do not change.
func (a *Array) view() view {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	n := a.current()
	n.see()
	return view{n, a.layout}
}

// now returns a's node for who does not refer to it any more once a may have another.
func (a *Array) now() *node {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	return a.current()
}

// viewed returns the view of a's storage through l, or panics with err.
func (a *Array) viewed(l arrays.Layout, err error) *Array {
	check("view", err)
	return a.through(l)
}

// through returns another view of a's storage.
func (a *Array) through(l arrays.Layout) *Array {
	a.now() // its layout is that of the node, l is not
	return &Array{storage: a.storage, layout: &l}
}

// isWhole reports whether a is all of its node's elements in their order and shape.
func (a view) isWhole() bool {
	return a.layout == a.node.layout || slices.Equal(a.layout.Shape, a.node.layout.Shape) && a.layout.Offset == 0 && a.layout.IsContiguous()
}

// Shape returns the size of each axis. It evaluates nothing.
func (a *Array) Shape() []int {
	a.assigned()
	return slices.Clone(a.layout.Shape)
}

// DType returns the type of the elements. It evaluates nothing.
func (a *Array) DType() DType {
	a.assigned()
	return a.dtype
}

// NDim returns the number of axes. It evaluates nothing.
func (a *Array) NDim() int {
	a.assigned()
	return a.layout.NDim()
}

// Size returns the number of elements. It evaluates nothing.
func (a *Array) Size() int {
	a.assigned()
	return a.layout.Size()
}

// NBytes returns how many bytes the elements take. It evaluates nothing.
func (a *Array) NBytes() int {
	a.assigned()
	return a.layout.Size() * a.dtype.Size()
}

// Len returns the size of the first axis. It panics with *Error when a is 0-d. It evaluates nothing.
func (a *Array) Len() int {
	a.assigned()
	if a.NDim() == 0 {
		panic(&Error{Op: "len", Shapes: [][]int{{}}, Msg: "a 0-d array has no length; Size counts its one element"})
	}
	return a.layout.Shape[0]
}

// check panics with err as an *Error of operation op, if there is one.
func check(op string, err error) {
	if err == nil {
		return
	}
	if e, ok := err.(*Error); ok {
		named := *e
		if named.Op == "" {
			named.Op = op
		}
		panic(&named)
	}
	panic(&Error{Op: op, Err: err})
}
