package simgpu

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Divergence is a policy of what happens when lanes of a warp want to go different ways.
type Divergence interface {
	Name() string
	// New returns the control state of a warp that begins at block 0 with the given lanes. join[b] is the block where
	// the ways out of block b meet again, its immediate post-dominator, or Exit.
	New(lanes Mask, join []int) Split
}

// Split is lanes of one warp that issue together, and what the policy knows of them.
type Split interface {
	// Group returns the block to execute next and the lanes that do; no lanes when all have returned.
	Group() (block int, lanes Mask)
	// Resolve hears where the lanes of Group go from the end of its block: disjoint arms, together all lanes, the taken
	// side of a branch first. It returns the splits, if any, that go on alone from now on.
	Resolve(arms []Arm) []Split
}

// Sharer is a Divergence whose groups share issue slots: in a cycle a scheduler issues as many, of any of its warps, as
// have no more lanes together than a warp, in turns and without asking the issue policy.
type Sharer interface {
	Divergence
	// Share returns the lanes of the groups as which lanes of a warp begin, which are disjoint and together all. New is
	// called for each.
	Share(lanes Mask) []Mask
}

// Waiter is a Split that holds lanes back which a barrier may wait for.
type Waiter interface {
	Split
	// Wait hears that the lanes of Group wait at a barrier of their block. It returns a split of the lanes that it
	// holds back, which goes on alone from now on; nil when it holds none.
	Wait() Split
}

// Inspector is what a Split is, too, that shows the state of its hardware, for viz.States.
type Inspector interface {
	// Inspect returns it as tables. Of a row's place in the kernel Block is enough.
	Inspect() []trace.Table
}

// Arm is the lanes that go the same way.
type Arm struct {
	Block int // or Exit
	Lanes Mask
}

// countable reports whether what a warp issues under d follows from the ways of its threads alone, and not from time:
// then it is counted of every block, also of those that are not timed. Of policies of others that is not known.
func countable(d Divergence) bool {
	switch d.(type) {
	case PDOM, TF, NREC:
		return true
	}
	return false
}

// Exit is where returning threads go.
const Exit = -1

// PDOM reconverges lanes at the immediate post-dominator of the branch that parted them, with a stack of
// (next block, lanes, join) per warp; the taken side of a branch runs first.
type PDOM struct{}

// Name returns "pdom".
func (PDOM) Name() string { return "pdom" }

// New returns a stack with one entry.
func (PDOM) New(lanes Mask, join []int) Split {
	s := &pdomStack{join: join}
	s.entries = append(s.room[:0], pdomEntry{0, lanes, noJoin})
	return s
}

const noJoin = -2 // the bottom of the stack waits for nobody

type pdomEntry struct {
	next  int
	lanes Mask
	join  int
}

type pdomStack struct {
	join    []int
	entries []pdomEntry
	room    [2]pdomEntry // of a warp whose lanes part once, or in a loop
}

func (s *pdomStack) Group() (int, Mask) {
	for n := len(s.entries); n > 0; n = len(s.entries) {
		top := &s.entries[n-1]
		if top.next != top.join {
			return top.next, top.lanes
		}
		s.entries = s.entries[:n-1]
	}
	return Exit, 0
}

func (s *pdomStack) Resolve(arms []Arm) []Split {
	if len(arms) == 1 && arms[0].Block != Exit {
		s.entries[len(s.entries)-1].next = arms[0].Block
		return nil
	}
	from := s.entries[len(s.entries)-1].next
	var going [maxWarp]Arm
	n, left := 0, Mask(0)
	for _, a := range arms {
		if a.Block == Exit {
			s.exit(a.Lanes)
			continue
		}
		going[n], left = a, left|a.Lanes
		n++
	}
	if n == 0 {
		return nil
	}
	top := &s.entries[len(s.entries)-1]
	if n == 1 {
		top.next = going[0].Block
		return nil
	}
	join := s.join[from]
	if inner := join == Exit || s.join[join] == Exit; inner && top.join >= 0 {
		join = top.join // some return early, from inside a branch: those that are left wait where the branch ends
	}
	// The two rules below keep the stack as deep as branches are nested: an entry that would only wait where the one
	// below it waits is not kept, and a side that is empty is not pushed.
	if join == Exit || join == top.join {
		s.entries = s.entries[:len(s.entries)-1]
	} else {
		top.next = join
	}
	pushed := join
	if join == Exit {
		pushed = noJoin
	}
	for i := n - 1; i >= 0; i-- {
		if going[i].Block != join {
			s.entries = append(s.entries, pdomEntry{going[i].Block, going[i].Lanes, pushed})
		}
	}
	return nil
}

// Wait parts the stack in that of the lanes that wait and that of the others, which do not meet again: a barrier inside
// of a branch would never open else.
func (s *pdomStack) Wait() Split {
	n := len(s.entries)
	waiting, all := s.entries[n-1].lanes, s.entries[0].lanes
	for _, e := range s.entries {
		all |= e.lanes
	}
	if all == waiting {
		return nil
	}
	rest := &pdomStack{join: s.join, entries: slices.Clone(s.entries)}
	rest.exit(waiting)
	s.exit(all &^ waiting)
	return rest
}

// Inspect implements Inspector.
func (s *pdomStack) Inspect() []trace.Table {
	t := trace.Table{Name: "stack"}
	for i := len(s.entries) - 1; i >= 0; i-- {
		e := s.entries[i]
		row := rowOf(fmt.Sprint(i), e.next, e.lanes)
		if i == len(s.entries)-1 {
			row.Place += ", top"
		}
		if e.join >= 0 {
			row.Note = fmt.Sprintf("until b%d", e.join)
		}
		t.Rows = append(t.Rows, row)
	}
	return []trace.Table{t}
}

// rowOf is a row for lanes at a basic block.
func rowOf(place string, block int, lanes Mask) trace.Row {
	return trace.Row{Place: place, Block: int32(block), Line: -1, Lanes: uint64(lanes), Count: lanes.Count()}
}

// exit takes lanes that have returned out of every entry and drops the entries that become empty.
func (s *pdomStack) exit(lanes Mask) {
	kept := s.entries[:0]
	for _, e := range s.entries {
		if e.lanes &^= lanes; e.lanes != 0 {
			kept = append(kept, e)
		}
	}
	s.entries = kept
}

// NREC never brings lanes together again: each side of a branch goes on as a warp of its own. It is the bound from
// below for policies that do; MIMD is that from above.
type NREC struct{}

// Name returns "nrec".
func (NREC) Name() string { return "nrec" }

// New returns the first split of the warp.
func (NREC) New(lanes Mask, _ []int) Split { return &nrecSplit{0, lanes} }

type nrecSplit struct {
	block int
	lanes Mask
}

func (s *nrecSplit) Group() (int, Mask) { return s.block, s.lanes }

func (s *nrecSplit) Resolve(arms []Arm) []Split {
	s.lanes = 0
	var forked []Split
	for _, a := range arms {
		switch {
		case a.Block == Exit:
		case s.lanes == 0:
			s.block, s.lanes = a.Block, a.Lanes
		default:
			forked = append(forked, &nrecSplit{a.Block, a.Lanes})
		}
	}
	return forked
}
