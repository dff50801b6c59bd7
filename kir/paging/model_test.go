package paging_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	. "github.com/arrayrepl/arrayrepl/kir/paging"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// card is a model of a card and its host for lowered kernels: threads execute one operation of kir at a time, by the
// words of package ref, in any order. What the host and threads share is accessed by sync/atomic, as the memory of a
// card does it; what lies in slots and files is not, so that the race detector finds what the protocol leaves open.
type card struct {
	control []uint64 // at controlBase: directory, control blocks, entries, slots, ring, answers
	used    int
	data    []*region
	segs    []*segment
	yields  bool
}

// region is memory of elements.
type region struct {
	base uint64
	b    []byte
}

const controlBase = 1 << 20

type segment struct {
	ctl, table, meta, ring, replies int // places in control, in words
	lap, shift                      uint
	slots, lines                    int
	data                            *region
	file                            []byte
	held                            []int64 // what is in each slot, as the host knows
	head                            uint64
	fail                            func(line int64, write bool) bool
	stop                            atomic.Bool
	fills, backs                    int
}

func newCard() *card { return &card{control: make([]uint64, 1<<16), used: Segments} }

func (c *card) take(words int) int {
	at := c.used
	c.used += words
	return at
}

func addressOf(word int) uint64 { return controlBase + 8*uint64(word) }

// region makes memory of so many bytes.
func (c *card) region(bytes int) *region {
	base := uint64(1 << 30)
	if n := len(c.data); n > 0 {
		last := c.data[n-1]
		base = (last.base + uint64(len(last.b)) + 1<<16) &^ 0xffff
	}
	words := make([]uint64, (bytes+7)/8+1)
	r := &region{base, unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes)}
	c.data = append(c.data, r)
	return r
}

// open makes a file a segment, with so many slots of lines of 1<<shift bytes.
func (c *card) open(file []byte, shift uint, slots int, flags, patience uint64) *segment {
	s := &segment{shift: shift, slots: slots, file: file, lines: (len(file) + 1<<shift - 1) >> shift, held: make([]int64, slots)}
	for 1<<s.lap < slots {
		s.lap++
	}
	s.ctl, s.table, s.meta, s.ring, s.replies = c.take(ControlSize/8), c.take(s.lines), c.take(2*slots), c.take(1<<s.lap), c.take(slots)
	s.data = c.region(slots << shift)
	c.control[len(c.segs)] = addressOf(s.ctl)
	for at, x := range map[int]uint64{CtlShift: uint64(shift), CtlSize: uint64(len(file)), CtlFlags: flags, CtlSlots: uint64(slots),
		CtlTable: addressOf(s.table), CtlMeta: addressOf(s.meta), CtlData: s.data.base, CtlRing: addressOf(s.ring),
		CtlMask: 1<<s.lap - 1, CtlLap: uint64(s.lap), CtlReplies: addressOf(s.replies), CtlPatience: patience} {
		c.control[s.ctl+at/8] = x
	}
	for i := range s.held {
		s.held[i] = -1
	}
	c.segs = append(c.segs, s)
	return s
}

func (s *segment) inSlot(slot int, line int64) []byte {
	n := min(1<<s.shift, len(s.file)-int(line)<<s.shift)
	return s.data.b[slot<<s.shift:][:n]
}

// serve answers the requests that are there, in any order, and reports whether there were any. It is the host.
func (c *card) serve(s *segment, r *rand.Rand) bool {
	type asked struct {
		Request
		ticket uint64
	}
	var batch []asked
	for {
		req, ok := ParseRequest(atomic.LoadUint64(&c.control[s.ring+int(s.head&(1<<s.lap-1))]), s.head, s.lap)
		if !ok {
			break
		}
		batch = append(batch, asked{req, s.head})
		s.head++
	}
	r.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
	for _, q := range batch {
		code := Done
		old := s.held[q.Slot]
		switch {
		case s.stop.Load():
			code = Stopped
		case q.Dirty && s.fail != nil && s.fail(old, true):
			code = WriteFailed
		default:
			if q.Dirty {
				copy(s.file[old<<s.shift:], s.inSlot(q.Slot, old))
				s.backs++
			}
			if s.held[q.Slot] = -1; s.fail != nil && s.fail(q.Line, false) {
				code = ReadFailed
				break
			}
			to := s.inSlot(q.Slot, q.Line)
			copy(to, s.file[q.Line<<s.shift:][:len(to)])
			s.held[q.Slot] = q.Line
			s.fills++
		}
		if c.yields {
			runtime.Gosched()
		}
		atomic.StoreUint64(&c.control[s.replies+q.Slot], Answer(q.ticket, code))
	}
	return len(batch) > 0
}

// flush writes back what slots have that was written to, as the host does when the kernel has ended.
func (c *card) flush(s *segment) {
	for slot := range s.slots {
		if c.control[s.meta+2*slot]>>32 != 0 && s.held[slot] >= 0 {
			copy(s.file[s.held[slot]<<s.shift:], s.inSlot(slot, s.held[slot]))
		}
	}
}

// settled says what is wrong with the table of a segment whose kernel has ended; "" where nothing is.
func (c *card) settled(s *segment) string {
	in := map[int64]int{}
	for slot, line := range s.held {
		if lock := uint32(c.control[s.meta+2*slot]); lock == Locked {
			return fmt.Sprintf("slot %d is locked", slot)
		} else if lock == Unlocked {
			in[line]++
		}
	}
	for line := range int64(s.lines) {
		e := c.control[s.table+int(line)]
		switch state := uint32(e); {
		case state&(Busy|Count) != 0:
			return fmt.Sprintf("line %d has state %#x", line, state)
		case state&Valid != 0 && s.held[e>>32] != line:
			return fmt.Sprintf("line %d is said to be in slot %d, which has %d", line, e>>32, s.held[e>>32])
		case in[line] > 1 || in[line] == 1 != (state&Valid != 0):
			return fmt.Sprintf("line %d with state %#x is in %d slots", line, state, in[line])
		}
	}
	return ""
}

// thread executes a kernel, as one whose warp has it alone.
type thread struct {
	c      *card
	f      *kir.Func
	id     int
	params []byte
	val    []uint64
	blk    *kir.Block
	pc     int
	done   bool
	failed [2]int64 // the figures of the check that ended it
}

var errOutside = errors.New("no such memory")

func (c *card) thread(f *kir.Func, id int, params []byte) *thread {
	return &thread{c: c, f: f, id: id, params: params, val: make([]uint64, f.NumValues()), blk: f.Blocks[0]}
}

// step executes one operation.
func (t *thread) step() error {
	if t.pc == len(t.blk.Values) {
		t.pc = 0
		e := t.blk.Term.To[0]
		switch t.blk.Term.Kind {
		case kir.TermReturn:
			t.done = true
			return nil
		case kir.TermBranch:
			if t.val[t.blk.Term.Cond.ID] == 0 {
				e = t.blk.Term.To[1]
			}
		}
		var vals []uint64
		for _, a := range e.Args {
			vals = append(vals, t.val[a.ID])
		}
		for i, p := range e.To.Params {
			t.val[p.ID] = vals[i]
		}
		t.blk = e.To
		return nil
	}
	v := t.blk.Values[t.pc]
	t.pc++
	var args []uint64
	for _, a := range v.Args {
		args = append(args, t.val[a.ID])
	}
	switch {
	case v.Op == kir.OpConst:
		t.val[v.ID] = v.Imm
	case v.Op == kir.OpParam:
		n, _ := v.ParamRef()
		t.val[v.ID] = binary.LittleEndian.Uint64(t.params[t.f.Params[n].Offset:])
	case v.Op == kir.OpSpecial:
		t.val[v.ID] = map[kir.Special]uint64{kir.TidX: uint64(t.id), kir.LaneID: uint64(t.id % 32), kir.CtaidX: 0, kir.NTidX: 1}[kir.Special(v.Imm)]
	case v.Op == kir.OpActiveMask, v.Op == kir.OpMatchAny:
		t.val[v.ID] = 1 << (t.id % 32)
	case v.Op == kir.OpShuffle:
		t.val[v.ID] = args[0]
	case v.Op == kir.OpFence, v.Op == kir.OpWarpBarrier:
	case v.Op == kir.OpCheck:
		if args[0] == 0 {
			t.failed, t.done = [2]int64{int64(args[1]), int64(args[2])}, true
		}
	case v.Op.IsMemory():
		return t.access(v, args)
	default:
		t.val[v.ID] = ref.Op(v, args)
	}
	return nil
}

func (t *thread) access(v *kir.Value, args []uint64) error {
	addr, size := args[0]+v.Imm, uint64(v.Type.Bytes())
	if v.Op == kir.OpStore {
		size = uint64(v.Args[1].Type.Bytes())
	}
	c := t.c
	if at := addr - controlBase; at < 8*uint64(len(c.control)) {
		p := unsafe.Add(unsafe.Pointer(&c.control[0]), at)
		if c.yields && (t.id*7+t.pc)%5 == 0 {
			runtime.Gosched()
		}
		if size == 4 {
			t.val[v.ID] = uint64(word(v, (*uint32)(p), args, atomic.LoadUint32, atomic.StoreUint32, atomic.CompareAndSwapUint32))
		} else {
			t.val[v.ID] = word(v, (*uint64)(p), args, atomic.LoadUint64, atomic.StoreUint64, atomic.CompareAndSwapUint64)
		}
		return nil
	}
	for _, r := range c.data {
		if addr < r.base || addr-r.base+size > uint64(len(r.b)) {
			continue
		}
		b := r.b[addr-r.base:][:size]
		var x [8]byte
		if v.Op != kir.OpLoad && v.Op != kir.OpStore {
			p := unsafe.Pointer(&b[0])
			t.val[v.ID] = word(v, (*uint64)(p), args, atomic.LoadUint64, atomic.StoreUint64, atomic.CompareAndSwapUint64)
		} else if v.Op == kir.OpLoad {
			copy(x[:], b)
			t.val[v.ID] = binary.LittleEndian.Uint64(x[:])
		} else {
			binary.LittleEndian.PutUint64(x[:], args[1])
			copy(b, x[:])
		}
		return nil
	}
	return fmt.Errorf("%w: %q at %#x", errOutside, v.Text(), addr)
}

func word[T uint32 | uint64](v *kir.Value, p *T, args []uint64, load func(*T) T, store func(*T, T), swap func(*T, T, T) bool) T {
	switch v.Op {
	case kir.OpLoad:
		return load(p)
	case kir.OpStore:
		store(p, T(args[1]))
		return 0
	}
	x := T(args[1])
	for {
		old := load(p)
		to := map[kir.Op]T{kir.OpAtomicAdd: old + x, kir.OpAtomicOr: old | x, kir.OpAtomicAnd: old & x, kir.OpAtomicExch: x}[v.Op]
		if v.Op == kir.OpAtomicCAS {
			if to = old; old == x {
				to = T(args[2])
			}
		}
		if swap(p, old, to) {
			return old
		}
	}
}
