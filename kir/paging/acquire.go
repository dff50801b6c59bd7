package paging

import (
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// candidates is how many slots a thread looks at before it lets others go on.
const candidates = 16

// acquire is one try of the thread that leads a group: 1.2.3 of BaM's design. It ends in meet.
func (a *access) acquire() {
	hit, miss, own, own2, unbusy, find := a.block("hit"), a.block("miss"), a.block("own"), a.block("own2"), a.block("unbusy"), a.block("find", kir.U32)
	s := a.atomic(kir.OpAtomicAdd, a.entry, 0, a.n) // before the look, so that nobody can evict behind it
	there := a.with(kir.OpAnd, s, uint64(Valid|Busy))
	a.branch(a.is(there, uint64(Valid)), hit, miss)

	a.begin(hit)
	a.fence(kir.DeviceScope)
	at := a.load(kir.U32, a.entry, 4, kir.Volatile)
	if a.writes {
		a.soil(at)
	}
	a.jump(a.meet, a.with(kir.OpAdd, at, 1), a.tries, a.seen)

	a.begin(miss)
	a.branch(a.is(there, 0), own, a.retry)
	a.begin(own)
	old := a.state(kir.OpAtomicOr, a.entry, Busy)
	a.branch(a.is(a.with(kir.OpAnd, old, uint64(Busy)), 0), own2, a.retry)
	a.begin(own2)
	stop := a.load(kir.U32, a.ctl, CtlStop, kir.Volatile)
	brought := a.with(kir.OpNe, a.with(kir.OpAnd, old, uint64(Valid)), 0) // by another thread, meanwhile
	ahead := a.block("ahead")
	a.branch(brought, unbusy, ahead)
	a.begin(ahead)
	letGo := a.block("let_go")
	a.branch(a.is(stop, 0), to(find, a.bits(kir.U32, 0)), letGo)

	a.begin(unbusy)
	a.state(kir.OpAtomicAnd, a.entry, ^Busy)
	a.jump(a.retry)

	a.slots(find, unbusy, letGo)

	a.begin(letGo)
	a.state(kir.OpAtomicAnd, a.entry, ^Busy)
	a.jump(a.failed)

	a.begin(a.failed)
	a.atomic(kir.OpAtomicAdd, a.entry, 0, a.minus)
	a.jump(a.meet, a.bits(kir.U32, 1<<32-1), a.tries, a.seen)

	a.again()
}

// again waits a little for the next round, and gives up where nothing has come for long.
func (a *access) again() {
	a.begin(a.retry)
	a.atomic(kir.OpAtomicAdd, a.entry, 0, a.minus)
	fills := a.load(kir.U64, a.ctl, CtlFills, kir.Polled)
	limit := a.load(kir.U64, a.ctl, CtlPatience, kir.Ordinary)
	same := a.op(kir.OpEq, fills, a.seen)
	tries := a.emit(kir.OpSelect, kir.U32, same, a.with(kir.OpAdd, a.tries, 1), a.bits(kir.U32, 0))
	stuck, next, stopped := a.block("stuck"), a.block("next"), a.block("stopped")
	a.branch(a.op(kir.OpGt, a.u64(tries), limit), stuck, next)
	a.begin(stuck)
	a.stopFor(a.bits(kir.U32, uint64(Pinned)))
	a.jump(stopped)
	a.begin(stopped)
	a.jump(a.meet, a.bits(kir.U32, 1<<32-1), tries, fills)
	a.begin(next)
	a.branch(a.is(a.load(kir.U32, a.ctl, CtlStop, kir.Volatile), 0), to(a.meet, a.bits(kir.U32, 0), tries, fills), stopped)
}

// stopFor notes why the launch ends, unless that is noted.
func (a *access) stopFor(code *kir.Value) {
	a.atomic(kir.OpAtomicCAS, a.ctl, CtlStop, a.bits(kir.U32, 0), code)
}

// soil notes that the line in a slot is written to: in its state, for who evicts it, and by the slot, for the host,
// which looks when the kernel has ended.
func (a *access) soil(at *kir.Value) {
	a.state(kir.OpAtomicOr, a.entry, Dirty)
	a.store(a.meta(at), 4, a.bits(kir.U32, 1))
}

func (a *access) meta(at *kir.Value) *kir.Value {
	return a.op(kir.OpAdd, a.load(kir.U64, a.ctl, CtlMeta, kir.Ordinary), a.with(kir.OpMul, a.u64(at), slotBytes))
}

// slots finds a slot for the line, which is busy, evicting another line: 1.2.4. It looks at a few and waits for none.
// Then it asks the host.
func (a *access) slots(find, unbusy, letGo *kir.Block) {
	cand, used, lock, look, claim, claim2, unclaim, unlock := a.block("candidate"), a.block("used"), a.block("lock"), a.block("look"), a.block("claim"), a.block("claim2"), a.block("unclaim"), a.block("unlock")
	ask := a.block("ask", kir.U64, kir.U32) // the entry of the line that goes, 0 for none; whether it is dirty
	a.begin(find)
	k := find.Params[0]
	next := a.with(kir.OpAdd, k, 1)
	a.branch(a.is(k, candidates), unbusy, cand)

	a.begin(cand)
	count := a.u32(a.load(kir.U64, a.ctl, CtlSlots, kir.Ordinary))
	at := a.op(kir.OpRem, a.atomic(kir.OpAtomicAdd, a.ctl, CtlHand, a.bits(kir.U32, 1)), count)
	meta := a.meta(at)
	c := a.atomic(kir.OpAtomicCAS, meta, 0, a.bits(kir.U32, uint64(Free)), a.bits(kir.U32, uint64(Locked)))
	none := a.bits(kir.U64, 0)
	a.branch(a.is(c, uint64(Free)), to(ask, none, a.bits(kir.U32, 0)), used)
	a.begin(used)
	a.branch(a.is(c, uint64(Unlocked)), lock, to(find, next))
	a.begin(lock)
	c = a.atomic(kir.OpAtomicCAS, meta, 0, a.bits(kir.U32, uint64(Unlocked)), a.bits(kir.U32, uint64(Locked)))
	a.branch(a.is(c, uint64(Unlocked)), look, to(find, next))

	a.begin(look)
	a.fence(kir.DeviceScope)
	victim := a.load(kir.U64, meta, 8, kir.Volatile)
	s := a.load(kir.U32, victim, 0, kir.Volatile)
	a.branch(a.is(a.with(kir.OpAnd, s, uint64(Count|Busy)), 0), claim, unlock)
	a.begin(claim)
	old := a.state(kir.OpAtomicOr, victim, Busy)
	a.branch(a.is(a.with(kir.OpAnd, old, uint64(Busy)), 0), claim2, unlock)
	a.begin(claim2)
	dirty := a.with(kir.OpAnd, a.with(kir.OpShr, old, 29), 1)
	a.branch(a.is(a.with(kir.OpAnd, old, uint64(Count)), 0), to(ask, victim, dirty), unclaim)
	a.begin(unclaim)
	a.state(kir.OpAtomicAnd, victim, ^Busy)
	a.jump(unlock)
	a.begin(unlock)
	a.atomic(kir.OpAtomicExch, meta, 0, a.bits(kir.U32, uint64(Unlocked)))
	a.jump(find, next)

	a.begin(ask)
	a.ask(at, meta, letGo)
}

// ask asks the host for the line in a slot that the thread has locked, and waits for the answer: the host gives one
// whatever happens. What was in the slot is busy until then.
func (a *access) ask(at, meta *kir.Value, letGo *kir.Block) {
	victim, dirty := a.cur.Params[0], a.cur.Params[1]
	wait, answered, good, bad := a.block("wait"), a.block("answered"), a.block("good"), a.block("bad")
	ticket := a.atomic(kir.OpAtomicAdd, a.ctl, CtlTicket, a.bits(kir.U64, 1))
	lap := a.op(kir.OpShr, ticket, a.u32(a.load(kir.U64, a.ctl, CtlLap, kir.Ordinary)))
	phase := a.with(kir.OpXor, a.with(kir.OpAnd, lap, 1), 1)
	word := a.with(kir.OpShl, phase, phaseBit)
	or := func(x *kir.Value, shift uint64) { word = a.op(kir.OpOr, word, a.with(kir.OpShl, a.u64(x), shift)) }
	or(dirty, dirtyBit)
	or(a.with(kir.OpSub, a.n, 1), countShift)
	or(a.bits(kir.U32, uint64(bits.TrailingZeros64(a.size))), sizeShift)
	or(a.line, lineShift)
	or(at, 0)
	place := a.op(kir.OpAnd, ticket, a.load(kir.U64, a.ctl, CtlMask, kir.Ordinary))
	ring := a.op(kir.OpAdd, a.load(kir.U64, a.ctl, CtlRing, kir.Ordinary), a.with(kir.OpMul, place, 8))
	answer := a.op(kir.OpAdd, a.load(kir.U64, a.ctl, CtlReplies, kir.Ordinary), a.with(kir.OpMul, a.u64(at), 8))
	want := a.with(kir.OpAdd, ticket, 1)
	a.fence(kir.SystemScope) // what was written to the line that goes is seen before the request
	a.store(ring, 0, word)
	a.jump(wait)

	a.begin(wait)
	r := a.load(kir.U64, answer, 0, kir.Polled)
	a.branch(a.op(kir.OpEq, a.with(kir.OpShr, r, 8), want), answered, wait)
	a.begin(answered)
	a.fence(kir.SystemScope) // what the host has copied is seen from now on
	code := a.u32(a.with(kir.OpAnd, r, 0xff))
	a.branch(a.is(code, uint64(Done)), good, bad)

	a.begin(good)
	drop, place2 := a.block("drop"), a.block("place")
	a.branch(a.is(victim, 0), place2, drop)
	a.begin(drop)
	a.state(kir.OpAtomicAnd, victim, Count) // who came late reads it again
	a.jump(place2)
	a.begin(place2)
	a.store(meta, 8, a.entry)
	a.store(a.entry, 4, at)
	a.store(meta, 4, a.bits(kir.U32, 0))
	if a.writes {
		a.soil(at)
	}
	a.fence(kir.DeviceScope)
	a.atomic(kir.OpAtomicExch, meta, 0, a.bits(kir.U32, uint64(Unlocked)))
	a.state(kir.OpAtomicAdd, a.entry, Valid-Busy)
	a.atomic(kir.OpAtomicAdd, a.ctl, CtlFills, a.bits(kir.U64, 1))
	a.atomic(kir.OpAtomicAdd, a.ctl, CtlMisses, a.u64(a.n))
	a.jump(a.meet, a.with(kir.OpAdd, at, 1), a.tries, a.seen)

	a.begin(bad)
	a.stopFor(code)
	gone, free, back, keep := a.block("gone"), a.block("free"), a.block("back"), a.block("keep")
	a.branch(a.is(victim, 0), free, back)
	a.begin(back)
	a.branch(a.is(code, uint64(ReadFailed)), gone, keep)
	a.begin(gone)
	a.state(kir.OpAtomicAnd, victim, Count)
	a.jump(free)
	a.begin(free)
	a.atomic(kir.OpAtomicExch, meta, 0, a.bits(kir.U32, uint64(Free)))
	a.jump(letGo)
	a.begin(keep)
	a.state(kir.OpAtomicAnd, victim, ^Busy)
	a.atomic(kir.OpAtomicExch, meta, 0, a.bits(kir.U32, uint64(Unlocked)))
	a.jump(letGo)
}
