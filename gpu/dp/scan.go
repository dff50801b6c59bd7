package dp

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Option is what can be said of a scan: [Axis], [PerThread], [Threads], [Kernel], [Vectors], [PackedFlags].
type Option struct{ set func(o *options) }

type options struct {
	axis []int
	form scan.Form
}

// Axis scans along an axis of the array, each line by itself, where without it all elements are one line in C order.
func Axis(k int) Option { return Option{func(o *options) { o.axis = []int{k} }} }

// PerThread says how many neighbours a thread combines before it meets others: 1 to 32, 8 where nothing is said. Sums
// of floats depend on it in their last bits.
func PerThread(n int) Option {
	return Option{func(o *options) { o.named().Each = n }}
}

// Threads says how many threads a block has: a multiple of 32, 1,024 at most, 256 where nothing is said. Sums of floats
// depend on it in their last bits.
func Threads(n int) Option {
	return Option{func(o *options) { o.named().Threads = n }}
}

// Vectors says how many bytes of neighbouring elements a thread moves by one access between arrays and shared memory,
// where PerThread is a multiple of these: 16, 8 or 4, or 0 for one element at a time. Where nothing is said it is 16,
// on machines without shuffles 4. Results are the same.
func Vectors(bytes int) Option { return Option{func(o *options) { o.named().Vectors = bytes }} }

// PackedFlags has a scan by segments read the flags of where they begin from bits, which are packed first, eight in a
// byte: a thread of eight elements has all of theirs in one register. Results are the same.
func PackedFlags() Option { return Option{func(o *options) { o.named().Packed = true }} }

func (o *options) named() *scan.Form {
	if o.form == (scan.Form{}) {
		o.form = scan.Default
	}
	return &o.form
}

// Scan returns the combinations of elements 0 to i of x, at i: running sums, maxima and the like. x is an array, or
// what becomes one. It has x's shape with [Axis], and is one line without; its dtype is that of x, or of the operator's
// function. Unlike np.CumSum it adds in the dtype of x.
//
// The order of combinations depends on the shape alone; that of floats is described with np.CumSum's kernels.
func Scan(op *Operator, x any, opts ...Option) *np.Array {
	return scannedAs("dp.Scan", op, x, nil, false, opts)
}

// ScanEx is the exclusive [Scan]: at i the combination of elements 0 to i-1, at 0 the operator's identity.
func ScanEx(op *Operator, x any, opts ...Option) *np.Array {
	return scannedAs("dp.ScanEx", op, x, nil, true, opts)
}

// scannedAs is scanned, and keeps the steps: the lines of an axis are scanned side by side.
func scannedAs(name string, op *Operator, x any, heads *np.Array, exclusive bool, opts []Option) *np.Array {
	a := array(name, x)
	out := scanned(name, op, a, heads, exclusive, opts)
	bits := sizeBits(out.DType())
	l := steps(name, a.Size(), 2*bits)
	l.scan(name, a.Size(), bits)
	if d := out.DType(); heads == nil && !exclusive && a.NDim() == 1 && a.Size() <= mostShown && !d.IsComplex() && !d.IsString() {
		shown := a.AsType(d).Copy() // as it is now
		l.replay = func() []frame { return op.rounds(shown) }
	}
	return l.of(out)
}

// scanned scans x, by segments where there are heads.
func scanned(name string, op *Operator, x any, heads *np.Array, exclusive bool, opts []Option) *np.Array {
	return scannedTo(name, op, x, heads, nil, exclusive, opts)
}

// scannedTo is scanned, and has those elements alone that are at ends, the last ones of segments, if that is an array.
func scannedTo(name string, op *Operator, x any, heads, ends *np.Array, exclusive bool, opts []Option) *np.Array {
	var o options
	for _, option := range opts {
		option.set(&o)
	}
	if o.form != (scan.Form{}) {
		check(name, o.form.Check())
	}
	if o.form.Conditional && heads == nil {
		check(name, fmt.Errorf("dp.Conditional is a method of scans by segments: name dp.WarpWise, or call dp.SegScan"))
	}
	if o.form.Packed && heads == nil {
		check(name, fmt.Errorf("dp.PackedFlags is about the flags of segments, which there are none of: call dp.SegScan"))
	}
	a := array(name, x)
	if op != nil && op.texts != nil {
		return op.scannedTexts(name, a, heads, exclusive, o)
	}
	by, d := op.on(name, a.DType())
	if exclusive && by.Identity == nil {
		check(name, fmt.Errorf("an exclusive scan begins with the operator's identity: give it to dp.Op(%s, identity)", op.name))
	}
	xs := []*np.Array{a.AsType(d)}
	s := scan.Spec{Op: by, Form: o.form, Exclusive: exclusive}
	if heads != nil {
		s.Op = scan.Segmented(by)
		s.Lower = segmentValue(kirTypes[d], by, exclusive)
		if o.form.Packed {
			heads = np.PackBits(heads)
		}
		xs = []*np.Array{heads, xs[0]}
	}
	c := kernelcall.Scan[np.Array]{Name: callName(name, op), Spec: s, Xs: xs, DType: d, Axis: o.axis, Ends: ends}
	if op.inline == nil && op.built == nil && !op.first {
		c.Plain = &kernelcall.Plain{Op: op.op, Heads: heads != nil}
	}
	if op.inline != nil {
		c.Key = key{op.inline, len(by.Identity) > 0, append(by.Identity, 0)[0]}
	}
	return np.Wiring{}.ScanBy(c)
}

// key tells functions of one name apart, and the identities that were given with one.
type key struct {
	f        *gosrc.Inline
	has      bool
	identity uint64
}

// segmentValue takes the value of a state of a scan by segments.
func segmentValue(out kir.Type, by scan.Op, exclusive bool) func(b *kir.Builder, state, in []*kir.Value) []*kir.Value {
	return func(b *kir.Builder, state, in []*kir.Value) []*kir.Value {
		v := state[1]
		if exclusive { // what stands before a head is another segment's
			v = b.Op(kir.OpSelect, in[0], b.Bits(by.State[0], by.Identity[0]), v)
		}
		return []*kir.Value{b.Convert(out, v)}
	}
}

// callName is what traces call a scan.
func callName(name string, op *Operator) string {
	return strings.ToLower(strings.TrimPrefix(name, "dp.")) + "_" + op.name
}

// array is x as a lazy array.
func array(op string, x any) *np.Array {
	if a, ok := x.(*np.Array); ok {
		if a == nil {
			check(op, fmt.Errorf("an operand is a nil *Array; was it never assigned?"))
		}
		return a
	}
	if _, are := x.(*np.Records); are {
		check(op, fmt.Errorf("records are scanned by dp.ScanRecords, ScanRecordsEx and SegScanRecords, which return records"))
	}
	a, _, err := arrays.AsArray(x)
	check(op, err)
	return np.FromArray(a)
}
