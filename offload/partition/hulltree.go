package partition

// hullTree is a binary tree of what boxes reach from and to along each axis. A node's hull has all below it in it; the
// heights of the two halves of a node differ by one at most, or were brought nearer to each other by the last change
// below. Its zero value is ready.
type hullTree struct {
	nodes []hullNode // number 0 is none
	reach []int      // by node and axis, the first index and the one behind the last
	axes  int
	root  int32
	free  int32 // the first of the nodes that are used again, which go on by parent
}

type hullNode struct {
	parent int32
	half   [2]int32
	height int32 // of a leaf 0
	item   int32 // of a leaf
}

func (t *hullTree) clear() { t.nodes, t.reach, t.root, t.free = t.nodes[:0], t.reach[:0], 0, 0 }

// node returns a node for use.
func (t *hullTree) node() int32 {
	if n := t.free; n != 0 {
		t.free = t.nodes[n].parent
		t.nodes[n] = hullNode{}
		return n
	}
	if len(t.nodes) == 0 {
		t.nodes, t.reach = append(t.nodes, hullNode{}), t.reach[:0]
	}
	t.nodes = append(t.nodes, hullNode{})
	for len(t.reach) < 2*t.axes*len(t.nodes) {
		t.reach = append(t.reach, 0)
	}
	return int32(len(t.nodes) - 1)
}

func (t *hullTree) giveBack(n int32) {
	t.nodes[n].parent = t.free
	t.free = n
}

func (t *hullTree) hull(n int32) []int {
	w := 2 * t.axes
	return t.reach[int(n)*w : int(n)*w+w : int(n)*w+w]
}

// leaf returns a leaf for a box, which is in the tree when it has been put there.
func (t *hullTree) leaf(b Box, item int32) int32 {
	t.axes = len(b)
	n := t.node()
	t.nodes[n].item = item
	t.span(n, b)
	return n
}

func (t *hullTree) span(leaf int32, b Box) {
	h := t.hull(leaf)
	for a, r := range b {
		h[2*a], h[2*a+1] = r.Start, r.Stop
	}
}

// put puts a leaf beside what its hull makes larger by least.
func (t *hullTree) put(leaf int32) {
	if t.root == 0 {
		t.root = leaf
		t.nodes[leaf].parent = 0
		return
	}
	h := t.hull(leaf)
	at := t.root
	for t.nodes[at].height > 0 {
		half := t.nodes[at].half
		if t.growth(half[0], h) <= t.growth(half[1], h) {
			at = half[0]
		} else {
			at = half[1]
		}
	}
	n := t.node()
	parent := t.nodes[at].parent
	t.replace(parent, at, n)
	t.nodes[n] = hullNode{parent: parent, half: [2]int32{at, leaf}}
	t.nodes[at].parent, t.nodes[leaf].parent = n, n
	t.mend(n)
}

// growth is by how much longer the edges of a node's hull become with h in it.
func (t *hullTree) growth(n int32, h []int) (sum int) {
	for a, own := 0, t.hull(n); a < len(h); a += 2 {
		sum += max(own[a]-h[a], 0) + max(h[a+1]-own[a+1], 0)
	}
	return sum
}

// replace puts another node where one of parent's halves was, or at the root.
func (t *hullTree) replace(parent, was, is int32) {
	switch {
	case parent == 0:
		t.root = is
	case t.nodes[parent].half[0] == was:
		t.nodes[parent].half[0] = is
	default:
		t.nodes[parent].half[1] = is
	}
}

// drop takes a leaf out of the tree.
func (t *hullTree) drop(leaf int32) {
	parent := t.nodes[leaf].parent
	t.giveBack(leaf)
	if parent == 0 {
		t.root = 0
		return
	}
	p := t.nodes[parent]
	other := p.half[0]
	if other == leaf {
		other = p.half[1]
	}
	t.replace(p.parent, parent, other)
	t.nodes[other].parent = p.parent
	t.giveBack(parent)
	t.mend(p.parent)
}

// mend makes heights and hulls true from n up to the root, as far as they change.
func (t *hullTree) mend(n int32) {
	for n != 0 {
		turned := t.balance(n)
		n = turned.top
		if !t.refresh(n) && !turned.changed {
			return
		}
		n = t.nodes[n].parent
	}
}

// refresh makes height and hull of an inner node those of its halves and reports whether it had others.
func (t *hullTree) refresh(n int32) (changed bool) {
	node := &t.nodes[n]
	l, r := node.half[0], node.half[1]
	height := max(t.nodes[l].height, t.nodes[r].height) + 1
	changed = height != node.height
	node.height = height
	own, left, right := t.hull(n), t.hull(l), t.hull(r)
	for a := 0; a < len(own); a += 2 {
		lo, hi := min(left[a], right[a]), max(left[a+1], right[a+1])
		changed = changed || lo != own[a] || hi != own[a+1]
		own[a], own[a+1] = lo, hi
	}
	return changed
}

// turn says which node is where another was.
type turn struct {
	top     int32
	changed bool
}

// balance lifts the higher half of n to its place where it is higher than the other by more than one.
func (t *hullTree) balance(n int32) turn {
	half := t.nodes[n].half
	l, r := t.nodes[half[0]].height, t.nodes[half[1]].height
	if l-r <= 1 && r-l <= 1 {
		return turn{n, false}
	}
	up := 0
	if r > l {
		up = 1
	}
	high := half[up]
	keep, give := t.nodes[high].half[0], t.nodes[high].half[1]
	if t.nodes[give].height > t.nodes[keep].height {
		keep, give = give, keep
	}
	parent := t.nodes[n].parent
	t.replace(parent, n, high)
	t.nodes[high].parent, t.nodes[high].half = parent, [2]int32{n, keep}
	t.nodes[n].parent, t.nodes[n].half[up] = high, give
	t.nodes[give].parent = n
	t.refresh(n)
	return turn{high, true}
}

// visit calls yield for the items whose hull meets that of b, made larger by a margin at all ends, until it returns
// false.
func (t *hullTree) visit(b Box, margin int, yield func(item int) bool) {
	if t.root == 0 {
		return
	}
	var room [64]int32 // at most one for each height, which log(n) bounds
	stack := append(room[:0], t.root)
	w := 2 * t.axes
next:
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		h := t.reach[int(n)*w : int(n)*w+w]
		for a := range b {
			if r := &b[a]; h[2*a] >= r.Stop+margin || r.Start-margin >= h[2*a+1] {
				continue next
			}
		}
		node := &t.nodes[n]
		if node.height > 0 {
			stack = append(stack, node.half[1], node.half[0])
		} else if !yield(int(node.item)) {
			return
		}
	}
}
