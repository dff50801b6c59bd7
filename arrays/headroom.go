package arrays

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Go's collector runs when the heap has doubled, and with little alive after every 4 MB: after five results of 100,000
// numbers, for longer than they take. So a program that asks for it with TuneCollector gets a headroom, memory that is
// reserved and never touched (the system gives it no pages), by which the collector counts its heap as larger. In its
// stead who has made an interval of storage collects, while that takes a small part of the time: results lie where
// garbage lay a moment before, in cache, and as the heap grows to the same size each time, Go's scavenger does not give
// its pages back.
const (
	headroomAfter   = 1 << 20
	headroomBytes   = 64 << 20
	collectInterval = 32 << 20 // within the last cache of most processors, and far below headroomBytes
	collectSeldom   = 1 << 30  // also how far a limit of memory must be
	collectPatience = 4        // so many in a row that take long: one may have waited for a processor
)

// freshBytes counts storage since the last collection of ours.
var freshBytes, freshMost atomic.Int64

func init() { freshMost.Store(math.MaxInt64) }

// TuneCollector has garbage collected for a program whose memory is mostly arrays: 64 MB of addresses, which take no
// memory, are reserved, so that Go's collector runs more seldom, and after each 32 MB of new arrays a collection is
// made where that takes little of the time. Results of some 100 kB are up to three times as fast. Where GOGC or a limit
// of memory that is near is set, Go's collector stays as it is. The package does nothing of it unasked.
func TuneCollector() { freshMost.CompareAndSwap(math.MaxInt64, headroomAfter) }

var headroom struct {
	sync.Mutex
	room  []byte
	since time.Time // the end of the last collection
	long  int       // how many in a row took long
}

// made counts n bytes of new storage, before they are made.
func made(n int) {
	if freshBytes.Add(int64(n)) > freshMost.Load() {
		collect()
	}
}

// collect makes the headroom when there is none, else collects garbage. Where that takes long beside what the program
// does, as with many objects alive, the next is put off and Go's own cycles do.
func collect() {
	if !headroom.TryLock() {
		return // another goroutine does
	}
	defer headroom.Unlock()
	freshBytes.Store(0)
	free := unlimited()
	if free < collectSeldom {
		headroom.room = nil
		freshMost.Store(collectInterval)
		return
	}
	if headroom.room == nil {
		// garbage at once: results come to lie there, below the room
		inLargePages(make([]byte, collectInterval+collectInterval/4))
		headroom.room, headroom.long = make([]byte, headroomBytes), 0 // which begins a cycle
		freshMost.Store(collectInterval)
		return
	}
	begin := time.Now()
	runtime.GC()
	end := time.Now()
	if headroom.long++; end.Sub(begin) < begin.Sub(headroom.since)/2 {
		headroom.long = 0
	}
	freshMost.Store(collectInterval)
	if headroom.long >= collectPatience {
		freshMost.Store(min(collectSeldom, free/2)) // before a limit is near
	}
	headroom.since = end
}

// unlimited returns how many bytes the program may take yet: none where GOGC is set, because who has set it wants the
// collector so.
func unlimited() int64 {
	set := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(set)
	if set[0].Value.Uint64() != 100 {
		return 0
	}
	return int64(set[1].Value.Uint64()) - int64(set[2].Value.Uint64())
}
