package dp

import "github.com/arrayrepl/arrayrepl/kir/scan"

// Method is how the threads of a block scan what each of them has: [WarpWise], [Simple] or [Downsweep]; by segments
// also [Transformed] and [Conditional].
type Method interface{ method(f *scan.Form) }

// WarpWise is the method of Sengupta, Harris and Garland, which is the one where nothing is said: each warp scans in
// five steps of all its lanes, the first warp then the totals of the warps. Lanes exchange numbers by shuffles where
// the machine has them, or through shared memory, as on the machines of the paper, where Shared is set.
type WarpWise struct{ Shared bool }

// Simple is the method of Hillis and Steele for a whole block, with two barriers a step. Threads must be a power of
// two.
type Simple struct{}

// Downsweep is Blelloch's: a tree of sums up and down again. It does fewer operations in twice as many steps. Pad
// leaves words free in shared memory, so that the tree's levels meet in fewer banks. Threads must be a power of two,
// and the operator needs its identity.
type Downsweep struct{ Pad bool }

// Transformed is the warp-wise scan by segments of numbers with flags, by an operator that combines both: what
// [WarpWise] is where there are segments. Shared is as there.
type Transformed struct{ Shared bool }

// Conditional is the warp-wise scan by segments in which lanes first find, by a scan of maxima, where their segments
// begin, and then combine what lies within. The results are those of [Transformed]. Shared is as with [WarpWise].
type Conditional struct{ Shared bool }

func (m Transformed) method(f *scan.Form) { WarpWise(m).method(f) }
func (m Conditional) method(f *scan.Form) {
	WarpWise(m).method(f)
	f.Conditional = true
}
func (m WarpWise) method(f *scan.Form)  { f.Method, f.Shuffles = scan.WarpWise, !m.Shared }
func (Simple) method(f *scan.Form)      { f.Method = scan.Simple }
func (m Downsweep) method(f *scan.Form) { f.Method, f.Pad = scan.Downsweep, m.Pad }

// Kernel chooses how blocks scan, to compare methods. Sums of floats depend on it in their last bits.
func Kernel(m Method) Option { return Option{func(o *options) { m.method(o.named()) }} }
