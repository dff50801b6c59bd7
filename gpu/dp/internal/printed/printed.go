// Package printed has seven algorithms as they stand in print, or in the copies of the papers that go around, each with
// its mistake: exercises in finding it. All processors read before any writes, as on the machine. The tests of this
// package find each; package dp has the corrected forms.
package printed

// Scan is that of Hillis and Steele with the test that is printed: processors from 2^j on work in round j, where it
// must be those from 2^(j-1) on.
func Scan(x []int) []int {
	x = append([]int{}, x...)
	for j := 1; 1<<(j-1) < len(x); j++ {
		before := append([]int{}, x...)
		for k := range x {
			if k >= 1<<j {
				x[k] = before[k-1<<(j-1)] + before[k]
			}
		}
	}
	return x
}

// Match has each cell of two lists find its friend. The pointers are doubled by those that have a friend alone, where
// all must. It gives up after so many rounds.
func Match(next []int, head1, head2, most int) (friend []int, rounds int) {
	friend, chum := make([]int, len(next)), append([]int{}, next...)
	for k := range friend {
		friend[k] = -1
	}
	friend[head1], friend[head2] = head2, head1
	for ; rounds < most; rounds++ {
		busy := false
		f, c := append([]int{}, friend...), append([]int{}, chum...)
		for k := range next {
			if c[k] < 0 {
				continue
			}
			busy = true
			if f[k] >= 0 {
				friend[c[k]] = c[f[k]]
				chum[k] = c[c[k]]
			}
		}
		if !busy {
			break
		}
	}
	return friend, rounds
}

// Cons takes processors for those that are selected. The free ones are counted and numbered inside of the selection, as
// the indentation has it, where all must be selected for that.
func Cons(free, selected []bool) []int {
	fresh, rendezvous := make([]int, len(free)), make([]int, len(free))
	avail, asked := 0, 0
	for k := range free {
		fresh[k] = -1
		if selected[k] && free[k] {
			rendezvous[avail] = k
			avail++
		}
	}
	for k := range selected {
		if selected[k] {
			if asked < avail {
				fresh[k] = rendezvous[asked]
			}
			asked++
		}
	}
	return fresh
}

// Pair is an application of combinators: of names, or of other pairs.
type Pair struct{ Left, Right any }

// K has the argument that K is to drop take the place of the one that it keeps: K a b becomes I b.
func K(a, b any) Pair { return Pair{"I", b} }

// S gives the argument to one of the two functions alone: S a b c becomes a c b.
func S(a, b, c any) Pair { return Pair{Pair{a, c}, b} }

// Exclusive is the exclusive scan of segments of a warp with the flag that is there at the end, when it is set behind
// every head, where it must be the flag that the element had.
func Exclusive(x []int, heads []bool) []int {
	p, h := append([]int{}, x...), append([]bool{}, heads...)
	for o := 1; o < len(x); o *= 2 {
		q, g := append([]int{}, p...), append([]bool{}, h...)
		for k := o; k < len(x); k++ {
			if !g[k] {
				p[k] = q[k-o] + q[k]
			}
			h[k] = g[k] || g[k-o]
		}
	}
	out := make([]int, len(x))
	for k := 1; k < len(x); k++ {
		if !h[k] {
			out[k] = p[k-1]
		}
	}
	return out
}
