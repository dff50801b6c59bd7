package simgpu

// accesses finds out what accesses of warps cost, and counts them by line and in all.
type accesses struct {
	preset *Preset
	stats  counters
	lines  []lineCount // by number of the line in code
	known  []known     // by number of the shape
	moved  []transaction
}

// Places that are so many bytes apart are the same to every rule of coalescing: the largest piece of memory that one
// aligns to is 16 words of 32 bytes.
const (
	moveBlock = 512
	moveLines = moveBlock / lineBytes
)

// known is what has been found out about accesses of a shape: all lanes go together, and the instruction is always the
// same.
type known struct {
	moves            [4]knownMoves // by the sector of a line in which the first lane's word is
	passes, conflict int32         // of shared memory; 0 passes when that is not known
	low              uint8         // the place within a word for which they hold
}

// knownMoves is the transactions of accesses that begin at place at-1 of a moveBlock; their lines are counted from it.
type knownMoves struct {
	at      uint64
	sectors int64
	list    []transaction
}

func (c *accesses) knownOf(sh *shape) *known {
	for sh.number >= len(c.known) {
		c.known = append(c.known, known{})
	}
	return &c.known[sh.number]
}

// transactionsAt returns what lanes in the shape of a move, all of them, and how many sectors that are. The list is
// valid until the next call.
func (c *accesses) transactionsAt(in *instr, a *traceAccess, addrs []uint64) (list []transaction, sectors int64) {
	at, first := a.base%moveBlock+1, a.base/moveBlock*moveLines
	e := &c.knownOf(a.shape).moves[a.base/sectorBytes%4]
	if e.at != at {
		e.at = at
		all := a.shape.addresses(a.base, a.shape.lanes, addrs[:0])
		e.list = c.preset.Coalescing.transactions(all, a.shape.lanes, int(in.bytes), in.reads(), e.list[:0])
		for i := range e.list {
			e.list[i].line -= first
		}
		e.sectors = sectorsOf(e.list)
	}
	c.moved = c.moved[:0]
	for _, t := range e.list {
		c.moved = append(c.moved, transaction{t.line + first, t.sectors, t.partial})
	}
	return c.moved, e.sectors
}

// transactionsOf returns the same of lanes that access the given addresses.
func (c *accesses) transactionsOf(in *instr, lanes Mask, addrs access) (list []transaction, sectors int64) {
	c.moved = c.preset.Coalescing.transactions(addrs, lanes, int(in.bytes), in.reads(), c.moved[:0])
	return c.moved, sectorsOf(c.moved)
}

func sectorsOf(list []transaction) (n int64) {
	for _, t := range list {
		n += int64(ones(t.sectors))
	}
	return n
}

// passesAt is access.bankPasses for lanes in the shape of a, all of them.
func (c *accesses) passesAt(in *instr, a *traceAccess, addrs []uint64) (passes, conflicts int) {
	k := c.knownOf(a.shape)
	low := uint8(a.base % 4) // whole words more turn the banks, and change nothing
	if k.passes == 0 || k.low != low {
		all := access(a.shape.addresses(a.base, a.shape.lanes, addrs[:0]))
		passes, conflicts := c.preset.bankPasses(all, a.shape.lanes, int(in.bytes))
		k.passes, k.conflict, k.low = int32(passes), int32(conflicts), low
	}
	return int(k.passes), int(k.conflict)
}

// count counts an access of device memory by so many lanes.
func (c *accesses) count(in *instr, lanes, transactions int, sectors int64) {
	s, line, bytes := &c.stats, &c.lines[in.line], int64(lanes)*int64(in.bytes)
	s.requests++
	s.sectors += sectors
	s.transactions += int64(transactions)
	s.bytes += bytes
	line.requests++
	line.sectors += sectors
	line.transactions += int64(transactions)
	line.bytes += bytes
}

// conflicts counts extra passes over shared memory.
func (c *accesses) conflicts(in *instr, n int) {
	c.stats.bankReplays += int64(n)
	c.lines[in.line].conflicts += int64(n)
}
