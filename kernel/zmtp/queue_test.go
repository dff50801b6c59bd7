package zmtp

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallQueues have 160 items: ten make room, and each second one is followed by a PING.
var smallQueues = Options{QueueMessages: 160, QueueBytes: 1 << 20, Stall: 5 * time.Second}

var oneByte = item{msg: Message{[]byte{1}}}

// fill puts n messages of one byte into q, which has room for them.
func fill(t *testing.T, q *queue, n int) {
	t.Helper()
	for range n {
		require.True(t, q.put(oneByte, false))
	}
}

// reads takes an item each so often and answers PINGs, as a peer of ZMTP 3.1 does, and does nothing while pause says
// so. It ends with the queue.
func reads(q *queue, every time.Duration, pause func(taken int) time.Duration) {
	for taken := 0; ; taken++ {
		time.Sleep(every + pause(taken))
		_, ask, ok := q.take(func() {})
		if !ok {
			return
		}
		if ask != nil {
			q.answered(ask)
		}
	}
}

func never(int) time.Duration { return 0 }

// onceFor pauses for d when n items have been taken.
func onceFor(n int, d time.Duration) func(int) time.Duration {
	return func(taken int) time.Duration {
		if taken == n {
			return d
		}
		return 0
	}
}

// A reader that has answered PINGs and then gets no processor for some seconds loses nothing, although another that
// takes nothing has used up the patience of the socket.
func TestAStarvedReaderIsNoStuckOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newPatience(smallQueues.Stall)
		stuck, starved := newQueue(smallQueues, shared, true), newQueue(smallQueues, shared, true)
		fill(t, stuck, smallQueues.QueueMessages)
		assert.False(t, stuck.put(oneByte, false))
		fill(t, starved, smallQueues.QueueMessages)
		var reader sync.WaitGroup
		reader.Go(func() { reads(starved, time.Millisecond, onceFor(20, 4*time.Second)) })
		time.Sleep(30 * time.Millisecond)
		fill(t, starved, 20) // the room that it has made
		start := time.Now()
		assert.True(t, starved.put(oneByte, false))
		assert.Greater(t, time.Since(start), 3*time.Second, "it was starved")
		starved.close()
		reader.Wait()
	})
}

// Whoever is slow, starved now and then or stuck: all that read get all, and the stuck ones cost one stall.
func TestSlowStarvedAndStuckReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const messages = 2000
		shared := newPatience(smallQueues.Stall)
		var stuck, well []*queue
		var readers sync.WaitGroup
		add := func(to *[]*queue, every time.Duration, pause func(int) time.Duration) {
			q := newQueue(smallQueues, shared, true)
			*to = append(*to, q)
			if pause != nil {
				readers.Go(func() { reads(q, every, pause) })
			}
		}
		for i := range 4 {
			add(&stuck, 0, nil)
			add(&well, 0, never)
			add(&well, time.Duration(50*i)*time.Millisecond, never) // at most 1.5 s for what makes room
			add(&well, time.Millisecond, func(taken int) time.Duration {
				if taken%400 == 100*i+40 {
					return 4 * time.Second
				}
				return 0
			})
		}
		start, waited := time.Now(), time.Duration(0)
		for n := range messages {
			for i, q := range well {
				require.True(t, q.put(oneByte, false), "message %d to reader %d after %v", n, i, time.Since(start))
			}
			for _, q := range stuck {
				before := time.Now()
				q.put(oneByte, false)
				waited += time.Since(before)
			}
		}
		assert.Less(t, waited, smallQueues.Stall*3/2)
		for _, q := range append(stuck, well...) {
			q.close()
		}
		readers.Wait()
	})
}

// Readers that have read a lot and stop at the same time cost one stall together.
func TestReadersThatStopTogetherCostOneStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newPatience(smallQueues.Stall)
		var readers sync.WaitGroup
		var all []*queue
		for range 8 {
			q := newQueue(smallQueues, shared, true)
			all = append(all, q)
			readers.Go(func() { reads(q, time.Millisecond, onceFor(100, time.Hour)) })
		}
		start := time.Now()
		for range 400 {
			for _, q := range all {
				q.put(oneByte, false)
			}
			time.Sleep(time.Millisecond)
		}
		assert.Less(t, time.Since(start), 3*smallQueues.Stall/2)
		for _, q := range all {
			assert.True(t, q.stuck)
			q.close()
		}
		readers.Wait()
	})
}

// Readers that take so little that it would go on for minutes cost no more together than one that takes nothing, beside
// the least time that each gets. They may answer PINGs and may not.
func TestManySlowReadersCostOneStall(t *testing.T) {
	for _, answers := range []bool{true, false} {
		t.Run(fmt.Sprint(answers), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shared := newPatience(smallQueues.Stall)
				start := time.Now()
				var readers sync.WaitGroup
				for range 8 {
					q := newQueue(smallQueues, shared, answers)
					fill(t, q, smallQueues.QueueMessages)
					readers.Go(func() { reads(q, 3*time.Second, never) }) // half a minute for what makes room
					assert.False(t, q.put(oneByte, false))
					q.close()
				}
				assert.Less(t, time.Since(start), 3*smallQueues.Stall)
				readers.Wait()
			})
		})
	}
}

// A reader that goes on reading below the least speed does not hold others up for ever.
func TestATrickleIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(smallQueues, newPatience(smallQueues.Stall), true)
		var reader sync.WaitGroup
		reader.Go(func() { reads(q, 4*time.Second, never) })
		start := time.Now()
		for range 500 {
			q.put(oneByte, false)
		}
		assert.Less(t, time.Since(start), 3*smallQueues.Stall)
		q.close()
		reader.Wait()
	})
}

// Nothing is earned by answers to what was not asked, and each answer counts once.
func TestAnswersToNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(smallQueues, newPatience(smallQueues.Stall), true)
		fill(t, q, 4)
		q.take(func() {})
		_, first, _ := q.take(func() {})
		require.Len(t, first, 8)
		q.answered(make([]byte, 8))
		q.answered(nil)
		assert.Zero(t, q.reading.earned)
		q.answered(first)
		assert.Equal(t, time.Second, q.reading.earned)
		q.answered(first)
		assert.Equal(t, time.Second, q.reading.earned)

		old := newQueue(smallQueues, newPatience(smallQueues.Stall), false)
		fill(t, old, 20)
		for range 20 {
			_, ask, _ := old.take(func() {})
			assert.Nil(t, ask, "a peer of ZMTP 3.0 does not know PING")
		}
	})
}
