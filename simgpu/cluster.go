package simgpu

import "github.com/arrayrepl/arrayrepl/kir"

// distantCycles is how much longer an access takes to the shared memory of another SM of the cluster than to the SM's
// own: 180 cycles in all on an H100, by Luo and others (Benchmarking and Dissecting the Nvidia Hopper GPU Architecture,
// 2024), of which the SM's own takes about 30. A barrier of the cluster takes as long, for the SMs to hear of it.
const distantCycles = 150

// clusterOn is the blocks of a cluster on a machine.
type clusterOn struct {
	left    int // that have not ended: of all, or of those that have come where the machine has not room for all
	waiting []clusterWait
}

type clusterWait struct {
	on *sm
	of *residentBlock
}

// clusterOf returns the cluster of a block.
func (m *machine) clusterOf(cta int) *clusterOn {
	n := m.cluster
	if m.clusters == nil {
		m.clusters = map[int]*clusterOn{}
		for _, b := range m.blocks {
			c := m.clusters[b.cta/n]
			if c == nil {
				c = &clusterOn{}
				m.clusters[b.cta/n] = c
			}
			c.left++
		}
	}
	return m.clusters[cta/n]
}

// waitForCluster lets b, all of whose threads wait at a barrier of the cluster, wait for the other blocks.
func (s *sm) waitForCluster(b *residentBlock, now, opens int64) {
	if s.m.cluster <= 1 {
		s.release(b, now, opens)
		return
	}
	c := s.m.clusterOf(b.cta)
	b.opens = opens
	c.waiting = append(c.waiting, clusterWait{s, b})
	s.m.openCluster(c, now)
}

// leftCluster notes that a block has ended.
func (m *machine) leftCluster(b *residentBlock, now int64) {
	if m.cluster > 1 {
		c := m.clusterOf(b.cta)
		c.left--
		m.openCluster(c, now)
	}
}

// openCluster lets the blocks of a cluster go on when all wait. On a part of a machine that has not room for a cluster
// those go on that are there.
func (m *machine) openCluster(c *clusterOn, now int64) {
	if len(c.waiting) == 0 || len(c.waiting) < min(c.left, len(m.sms)*m.resident) {
		return
	}
	opens, all := int64(0), c.waiting
	for _, w := range all {
		opens = max(opens, w.of.opens)
	}
	c.waiting = nil
	for _, w := range all {
		w.of.opens = 0
		w.on.release(w.of, now, opens+distantCycles)
	}
}

// distance is the cycles that an access to shared memory takes longer since it is another SM's: that of its first lane.
func (s *sm) distance(st *warpSplit, in *instr) int64 {
	n := s.m.cluster
	if n <= 1 {
		return 0
	}
	addr := uint64(0)
	if a := s.shaped(st, in.access); a != nil {
		addr = a.base
	} else {
		addr = s.addresses(st, in.access)[0]
	}
	if rank, _ := kir.SharedPlace(addr); rank == st.warp.block.cta%n {
		return 0
	}
	return distantCycles
}
