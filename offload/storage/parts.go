package storage

import "sort"

// parts is a file of which some ranges, one behind the other, are all that there is. It is for reading.
type parts struct {
	Backing
	ranges [][2]int64
	starts []int64 // of each, in what there is
}

// Only makes f, which nobody has read yet, a file of the given ranges of it, from which byte to before which.
func (f *File) Only(ranges [][2]int64) {
	p := &parts{Backing: f.backing, ranges: ranges}
	at := int64(0)
	for _, r := range ranges {
		p.starts = append(p.starts, at)
		at += r[1] - r[0]
	}
	f.backing = p
}

// ReadAt reads from the ranges that have the bytes.
func (p *parts) ReadAt(b []byte, off int64) (n int, err error) {
	i := sort.Search(len(p.starts), func(i int) bool { return p.starts[i] > off }) - 1
	for ; n < len(b) && i >= 0 && i < len(p.ranges); i++ {
		r, in := p.ranges[i], off+int64(n)-p.starts[i]
		part := b[n:][:min(int64(len(b)-n), r[1]-r[0]-in)]
		k, err := p.Backing.ReadAt(part, r[0]+in)
		if n += k; k < len(part) {
			return n, err
		}
	}
	if n < len(b) {
		err = ErrCut
	}
	return n, err
}
