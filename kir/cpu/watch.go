package cpu

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Where is what one thread of a running launch executes.
type Where struct {
	Kernel        string
	Block, Thread kir.Dim3 // indices in the grid and in the block
	Pos           kir.Pos  // of the source; zero where that is not known
}

// String says it in words: "kernel spin: thread (5) of block (0) is at cell 1, line 4".
func (w Where) String() string {
	s := fmt.Sprintf("kernel %s: thread %s of block %s is running", w.Kernel, kir.IndexText(w.Thread), kir.IndexText(w.Block))
	if w.Pos != (kir.Pos{}) {
		s = fmt.Sprintf("kernel %s: thread %s of block %s is at %v", w.Kernel, kir.IndexText(w.Thread), kir.IndexText(w.Block), w.Pos)
	}
	return s
}

// Watch tells where the launch is that was given it, for those who wait long for it. Launches have it one after
// another. Its zero value is ready.
type Watch struct {
	mu    sync.Mutex
	run   *run // nil when none runs
	said  chan Where
	last  Where // of a launch that was stopped
	known bool
}

// lookFlag is set in a run's limit, which workers read at each basic block, when somebody wants to know where they are.
const lookFlag = 1 << 62

// answerTime is how long Where waits for a worker to come to a basic block.
const answerTime = 50 * time.Millisecond

// Where returns what some thread of the launch executes, or executed when the launch was stopped because its context
// had ended. It reports false when no launch runs, or none of its threads came to another basic block within 50 ms.
func (w *Watch) Where() (Where, bool) {
	w.mu.Lock()
	r, said, last, known := w.run, w.said, w.last, w.known
	w.mu.Unlock()
	if r == nil {
		return last, known
	}
	select {
	case <-said: // that of somebody who did not wait for it
	default:
	}
	for {
		old := r.limit.Load()
		if old < 0 || old&lookFlag != 0 || r.limit.CompareAndSwap(old, old|lookFlag) {
			break
		}
	}
	select {
	case at := <-said:
		return at, true
	case <-time.After(answerTime):
		return Where{}, false
	}
}

// begin and end stand around a run.
func (w *Watch) begin(r *run) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run, w.said, w.known = r, make(chan Where, 1), false
}

func (w *Watch) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run = nil
}

// tell answers Where, once for each time that somebody has asked.
func (w *worker) tell(limit *atomic.Int64, flagged int64, next int) {
	if limit.CompareAndSwap(flagged, flagged&^lookFlag) {
		select {
		case w.l.Watch.said <- w.where(next):
		default: // nobody has taken the answer before
		}
	}
}

// stop notes where a launch was that nobody waits for any more.
func (w *worker) stop(limit int64, next int) {
	watch := w.l.Watch
	if watch == nil || limit >= 0 {
		return
	}
	watch.mu.Lock()
	defer watch.mu.Unlock()
	if !watch.known {
		watch.last, watch.known = w.where(next), true
	}
}

// where is what the first of the threads that run executes: the basic block number next.
func (w *worker) where(next int) Where {
	out := Where{Kernel: w.p.f.Name, Block: w.block(w.list[0]), Thread: w.thread(w.list[0])}
	blk := w.p.code[next].blk
	for _, v := range blk.Values {
		if v.Pos != (kir.Pos{}) {
			out.Pos = v.Pos
			return out
		}
	}
	out.Pos = blk.Term.Pos
	return out
}
