package dp

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"weak"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Report is the steps of a verb as the data-parallel machine of Hillis and Steele takes them, a processor for each
// element: the same on every device. What a step takes is known of the machines "cm:1986" and "cm:1986-16k".
type Report struct {
	Verb   string
	Steps  []cm.Step
	Device string // that was in use

	frames []frame        // what Play shows
	asks   bool           // its messages are questions
	replay func() []frame // makes them; nil where they are there, or there are none
}

// Steps returns the steps of the verb that x is the result of: an array, or what another verb of this package returned.
// It panics with *np.Error where x is nothing of that kind.
func Steps(x any) *Report {
	switch v := x.(type) {
	case *np.Array:
		if r, ok := reports.Load(weak.Make(v)); ok {
			return r.(*Report)
		}
		check("dp.Steps", fmt.Errorf("the array is not what a verb of package dp has returned, whose steps are kept: give that, before it goes through other operations"))
	case interface{ report() *Report }:
		return v.report()
	}
	check("dp.Steps", fmt.Errorf("a value of type %T has no steps: give what a verb of package dp returned", x))
	return nil
}

// reports are those of the arrays that verbs have returned, as long as those live.
var reports sync.Map // of weak.Pointer[np.Array] to *Report

// Active returns how many processors work in each round of all steps.
func (r *Report) Active() (active []int) {
	for _, s := range r.Steps {
		active = append(active, s.Active...)
	}
	return active
}

// Rounds returns how many rounds all steps have: a scan of n elements has log2(n), other steps one.
func (r *Report) Rounds() int { return len(r.Active()) }

// Operations returns how often processors work, in all rounds together.
func (r *Report) Operations() (n int) {
	for _, k := range r.Active() {
		n += k
	}
	return n
}

// Messages returns how many messages go from one processor to another.
func (r *Report) Messages() (n int) {
	for _, s := range r.Steps {
		n += s.Messages
	}
	return n
}

// Count returns how many steps are of a kind.
func (r *Report) Count(kind cm.Kind) (n int) {
	for _, s := range r.Steps {
		if s.Kind == kind {
			n++
		}
	}
	return n
}

// Time returns what the steps take on a Connection Machine: the one named, or the one in use when the verb was called,
// or else "cm:1986". It panics with *np.Error on other names.
func (r *Report) Time(machine ...string) (t trace.Time) {
	id := cm.Machines[0].ID
	if _, ok := cm.Named(r.Device); ok {
		id = r.Device
	}
	if len(machine) > 0 {
		id = machine[0]
	}
	m, ok := cm.Named(id)
	if !ok {
		check("dp.Steps", fmt.Errorf("steps have no prices on %q: name cm:1986 or cm:1986-16k; what a device took is in its trace", id))
	}
	for _, s := range r.Steps {
		t += m.Price(s)
	}
	return t
}

// String says how many steps of which kind there are, and what they take where a Connection Machine was in use.
func (r *Report) String() string {
	var kinds []string
	for k := cm.Context; k <= cm.Front; k++ {
		if n := r.Count(k); n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %v", n, k))
		}
	}
	s := fmt.Sprintf("%s: %d steps (%s), %d rounds, %d operations, %d messages", r.Verb, len(r.Steps), strings.Join(kinds, ", "), r.Rounds(), r.Operations(), r.Messages())
	if _, ok := cm.Named(r.Device); ok {
		s += fmt.Sprintf("; %v on %s", r.Time(), r.Device)
	}
	return s
}

// ledger collects the steps of a verb.
type ledger struct{ *Report }

// steps begins the ledger of a verb on n elements of so many bits. Where a Connection Machine is in use, that many must
// fit in its processors' memories.
func steps(verb string, n, bits int) ledger {
	l := ledger{&Report{Verb: verb, Device: np.Device()}}
	if m, ok := cm.Named(l.Device); ok && m.Ratio(n)*bits > m.Bits {
		check(verb, fmt.Errorf("%s is out of memory: its %d processors stand for %d each, of %d bits, which are %d bits of a memory of %d",
			m.ID, m.Processors, m.Ratio(n), bits, m.Ratio(n)*bits, m.Bits))
	}
	return l
}

func (l ledger) add(kind cm.Kind, name string, size, bits, messages int, active ...int) {
	l.Steps = append(l.Steps, cm.Step{Kind: kind, Name: name, Size: size, Bits: bits, Active: active, Messages: messages})
}

// compute is an operation of active of n processors on what each has.
func (l ledger) compute(name string, n, bits, active int) {
	l.add(cm.Compute, name, n, bits, 0, active)
}

// context is an operation on the selection of n processors.
func (l ledger) context(name string, n int) { l.add(cm.Context, name, n, 1, 0, n) }

// scan is one over n elements: in the round of distance d all but the first d combine, with a message each.
func (l ledger) scan(name string, n, bits int) {
	active, messages := []int{}, 0
	for d := 1; d < n; d *= 2 {
		active = append(active, n-d)
		messages += n - d
	}
	l.add(cm.Scan, name, n, bits, messages, active...)
}

// reduce is a sum, or what is like one, of n elements: in each round half as many combine.
func (l ledger) reduce(name string, n, bits int) {
	active, messages := []int{}, 0
	for d := 2; d < 2*n; d *= 2 {
		k := n/d + min(n%d/(d/2+1), 1) // those with a partner before them, the last one's may lie behind the end
		active = append(active, k)
		messages += k
	}
	l.add(cm.Reduce, name, n, bits, messages, active...)
}

// send is a message of each of the active of n processors.
func (l ledger) send(name string, n, bits, active int) {
	l.add(cm.Send, name, n, bits, active, active)
}

// of keeps the report for a.
func (l ledger) of(a *np.Array) *np.Array {
	p := weak.Make(a)
	reports.Store(p, l.Report)
	runtime.AddCleanup(a, func(p weak.Pointer[np.Array]) { reports.Delete(p) }, p)
	return a
}

// sizeBits is how many bits an element has.
func sizeBits(d np.DType) int {
	if d == np.Bool {
		return 1
	}
	return 8 * d.Size()
}
