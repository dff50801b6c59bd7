package simgpu

import "fmt"

// LoadOrder is a policy of the order in which an SM serves loads of device memory that wait for a place among those in
// flight.
type LoadOrder interface {
	Name() string
	// Queue is asked when a launch begins.
	Queue() LoadQueue
	// Next returns an index into waiting, of the load that is served next; the oldest is first. It is asked when the
	// pipeline of memory is free and one of them fits at least. -1, or one that does not fit, serves none until another
	// load is there.
	Next(now int64, waiting []WaitingLoad) int
}

// LoadQueue is what stands between the schedulers of an SM and its L1 under a [LoadOrder].
type LoadQueue struct {
	// MSHRs is of how many lines of 128 bytes misses are in flight at most (miss status holding registers): what wants
	// a line that is on its way waits for it and takes no other. 0: accesses of warps are counted in place of lines,
	// hits and stores too, PendingAccesses of the Preset.
	MSHRs int
	// Active is how many loads wait before the pipeline takes no more accesses; 0 is one.
	Active int
	// Inactive is how many loads of blocks wait that have lost their slots (see VT); a block keeps its slots where
	// there is no room for its loads. 0: they stay among the others.
	Inactive int
}

// WaitingLoad is a load in the queue of an SM.
type WaitingLoad struct {
	Block  int   // index of its block in the grid
	Warp   int   // number of its warp in the block
	Since  int64 // cycle in which it issued
	Lines  int   // that it has still to look up
	Active bool  // its block has slots
	Fits   bool  // the first of its lines is in L1, or on its way, or there is room for it in the table
}

// FIFO serves loads in the order of their issue: the pipeline of memory stands while the first does not fit.
type FIFO struct {
	// MSHRs is of how many lines misses are in flight; 0 counts accesses, as machines without a LoadOrder do, and gives
	// their times.
	MSHRs int
}

// Name returns "fifo", with its table where it has one.
func (f FIFO) Name() string {
	if f.MSHRs != 0 {
		return fmt.Sprintf("fifo before %d MSHRs", f.MSHRs)
	}
	return "fifo"
}

// Queue implements LoadOrder.
func (f FIFO) Queue() LoadQueue { return LoadQueue{MSHRs: f.MSHRs} }

// Next returns the oldest.
func (FIFO) Next(int64, []WaitingLoad) int { return 0 }

// Mascar is the re-execution queue of Mascar (Sethia, Jamshidi and Mahlke, HPCA 2015) alone, as [VT]'s paper compares
// with it: a load that finds no place among the misses in flight waits in a queue and is tried again, and those behind
// it, which may hit, go on.
type Mascar struct {
	MSHRs   int // lines of misses in flight; 0 is 64
	Entries int // of the queue; 0 is 30
}

// Name returns "mascar" and what is not as usual.
func (m Mascar) Name() string { return queueName("mascar", m.MSHRs, m.Entries) }

// Queue implements LoadOrder.
func (m Mascar) Queue() LoadQueue {
	return LoadQueue{MSHRs: usual(m.MSHRs, 64), Active: usual(m.Entries, 30)}
}

// Next returns the oldest that fits.
func (Mascar) Next(_ int64, waiting []WaitingLoad) int {
	for i := range waiting {
		if waiting[i].Fits {
			return i
		}
	}
	return -1
}

func (Mascar) activeFirst() bool { return false }

// ActiveFirst is the order of loads of [VT]'s paper: loads that find no place wait in two queues and are tried again,
// those of blocks that have lost their slots only when none of the others fits.
type ActiveFirst struct {
	MSHRs   int // lines of misses in flight; 0 is 64
	Entries int // of each of the two queues; 0 is 30
}

// Name returns "active first" and what is not as usual.
func (a ActiveFirst) Name() string { return queueName("active first", a.MSHRs, a.Entries) }

// Queue implements LoadOrder.
func (a ActiveFirst) Queue() LoadQueue {
	n := usual(a.Entries, 30)
	return LoadQueue{MSHRs: usual(a.MSHRs, 64), Active: n, Inactive: n}
}

// Next returns the oldest that fits of a block with slots, else the oldest that fits.
func (ActiveFirst) Next(_ int64, waiting []WaitingLoad) int {
	first := -1
	for i := range waiting {
		switch w := &waiting[i]; {
		case !w.Fits:
		case w.Active:
			return i
		case first < 0:
			first = i
		}
	}
	return first
}

func (ActiveFirst) activeFirst() bool { return true }

func usual(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

func queueName(name string, mshrs, entries int) string {
	if mshrs != 0 {
		name += fmt.Sprintf(", %d MSHRs", mshrs)
	}
	if entries != 0 {
		name += fmt.Sprintf(", queues of %d", entries)
	}
	return name
}

// mostWaiting bounds tables and queues: each load that waits is looked at in each cycle.
const mostWaiting = 1 << 12

// check returns why a machine cannot have such a queue, or nil.
func (q LoadQueue) check() *PolicyError {
	for _, f := range []struct {
		name string
		n    int
	}{{"MSHRs", q.MSHRs}, {"Active", q.Active}, {"Inactive", q.Inactive}} {
		if f.n < 0 || f.n > mostWaiting {
			return &PolicyError{What: fmt.Sprintf("asks for a queue whose %s are %d, must be 0 to %d", f.name, f.n, mostWaiting), Cycle: -1}
		}
	}
	return nil
}

// queues returns why loads cannot be queued under the other policies, or nil.
func (p policies) queues() error {
	if p.loads == nil {
		return nil
	}
	why := ""
	switch p.divergence.(type) {
	case former:
		why = "whose groups have a place in the pool, not a scoreboard that a load could come back to"
	case Sharer:
		why = "whose groups issue one access together"
	case SBI:
		why = "whose scoreboard is told when a load issues how long it takes"
	}
	if why != "" {
		return fmt.Errorf("simgpu: loads wait under PDOM, TF, NREC or a policy of your own with a Split for each warp, for %s, not under %s, %s",
			nameOf(p.loads), nameOf(p.divergence), why)
	}
	var e *PolicyError
	if failed := ask(func() { e = p.loads.Queue().check() }); failed != nil {
		e = failed
	}
	if e != nil {
		return fmt.Errorf("simgpu: the %s %q %s", loadKind, nameOf(p.loads), e.What)
	}
	return nil
}
