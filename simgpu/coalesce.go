package simgpu

// access is what the lanes of a warp do with memory in one instruction: the addresses of the active lanes, each of the
// same number of bytes and aligned to it.
type access []uint64

// maxSectors is the most that an access of 64 lanes of 8 bytes can touch.
const maxSectors = maxWarp

// sectors appends to out the distinct 32-byte sectors that a touches (address / 32), in the order of the lanes, and
// returns it. Lanes of one access share sectors; nothing else makes an access cheaper.
func (a access) sectors(out []uint64) []uint64 {
	last, top := ^uint64(0), uint64(0)
next:
	for _, addr := range a {
		s := addr / sectorBytes
		if s == last {
			continue
		}
		last = s
		if s <= top { // lanes mostly walk up, and then there is nothing to look for
			for _, seen := range out {
				if seen == s {
					continue next
				}
			}
		}
		top = max(top, s)
		out = append(out, s)
	}
	return out
}

const maxBanks = 64

// bankPasses returns how many times the shared memory of so many 4-byte banks must be visited to serve a, and how many of
// these are due to conflicts. Lanes that use the same word share one visit; different words of one bank take turns. An
// access of 8 bytes a lane is served half a warp at a time, so it takes two passes without any conflict.
func (a access) bankPasses(bytes, banks int) (passes, conflicts int) {
	group := max(1, banks*4/max(bytes, 4))
	for len(a) > 0 {
		n := min(group, len(a))
		p := a[:n].bankDepth(bytes, banks)
		passes += p
		conflicts += p - 1
		a = a[n:]
	}
	return passes, conflicts
}

// turns returns how many turns lanes must take whose atomics go to shared memory of so many banks: as many as the most that
// come to one bank, at the same word or at different ones.
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

// meetings returns the most lanes that go to one address.
func (a access) meetings() int {
	most := 1
	for i, addr := range a {
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
