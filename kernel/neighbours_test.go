package kernel

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// Subscribers that never read hold up neither an interrupt nor the end of the cell that it interrupts.
func TestSilentSubscribersHoldUpNoInterrupt(t *testing.T) {
	c := startKernel(t)
	for range 8 {
		dialChannel(t, c.conn.IOPubPort, "SUB", "").write(zmtp.Message{[]byte("\x01")})
	}
	quiet := func() { // reads, and keeps nothing
		buf := make([]byte, 1<<20)
		for {
			if _, err := c.iopub.r.Read(buf); err != nil {
				return
			}
		}
	}
	go quiet()
	id := c.send(c.shell, "execute_request", object{"code": `flood`})
	time.Sleep(2 * time.Second) // the queues are full
	start := time.Now()
	asked := c.send(c.control, "interrupt_request", object{})
	require.Equal(t, asked, c.recv(c.control).Parent)
	replied := time.Since(start)
	require.Equal(t, id, c.recv(c.shell).Parent)
	ended := time.Since(start)
	// Eight waits of five seconds were 40 s.
	require.Less(t, replied, 3*time.Second, "the reply to the interrupt")
	require.Less(t, ended, 4*time.Second, fmt.Sprint("the end of the cell, after ", replied))
}
