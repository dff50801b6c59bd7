package nvme

import "encoding/binary"

// Op is what a command does, by NVMe's numbers (NVM command set specification, section 3).
type Op uint8

// Commands of an SSD.
const (
	Flush Op = 0
	Write Op = 1
	Read  Op = 2
	Trim  Op = 9 // "dataset management"
)

// String is the command's name.
func (op Op) String() string {
	switch op {
	case Flush:
		return "flush"
	case Write:
		return "write"
	case Read:
		return "read"
	case Trim:
		return "trim"
	}
	return "unknown"
}

// Sizes of what is in queues, and of what commands count in.
const (
	CommandBytes    = 64
	CompletionBytes = 16
	BlockBytes      = 512
	pageBytes       = 4096 // of a controller
)

// Command is an entry of a submission queue.
type Command struct {
	Op         Op
	ID         uint16 // tells it from others that are outstanding
	Namespace  uint32
	PRP1, PRP2 uint64 // where the bytes are in memory: the first page; the second, or a list of pages
	Block      uint64 // the first
	Blocks     uint32 // how many, 1 to 65,536
}

// SetMemory says where the bytes of the command's blocks are: at an address, and from there on. list is the address of
// a list of the pages after the first, for commands that touch more than two.
func (c *Command) SetMemory(at, list uint64) {
	c.PRP1, c.PRP2 = at, 0
	switch pages := (at%pageBytes + uint64(c.Blocks)*BlockBytes + pageBytes - 1) / pageBytes; {
	case pages == 2:
		c.PRP2 = at - at%pageBytes + pageBytes
	case pages > 2:
		c.PRP2 = list
	}
}

// Put writes the command as an SSD reads it.
func (c *Command) Put(b *[CommandBytes]byte) {
	clear(b[:])
	put := binary.LittleEndian
	put.PutUint32(b[0:], uint32(c.Op)|uint32(c.ID)<<16)
	put.PutUint32(b[4:], c.Namespace)
	put.PutUint64(b[24:], c.PRP1)
	put.PutUint64(b[32:], c.PRP2)
	put.PutUint64(b[40:], c.Block)
	put.PutUint32(b[48:], (c.Blocks-1)&0xffff)
}

// commandOf reads what Put has written.
func commandOf(b *[CommandBytes]byte) Command {
	get := binary.LittleEndian
	first := get.Uint32(b[0:])
	return Command{
		Op: Op(first), ID: uint16(first >> 16), Namespace: get.Uint32(b[4:]), PRP1: get.Uint64(b[24:]), PRP2: get.Uint64(b[32:]),
		Block: get.Uint64(b[40:]), Blocks: get.Uint32(b[48:])&0xffff + 1,
	}
}

// Completion is an entry of a completion queue.
type Completion struct {
	Head   uint16 // up to where the SSD has taken commands
	Queue  uint16
	ID     uint16 // of the command
	Phase  bool   // flips each time that the queue begins anew
	Status uint16 // 0 where all went well
}

// words are the two double words of a completion that say something.
func (c *Completion) words() (dw2, dw3 uint32) {
	dw2 = uint32(c.Head) | uint32(c.Queue)<<16
	dw3 = uint32(c.ID) | uint32(c.Status)<<17
	if c.Phase {
		dw3 |= 1 << 16
	}
	return dw2, dw3
}

// Put writes the completion as an SSD does.
func (c *Completion) Put(b *[CompletionBytes]byte) {
	clear(b[:])
	dw2, dw3 := c.words()
	binary.LittleEndian.PutUint32(b[8:], dw2)
	binary.LittleEndian.PutUint32(b[12:], dw3)
}

// completionOf reads the two words.
func completionOf(dw2, dw3 uint32) Completion {
	return Completion{Head: uint16(dw2), Queue: uint16(dw2 >> 16), ID: uint16(dw3), Phase: dw3>>16&1 == 1, Status: uint16(dw3 >> 17)}
}

// Doorbell is where the register of a queue pair is among an SSD's: that of the submission queue, or of the completion
// queue. stride is the SSD's CAP.DSTRD.
func Doorbell(pair int, completion bool, stride uint) uint64 {
	n := 2 * pair
	if completion {
		n++
	}
	return 0x1000 + uint64(n)*(4<<stride)
}
