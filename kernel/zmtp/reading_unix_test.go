//go:build unix

package zmtp

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// TestStarvedLibzmq: a client of libzmq that gets no processor for three seconds of a flood misses nothing, although
// clients that never read have used up the patience of the socket: it has answered PINGs before.
func TestStarvedLibzmq(t *testing.T) {
	t.Parallel()
	const messages, size = 12_000, 10_000
	python := judges.Python(t, "zmq")
	p := pub(t, Options{QueueBytes: 8 << 20, QueueMessages: 1000}, nil)
	client := func(kind string) (*os.Process, *bufio.Reader) {
		cmd := exec.Command(python, "testdata/reading.py", "tcp://"+p.Addr().String(), kind, fmt.Sprint(messages))
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		cmd.Stderr = os.Stderr
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd.Process, bufio.NewReader(out)
	}
	client("stuck") // three of them
	starved, said := client("reads")
	silent := connect(t, p.Addr(), "SUB", "", 1)
	silent.write("\x00\x01\x01")
	for deadline := time.Now().Add(time.Minute); len(p.subscribers(nil)) < 5; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(deadline))
	}
	body, start := []byte(strings.Repeat("x", size)), time.Now()
	for i := range messages {
		if i%20 == 0 && i < messages*2/3 {
			time.Sleep(2 * time.Millisecond) // it keeps up: nobody has ever waited for it
		}
		if i == messages*2/3 {
			require.NoError(t, starved.Signal(syscall.SIGSTOP))
			time.AfterFunc(3*time.Second, func() { starved.Signal(syscall.SIGCONT) })
		}
		p.Publish(Message{fmt.Appendf(nil, "%d", i), body})
	}
	took := time.Since(start)
	t.Logf("%d messages of %d bytes in %v", messages, size, took)
	line, _ := said.ReadString('\n')
	assert.Equal(t, "all\n", line)
	assert.Less(t, took, 30*time.Second)
	answered := 0
	for _, c := range p.subscribers(nil) {
		c.out.mu.Lock()
		if !c.out.reading.proved.IsZero() {
			answered++
		}
		c.out.mu.Unlock()
	}
	assert.GreaterOrEqual(t, answered, 1, "libzmq answers PING by PONG")
}
