package kernel

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// Subscribers that never read hold up neither an interrupt nor the end of the cell that it interrupts.
func TestSilentSubscribersHoldUpNoInterrupt(t *testing.T) {
	testsize.InTurn(t, 2)
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
	require.Less(t, replied, 10*time.Second, "the reply to the interrupt")
	require.Less(t, ended, 12*time.Second, fmt.Sprint("the end of the cell, after ", replied))
}

// memoryOf is the memory that a process has, in bytes.
func memoryOf(t *testing.T, pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("this system has no /proc")
	}
	var kb int
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	_, err = fmt.Sscan(rest, &kb)
	require.NoError(t, err)
	return kb << 10
}

// What strangers send costs little memory while they are there, and none when they are gone.
func TestStrangersCostLittleMemory(t *testing.T) {
	testsize.InTurn(t, 2)
	if underRace {
		t.Skip("the memory of the race detector would count")
	}
	c := startKernel(t)
	before := memoryOf(t, c.cmd.Process.Pid)
	var strangers []*channel
	junk := make([]byte, 1<<20)
	for _, port := range []int{c.conn.ShellPort, c.conn.ControlPort, c.conn.StdinPort, c.conn.HBPort, c.conn.IOPubPort} {
		kind := "DEALER"
		if port == c.conn.IOPubPort {
			kind = "SUB"
		}
		for range 2 {
			s := dialChannel(t, port, kind, "")
			strangers = append(strangers, s)
			s.conn.Write([]byte("\x02\x00\x00\x00\x00\x1d\x00\x00\x00")) // announces nearly 500 MB
			for range 40 {
				if _, err := s.conn.Write(junk); err != nil {
					break // closed
				}
			}
		}
	}
	// they have sent 240 MB to ROUTERs, which doubled as they grew; the bound is 64 MB, the rest is garbage
	require.Less(t, memoryOf(t, c.cmd.Process.Pid)-before, 200<<20)
	c.run("1 + 1")
	for _, s := range strangers {
		s.conn.Close()
	}
	waitFor(t, func() bool { return memoryOf(t, c.cmd.Process.Pid) < before+50<<20 })

	large := strings.Repeat(" ", 100<<20) // with the key it may be large
	m, _ := c.run("1 + 1")
	require.Equal(t, "ok", m.str("status"))
	m = c.ask("is_complete_request", object{"code": large})
	require.Equal(t, "complete", m.str("status"))
	waitFor(t, func() bool { return memoryOf(t, c.cmd.Process.Pid) < before+50<<20 })
}
