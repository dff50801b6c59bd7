package partition

import "slices"

// Index is boxes of one root, each with a value, that are found by where they are. A few are looked through one after
// the other. Of more it keeps a tree of hulls, which takes log(n) for a change, and for a search log(n) and what it
// finds, as long as few hulls are at one place. The zero value is ready, and takes no memory when boxes come and go. A
// box belongs to the index as long as it is there; none is empty, and all have the same number of axes.
//
// Boxes have the numbers 0 to Len()-1. A number stays as long as nothing is removed.
type Index[T any] struct {
	items   []item[T]
	settled int // the first so many are in the tree; 0 where there is none
	tree    hullTree

	// The last answer of Meeting, and to what, until something changes: what plans a launch asks several times.
	known  bool
	asked  Box
	answer []int
}

type item[T any] struct {
	box   Box
	value T
	leaf  int32 // of the tree
}

// mostScanned is how many boxes are looked through one after the other.
const mostScanned = 16

// Len is the number of boxes.
func (x *Index[T]) Len() int { return len(x.items) }

// At returns box number i, and its value, which can be set until the next change. Who changes the box calls Changed.
func (x *Index[T]) At(i int) (Box, *T) { return x.items[i].box, &x.items[i].value }

// Add adds a box, as the last.
func (x *Index[T]) Add(b Box, value T) {
	x.known = false
	x.items = append(x.items, item[T]{b, value, 0})
}

// Changed notes that the boxes of those numbers have been changed where they are.
func (x *Index[T]) Changed(numbers ...int) {
	for _, i := range numbers {
		x.known = false
		if i < x.settled {
			leaf := x.items[i].leaf
			x.tree.span(leaf, x.items[i].box)
			x.tree.mend(x.tree.nodes[leaf].parent)
		}
	}
}

// Remove removes the boxes of those numbers, which are different and which it sorts. The others keep their order where
// they are few.
func (x *Index[T]) Remove(numbers []int) {
	x.known = x.known && len(numbers) == 0
	slices.Sort(numbers)
	if x.settled == 0 {
		if len(numbers) == 0 {
			return
		}
		n := numbers[0]
		for i := n; i < len(x.items); i++ {
			if len(numbers) > 0 && numbers[0] == i {
				numbers = numbers[1:]
				continue
			}
			x.items[n] = x.items[i]
			n++
		}
		x.shorten(n)
		return
	}
	for _, i := range slices.Backward(numbers) {
		if i < x.settled {
			x.tree.drop(x.items[i].leaf)
			x.settled--
			x.move(i, x.settled)
			i = x.settled
		}
		last := len(x.items) - 1
		x.move(i, last)
		x.shorten(last)
	}
	if len(x.items) <= mostScanned/2 {
		x.settled = 0
		x.tree.clear()
	}
}

// move moves box number from to number to.
func (x *Index[T]) move(to, from int) {
	x.items[to] = x.items[from]
	if to != from && to < x.settled {
		x.tree.nodes[x.items[to].leaf].item = int32(to)
	}
}

func (x *Index[T]) shorten(n int) {
	clear(x.items[n:])
	x.items = x.items[:n]
}

// settle brings all boxes into the tree, unless they are few: boxes that nobody looks for are not sorted.
func (x *Index[T]) settle() {
	if len(x.items) <= mostScanned && x.settled == 0 || len(x.items[0].box) == 0 {
		return
	}
	for ; x.settled < len(x.items); x.settled++ {
		it := &x.items[x.settled]
		it.leaf = x.tree.leaf(it.box, int32(x.settled))
		x.tree.put(it.leaf)
	}
}

// Meeting returns the numbers of the boxes that have elements in common with b, as they are until the next call.
func (x *Index[T]) Meeting(b Box) []int {
	if x.known && slices.Equal(x.asked, b) {
		return x.answer
	}
	x.settle()
	x.answer = x.answer[:0]
	x.meeting(b, func(i int) bool {
		x.answer = append(x.answer, i)
		return true
	})
	x.known, x.asked = true, append(x.asked[:0], b...)
	return x.answer
}

// Beside calls yield for the numbers of the boxes that may make a larger one together with b, until it returns false:
// all where they are few, and else those that reach to where b begins or ends.
func (x *Index[T]) Beside(b Box, yield func(i int) bool) {
	x.settle()
	if x.settled > 0 {
		x.tree.visit(b, 1, yield)
		return
	}
	for i := range x.items {
		if !yield(i) {
			return
		}
	}
}

// meeting calls yield for the numbers of the boxes that meet b until it returns false.
func (x *Index[T]) meeting(b Box, yield func(i int) bool) {
	if x.settled == 0 {
		for i := range x.items {
			if x.items[i].box.Meets(b) && !yield(i) {
				return
			}
		}
		return
	}
	x.tree.visit(b, 0, func(i int) bool { return !x.items[i].box.Meets(b) || yield(i) })
}
