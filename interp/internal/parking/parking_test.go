package parking

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// TestLot: who came first is first, those that may be beside each other go together, and who must end goes.
func TestLot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lot Lot
		var thing, never int
		var mu sync.Mutex
		var came []string
		var open atomic.Bool
		quit := make(chan struct{})
		var ended atomic.Bool
		wait := func(name string, beside bool) {
			go lot.Await(&ended, quit, unsafe.Pointer(&thing), beside, func() bool {
				mu.Lock()
				defer mu.Unlock()
				if open.Load() {
					came = append(came, name)
				}
				return open.Load()
			})
			synctest.Wait()
		}
		wait("writer", false)
		wait("reader", true)
		wait("another reader", true)
		wait("last writer", false)
		left := make(chan bool)
		go func() {
			left <- !lot.Await(&ended, quit, unsafe.Pointer(&never), false, func() bool { return false })
		}()
		synctest.Wait()
		goroutines, things := lot.Waiting()
		assert.Equal(t, []int{5, 2}, []int{goroutines, things})
		assert.False(t, lot.Free(unsafe.Pointer(&thing), true), "a writer came before")

		open.Store(true)
		lot.Wake(unsafe.Pointer(&thing))
		synctest.Wait()
		assert.Equal(t, "writer", came[0])
		assert.ElementsMatch(t, []string{"reader", "another reader"}, came[1:3])
		assert.Equal(t, "last writer", came[3])

		ended.Store(true)
		close(quit)
		assert.True(t, <-left)
		goroutines, things = lot.Waiting()
		assert.Equal(t, []int{0, 0}, []int{goroutines, things})
	})
}
