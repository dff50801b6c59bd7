package kir

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// flowOf builds a kernel of empty blocks with the given successors: none returns, two branch.
func flowOf(t *testing.T, succ ...[]int) *Func {
	b := NewBuilder("flow")
	blocks := []*Block{b.cur}
	for range succ[1:] {
		blocks = append(blocks, b.NewBlock(""))
	}
	cond := b.Op(OpLt, b.Special(TidX), b.Special(TidY))
	for i, to := range succ {
		b.SetBlock(blocks[i])
		switch len(to) {
		case 0:
			b.Return()
		case 1:
			b.Jump(blocks[to[0]])
		default:
			b.Branch(cond, blocks[to[0]], blocks[to[1]])
		}
	}
	return mustFunc(t, b)
}

// The frontiers are those that follow by hand from the definition. The second is the short circuit of Diamos et al.:
// two tests that lead to one side, which a stack at post-dominators runs twice and thread frontiers once.
func TestFrontiers(t *testing.T) {
	for _, c := range []struct {
		name string
		succ [][]int
		want [][]int
	}{
		{"if else", [][]int{{1, 2}, {3}, {3}, {}}, [][]int{nil, {2}, {3}, nil}},
		{"short circuit", [][]int{{1, 3}, {3, 2}, {4}, {4}, {}}, [][]int{nil, {3}, {3}, {4}, nil}},
		{"loop", [][]int{{1}, {1, 2}, {}}, [][]int{nil, {2}, nil}},
	} {
		f := flowOf(t, c.succ...)
		got := FlowOf(f).Frontier
		for b := range c.want {
			if !slices.Equal(got[b], c.want[b]) {
				t.Errorf("%s: frontier of block %d is %v, want %v", c.name, b, got[b], c.want[b])
			}
		}
	}
}

// A thread that returns from inside a loop keeps the others from coming together nowhere but at the end, so they join
// where the loop ends; also where the loop's way out leads to the end alone, and where another such loop follows.
func TestJoinsBesideEarlyReturns(t *testing.T) {
	for _, c := range []struct {
		name string
		succ [][]int
		want map[int]int
	}{
		{"a loop", [][]int{{1}, {2, 4}, {5, 3}, {1}, {5}, {}}, map[int]int{1: 4}},
		{"with its test at its end", [][]int{{1}, {4, 2}, {1, 3}, {4}, {}}, map[int]int{2: 3}},
		{"two loops", [][]int{{1}, {2, 4}, {8, 3}, {1}, {5}, {6, 8}, {8, 7}, {5}, {}}, map[int]int{1: 4}},
		{"a branch in a loop", [][]int{{1}, {2, 7}, {3, 4}, {8, 5}, {5}, {6}, {1}, {8}, {}}, map[int]int{1: 7, 2: 5}},
	} {
		join := FlowOf(flowOf(t, c.succ...)).Join
		for b, want := range c.want {
			if join[b] != want {
				t.Errorf("%s: the ways from block %d join in block %d, want %d", c.name, b, join[b], want)
			}
		}
	}
}

// Threads that take random ways, the lowest block first, wait only in the frontier of the block that runs; joins stand
// after the blocks that all ways to them part in.
func TestThreadsWaitInTheFrontier(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(100) {
		f := randomFunc(seed)
		flow := FlowOf(f)
		for b, d := range flow.Divide {
			if d > b {
				t.Fatalf("seed %d: block %d stands before block %d, which all ways to it go through", seed, b, d)
			}
		}
		for range 20 {
			at := make([]int, 8) // -1 when a thread has returned
			for range 400 {
				run := -1
				for _, b := range at {
					if b >= 0 && (run < 0 || b < run) {
						run = b
					}
				}
				if run < 0 {
					break
				}
				for i, b := range at {
					if b > run && !slices.Contains(flow.Frontier[run], b) {
						t.Fatalf("seed %d: a thread waits in block %d while block %d runs, whose frontier is %v", seed, b, run, flow.Frontier[run])
					}
					if b != run {
						continue
					}
					if edges := f.Blocks[b].Term.Edges(); len(edges) == 0 {
						at[i] = -1
					} else {
						at[i] = edges[r.IntN(len(edges))].To.ID
					}
				}
			}
		}
	}
}
