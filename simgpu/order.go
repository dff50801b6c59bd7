package simgpu

import (
	"fmt"
	"math/rand/v2"
)

// BlockOrder is the order in which a GPU hands the blocks of a launch to its SMs, and in which the blocks compute. A
// kernel whose blocks are independent, as CUDA asks, gives the same in every order; sums of floats by atomics may
// differ in their last bits.
type BlockOrder interface {
	Name() string
	// Order returns the numbers of so many blocks (x fastest) in the order in which they are to run, each once; nil is
	// the order of the numbers. It returns the same each time.
	Order(blocks int) []int
}

// InOrder is the order of the blocks' numbers.
type InOrder struct{}

// Name returns "in order".
func (InOrder) Name() string { return "in order" }

// Order returns nil.
func (InOrder) Order(int) []int { return nil }

// Shuffle is an order by chance: another for each seed, the same each time for one.
type Shuffle uint64

// Name returns "shuffle" with the seed.
func (s Shuffle) Name() string { return fmt.Sprint("shuffle ", uint64(s)) }

// Order returns a permutation.
func (s Shuffle) Order(blocks int) []int { return rand.New(rand.NewPCG(uint64(s), 0)).Perm(blocks) }
