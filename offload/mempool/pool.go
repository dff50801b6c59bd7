package mempool

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Align is what sizes of blocks are rounded up to, and their places are multiples of.
const Align = 256

// Options are what a pool may take of its device. The zero value sets nothing aside before it is needed, and takes all
// that the device gives.
type Options struct {
	Initial int64 // bytes to set aside at the first allocation
	Max     int64 // bytes to set aside at most; 0 for no bound of the pool's own
	Limit   int64 // bytes in use at most; 0 for no limit
}

// Pool gives out one device's memory. Its methods may be called from several goroutines.
type Pool struct {
	dev  device.Device
	from device.Reserver // nil: the device gives out blocks itself, or works in the host's memory
	host device.Sharer
	// The device's times come from a model, and what is done by now does not: a stream waits for all work before it.
	modelled bool

	mu    sync.Mutex
	opts  Options
	frees int64
	heads []*head // in the order in which they were set aside
	lists []*list // free blocks, by the stream on which they were freed
	stats Stats

	old      []oldMemory // of the host, to be used again
	oldBytes int64
}

// head is a piece of memory that was set aside.
type head struct {
	number int
	buf    device.Buffer
	bytes  int64
}

// piece is a stretch of a head: a block, or room for one. Pieces of different heads are never joined, and while there
// is enough memory those that work has used are not with those that no work has: other streams would wait for that.
type piece struct {
	head       *head
	off, bytes int64
	last       device.Event // what used it last, on the stream of its list; nil when nothing did
	freed      int64        // counts what is freed with a last use: of two, the later one
	// What used it on other streams: that of its list has waited for them, and others still must.
	also []device.Event
}

// list is the room that was freed on one stream, ordered by place.
type list struct {
	stream device.Stream
	pieces []piece
}

// Block is some memory of a device. Give it back with Pool.Free.
type Block struct {
	device.Buffer
	Host   []byte // the memory, where the device works in the host's; see Keep
	piece  piece
	others atomic.Bool // the memory is not the pool's; workers that read a value say so at once
}

// Stats is what a pool has done since it was made. Bytes are rounded up to Align.
type Stats struct {
	InUse, Peak  int64 // bytes of blocks that are given out: now and at most
	Reserved     int64 // bytes that are set aside, in use or not
	Largest      int64 // bytes of the largest free stretch of what is set aside
	Allocs       int64 // blocks given out
	Grown        int64 // times that more was set aside
	Total        int64 // bytes given out in all
	Waits        int64 // blocks that came from another stream, which had to wait
	Failures     int64 // allocations that did not fit
	Limit        int64 // bytes in use at most; 0 for the device's memory
	DeviceMemory int64 // all of the device's memory
}

// New returns a pool of d's memory. A device that cannot set memory aside (see device.Reserver) allocates each block
// itself; the limit and the statistics are the same.
func New(d device.Device, o Options) *Pool {
	p := &Pool{dev: d, opts: o}
	p.from, _ = d.(device.Reserver)
	if p.host, _ = d.(device.Sharer); p.host != nil {
		p.from, p.stats.DeviceMemory = nil, p.host.MemoryBytes()
	} else {
		props := d.Properties()
		p.stats.DeviceMemory, p.modelled = props.MemoryBytes, props.Modelled
	}
	return p
}

// Modelled reports whether the times of the pool's device come from a model.
func (p *Pool) Modelled() bool { return p.modelled }

// OutOfMemory says why a block was not given out. It matches device.ErrOutOfMemory.
type OutOfMemory struct {
	device.OutOfMemory
	Limit   int64 // of bytes in use; 0 for none
	InUse   int64
	Largest int64 // free stretch of what is set aside
}

func (e *OutOfMemory) Error() string {
	if e.Limit > 0 && e.InUse+Rounded(int(e.Need)) > e.Limit {
		return fmt.Sprintf("%s is out of memory: %s needed, %s in use of the limit of %s that is set",
			e.Device, device.Bytes(e.Need), device.Bytes(e.InUse), device.Bytes(e.Limit))
	}
	s := e.OutOfMemory.Error()
	if e.Largest > 0 {
		s += fmt.Sprintf(" (the largest free stretch of the pool has %s)", device.Bytes(e.Largest))
	}
	return s
}

// Unwrap returns the device's own error.
func (e *OutOfMemory) Unwrap() error { return &e.OutOfMemory }

// Alloc returns a block of so many bytes for work on stream s. What is in it is not defined. Its error is an
// *OutOfMemory when there is no room.
func (p *Pool) Alloc(bytes int, s device.Stream) (*Block, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("%s: an allocation of %d bytes", p.dev.ID(), bytes)
	}
	need := Rounded(bytes)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opts.Limit > 0 && p.stats.InUse+need > p.opts.Limit || p.host != nil && p.stats.InUse+need > p.stats.DeviceMemory {
		return nil, p.full(int64(bytes), nil)
	}
	b := &Block{piece: piece{bytes: need}}
	var err error
	switch {
	case p.host != nil:
		b.Host = p.again(bytes, s)
		b.Buffer, err = p.host.Share(b.Host)
	case p.from == nil:
		b.Buffer, err = p.dev.Alloc(bytes)
	default:
		var ok bool
		if b.piece, ok = p.find(need, s); !ok {
			if err = p.grow(need, p.listOf(s)); err == nil {
				b.piece, _ = p.find(need, s)
			}
		}
		if err == nil {
			b.Buffer, err = p.from.Carve(b.piece.head.buf, int(b.piece.off), bytes)
		}
	}
	if err != nil {
		if errors.Is(err, device.ErrOutOfMemory) {
			return nil, p.full(int64(bytes), err)
		}
		return nil, err
	}
	p.stats.Allocs++
	p.stats.Total += need
	p.stats.InUse += need
	p.stats.Peak = max(p.stats.Peak, p.stats.InUse)
	return b, nil
}

// Rounded is how many bytes of a pool a block of so many takes.
func Rounded(bytes int) int64 { return max((int64(bytes)+Align-1)/Align*Align, Align) }

// full counts and describes a failure.
func (p *Pool) full(need int64, cause error) error {
	p.stats.Failures++
	size := p.stats.DeviceMemory
	if p.opts.Max > 0 {
		size = min(size, p.opts.Max)
	}
	e := &OutOfMemory{Limit: p.opts.Limit, InUse: p.stats.InUse, Largest: p.largest()}
	e.OutOfMemory = device.OutOfMemory{Device: p.dev.ID(), Need: need, Free: size - p.stats.InUse, Size: size}
	var of *device.OutOfMemory
	switch {
	case !errors.As(cause, &of) || p.host != nil:
	case p.from == nil:
		e.Free, e.Size = of.Free, of.Size
	default: // others may have what the pool has not set aside
		e.Free = min(e.Free, of.Free+p.stats.Reserved-p.stats.InUse)
	}
	return e
}

// Settle lets go of the work that used b's memory before it was given out, which must be done.
func (b *Block) Settle() { b.piece.last, b.piece.also = nil, nil }

// Free gives b back. s is the stream on which it was used last, by last, or by nothing that is still under way for nil;
// uses on other streams must be over before last. Of blocks with the same stream, one that is freed later must not have
// an earlier last: what was queued after its own use will do.
func (p *Pool) Free(b *Block, s device.Stream, last device.Event) error {
	if err := b.Buffer.Free(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.InUse -= b.piece.bytes
	switch {
	case p.from != nil:
		if last != nil { // else what used the memory before may still be under way
			p.frees++
			b.piece.last, b.piece.freed, b.piece.also = last, p.frees, nil
		}
		p.listOf(s).insert(b.piece)
	case b.Host != nil && !b.others.Load():
		p.recycle(b.Host, s, last)
	}
	return nil
}

// find takes room for a block out of the lists: of s's own first; then of another stream's that nothing has used; then
// of one's that s waits for; then of all of them joined.
func (p *Pool) find(need int64, s device.Stream) (piece, bool) {
	own := p.listOf(s)
	if got, ok := own.take(need, true); ok {
		return got, true
	}
	for _, used := range []bool{false, true} {
		for _, l := range p.lists {
			if l == own {
				continue
			}
			if got, ok := l.take(need, used); ok {
				p.await(s, got)
				return got, true
			}
		}
		own.join()
		if got, ok := own.take(need, true); ok {
			return got, true
		}
	}
	for _, l := range p.lists {
		if l == own {
			continue
		}
		l.join()
		for _, free := range l.pieces {
			p.await(s, free)
			if free.last != nil {
				free.last, free.also = nil, append(slices.Clip(free.also), free.last)
			}
			own.insert(free)
		}
		l.pieces = nil
		own.join()
		if got, ok := own.take(need, true); ok {
			return got, true
		}
	}
	return piece{}, false
}

// await lets s begin after the last uses of a piece that was another stream's.
func (p *Pool) await(s device.Stream, free piece) {
	for _, ev := range append(slices.Clip(free.also), free.last) {
		if ev != nil && (p.modelled || !ev.Done()) {
			s.Wait(ev)
			p.stats.Waits++
		}
	}
}

// grow sets more memory aside: as much again as there is, or half of what a maximum leaves; less where the device has
// not so much, down to what is needed. When even that fails, pieces that are free as a whole are given back first.
func (p *Pool) grow(need int64, to *list) error {
	try := max(need, p.stats.Reserved)
	if p.stats.Reserved == 0 {
		try = max(need, p.opts.Initial)
	}
	if p.opts.Max > 0 {
		remaining := p.opts.Max - p.stats.Reserved
		if need > remaining {
			p.trim()
			if remaining = p.opts.Max - p.stats.Reserved; need > remaining {
				return device.ErrOutOfMemory
			}
		}
		if p.stats.Reserved > 0 {
			try = max(need, remaining/2)
		}
		try = min(try, remaining)
	}
	try = Rounded(int(try))
	for trimmed := false; ; {
		buf, err := p.from.Reserve(int(try))
		if err == nil {
			h := &head{buf: buf, bytes: try}
			if n := len(p.heads); n > 0 {
				h.number = p.heads[n-1].number + 1
			}
			p.heads = append(p.heads, h)
			p.stats.Reserved += try
			p.stats.Grown++
			to.insert(piece{head: h, bytes: try})
			return nil
		}
		switch {
		case !errors.Is(err, device.ErrOutOfMemory):
			return err
		case try > need:
			try = Rounded(int(max(need, try/2)))
		case !trimmed && p.trim() > 0:
			trimmed = true
		default:
			return err
		}
	}
}

// Trim gives the device back what is set aside and free as a whole, and returns how many bytes that were.
func (p *Pool) Trim() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trim()
}

func (p *Pool) trim() (bytes int64) {
	bytes, p.old, p.oldBytes = p.oldBytes, nil, 0
	for _, l := range p.lists {
		l.pieces = slices.DeleteFunc(l.pieces, func(free piece) bool {
			if free.settle(); free.bytes != free.head.bytes || free.used() {
				return false
			}
			free.head.buf.Free()
			p.heads = slices.DeleteFunc(p.heads, func(h *head) bool { return h == free.head })
			p.stats.Reserved -= free.bytes
			bytes += free.bytes
			return true
		})
	}
	return bytes
}

// Settle lets go of the events that are done.
func (p *Pool) Settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lists {
		for i := range l.pieces {
			l.pieces[i].settle()
		}
		l.join()
	}
	for i := range p.old {
		if last := p.old[i].last; last != nil && last.Done() {
			p.old[i].last = nil
		}
	}
}

// SetLimit bounds the bytes in use; 0 for no limit. What is in use beyond it stays.
func (p *Pool) SetLimit(bytes int64) {
	p.mu.Lock()
	p.opts.Limit = bytes
	p.mu.Unlock()
}

// Stats returns the counts so far.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Limit, s.Reserved = p.opts.Limit, p.reserved()
	s.Largest = p.largest()
	return s
}

// Levels returns the bytes in use and those set aside; without a pool of its own a device sets aside what is used.
func (p *Pool) Levels() (inUse, reserved int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats.InUse, p.reserved()
}

func (p *Pool) reserved() int64 { return max(p.stats.Reserved, p.stats.InUse+p.oldBytes) }

// Size returns the bytes that may be in use.
func (p *Pool) Size() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opts.Limit > 0 {
		return min(p.opts.Limit, p.stats.DeviceMemory)
	}
	return p.stats.DeviceMemory
}

// ResetPeak lets Peak begin again at what is in use now, and returns what it was.
func (p *Pool) ResetPeak() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.stats.Peak
	p.stats.Peak = p.stats.InUse
	return was
}

func (p *Pool) largest() (bytes int64) {
	for _, l := range p.lists {
		for _, free := range l.pieces {
			bytes = max(bytes, free.bytes)
		}
	}
	return bytes
}

func (p *Pool) listOf(s device.Stream) *list {
	for _, l := range p.lists {
		if l.stream == s {
			return l
		}
	}
	p.lists = append(p.lists, &list{stream: s})
	return p.lists[len(p.lists)-1]
}

// take cuts room for need bytes from the smallest piece that has it, of those that work has used only when used.
func (l *list) take(need int64, used bool) (piece, bool) {
	best := -1
	for i, free := range l.pieces {
		if free.bytes >= need && (used || !free.used()) && (best < 0 || free.bytes < l.pieces[best].bytes) {
			best = i
		}
	}
	if best < 0 {
		return piece{}, false
	}
	got := l.pieces[best]
	if got.bytes == need {
		l.pieces = slices.Delete(l.pieces, best, best+1)
	} else {
		l.pieces[best].off += need
		l.pieces[best].bytes -= need
		got.bytes = need
	}
	return got, true
}

// insert puts room into the list, joined with the neighbours that lie beside it.
func (l *list) insert(free piece) {
	i, _ := slices.BinarySearchFunc(l.pieces, free, func(a, b piece) int {
		if a.head != b.head {
			return a.head.number - b.head.number
		}
		return int(a.off - b.off)
	})
	if i < len(l.pieces) && free.joins(l.pieces[i]) {
		free.bytes += l.pieces[i].bytes
		free.alsoAfter(l.pieces[i])
		l.pieces = slices.Delete(l.pieces, i, i+1)
	}
	if i > 0 && l.pieces[i-1].joins(free) {
		l.pieces[i-1].bytes += free.bytes
		l.pieces[i-1].alsoAfter(free)
		return
	}
	l.pieces = slices.Insert(l.pieces, i, free)
}

// join makes one piece of those that lie beside each other, whatever has used them.
func (l *list) join() {
	out := l.pieces[:0]
	for _, next := range l.pieces {
		if len(out) == 0 || !out[len(out)-1].beside(next) {
			out = append(out, next)
			continue
		}
		to := &out[len(out)-1]
		to.bytes += next.bytes
		to.alsoAfter(next)
	}
	clear(l.pieces[len(out):])
	l.pieces = out
}

// joins reports whether next lies behind p, and both or none have been used.
func (p piece) joins(next piece) bool { return p.beside(next) && p.used() == next.used() }

// used reports whether work that may be under way uses p.
func (p piece) used() bool { return p.last != nil || len(p.also) > 0 }

// alsoAfter lets what used other, of the same list, be over before p is used.
func (p *piece) alsoAfter(other piece) {
	if other.last != nil && (p.last == nil || other.freed > p.freed) {
		p.last, p.freed = other.last, other.freed
	}
	for _, ev := range other.also {
		if !slices.Contains(p.also, ev) {
			p.also = append(slices.Clip(p.also), ev)
		}
	}
}

// settle lets go of the events that are done.
func (p *piece) settle() {
	if p.last != nil && p.last.Done() {
		p.last = nil
	}
	if len(p.also) > 0 {
		p.also = slices.DeleteFunc(slices.Clone(p.also), device.Event.Done)
	}
}

func (p piece) beside(next piece) bool { return p.head == next.head && p.off+p.bytes == next.off }
