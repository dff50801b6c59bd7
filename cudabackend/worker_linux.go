//go:build !nocuda

package cudabackend

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// The files that a worker is started with.
const (
	requestsFile = 3 + iota
	repliesFile
	sharedFile
)

// beat is how often a worker says that it lives.
const beat = time.Second

// ServeWorker is the process in which a session's work on GPUs runs: a fault that breaks the driver's context ends it
// alone. It serves until the session closes its pipe.
func ServeWorker() error {
	signal.Ignore(os.Interrupt) // the session's: it decides what ends
	requests, replies := os.NewFile(requestsFile, "requests"), os.NewFile(repliesFile, "replies")
	out := bufio.NewWriterSize(replies, 64<<10)
	s := &server{
		out: out, enc: gob.NewEncoder(out), shared: &arena{file: os.NewFile(sharedFile, "shared")},
		gpus: map[int]*GPU{}, streams: map[int]*served{}, kernels: map[int]*kernel{}, events: map[int]*event{},
	}
	go func() {
		for {
			time.Sleep(beat)
			s.reply(reply{})
		}
	}()
	in := gob.NewDecoder(bufio.NewReaderSize(requests, 64<<10))
	order := make(chan *request, 1<<12)
	defer close(order)
	go func() {
		for r := range order {
			s.serve(r)
		}
	}()
	for {
		r := new(request)
		if err := in.Decode(r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("the process for GPUs, which a session starts and nobody by hand, got a request that it cannot read: %w", err)
		}
		s.mu.Lock()
		apart := s.apart[r.Stream]
		s.mu.Unlock()
		if apart != nil && (r.Op == opCopyIn || r.Op == opCopyOut) { // a kernel waits for it, and others may for the kernel
			apart.requests <- r
		} else {
			order <- r
		}
	}
}

// server holds what a session has made. All but replies, events and streams apart belongs to the goroutine that serves
// requests in their order.
type server struct {
	gpus    map[int]*GPU
	streams map[int]*served
	kernels map[int]*kernel
	shared  *arena
	pinned  int // how many segments of shared are

	mu     sync.Mutex // of what follows
	out    *bufio.Writer
	enc    *gob.Encoder
	events map[int]*event // that are not known to be over
	apart  map[int]*apart // streams whose copies do not wait for what was asked for before
}

// apart is such a stream: a goroutine of its own serves it.
type apart struct {
	*served
	requests chan *request
}

// served is a stream and the queue of those who are told when its operations are over.
type served struct {
	*stream
	queued chan queued
}

type queued struct {
	id   int
	e    *event
	data []byte // to be sent
}

func (s *server) reply(r reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.enc.Encode(&r) != nil || s.out.Flush() != nil {
		os.Exit(1) // the session is gone
	}
}

// serve does what r asks.
func (s *server) serve(r *request) {
	out := reply{ID: r.ID}
	g := s.gpus[r.Device]
	var err error
	switch r.Op {
	case opOpen:
		if g, err = Open(r.Device); err == nil {
			s.gpus[r.Device] = g
			out.Card = &card{g.Properties(), g.ComputeCapability(), g.pools}
			s.pin(g)
		}
	case opClose:
		err = g.Close()
		delete(s.gpus, r.Device)
	case opAlloc:
		b, aerr := g.Alloc(r.Bytes)
		if err = aerr; err == nil {
			out.Address = b.Addr()
		}
	case opFree:
		(&buffer{gpu: g, address: r.Address, bytes: r.Bytes}).Free() // a broken context tells the next who asks
		return
	case opMemInfo:
		out.Free, out.Total = g.MemInfo()
	case opShare:
		if err = s.shared.add(r.Offset, r.Bytes); err == nil {
			for _, g := range s.gpus {
				s.pin(g) // one does it for all
			}
			return // nobody waits
		}
	case opStream:
		make := func() (device.Stream, error) { return g.NewStream(r.Priority) }
		if r.Apart {
			make = g.copyStream
		}
		made, serr := make()
		if err = serr; err == nil {
			s.open(r.ID, made.(*stream))
			if r.Apart {
				s.beside(r.ID, g)
			}
		}
	case opStreamClose:
		st := s.streams[r.Stream]
		delete(s.streams, r.Stream)
		close(st.queued)
		err = st.Close()
	case opLoad:
		k := &kernel{gpu: g, name: r.Name, params: r.Bytes}
		if err = g.do(func() error { return k.load(r.PTX) }); err != nil {
			err = fmt.Errorf("kernel %s: %w", r.Name, err)
		}
		s.kernels[r.ID] = k
	case opSeen:
		out.Address, err = g.seen(s.shared.slice(r.Offset, 1))
	case opLibrary:
		out.Name, err = g.Library(r.Call.Routine)
	default:
		s.queue(r, g, s.streams[r.Stream])
		return
	}
	out.Err = failureOf(err)
	s.reply(out)
}

// pin lets drivers copy from and to the shared memory directly. Where they cannot, copies go by way of their own.
func (s *server) pin(g *GPU) {
	for _, seg := range s.shared.segments[s.pinned:] {
		const portable, mapped = 1, 2 // for the contexts of all GPUs, and for their kernels
		if g.driver.has(fnMemHostRegister) {
			g.do(func() error {
				return g.driver.must(fnMemHostRegister, uintptr(unsafe.Pointer(&seg.b[0])), uintptr(len(seg.b)), portable|mapped)
			})
		}
	}
	s.pinned = len(s.shared.segments)
}

// open begins to tell the session of a stream's operations that are over.
func (s *server) open(id int, made *stream) {
	st := &served{made, make(chan queued, 2*depth)}
	s.streams[id] = st
	go func() {
		for q := range st.queued {
			out := reply{ID: q.id, Err: failureOf(q.e.Wait(context.Background())), Event: q.e.Trace(), Data: q.data}
			s.mu.Lock()
			delete(s.events, q.id)
			s.mu.Unlock()
			s.reply(out)
		}
	}()
}

// beside begins to serve a stream's copies apart.
func (s *server) beside(id int, g *GPU) {
	a := &apart{s.streams[id], make(chan *request, depth)}
	s.mu.Lock()
	if s.apart == nil {
		s.apart = map[int]*apart{}
	}
	s.apart[id] = a
	s.mu.Unlock()
	go func() {
		for r := range a.requests {
			s.queue(r, g, a.served)
		}
	}()
}

// queue queues an operation on a stream.
func (s *server) queue(r *request, g *GPU, st *served) {
	data := r.Data
	if data == nil && r.Bytes > 0 && (r.Op == opCopyIn || r.Op == opCopyOut) {
		if r.Op == opCopyOut && r.Offset < 0 {
			data = make([]byte, r.Bytes)
		} else {
			data = s.shared.slice(r.Offset, r.Bytes)
		}
	}
	at := &buffer{gpu: g, address: r.Address, bytes: r.Bytes, part: true}
	q := queued{id: r.ID}
	switch r.Op {
	case opCopyIn:
		q.e = st.CopyIn(at, 0, data).(*event)
	case opCopyOut:
		q.e = st.CopyOut(data, at, 0).(*event)
		if r.Offset < 0 {
			q.data = data
		}
	case opCopyPeer:
		from := &buffer{gpu: s.gpus[r.Peer], address: r.From, bytes: r.Bytes, part: true}
		q.e = st.CopyPeer(at, 0, from, 0, r.Bytes).(*event)
	case opLaunch:
		q.e = st.Launch(s.kernels[r.Kernel], r.Grid, r.Block, r.Shared, r.Data).(*event)
	case opCall:
		q.e = st.Call(r.Call).(*event)
	case opWait:
		s.mu.Lock()
		e := s.events[r.Event]
		s.mu.Unlock()
		q.e = st.waitFor(e, nil).(*event) // nil: it is over
	}
	s.mu.Lock()
	s.events[r.ID] = q.e
	s.mu.Unlock()
	st.queued <- q
}
