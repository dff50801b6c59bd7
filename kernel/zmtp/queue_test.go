package zmtp

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fill puts n messages of one byte into q, which has room for them.
func fill(t *testing.T, q *queue, n int) {
	t.Helper()
	for range n {
		require.True(t, q.put(item{msg: Message{[]byte{1}}}, false))
	}
}

// takes takes an item each so often, until the queue is closed.
func takes(q *queue, every time.Duration) {
	for {
		time.Sleep(every)
		if _, ok := q.take(func() {}); !ok {
			return
		}
	}
}

// TestASlowReaderIsNoStuckOne: a reader on a busy machine that goes on taking messages loses none, although another
// that takes nothing has used up the patience of the socket.
func TestASlowReaderIsNoStuckOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newPatience(5 * time.Second)
		o := Options{QueueMessages: 160, QueueBytes: 1000, Stall: 5 * time.Second}
		stuck, slow := newQueue(o, shared), newQueue(o, shared)
		fill(t, stuck, o.QueueMessages)
		assert.False(t, stuck.put(item{msg: Message{[]byte{1}}}, false))
		fill(t, slow, o.QueueMessages)
		var reader sync.WaitGroup
		reader.Go(func() { takes(slow, 200*time.Millisecond) }) // of ten items that make room
		time.Sleep(250 * time.Millisecond)
		fill(t, slow, 1)
		start := time.Now()
		assert.True(t, slow.put(item{msg: Message{[]byte{1}}}, false))
		assert.Less(t, time.Since(start), 4*time.Second)
		slow.close()
		reader.Wait()
	})
}

// TestManySlowReadersCostOneStall: readers that take so little that it would go on for minutes cost no more together
// than one that takes nothing, beside the least time that each gets.
func TestManySlowReadersCostOneStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stall = 5 * time.Second
		shared := newPatience(stall)
		o := Options{QueueMessages: 16000, QueueBytes: 1 << 20, Stall: stall}
		start := time.Now()
		var reader sync.WaitGroup
		for range 8 {
			q := newQueue(o, shared)
			fill(t, q, o.QueueMessages)
			reader.Go(func() { takes(q, stall/patienceFloor) })
			assert.False(t, q.put(item{msg: Message{[]byte{1}}}, false))
			q.close()
		}
		assert.Less(t, time.Since(start), 3*stall)
		reader.Wait()
	})
}
