package check

import "github.com/arrayrepl/arrayrepl/kir"

// stamp is who accessed a word last in some way.
type stamp struct {
	time   uint32 // of the checker's clock; 0 for nobody
	block  int32
	thread int32 // in the block
	value  int32 // ID
	bytes  uint8 // of the word, a bit for each
	atomic bool
	async  bool // a copy that its thread had not waited for then
}

// word is what is remembered of 4 bytes: the last write, and reads since by two different threads.
type word struct {
	write stamp
	read  [2]stamp
}

const pageWords = 1024

// shadow holds the words of one space that have been touched.
type shadow struct {
	pages map[uint64]*[pageWords]word
	last  *[pageWords]word
	at    uint64 // number of the last page
}

func (s *shadow) word(addr uint64) *word {
	n := addr / 4
	if page := n / pageWords; s.last == nil || s.at != page {
		p := s.pages[page]
		if p == nil {
			if s.pages == nil {
				s.pages = map[uint64]*[pageWords]word{}
			}
			p = new([pageWords]word)
			s.pages[page] = p
		}
		s.last, s.at = p, page
	}
	return &s.last[n%pageWords]
}

// access notes that thread t of block b executed v at addr, and reports with whom it collides.
func (b *block) access(v *kir.Value, t int32, addr uint64) {
	size := elemBytes(v)
	now := stamp{time: b.c.clock, block: b.cta, thread: t, value: int32(v.ID), atomic: v.Op.IsAtomic() || b.c.guesses[v.ID], async: v.Access == kir.Async}
	mem := &b.c.global
	if v.Space == kir.Shared {
		mem = &b.shared
		if owner, _ := kir.SharedPlace(addr); b.ended[owner] || owner != b.rank && b.met == 0 {
			b.add(AbsentBlock, v, Finding{Addr: addr, Access: b.c.who(v, b.cta, t)}, v)
			return
		}
		if !b.c.o.Warps {
			b.initialized(v, t, addr, size)
		}
	}
	for done := 0; done < size; {
		at := addr + uint64(done)
		n := min(4-int(at%4), size-done)
		now.bytes = uint8(1<<n-1) << (at % 4)
		b.touch(v, mem.word(at), now, addr)
		done += n
	}
}

func (b *block) touch(v *kir.Value, w *word, now stamp, addr uint64) {
	if b.collide(v, &w.write, &now) {
		b.report(v, &w.write, &now, addr)
	}
	if v.Op == kir.OpLoad {
		if w.write.async && w.write.bytes&now.bytes != 0 && !b.copied(&w.write) {
			with := b.c.values[w.write.value]
			b.add(UnfinishedCopy, v, Finding{Addr: addr, Access: b.c.who(v, now.block, now.thread), With: b.c.who(with, w.write.block, w.write.thread)}, with)
		}
		// Two different threads are enough: whoever writes is not one of them.
		if i := 1; w.read[0].time == 0 || w.read[0].same(&now) || b.ordered(&w.read[0], &now) {
			w.read[0] = now
		} else {
			w.read[i] = now
		}
		return
	}
	for i := range w.read {
		if b.collide(v, &w.read[i], &now) {
			b.report(v, &w.read[i], &now, addr)
			break
		}
	}
	w.write, w.read = now, [2]stamp{}
}

func (s *stamp) same(o *stamp) bool { return s.block == o.block && s.thread == o.thread }

// collide reports whether old and now, of which one is a write, are a race.
func (b *block) collide(v *kir.Value, old, now *stamp) bool {
	if old.time == 0 || old.bytes&now.bytes == 0 || old.same(now) || old.atomic && now.atomic {
		return false
	}
	if b.sameValue(v, old) {
		return false
	}
	return !b.ordered(old, now)
}

// sameValue reports whether v and the store of old write the same known value, as threads do that raise a flag.
func (b *block) sameValue(v *kir.Value, old *stamp) bool {
	o := b.c.values[old.value]
	if v.Op != kir.OpStore || o.Op != kir.OpStore {
		return false
	}
	x, y := v.Args[1], o.Args[1]
	return x.Op == y.Op && x.Imm == y.Imm && x.Type == y.Type && (x.Op == kir.OpConst || x.Op == kir.OpParam)
}

// ordered reports whether something makes old happen before now.
func (b *block) ordered(old, now *stamp) bool {
	if old.time <= b.c.opened && b.phase == b.c.phase {
		return true
	}
	if old.time <= b.metAt && b.met == b.round && b.round > 0 && b.sameCluster(old) {
		return true
	}
	if old.block != now.block {
		return b.c.released(old, now)
	}
	if old.time <= b.barrier {
		return true
	}
	warp := old.thread / kir.WarpSize
	if warp != now.thread/kir.WarpSize {
		return false
	}
	if b.c.o.Lockstep && old.time < now.time {
		return true
	}
	return b.synced != nil && old.time <= lastMeeting(b.synced[warp], old.thread, now.thread)
}

// sameCluster reports whether a stamp is of a block of b's cluster.
func (b *block) sameCluster(s *stamp) bool {
	n := int32(len(b.cluster.ended))
	return s.block/n == b.cta/n // a row of the grid has whole clusters
}
