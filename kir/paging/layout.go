package paging

// Addresses of memory that is fetched: a segment's bytes lie from Base(n) on, where no card has memory. The segment is
// an index of the directory, whose address a lowered kernel gets as its last parameter: 64 bits for each, the address
// of the segment's control block.
const (
	Segments   = 256     // that a directory has
	MostBytes  = 1 << 40 // of a segment
	MostLines  = 1 << 26 // of a segment: each takes EntryBytes of the device's memory
	MostSlots  = 1 << 24
	segBits    = 40
	first      = 1 << 62
	topBits    = 62
	directory  = 8 // bytes of an entry
	entryBytes = 8
	slotBytes  = 16
)

// Sizes in the memory of the device, in bytes.
const (
	EntryBytes     = entryBytes // of a line: its state and its slot, 32 bits each
	SlotBytes      = slotBytes  // of a slot: lock and whether its line was written to, 32 bits each; its line's entry
	DirectoryBytes = Segments * directory
)

// Base returns the address of the first byte of segment n.
func Base(n int) uint64 { return first + uint64(n)<<segBits }

// SegmentOf returns the segment that an address is in, and the byte of it; false where it is in none.
func SegmentOf(addr uint64) (n int, off uint64, ok bool) {
	if addr>>topBits != 1 || addr&(first-1)>>segBits >= Segments {
		return 0, 0, false
	}
	return int(addr & (first - 1) >> segBits), addr & (1<<segBits - 1), true
}

// The control block of a segment: words of 64 bits in the memory of the device, at these bytes.
const (
	CtlShift    = 0  // logarithm of a line's bytes
	CtlSize     = 8  // bytes of the segment
	CtlFlags    = 16 // FlagReadOnly, FlagAlone
	CtlSlots    = 24 // how many slots there are
	CtlTable    = 32 // address of the lines' entries
	CtlMeta     = 40 // address of what is known of slots
	CtlData     = 48 // address of the slots' bytes
	CtlRing     = 56 // address of the ring, as the device sees the host's memory
	CtlMask     = 64 // words of the ring less 1; it has a power of two of them, and at least one for each slot
	CtlLap      = 72 // logarithm of the words of the ring
	CtlReplies  = 80 // address of the words in which the host answers, one for each slot
	CtlHand     = 88 // the clock's hand, 32 bits
	CtlTicket   = 96 // requests so far
	CtlFills    = 104
	CtlStop     = 112 // 32 bits: a Code once something has failed, after which all that miss end
	CtlAccesses = 120 // counters: accesses of threads, those that waited for the host, bytes of all
	CtlMisses   = 128
	CtlBytes    = 136
	CtlPatience = 144 // how often a thread tries for a slot while nothing comes
	ControlSize = 152
)

// Flags of a segment.
const (
	FlagReadOnly = 1 // what writes to it is stopped
	FlagAlone    = 2 // each thread asks for itself, though others of its warp want the same line
)

// The state of a line, as that of offload/storage.
const (
	Valid uint32 = 1 << 31
	Busy  uint32 = 1 << 30 // it is being read or evicted: the line's lock
	Dirty uint32 = 1 << 29
	Count uint32 = Dirty - 1 // references
)

// The lock of a slot.
const (
	Free uint32 = iota
	Unlocked
	Locked
)

// Code says what became of a request, in the low 8 bits of the host's answer; the rest of that is the request's ticket
// plus 1. It is the first figure of a check that fails, too.
type Code uint8

// The codes.
const (
	Done        Code = iota
	ReadFailed       // the line that was in the slot is gone, the new one did not come
	WriteFailed      // the line that was in the slot could not be written back, and is there
	Stopped          // the host was told to end the launch: nothing was done
	Pinned           // all slots have lines that are in use
	OutOfBounds      // the second figure is the byte, as for ReadOnly
	ReadOnly
)

// Request is what a thread asks of the host, a word of the ring: to write back what the slot has where that was
// changed, and to read a line to the slot.
type Request struct {
	Slot     int
	Line     int64
	Dirty    bool
	Accesses int // that wait for it, 1 to 32
	Bytes    int // of each: 1, 2, 4 or 8
}

// The bits of a request.
const (
	phaseBit   = 63 // flips with each lap of the ring; 1 in the first
	dirtyBit   = 62
	countShift = 57 // 5 bits: accesses - 1
	sizeShift  = 55 // 2 bits: logarithm of the bytes of each
	lineShift  = 24 // 27 bits
	lineMask   = 1<<27 - 1
	slotMask   = 1<<24 - 1
)

// ParseRequest returns the request with the given ticket, which a ring of 1<<lap words has in word; false where it is
// not there yet.
func ParseRequest(word, ticket uint64, lap uint) (Request, bool) {
	if word>>phaseBit != 1-ticket>>lap&1 {
		return Request{}, false
	}
	return Request{
		Slot: int(word & slotMask), Line: int64(word >> lineShift & lineMask), Dirty: word>>dirtyBit&1 != 0,
		Accesses: int(word>>countShift&31) + 1, Bytes: 1 << (word >> sizeShift & 3),
	}, true
}

// Answer is the word that answers the request with the given ticket.
func Answer(ticket uint64, c Code) uint64 { return (ticket+1)<<8 | uint64(c) }

// CheckText is the text of the checks that a lowered kernel has: their figures are a Code and a line or a byte.
const CheckText = "of a file that the kernel reads itself"
