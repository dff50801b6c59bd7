package lazy

import (
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload"
)

// A graph that only grows, as x = x*0.5 + 1 does in a loop that shows nothing, would take memory without a bound, and
// the one evaluation at its end would be of all steps. So an operation behind which many others wait is evaluated when
// it is made. It is then an array like any other that has been computed: results are the same bit by bit, and kernels
// lose nothing, as they have 128 operations at most.

const (
	// deepest is how many operations may wait one behind another. A step of a loop costs the same as with more; each
	// array that grows takes about a megabyte.
	deepest = 4096
	// deepestCalls is the same where functions of the user's, or kernels, are among them: when they run may be seen, as
	// they may print and read variables, so this happens only where memory would run out in the end.
	deepestCalls = 1 << 14
	// shallow takes the place of deepest, and deepest that of deepestCalls, while a very large number of operations
	// wait in all, as in a program that lets 100,000 arrays grow.
	shallow = 2 * maxGroup
	// mostHeld is how many arrays are evaluated together.
	mostHeld = 64

	// withCalls is a bit of a node's depth: that a call of a user's function or kernel waits.
	withCalls = 1 << 30
)

// mostWaiting is that number; tests change it.
var mostWaiting int64 = 1 << 20

// waiting counts the nodes that were made, less those that evaluations have computed. Those that nobody evaluates are
// counted too, so it begins anew when it is twice as large as it may be.
var waiting atomic.Int64

// grows notes how many operations wait behind n at most. What waits for them may since have been computed: evaluating
// tells.
func (n *node) grows() {
	if n.kind == kindValue || len(n.args) == 0 {
		n.depth.Store(0)
		return
	}
	deep, calls := int32(0), int32(0)
	for _, a := range n.args {
		d := a.node.depth.Load()
		deep, calls = max(deep, d&^withCalls), calls|d&withCalls
	}
	if n.kind == kindLaunch || n.kind == kindHost && n.host.fn != nil {
		calls = withCalls
	}
	n.depth.Store(deep + 1 | calls)
}

// tooDeep reports whether so many operations wait behind n that it must be evaluated, and how many may.
func (n *node) tooDeep() (most int32, yes bool) {
	d := n.depth.Load()
	deep := d &^ withCalls
	if deep < shallow {
		return 0, false
	}
	w := waiting.Load()
	if w > 2*mostWaiting {
		waiting.Store(0)
	}
	many := w > mostWaiting
	switch calls := d&withCalls != 0; {
	case calls && !many:
		most = deepestCalls
	case calls || !many:
		most = deepest
	default:
		most = shallow
	}
	return most, deep >= most
}

// bound evaluates a, whose node n is, if too many operations wait behind it. It does nothing while somebody evaluates:
// an annotated function that makes arrays while it runs would wait for itself. The next operation on a then tries
// again. It panics as Eval does.
func (a *Array) bound(n *node) {
	if t := offload.Triggered(); t != nil {
		ahead.add(a, n, t)
	}
	most, yes := n.tooDeep()
	if !yes {
		return
	}
	select {
	case evaluating <- struct{}{}:
		unlock()
	default:
		return
	}
	if _, _, err := evaluate([]*Array{a}, toBeThere, most); err != nil {
		panic(err)
	}
}

// together returns what to evaluate for a target behind which more operations than most may wait: nothing where fewer
// do after all, and else also the large arrays on the way that variables hold, since they grow with it, and each would
// be computed from the beginning otherwise. (What lies between small arrays is kept by all evaluations, at least one
// array in each 128.)
func together(target *node, rt *offload.Runtime, most int32) []*node {
	order := pending([]*node{target})
	if len(order) < int(most)/2 {
		target.depth.Store(int32(len(order)) | target.depth.Load()&withCalls)
		return nil
	}
	targets := []*node{target}
	large := func(n *node) bool { return n != target && sizeBytes(n) > smallBytes && n.handles.Load() > 0 }
	collected, room := false, rt.Room()/4
	for i := len(order) - 1; i >= 0 && len(targets) < mostHeld; i-- {
		n := order[i]
		if !large(n) {
			continue
		}
		if !collected { // only this tells what variables hold
			offload.Collect()
			if collected = true; !large(n) {
				continue
			}
		}
		if room -= int64(sizeBytes(n)); room < 0 {
			break
		}
		targets = append(targets, n)
	}
	return targets
}
