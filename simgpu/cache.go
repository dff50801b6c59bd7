package simgpu

// cache is a set-associative cache of 128-byte lines with four sectors each, least recently used line out first. It holds
// no data: the functional pass has it.
type cache struct {
	sets, ways int
	lines      []cacheLine
	clock      uint64    // of uses
	none       cacheLine // of a cache of no bytes
}

type cacheLine struct {
	tag   uint64 // line number + 1; 0 is an unused line
	used  uint64
	ready int64 // cycle at which the newest sector arrives
	valid uint8 // sectors
	dirty uint8
}

func newCache(bytes, ways int) *cache {
	if bytes == 0 {
		return &cache{}
	}
	n := max(bytes/lineBytes, 1)
	ways = min(ways, n)
	return &cache{sets: n / ways, ways: ways, lines: make([]cacheLine, n/ways*ways)}
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
	*victim = cacheLine{tag: line + 1, used: c.clock}
	return victim
}

// spread mixes the bits of an address so that regular strides use all sets, banks and channels, as GPUs do with hashes
// that are not published.
func spread(x uint64) uint64 { return x ^ x>>5 ^ x>>11 ^ x>>17 ^ x>>23 }
