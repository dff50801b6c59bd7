package simgpu

// rows are the open rows of DRAM, by bank. A bank that is asked for another row than it has open closes it and opens
// that one, and its sectors come later; the channel meanwhile moves what other banks have, as controllers see to that
// put accesses in an order of their own. So rows cost latency, and bandwidth where accesses keep coming back to few
// banks.
type rows struct {
	miss         int64  // ticks from one row to the next; 0 without rows
	lines        uint64 // that a row has in all channels together
	banks        int    // of a channel
	state        []bankState
	hits, misses int64 // sectors
}

type bankState struct {
	row   uint64 // number + 1; 0 is none
	ready int64  // tick at which the row is open
	last  int64  // tick at which its last sector has moved
}

func newRows(p *Preset, channels int) rows {
	if p.DRAMRowMiss == 0 {
		return rows{}
	}
	return rows{miss: int64(p.DRAMRowMiss) * ticks, lines: uint64(channels) * uint64(p.DRAMRowBytes/lineBytes), banks: p.DRAMBanks,
		state: make([]bankState, channels*p.DRAMBanks)}
}

// access returns the tick at which a sector of a line that was asked for at tick at has moved: no sooner than end, at
// which its channel has had time for it, and a move, which takes so long, after its row is open.
func (r *rows) access(channel int, line uint64, at, end, move int64) int64 {
	row := line / r.lines
	b := &r.state[channel*r.banks+int(spread(row)%uint64(r.banks))]
	if b.row == row+1 {
		r.hits++
	} else {
		r.misses++
		b.row, b.ready = row+1, max(b.last, at)+r.miss
	}
	b.last = max(end, b.ready+move)
	return b.last
}
