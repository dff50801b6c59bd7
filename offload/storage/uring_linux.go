package storage

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Uring reads by io_uring: what several threads ask for is with the disk at once, without a thread of the system's for
// each. Its memory layout is that of <linux/io_uring.h>. It writes as Pread does.
type Uring struct {
	Pread
	direct *Direct // whose blocks are read; nil where reads go through the system's cache
	file   *os.File
	ring   int

	open  sync.RWMutex  // held by who reads, so that Close waits
	room  chan int      // numbers of commands that are free
	baton chan struct{} // whoever has it waits for the disk, for all
	done  [uringDepth]chan int32

	submit sync.Mutex
	sq, cq []byte // the rings
	sqes   []byte
	p      uringParams
	call   func(ring int, submit, wait, flags uintptr) error // io_uring_enter, but in tests
}

const (
	uringDepth = 128

	uringSetup = 425
	uringEnter = 426
	opRead     = 22
	getEvents  = 1
	singleMap  = 1

	offSQ   = 0
	offCQ   = 0x8000000
	offSQEs = 0x10000000

	sqeBytes = 64
	cqeBytes = 16
)

// uringParams is struct io_uring_params.
type uringParams struct {
	sqEntries, cqEntries, flags, threadCPU, threadIdle, features, wqFD uint32
	_                                                                  [3]uint32
	sq                                                                 struct {
		head, tail, mask, entries, flags, dropped, array, _ uint32
		addr                                                uint64
	}
	cq struct {
		head, tail, mask, entries, overflow, cqes, flags, _ uint32
		addr                                                uint64
	}
}

func newUring(disk *os.File, d *Direct) (u *Uring, err error) {
	u = &Uring{Pread: Pread{disk}, direct: d, file: disk, room: make(chan int, uringDepth), baton: make(chan struct{}, 1), call: enterRing}
	if d != nil {
		u.file = d.direct
	}
	fd, _, no := unix.Syscall(uringSetup, uringDepth, uintptr(unsafe.Pointer(&u.p)), 0)
	if no != 0 {
		return nil, no
	}
	u.ring = int(fd)
	defer func() {
		if err != nil {
			u.unmap()
		}
	}()
	if u.p.features&singleMap == 0 {
		return nil, unix.ENOSYS // a system before 5.4
	}
	bytes := max(int(u.p.sq.array)+4*int(u.p.sqEntries), int(u.p.cq.cqes)+cqeBytes*int(u.p.cqEntries))
	if u.sq, err = unix.Mmap(u.ring, offSQ, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return nil, err
	}
	u.cq = u.sq
	if u.sqes, err = unix.Mmap(u.ring, offSQEs, sqeBytes*int(u.p.sqEntries), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return nil, err
	}
	for i := range uringDepth {
		u.room <- i
		u.done[i] = make(chan int32, 1)
	}
	u.baton <- struct{}{}
	b, err := takeBounce()
	if err != nil {
		return nil, err
	}
	defer giveBounce(b)
	_, err = u.command(b.bytes[:max(u.alignment(), 1)], 0) // some containers refuse it only now
	return u, err
}

// Name returns "uring".
func (*Uring) Name() string { return "uring" }

func (u *Uring) word(ring []byte, off uint32) *uint32 { return (*uint32)(unsafe.Pointer(&ring[off])) }

// ReadAt reads by commands of up to a megabyte, or by several at a time.
func (u *Uring) ReadAt(p []byte, off int64) (n int, err error) {
	u.open.RLock()
	defer u.open.RUnlock()
	if u.sqes == nil {
		return 0, os.ErrClosed
	}
	if u.direct != nil && u.direct.aligned(p, off) {
		if n, err = u.command(p, off); err == nil && n == len(p) {
			return n, nil
		}
		n = 0
	}
	b, err := takeBounce()
	if err != nil {
		return 0, err
	}
	defer giveBounce(b)
	if len(p) > wagon {
		n = u.train(p, off, b.bytes)
	}
	for n < len(p) {
		at := off + int64(n)
		lo, bytes := at, min(len(p)-n, bounceBytes)
		if u.direct != nil {
			lo, bytes = u.direct.blocks(at, len(p)-n)
		}
		got, err := u.command(b.bytes[:bytes], lo)
		k := 0
		if err == nil && int64(got) > at-lo {
			k = copy(p[n:], b.bytes[at-lo:got])
		}
		if k == 0 { // the end of the file, or what went wrong
			k, err = u.Pread.ReadAt(p[n:], at)
			return n + k, err
		}
		n += k
	}
	return n, nil
}

func (u *Uring) alignment() int64 {
	if u.direct == nil {
		return 0
	}
	return u.direct.align
}

// command reads b, which is not on a stack, from off on, and waits for it. Where the system takes no command the error
// says why.
func (u *Uring) command(b []byte, off int64) (int, error) {
	id := <-u.room
	defer func() {
		runtime.KeepAlive(b)
		u.room <- id
	}()
	if err := u.begin(id, b, off); err != nil {
		return 0, err
	}
	return u.wait(id)
}

// wait waits for a command that was begun.
func (u *Uring) wait(id int) (int, error) {
	for {
		select {
		case res := <-u.done[id]:
			return result(res)
		default:
		}
		select {
		case res := <-u.done[id]:
			return result(res)
		case <-u.baton:
			for u.reap(); len(u.done[id]) == 0; u.reap() {
				if err := u.call(u.ring, 0, 1, getEvents); err != nil && !errors.Is(err, unix.EINTR) {
					time.Sleep(pauseOfRing) // the command is on its way all the same, and its memory taken
				}
			}
			u.baton <- struct{}{}
		}
	}
}

// A long read is a train of commands, of which the next are with the disk while one is copied.
const (
	wagons = 4 // as much is with the disk at a time as by one command of a megabyte
	wagon  = bounceBytes / wagons
)

// train reads p from off on by way of a bounce, and returns how much came before something was missing: that is for who
// asks for it again.
func (u *Uring) train(p []byte, off int64, bounce []byte) (n int) {
	align := max(u.alignment(), 1)
	first, end := off&^(align-1), (off+int64(len(p))+align-1)&^(align-1)
	from := func(k int) int64 { return first + int64(k)*wagon }
	part := func(k int) []byte { return bounce[k%wagons*wagon:][:min(wagon, end-from(k))] }
	var ids [wagons]int
	whole := true
	for begun, ended := 0, 0; ; ended++ {
		for whole && begun-ended < wagons && from(begun) < end {
			id, ok := u.take(begun == ended)
			if !ok {
				break
			}
			if u.begin(id, part(begun), from(begun)) != nil {
				u.room <- id
				whole = false
				break
			}
			ids[begun%wagons] = id
			begun++
		}
		if begun == ended {
			return n
		}
		got, err := u.wait(ids[ended%wagons])
		u.room <- ids[ended%wagons]
		if !whole {
			continue
		}
		b, at := part(ended), off+int64(n)-from(ended)
		if err == nil && int64(got) > at {
			n += copy(p[n:], b[at:got])
		}
		whole = err == nil && got == len(b)
	}
}

// take returns the number of a command that is free. Who has others does not wait for one: all would wait for each
// other.
func (u *Uring) take(wait bool) (id int, ok bool) {
	if wait {
		return <-u.room, true
	}
	select {
	case id = <-u.room:
		return id, true
	default:
		return 0, false
	}
}

const (
	triesOfRing = 20 // to have a command taken, before the file is read another way
	pauseOfRing = 50 * time.Microsecond
)

// begin gives a command to the system. Whether it was taken is what the ring says, whatever the call returns: it may
// take none and return no error, and a signal may end it when it has taken one.
func (u *Uring) begin(id int, b []byte, off int64) error {
	u.submit.Lock()
	defer u.submit.Unlock()
	head, tail := u.word(u.sq, u.p.sq.head), u.word(u.sq, u.p.sq.tail)
	i := *tail & *u.word(u.sq, u.p.sq.mask)
	sqe := u.sqes[sqeBytes*i:][:sqeBytes]
	clear(sqe)
	sqe[0] = opRead
	*(*int32)(unsafe.Pointer(&sqe[4])) = int32(u.file.Fd())
	*(*uint64)(unsafe.Pointer(&sqe[8])) = uint64(off)
	*(*uint64)(unsafe.Pointer(&sqe[16])) = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	*(*uint32)(unsafe.Pointer(&sqe[24])) = uint32(len(b))
	*(*uint64)(unsafe.Pointer(&sqe[32])) = uint64(id)
	*u.word(u.sq, u.p.sq.array+4*i) = i
	after := *tail + 1
	atomic.StoreUint32(tail, after)
	err := error(unix.EAGAIN)
	for range triesOfRing {
		wrong := u.call(u.ring, 1, 0, 0)
		if atomic.LoadUint32(head) == after {
			return nil
		}
		if wrong != nil {
			err = wrong
		}
		if wrong != nil && !errors.Is(wrong, unix.EINTR) && !errors.Is(wrong, unix.EAGAIN) && !errors.Is(wrong, unix.EBUSY) {
			break
		}
		select { // it may wait for results to be fetched, which nobody waits for
		case <-u.baton:
			u.reap()
			u.baton <- struct{}{}
		default:
		}
		time.Sleep(pauseOfRing)
	}
	atomic.StoreUint32(tail, after-1)
	return err
}

func result(res int32) (int, error) {
	if res < 0 {
		return 0, unix.Errno(-res)
	}
	return int(res), nil
}

// enterRing submits commands, or waits for one, or both. What it returns does not say how many were taken.
func enterRing(ring int, submit, wait, flags uintptr) error {
	if _, _, no := unix.Syscall6(uringEnter, uintptr(ring), submit, wait, flags, 0, 0); no != 0 {
		return no
	}
	return nil
}

// reap gives the results that are there to who waits for them. Its caller has the baton.
func (u *Uring) reap() {
	head, tail := u.word(u.cq, u.p.cq.head), u.word(u.cq, u.p.cq.tail)
	for h := *head; h != atomic.LoadUint32(tail); h++ {
		cqe := u.cq[u.p.cq.cqes+cqeBytes*(h&*u.word(u.cq, u.p.cq.mask)):]
		id, res := *(*uint64)(unsafe.Pointer(&cqe[0])), *(*int32)(unsafe.Pointer(&cqe[8]))
		atomic.StoreUint32(head, h+1)
		u.done[id] <- res
	}
}

// Close waits for what is being read, and closes the file.
func (u *Uring) Close() error {
	u.open.Lock()
	defer u.open.Unlock()
	u.unmap()
	if u.direct != nil {
		return u.direct.Close()
	}
	return u.Pread.Close()
}

func (u *Uring) unmap() {
	if u.sq != nil {
		_ = unix.Munmap(u.sq)
	}
	if u.sqes != nil {
		_ = unix.Munmap(u.sqes)
	}
	u.sq, u.cq, u.sqes = nil, nil, nil
	_ = unix.Close(u.ring)
}
