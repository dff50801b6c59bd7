package simgpu

// access is what the lanes of a warp do with memory in one instruction: the addresses of the active lanes, each of the
// same number of bytes and aligned to it.
type access []uint64

// Coalescing is a rule of how accesses of a warp's lanes to global memory become transactions.
type Coalescing uint8

// The rules.
const (
	// Sectors: each 32-byte sector that lanes touch moves once, and the sectors of a line of 128 bytes go together.
	// Compute capability 3.5 and later.
	Sectors Coalescing = iota
	// Lines: each line of 128 bytes that lanes touch is loaded whole; stores move sectors. Compute capability 2.
	Lines
	// HalfWarpSegments: for each half of a warp, the segment of 128 bytes (64 or 32 for words of two bytes or one) that
	// the first lane touches serves all lanes in it, halved while only one half is used; then the next lane's that is
	// left. Compute capability 1.2 and 1.3.
	HalfWarpSegments
	// HalfWarpInOrder: for each half of a warp, one transaction when lane k touches word k of a block aligned to its 16
	// words; else 32 bytes for each lane. Compute capability 1.0 and 1.1.
	HalfWarpInOrder
	numCoalescing
)

var coalescingNames = [numCoalescing]string{"sectors", "lines", "half-warp segments", "half-warp in order"}

// String returns the rule's name.
func (c Coalescing) String() string { return coalescingNames[c] }

// transaction is what moves together: sectors of a line of 128 bytes. Of a store, partial are those that it writes in
// part.
type transaction struct {
	line             uint64
	sectors, partial uint8
}

// transactions appends what the given lanes' accesses a, of so many bytes each, move under rule c.
func (c Coalescing) transactions(a access, lanes Mask, bytes int, load bool, out []transaction) []transaction {
	switch {
	case c == HalfWarpInOrder || c == HalfWarpSegments:
		for half := 0; half < maxWarp; half += 16 {
			m := lanes >> uint(half) & 0xffff
			n := m.Count()
			if c == HalfWarpInOrder {
				out = inOrder(a[:n], m, bytes, out)
			} else {
				out = segments(a[:n], bytes, out)
			}
			a = a[n:]
		}
		return out
	case c == Lines && load:
		out = sectors(a, bytes, out)
		for i := range out {
			out[i].sectors = 1<<(lineBytes/sectorBytes) - 1
		}
		return out
	}
	first := len(out)
	out = sectors(a, bytes, out)
	if !load {
		findPartial(a, bytes, out[first:])
	}
	return out
}

// findPartial finds the sectors of ts that a store to a leaves bytes of as they are.
func findPartial(a access, bytes int, ts []transaction) {
	var written [2 * maxWarp][lineBytes / sectorBytes]uint32 // bytes of each sector
	if len(ts) > len(written) {
		for i := range ts {
			ts[i].partial = ts[i].sectors
		}
		return
	}
	at := 0
	for _, addr := range a {
		for end := addr + uint64(bytes); addr < end; {
			if line := addr / lineBytes; ts[at].line != line {
				at = place(ts, line)
			}
			off := addr % sectorBytes
			n := min(end-addr, sectorBytes-off)
			written[at][addr%lineBytes/sectorBytes] |= uint32(1<<n-1) << off
			addr += n
		}
	}
	for i := range ts {
		for s, w := range written[i] {
			if w != 1<<sectorBytes-1 {
				ts[i].partial |= 1 << s
			}
		}
		ts[i].partial &= ts[i].sectors
	}
}

// sectors is the rule Sectors: lines in the order in which lanes touch them.
func sectors(a access, bytes int, out []transaction) []transaction {
	first := len(out)
	last := first // place of the line that the lane before touched
	top := uint64(0)
next:
	for _, addr := range a {
		for sec, end := addr/sectorBytes, (addr+uint64(bytes)-1)/sectorBytes; ; sec++ {
			line, bit := sec/(lineBytes/sectorBytes), uint8(1)<<(sec%(lineBytes/sectorBytes))
			if last < len(out) && out[last].line == line {
				out[last].sectors |= bit
			} else {
				last = len(out)
				if line <= top { // lanes mostly walk up, and then there is nothing to look for
					last = place(out[first:], line) + first
				}
				if last == len(out) {
					out = append(out, transaction{line: line})
				}
				out[last].sectors |= bit
				top = max(top, line)
			}
			if sec == end {
				continue next
			}
		}
	}
	return out
}

// place returns which of the transactions moves a line, or their number.
func place(ts []transaction, line uint64) int {
	for i := range ts {
		if ts[i].line == line {
			return i
		}
	}
	return len(ts)
}

// block returns the transaction of a piece of 32, 64 or 128 bytes that is aligned to its size.
func block(addr uint64, size uint64) transaction {
	bits := uint8(1)<<(size/sectorBytes) - 1
	return transaction{line: addr / lineBytes, sectors: bits << (addr % lineBytes / sectorBytes)}
}

// inOrder is the rule HalfWarpInOrder for the lanes m of half a warp.
func inOrder(a access, m Mask, bytes int, out []transaction) []transaction {
	if len(a) == 0 {
		return out
	}
	size := uint64(16 * bytes)
	base := a[0] - uint64(m.first()*bytes)
	ordered := base%size == 0 && bytes >= 4
	for i, rest := 0, m; rest != 0; i, rest = i+1, rest&(rest-1) {
		ordered = ordered && a[i] == base+uint64(rest.first()*bytes)
	}
	if !ordered {
		for _, addr := range a {
			for at := addr &^ (sectorBytes - 1); at < addr+uint64(bytes); at += sectorBytes {
				out = append(out, block(at, sectorBytes))
			}
		}
		return out
	}
	for at := base; at < base+size; at += lineBytes {
		out = append(out, block(at, min(size, lineBytes)))
	}
	return out
}

// segments is the rule HalfWarpSegments for half a warp.
func segments(a access, bytes int, out []transaction) []transaction {
	whole := uint64(min(lineBytes, 32*bytes))
	var served uint32
	for i := range a {
		if served>>uint(i)&1 != 0 {
			continue
		}
		lo, size := a[i]&^(whole-1), whole
		from, to := a[i], a[i] // the first and last bytes used
		for k := i; k < len(a); k++ {
			if a[k]&^(whole-1) == lo {
				served |= 1 << uint(k)
				from, to = min(from, a[k]), max(to, a[k]+uint64(bytes)-1)
			}
		}
		for size > sectorBytes && (from >= lo+size/2 || to < lo+size/2) {
			size /= 2
			if from >= lo+size {
				lo += size
			}
		}
		out = append(out, block(lo, size))
	}
	return out
}

const maxBanks = 64

// bankPasses returns how many times the shared memory of so many 4-byte banks must be visited to serve a, the accesses
// of the given lanes, and how many of these are due to conflicts. Lanes that use the same word share one visit;
// different words of one bank take turns. As many lanes are served together as have words for all banks: half a warp
// where there are 16 banks or where accesses are of 8 bytes, so that a whole warp takes two passes without any
// conflict.
func (a access) bankPasses(lanes Mask, bytes, banks int) (passes, conflicts int) {
	return a.passesOf(lanes, bytes, banks, min(maxWarp, max(1, banks*4/max(bytes, 4))))
}

// bankPasses is a.bankPasses on p, which may serve twice as many lanes together where they share words in pairs.
func (p *Preset) bankPasses(a access, lanes Mask, bytes int) (passes, conflicts int) {
	if !p.SharedPairs || bytes <= 4 || !a.paired(lanes, 1) && !a.paired(lanes, 2) {
		return a.bankPasses(lanes, bytes, p.SharedBanks)
	}
	return a.passesOf(lanes, bytes, p.SharedBanks, min(maxWarp, 2*max(1, p.SharedBanks*4/bytes)))
}

// paired reports whether each lane has the address of the one whose number differs from its own by the bit.
func (a access) paired(lanes Mask, bit int) bool {
	var at [maxWarp]uint64
	for i, rest := 0, lanes; rest != 0; i, rest = i+1, rest&(rest-1) {
		at[rest.first()] = a[i]
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		l := rest.first()
		if other := l ^ bit; lanes>>uint(other)&1 != 0 && at[other] != at[l] {
			return false
		}
	}
	return true
}

// passesOf is bankPasses where so many lanes are served together.
func (a access) passesOf(lanes Mask, bytes, banks, group int) (passes, conflicts int) {
	for ; lanes != 0; lanes >>= uint(group) {
		n := (lanes << uint(maxWarp-group)).Count()
		if n == 0 {
			continue
		}
		p := a[:n].bankDepth(bytes, banks)
		passes += p
		conflicts += p - 1
		a = a[n:]
	}
	return passes, conflicts
}

// turns returns how many turns lanes must take whose atomics go to shared memory of so many banks: as many as the most
// that come to one bank, at the same word or at different ones.
func (a access) turns(bytes, banks int) int {
	var depth [maxBanks]int
	most := 1
	for _, addr := range a {
		for w := addr / 4; w <= (addr+uint64(bytes)-1)/4; w++ {
			b := w % uint64(banks)
			depth[b]++
			most = max(most, depth[b])
		}
	}
	return most
}

// meetings returns the most lanes that go to one address of a sector.
func (a access) meetings(sector uint64) int {
	most := 1
	for i, addr := range a {
		if addr/sectorBytes != sector {
			continue
		}
		n := 1
		for _, other := range a[:i] {
			if other == addr {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// words returns the number of different words of 4 bytes that a begins at.
func (a access) words() int {
	n := 0
next:
	for i, addr := range a {
		for _, other := range a[:i] {
			if other/4 == addr/4 {
				continue next
			}
		}
		n++
	}
	return n
}

// bankDepth returns the most distinct words of one bank.
func (a access) bankDepth(bytes, banks int) int {
	if len(a) == 0 {
		return 1
	}
	first, last := a[0], a[0]
	for _, addr := range a {
		first, last = min(first, addr), max(last, addr)
	}
	if (last+uint64(bytes)-1)/4-first/4 < uint64(banks) {
		return 1 // neighbours: as many words as banks, or fewer
	}
	var head, depth [maxBanks]uint8 // of each bank: its newest word, counted from 1, and how many there are
	var words [2*maxWarp + 1]struct {
		word uint32
		next uint8 // the word before it in the bank
	}
	n, deepest := uint8(0), uint8(1)
	for _, addr := range a {
	word:
		for w := addr / 4; w <= (addr+uint64(bytes)-1)/4; w++ {
			b := w % uint64(banks)
			for i := head[b]; i > 0; i = words[i].next {
				if words[i].word == uint32(w) {
					continue word
				}
			}
			n++
			words[n].word, words[n].next = uint32(w), head[b]
			head[b] = n
			depth[b]++
			deepest = max(deepest, depth[b])
		}
	}
	return int(deepest)
}
