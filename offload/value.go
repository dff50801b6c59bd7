package offload

import (
	"weak"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/storage"
)

// Value is a fixed number of bytes that tasks read and write. It is written once, by the task that makes it, and may
// then have several valid copies. Values belong to one Runtime.
type Value struct {
	size   int
	host   []byte          // valid copy, or nil
	source *storage.Source // where the host has it, when that is not memory of its own; nil otherwise
	sink   *storage.Source // where the host gets it, when that is not memory; it is the source once all is there
	lent   bool            // a device may have the host's bytes as its copy, for as long as they live: they are never written to
	copies *copies
	spill  func() (*storage.Source, error) // makes the sink of a value that is too large for memory; nil for most
	lost   string                          // what it was, after its only copy was lost
	beside any                             // see Keep
}

// copies are a value's device copies, apart from the Value so that they can be freed after it is gone.
type copies struct {
	on     wholes
	tiles  []*resident // copies of parts; none, mostly
	passed *[]passed   // the pieces by which a device that has no room for all made the value; nil for most
	split  bool        // those of them that are marked so are all of the value together
	copied int         // how often it was copied to a device
	pinned mirror      // of the host's copy; none, mostly
}

// wholes are copies of the whole value, at most one for each device: mostly one. One that is taken away stays in what
// is being ranged over.
type wholes []*resident

// of returns the copy on d, or nil.
func (w wholes) of(d device.Device) *resident {
	for _, r := range w {
		if r.dev == d {
			return r
		}
	}
	return nil
}

// put notes that its device has r, in the place of any other.
func (w *wholes) put(r *resident) {
	w.drop(r.dev)
	*w = append(*w, r)
}

// drop notes that d has none any more.
func (w *wholes) drop(d device.Device) {
	for i, r := range *w {
		if r.dev == d {
			*w = append((*w)[:i:i], (*w)[i+1:]...)
			return
		}
	}
}

// resident is one device copy.
type resident struct {
	dev     device.Device
	block   *mempool.Block
	stream  device.Stream // that used it last
	last    device.Event  // and by what; nil when nothing has
	beside  []usage       // the last uses by other streams
	made    usage         // what wrote it
	along   []usage       // what writes parts of it since, beside each other: copies from several devices
	known   []usage       // which streams have waited for which of these
	maker   string        // the task that made it
	cell    int           // and in which cell; 0 when that is not known
	value   weak.Pointer[Value]
	since   int64 // number of the run that made it
	used    int64 // number of the run that used it last
	until   int   // number of the last task of that run that reads it
	counted int64 // number of the run that counts it as needed
	tile    *tile // the part of the value that it is a copy of; nil for the whole
}

// Bytes returns the value's size.
func (v *Value) Bytes() int { return v.size }

// Host returns the host's valid copy, or nil when it has none. Do not write to it.
func (v *Value) Host() []byte {
	for _, r := range v.copies.on { // tiles are never in the host's memory
		if r.block.Host != nil { // the device's memory is the host's: it is the caller's too from now on
			r.block.Keep()
		}
	}
	if v.source != nil {
		v.source.Escape()
	}
	return v.host
}

// OnHost reports whether the host has a valid copy in memory.
func (v *Value) OnHost() bool { return v.host != nil }

// Lend is Host for who is done with the bytes before v is: hold v until then.
func (v *Value) Lend() []byte {
	if v.source != nil {
		return v.host
	}
	return v.Host()
}

// Keep lets v have x, which the task that makes v has made beside its bytes, or in place of them: what has no bytes,
// as texts of any length. x stays on the host, and goes with v.
func (v *Value) Keep(x any) { v.beside = x }

// Kept returns what [Value.Keep] was given, or nil.
func (v *Value) Kept() any { return v.beside }

// OnDevice reports whether a device other than the CPU has a valid copy and the host has none.
func (v *Value) OnDevice() bool { return !v.stays() && v.Done() }

// On reports whether device d has a valid copy of all of it.
func (v *Value) On(d device.Device) bool { return v.copies.on.of(d) != nil }

// Done reports whether the value has been made: a valid copy exists somewhere, or its parts do.
func (v *Value) Done() bool { return v.stays() || len(v.copies.on) > 0 || v.copies.split }

// stays reports whether the host has a valid copy, in memory or in a file.
func (v *Value) stays() bool { return v.host != nil || v.source != nil }
