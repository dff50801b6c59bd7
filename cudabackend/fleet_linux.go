//go:build !nocuda

package cudabackend

import (
	"bufio"
	"cmp"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/procs"
)

// fleet is the GPUs of this machine behind one worker process at a time, and the memory that session and worker share.
type fleet struct {
	command []string      // starts a worker
	silent  time.Duration // how long a worker may say nothing before it is taken for dead
	patient time.Duration // how long what was interrupted may go on

	mu     sync.Mutex
	worker *worker // nil before the first use, and after a loss
	losses int
	notice string // of a loss that no operation's error tells
	shared *arena
	idle   [][]byte    // pinned memory that came back
	slabs  chan []byte // free parts of the shared memory, for copies from and to other memory
}

// The shared memory for copies: some slabs, so that the worker copies one while the session fills another.
const (
	slabBytes = 4 << 20
	slabCount = 8
)

// maxSilence is how long workers may say nothing. They say something each second.
const maxSilence = 10 * time.Second

// maxPatience is how long what a cell has queued may go on after it was interrupted. Nothing but the end of its process
// ends a kernel.
const maxPatience = 5 * time.Second

func newFleet(command []string) *fleet {
	return &fleet{command: command, silent: maxSilence, patient: maxPatience}
}

// worker is one worker process, as the session sees it.
type worker struct {
	fleet  *fleet
	cmd    *exec.Cmd
	forget func()
	out    chan *request
	gone   chan struct{} // closed when it is lost
	heard  atomic.Int64  // when it last said something, in Unix nanoseconds

	mu      sync.Mutex
	lost    *Lost
	last    int // number of a request
	waiting map[int]waiting
}

// waiting is what awaits a reply.
type waiting struct {
	kernel string // that was launched
	then   func(*reply)
}

// get returns the worker, starting one where there is none.
func (f *fleet) get() (*worker, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.worker != nil {
		return f.worker, nil
	}
	if f.shared == nil {
		a, err := newArena()
		if err == nil {
			err = f.makeSlabs(a)
		}
		if err != nil {
			return nil, fmt.Errorf("no memory to share with the process for GPUs (ARRAYREPL_GPU_WORKER=off does without it): %w", err)
		}
		f.shared = a
	}
	w, err := f.start()
	if err != nil {
		return nil, fmt.Errorf("the process for GPUs did not start (ARRAYREPL_GPU_WORKER=off does without it): %w", err)
	}
	for _, s := range f.shared.segments {
		w.share(s)
	}
	f.worker = w
	return w, nil
}

func (f *fleet) makeSlabs(a *arena) error {
	s, err := a.grow(slabBytes * slabCount)
	if err != nil {
		return err
	}
	f.slabs = make(chan []byte, slabCount)
	for slab := range slices.Chunk(s.b, slabBytes) {
		f.slabs <- slab
	}
	return nil
}

// unpinned takes back what pinned has returned.
func (f *fleet) unpinned(b []byte) {
	f.mu.Lock()
	f.idle = append(f.idle, b)
	f.mu.Unlock()
}

// pinned returns n zeroed bytes of shared memory that nobody else uses.
func (f *fleet) pinned(n int) ([]byte, error) {
	w, err := f.get()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	if i := slices.IndexFunc(f.idle, func(b []byte) bool { return len(b) == n }); i >= 0 {
		b := f.idle[i]
		f.idle = slices.Delete(f.idle, i, i+1)
		f.mu.Unlock()
		clear(b)
		return b, nil
	}
	s, err := f.shared.grow(n)
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	w.share(s)
	return s.b[:n:n], nil
}

// offset returns where b lies in the shared memory; false where it does not.
func (f *fleet) offset(b []byte) (int64, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	for _, s := range f.shared.segments {
		first := uintptr(unsafe.Pointer(&s.b[0]))
		if at >= first && at < first+uintptr(len(s.b)) {
			return s.offset + int64(at-first), true
		}
	}
	return 0, false
}

// start starts a worker process. What it and its kernels print goes where the session's output goes; an interrupt of
// the terminal is the session's alone.
func (f *fleet) start() (*worker, error) {
	requests, toWorker, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromWorker, replies, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(f.command[0], f.command[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{requests, replies, f.shared.file}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	requests.Close()
	replies.Close()
	if err != nil {
		toWorker.Close()
		fromWorker.Close()
		return nil, err
	}
	forget := procs.Keep(cmd.Process.Pid) // the session's, whichever cell was the first to need it
	w := &worker{fleet: f, cmd: cmd, forget: forget, out: make(chan *request, 256), gone: make(chan struct{}), waiting: map[int]waiting{}}
	w.heard.Store(time.Now().UnixNano())
	go w.write(toWorker)
	go w.read(fromWorker)
	go w.watch()
	return w, nil
}

// write sends what is queued, many requests in one call of the system where many wait.
func (w *worker) write(to *os.File) {
	defer to.Close()
	buf := bufio.NewWriterSize(to, 64<<10)
	enc := gob.NewEncoder(buf)
	for {
		select {
		case r := <-w.out:
			err := enc.Encode(r)
			if err == nil && len(w.out) == 0 {
				err = buf.Flush()
			}
			if err != nil {
				return // read sees the end too, and knows why
			}
		case <-w.gone:
			return
		}
	}
}

// read hands on replies until the process ends.
func (w *worker) read(from *os.File) {
	defer from.Close()
	dec := gob.NewDecoder(bufio.NewReaderSize(from, 64<<10))
	for {
		r := new(reply)
		if err := dec.Decode(r); err != nil {
			w.cmd.Process.Kill() // when it still runs, it is of no use
			ended := w.cmd.Wait()
			w.forget()
			how := "the process for GPUs ended"
			if ended != nil {
				how += ": " + ended.Error()
			}
			w.end(&Lost{How: how})
			return
		}
		w.heard.Store(time.Now().UnixNano())
		if r.Err != nil && r.Err.Lost != nil {
			w.end(&Lost{Cause: r.Err.Lost.Cause})
			continue // until the process has ended
		}
		w.mu.Lock()
		then := w.waiting[r.ID].then
		delete(w.waiting, r.ID)
		w.mu.Unlock()
		if then != nil {
			then(r)
		}
	}
}

// watch ends a worker that does not say anything.
func (w *worker) watch() {
	tick := time.NewTicker(w.fleet.silent / 4)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if time.Since(time.Unix(0, w.heard.Load())) > w.fleet.silent {
				w.end(&Lost{How: fmt.Sprintf("the process for GPUs has not answered for %v and was ended", w.fleet.silent)})
			}
		case <-w.gone:
			return
		}
	}
}

// end ends the process and tells all who wait for it why. Only the first call does anything.
func (w *worker) end(l *Lost) {
	l.Again = true
	f := w.fleet
	f.mu.Lock()
	w.mu.Lock()
	if w.lost != nil {
		w.mu.Unlock()
		f.mu.Unlock()
		return
	}
	all := w.waiting
	var kernels []string
	for _, x := range all {
		if x.kernel != "" && !slices.Contains(kernels, x.kernel) {
			kernels = append(kernels, x.kernel)
		}
	}
	if slices.Sort(kernels); len(kernels) > 0 {
		l.Kernels = "kernel " + strings.Join(kernels, " or ")
	}
	w.lost, w.waiting = l, nil
	f.losses++
	if l.interrupted {
		f.notice = l.Error() + ". What the host has of arrays is copied to the GPU again, and what was there alone is computed again where variables have what it came from"
	}
	if f.worker == w {
		f.worker = nil
	}
	w.mu.Unlock()
	f.mu.Unlock()
	close(w.gone)
	w.cmd.Process.Kill()
	for _, id := range sortedKeys(all) {
		all[id].then(&reply{Err: &failure{Lost: l}})
	}
}

func sortedKeys(m map[int]waiting) []int {
	ids := make([]int, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, cmp.Compare[int])
	return ids
}

// send queues a request; then, where it is not nil, is called with the reply, or with an error when the worker is lost.
func (w *worker) send(r *request, kernel string, then func(*reply)) (id int) {
	w.mu.Lock()
	if l := w.lost; l != nil {
		w.mu.Unlock()
		if then != nil {
			then(&reply{Err: &failure{Lost: l}})
		}
		return 0
	}
	if then != nil {
		w.last++
		r.ID = w.last
		w.waiting[r.ID] = waiting{kernel, then}
	}
	w.mu.Unlock()
	id = r.ID
	select {
	case w.out <- r:
	case <-w.gone:
	}
	return id
}

// call sends a request and waits for its reply. What has not come some seconds after interrupted is ended with the
// worker.
func (w *worker) call(r *request, interrupted <-chan struct{}) (*reply, error) {
	got := make(chan *reply, 1)
	w.send(r, "", func(r *reply) { got <- r })
	var out *reply
	select {
	case out = <-got:
	case <-interrupted:
		done := make(chan struct{})
		go w.endUnless(done)
		out = <-got
		close(done)
	}
	return out, out.Err.err(nil)
}

// endUnless ends the worker when done is not closed in time after an interrupt.
func (w *worker) endUnless(done <-chan struct{}) {
	patient := w.fleet.patient
	after := time.NewTimer(patient)
	defer after.Stop()
	select {
	case <-done:
	case <-w.gone:
	case <-after.C:
		w.end(&Lost{How: fmt.Sprintf("work that was interrupted had not ended after %v, and the process for GPUs was ended", patient), interrupted: true})
	}
}

// share tells the worker of a segment.
func (w *worker) share(s segment) {
	w.send(&request{Op: opShare, Offset: s.offset, Bytes: len(s.b)}, "", nil)
}

// stop ends the worker, if there is one.
func (f *fleet) stop() {
	f.mu.Lock()
	w := f.worker
	f.mu.Unlock()
	if w != nil {
		w.end(&Lost{How: "the process for GPUs was stopped"})
	}
}
