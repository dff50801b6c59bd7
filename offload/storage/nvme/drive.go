package nvme

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload/storage"
)

// Drive is a file behind queues: a backing whose reads and writes are commands that SSDs of [Config] take from the
// queues, carry out on the file, and complete. A [Model] hears of each. What is read is the file's, and comes as fast
// as the file is; what the model says is how long it would take on the SSDs.
type Drive struct {
	storage.Backing
	config Config
	model  *Model
	pairs  []*pair         // of all SSDs, one SSD after the other
	next   atomic.Uint64   // SSD to read from
	turns  []atomic.Uint64 // by SSD: pair of its queues
	stop   chan struct{}
	over   sync.WaitGroup
}

// statusFailed is a media error: 0x281 is "unrecovered read error" (status code type 2, code 0x81).
const statusFailed = 0x281

// NewDrive puts a file behind queues. Closing it closes the file.
func NewDrive(b storage.Backing, c Config) (*Drive, error) {
	c = c.withDefaults()
	m, err := NewModel(c)
	if err != nil {
		return nil, err
	}
	d := &Drive{Backing: b, config: c, model: m, turns: make([]atomic.Uint64, c.SSDs), stop: make(chan struct{})}
	for range c.SSDs * c.Pairs {
		p, err := newPair(c.Depth)
		if err != nil {
			return nil, err
		}
		d.pairs = append(d.pairs, p)
	}
	for i, p := range d.pairs {
		d.over.Go(func() { d.serve(uint16(i%c.Pairs+1), p) })
	}
	return d, nil
}

// Name tells of the SSDs and of what is read in truth.
func (d *Drive) Name() string { return "sim:" + d.config.String() + " over " + d.Backing.Name() }

// ReadAt reads by one command for each 65,536 blocks.
func (d *Drive) ReadAt(b []byte, off int64) (int, error) { return d.do(Read, b, off) }

// WriteAt writes likewise.
func (d *Drive) WriteAt(b []byte, off int64) (int, error) { return d.do(Write, b, off) }

// request is what a command is about, beside what its words have: files do not begin at blocks.
type request struct {
	bytes []byte
	off   int64
	n     int
	err   error
}

// do carries out commands through a queue.
func (d *Drive) do(op Op, b []byte, off int64) (n int, err error) {
	for len(b) > 0 {
		part := b[:min(len(b), 1<<16*BlockBytes)]
		first := off / BlockBytes
		r := &request{bytes: part, off: off}
		c := Command{Op: op, Namespace: 1, Block: uint64(first), Blocks: uint32(min((off+int64(len(part))-1)/BlockBytes-first+1, 1<<16))}
		ssd := d.config.ssdOf(off, &d.next)
		p := d.pairs[ssd*d.config.Pairs+int(d.turns[ssd].Add(1))%d.config.Pairs]
		d.model.Submit(op, ssd, len(part))
		c.PRP1 = p.hold(r) // in the place of an address, which a goroutine that is an SSD has no use for
		done := p.dequeue(p.poll(p.enqueue(c)))
		p.drop(c.PRP1)
		n += r.n
		if done.Status != 0 {
			return n, r.err
		}
		b, off = b[len(part):], off+int64(len(part))
	}
	return n, nil
}

// serve is an SSD at one pair of queues.
func (d *Drive) serve(queue uint16, p *pair) {
	n := uint64(p.n)
	var taken, posted uint64
	for {
		select {
		case <-d.stop:
			return
		case <-p.rung:
		}
		for taken < p.sqDoorbell.Load() {
			for posted-p.cqDoorbell.Load() >= n-1 { // the queue of completions is full
				select {
				case <-d.stop:
					return
				case <-p.rung:
				}
			}
			c := commandOf(&p.ring[taken%n])
			taken++
			status := uint16(0)
			if r := p.held(c.PRP1); r != nil {
				if r.n, r.err = d.carryOut(c, r); r.err != nil {
					status = statusFailed
				}
			}
			out := Completion{Head: uint16(taken % n), Queue: queue, ID: c.ID, Phase: posted/n%2 == 0, Status: status}
			dw2, dw3 := out.words()
			e := &p.done[posted%n]
			e.dw2.Store(dw2)
			e.dw3.Store(dw3)
			posted++
		}
	}
}

func (d *Drive) carryOut(c Command, r *request) (int, error) {
	switch c.Op {
	case Read:
		n, err := d.Backing.ReadAt(r.bytes, r.off)
		if n == len(r.bytes) && errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	case Write:
		return d.Backing.WriteAt(r.bytes, r.off)
	}
	return 0, fmt.Errorf("command %v is not for files", c.Op)
}

// Close stops the SSDs and closes the file.
func (d *Drive) Close() error {
	close(d.stop)
	d.over.Wait()
	return d.Backing.Close()
}

// Modelled is what the model counted.
func (d *Drive) Modelled() storage.Modelled {
	m := d.model.Report()
	for _, p := range d.pairs {
		m.Queued += p.commands.Load()
		m.Doorbells += p.doorbells.Load()
		m.TurnWaits += p.waits.Load()
	}
	return m
}
