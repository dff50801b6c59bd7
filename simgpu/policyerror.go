package simgpu

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// PolicyError is the error of a launch whose policy, of a cell or a program, did what no policy may: the launch's
// results are there, its time is not.
type PolicyError struct {
	Kernel     string
	Policy     string // its Name
	Kind       string // "issue policy", "divergence policy", "block order", "lane map", "co-issue policy", "block policy", "load order"
	Cycle      int64  // of the replay; -1 before it
	Candidates []string
	What       string // what it did

	panicked any
}

// Error names the policy, what it did and when, and what it had to choose from.
func (e *PolicyError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "kernel %s: the %s %q ", e.Kernel, e.Kind, e.Policy)
	if e.Cycle >= 0 {
		fmt.Fprintf(&s, "in cycle %d ", e.Cycle)
	}
	s.WriteString(e.What)
	for i, c := range e.Candidates {
		s.WriteString([]string{"; it had: ", "; "}[min(i, 1)] + c)
	}
	return s.String()
}

// Panicked returns what the policy panicked with, nil when it did not: whoever shows the error can show the lines.
func (e *PolicyError) Panicked() any { return e.panicked }

// Unwrap returns what the policy panicked with, where that is an error.
func (e *PolicyError) Unwrap() error {
	err, _ := e.panicked.(error)
	return err
}

// What the kinds of policies are called.
const (
	issueKind      = "issue policy"
	divergenceKind = "divergence policy"
	orderKind      = "block order"
	lanesKind      = "lane map"
	coKind         = "co-issue policy"
	ctaKind        = "block policy"
	loadKind       = "load order"
)

// policyNames is what the policies call themselves.
type policyNames struct{ divergence, issue, order, lanes, co, ctas, loads string }

func (p policies) names() policyNames {
	n := policyNames{nameOf(p.divergence), nameOf(p.issue), nameOf(p.order), "identity", "none", "baseline", "fifo"}
	if p.lanes != nil {
		n.lanes = nameOf(p.lanes)
	}
	if p.co != nil {
		n.co = nameOf(p.co)
	}
	if p.picker != nil {
		n.issue = nameOf(p.picker)
	}
	if p.ctas != nil {
		n.ctas = nameOf(p.ctas)
	}
	if p.loads != nil {
		n.loads = nameOf(p.loads)
	}
	if d, ok := p.divergence.(DWF); ok { // it has an issue policy of its own
		n.issue = nameOf(d.picker())
	}
	return n
}

// nameOf returns what a policy calls itself, or its type where it cannot say.
func nameOf(p interface{ Name() string }) (name string) {
	if ask(func() { name = p.Name() }) != nil {
		return fmt.Sprintf("%T", p)
	}
	return name
}

// mostCandidates bounds how many candidates an error lists.
const mostCandidates = 8

// guardAll lets policies of this package be watched as others are: for tests.
var guardAll = false

// ask calls f, a method of a policy that somebody else may have written, and returns an error when it panics.
func ask(f func()) (err *PolicyError) {
	defer func() {
		if v := recover(); v != nil {
			err = &PolicyError{What: fmt.Sprintf("panicked: %v", v), Cycle: -1, panicked: v}
		}
	}()
	f()
	return nil
}

// blame keeps the first error of a policy, which ends the run.
func (m *machine) blame(kind, name string, cycle int64, candidates []string, e *PolicyError) {
	if m.err != nil {
		return
	}
	e.Kernel, e.Kind, e.Policy, e.Cycle, e.Candidates = m.kernel, kind, name, cycle, candidates
	m.err = e
}

// errEnded is that of a policy that ended its goroutine, as an interrupt of its cell makes it do.
var errEnded = errors.New("a policy of the machine was ended before it had decided")

// apart runs work that may call functions of cells, on a goroutine of its own: one that is interrupted ends its
// goroutine. It gets the labels of the goroutine for which it works, by which interrupts find it.
func apart(labels unsafe.Pointer, work func() error) error {
	err, ended := errEnded, make(chan struct{})
	go func() {
		defer close(ended)
		golabel.Set(labels)
		err = work()
	}()
	<-ended
	return err
}

// asked is a Divergence that somebody else may have written. What it panics with becomes the machine's error.
type asked struct {
	Divergence
	m *machine
}

// New implements Divergence.
func (a asked) New(lanes Mask, join []int) Split {
	a.m.asks = question{what: "began", lanes: lanes}
	of := a.Divergence.New(lanes, join)
	a.m.asks = question{}
	if of == nil {
		a.m.blameDivergence("returned no Split for a warp that begins", []string{"lanes " + laneText(lanes)})
	}
	return &askedSplit{of, a.m}
}

type askedSplit struct {
	of Split
	m  *machine
}

// Group implements Split.
func (s *askedSplit) Group() (block int, lanes Mask) {
	if s.of == nil || s.m.err != nil {
		return Exit, 0
	}
	s.m.asks = question{what: "was asked for the next lanes"}
	block, lanes = s.of.Group()
	s.m.asks = question{}
	return block, lanes
}

// Resolve implements Split.
func (s *askedSplit) Resolve(arms []Arm) (out []Split) {
	if s.of == nil || s.m.err != nil {
		return nil
	}
	arms = append([]Arm(nil), arms...) // it may keep them
	s.m.asks = question{what: "heard where lanes go", arms: arms}
	splits := s.of.Resolve(arms)
	s.m.asks = question{}
	for _, x := range splits {
		if x == nil {
			s.m.blameDivergence("returned a Split that is nil", []string{armsText(arms)})
		}
		out = append(out, &askedSplit{x, s.m})
	}
	return out
}

// Wait implements Waiter.
func (s *askedSplit) Wait() Split {
	w, ok := s.of.(Waiter)
	if !ok || s.m.err != nil {
		return nil
	}
	s.m.asks = question{what: "heard that its lanes wait at a barrier"}
	rest := w.Wait()
	s.m.asks = question{}
	if rest == nil {
		return nil
	}
	return &askedSplit{rest, s.m}
}

// Inspect implements Inspector.
func (s *askedSplit) Inspect() []trace.Table {
	i, ok := s.of.(Inspector)
	if !ok || s.m.err != nil {
		return nil
	}
	s.m.asks = question{what: "was asked for its state"}
	out := i.Inspect()
	s.m.asks = question{}
	return out
}

// question is what the machine asks a policy, or tells it, while it does: so the policy's panic is known for one. To
// have one recover for each run, and not for each question, is what makes policies of cells fast.
type question struct {
	what  string // empty: it asks nobody
	kind  string // of who is asked, where that is not the divergence or issue policy
	of    *scheduler
	lanes Mask
	arms  []Arm
}

// panicked makes the error of the run of what a policy has panicked with; any other panic goes on.
func (m *machine) panicked(v any) {
	q := m.asks
	m.asks = question{}
	e := &PolicyError{What: fmt.Sprintf("panicked: %v", v), panicked: v}
	switch {
	case q.what == "":
		panic(v)
	case q.of != nil:
		q.of.refuse(m.now, e)
	case q.kind == lanesKind:
		m.blame(lanesKind, m.names.lanes, m.now, nil, e)
	case q.kind == ctaKind:
		m.blame(ctaKind, m.names.ctas, m.now, nil, e)
	case q.kind == loadKind:
		m.blame(loadKind, m.names.loads, m.now, nil, e)
	case q.kind == coKind:
		m.blame(coKind, m.names.co, m.now, nil, e)
	default:
		told := "it " + q.what
		if q.lanes != 0 {
			told += " with lanes " + laneText(q.lanes)
		}
		if q.arms != nil {
			told += ": " + armsText(q.arms)
		}
		m.blame(divergenceKind, m.names.divergence, m.now, []string{told}, e)
	}
}

func (m *machine) blameDivergence(what string, candidates []string) {
	m.blame(divergenceKind, m.names.divergence, m.now, candidates, &PolicyError{What: what})
}

func armsText(arms []Arm) string {
	var parts []string
	for _, a := range arms {
		to := fmt.Sprint("block ", a.Block)
		if a.Block == Exit {
			to = "the exit"
		}
		parts = append(parts, fmt.Sprintf("lanes %s to %s", laneText(a.Lanes), to))
	}
	return strings.Join(parts, ", ")
}

// laneText lists lanes: "0-15,17".
func laneText(m Mask) string {
	if m == 0 {
		return "none"
	}
	var parts []string
	for m != 0 {
		from := m.first()
		to := from
		for to < maxWarp-1 && m>>uint(to+1)&1 == 1 {
			to++
		}
		if m &^= lanes(from, to+1); from == to {
			parts = append(parts, fmt.Sprint(from))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", from, to))
		}
	}
	return strings.Join(parts, ",")
}
