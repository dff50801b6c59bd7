package simgpu

import "sync"

// cache is a set-associative cache of 128-byte lines with four sectors each, least recently used line out first. It
// holds no data: the functional pass has it.
type cache struct {
	sets, ways int
	lines      []cacheLine
	touched    []int32   // the sets that have lines
	clock      uint64    // of uses
	gone       uint64    // tag of the line that has made room last
	none       cacheLine // of a cache of no bytes
}

type cacheLine struct {
	tag   uint64 // line number + 1; 0 is an unused line
	used  uint64
	ready int64 // cycle at which the newest sector arrives
	valid uint8 // sectors
	dirty uint8
	sides uint8 // of an L2 of two halves, whose SMs have read it
	place int32 // of the block that touched it last, in parts of launches
}

// caches are those that machines have given back, empty, by sets and ways: a launch needs as many as the machine has
// SMs, and most of the launches of a program touch few of their sets.
var caches sync.Map // of *sync.Pool, by [2]int

func newCache(bytes, ways int) *cache {
	if bytes == 0 {
		return &cache{}
	}
	n := max(bytes/lineBytes, 1)
	ways = min(ways, n)
	size := [2]int{n / ways, ways}
	if pool, ok := caches.Load(size); ok {
		if c, ok := pool.(*sync.Pool).Get().(*cache); ok {
			return c
		}
	}
	return &cache{sets: size[0], ways: ways, lines: make([]cacheLine, size[0]*ways)}
}

// release gives c back; nobody uses it any more.
func (c *cache) release() {
	if c.sets == 0 {
		return
	}
	for _, set := range c.touched {
		clear(c.lines[int(set)*c.ways : (int(set)+1)*c.ways])
	}
	c.touched, c.clock = c.touched[:0], 0
	pool, _ := caches.LoadOrStore([2]int{c.sets, c.ways}, new(sync.Pool))
	pool.(*sync.Pool).Put(c)
}

// put makes l a line of the cache, in the place of the same or of the least recently used one of its set, unless that
// has been used later.
func (c *cache) put(l cacheLine) {
	if c.sets == 0 {
		return
	}
	set := int(spread(l.tag-1) % uint64(c.sets))
	lines := c.lines[set*c.ways : (set+1)*c.ways]
	victim := &lines[0]
	for i := range lines {
		if lines[i].tag == l.tag {
			victim = &lines[i]
			break
		}
		if lines[i].used < victim.used {
			victim = &lines[i]
		}
	}
	if victim.used > l.used {
		return
	}
	if victim.tag == 0 && victim == &lines[0] {
		c.touched = append(c.touched, int32(set))
	}
	*victim = l
}

// find returns the line, which it makes the most recently used, allocating it when it is not there.
func (c *cache) find(line uint64) *cacheLine {
	if c.sets == 0 {
		c.none = cacheLine{}
		return &c.none
	}
	set := int(spread(line) % uint64(c.sets))
	lines := c.lines[set*c.ways : (set+1)*c.ways]
	c.clock++
	victim := &lines[0]
	for i := range lines {
		l := &lines[i]
		if l.tag == line+1 {
			l.used = c.clock
			return l
		}
		if l.used < victim.used {
			victim = l
		}
	}
	if victim.tag == 0 && victim == &lines[0] {
		c.touched = append(c.touched, int32(set))
	}
	c.gone = victim.tag
	*victim = cacheLine{tag: line + 1, used: c.clock}
	return victim
}

// peek returns the line if it is there, and changes nothing.
func (c *cache) peek(line uint64) *cacheLine {
	if c.sets == 0 {
		return nil
	}
	set := int(spread(line) % uint64(c.sets))
	for i := range c.lines[set*c.ways : (set+1)*c.ways] {
		if l := &c.lines[set*c.ways+i]; l.tag == line+1 {
			return l
		}
	}
	return nil
}

// spread mixes the bits of an address so that regular strides use all sets, banks and channels, as GPUs do with hashes
// that are not published.
func spread(x uint64) uint64 { return x ^ x>>5 ^ x>>11 ^ x>>17 ^ x>>23 }
