package simgpu

import "sync"

// cache is a set-associative cache of 128-byte lines with four sectors each, least recently used line out first. It
// holds no data: the functional pass has it.
type cache struct {
	sets, ways int
	keys       []cacheKey // apart from the lines: a set's are in one or two lines of the host's cache
	lines      []cacheLine
	touched    []int32   // the sets that have lines
	clock      uint64    // of uses
	gone       uint64    // tag of the line that has made room last
	none       cacheLine // of a cache of no bytes
}

// cacheKey is what is looked at of all lines of a set.
type cacheKey struct {
	tag  uint64 // line number + 1; 0 is an unused line
	used uint64
}

type cacheLine struct {
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
	n = size[0] * ways
	return &cache{sets: size[0], ways: ways, keys: make([]cacheKey, n), lines: make([]cacheLine, n)}
}

// release gives c back; nobody uses it any more.
func (c *cache) release() {
	if c.sets == 0 {
		return
	}
	for _, set := range c.touched {
		from, to := int(set)*c.ways, (int(set)+1)*c.ways
		clear(c.keys[from:to])
		clear(c.lines[from:to])
	}
	c.touched, c.clock = c.touched[:0], 0
	pool, _ := caches.LoadOrStore([2]int{c.sets, c.ways}, new(sync.Pool))
	pool.(*sync.Pool).Put(c)
}

// put makes l a line of the cache, in the place of the same or of the least recently used one of its set, unless that
// has been used later.
func (c *cache) put(k cacheKey, l cacheLine) {
	if c.sets == 0 {
		return
	}
	first := int(spread(k.tag-1)%uint64(c.sets)) * c.ways
	keys := c.keys[first : first+c.ways]
	victim := 0
	for i := range keys {
		if keys[i].tag == k.tag {
			victim = i
			break
		}
		if keys[i].used < keys[victim].used {
			victim = i
		}
	}
	if keys[victim].used > k.used {
		return
	}
	if keys[victim].tag == 0 && victim == 0 {
		c.touched = append(c.touched, int32(first/c.ways))
	}
	keys[victim], c.lines[first+victim] = k, l
}

// find returns the line, which it makes the most recently used, allocating it when it is not there.
func (c *cache) find(line uint64) *cacheLine {
	if c.sets == 0 {
		c.none = cacheLine{}
		return &c.none
	}
	first := int(spread(line)%uint64(c.sets)) * c.ways
	keys := c.keys[first : first+c.ways]
	c.clock++
	victim, least := 0, keys[0].used
	for i := range keys {
		k := &keys[i]
		if k.tag == line+1 {
			k.used = c.clock
			return &c.lines[first+i]
		}
		if k.used < least {
			victim, least = i, k.used
		}
	}
	if keys[victim].tag == 0 && victim == 0 {
		c.touched = append(c.touched, int32(first/c.ways))
	}
	c.gone = keys[victim].tag
	keys[victim] = cacheKey{line + 1, c.clock}
	l := &c.lines[first+victim]
	*l = cacheLine{}
	return l
}

// peek returns the line if it is there, and changes nothing.
func (c *cache) peek(line uint64) *cacheLine {
	if c.sets == 0 {
		return nil
	}
	first := int(spread(line)%uint64(c.sets)) * c.ways
	for i, k := range c.keys[first : first+c.ways] {
		if k.tag == line+1 {
			return &c.lines[first+i]
		}
	}
	return nil
}

// spread mixes the bits of an address so that regular strides use all sets, banks and channels, as GPUs do with hashes
// that are not published.
func spread(x uint64) uint64 { return x ^ x>>5 ^ x>>11 ^ x>>17 ^ x>>23 }
