package mempool

import (
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/poison"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Memory of the host is made by Go, block by block. What is large and comes back is kept and used again, so that its
// pages need not be had from the system and cleared anew: that takes longer than to fill them.
const (
	smallest = 1 << 16 // bytes of what is worth keeping
	keptPart = 8       // of the memory that may be in use, that much is kept at most
	mostKept = 1 << 30
)

// oldMemory is what came back.
type oldMemory struct {
	b      []byte
	stream device.Stream
	last   device.Event
}

// New reports whether a block of so many bytes would be new memory of the host, and not some that came back.
func (p *Pool) New(bytes int) bool {
	if p.host == nil || bytes < smallest {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(p.old, func(o oldMemory) bool { return len(o.b) == bytes })
}

// again returns host memory for work on s: some that is free, of the same size, or new.
func (p *Pool) again(bytes int, s device.Stream) []byte {
	for i, o := range slices.Backward(p.old) {
		if len(o.b) == bytes && (o.stream == s || o.last == nil || o.last.Done()) {
			p.old = slices.Delete(p.old, i, i+1)
			p.oldBytes -= int64(bytes)
			return o.b
		}
	}
	b := words(bytes)
	poison.Fill(b) // it has no more to be zeros than memory that came back
	return b
}

// recycle keeps b, and lets go of what has been kept longest when that is too much.
func (p *Pool) recycle(b []byte, s device.Stream, last device.Event) {
	if last == nil || last.Done() {
		poison.Fill(b)
	}
	if len(b) < smallest {
		return
	}
	p.old = append(p.old, oldMemory{b, s, last})
	p.oldBytes += int64(len(b))
	for p.oldBytes > min(p.stats.DeviceMemory/keptPart, mostKept) {
		p.oldBytes -= int64(len(p.old[0].b))
		p.old = slices.Delete(p.old, 0, 1)
	}
}

// words returns n bytes that begin on a multiple of 8.
func words(n int) []byte {
	if n == 0 {
		return nil
	}
	w := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), n)
}

// Share makes a block of memory of the host that is not the pool's; nil where the device does not work in it, or not in
// that.
func (p *Pool) Share(b []byte) *Block {
	if p.host == nil {
		return nil
	}
	buf, err := p.host.Share(b)
	if err != nil {
		return nil
	}
	k := &Block{Buffer: buf, Host: b}
	k.Keep()
	return k
}

// Keep says that others have b's memory of the host as well: it is not used again when b is freed. Goroutines may say
// it at once.
func (b *Block) Keep() { b.others.Store(true) }
