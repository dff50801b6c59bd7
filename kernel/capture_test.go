package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/teststreams"
)

// collect is a sink that keeps everything.
type collect struct {
	mu  sync.Mutex
	got map[string]string
	bad bool // a delivery cut a character in two
}

func (c *collect) sink(name, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.got == nil {
		c.got = map[string]string{}
	}
	c.got[name] += text
	c.bad = c.bad || strings.ToValidUTF8(text, "?") != text
}

func (c *collect) text(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got[name]
}

func TestCaptureDeliversEverythingBeforeFlushReturns(t *testing.T) {
	teststreams.OwnStderr(t)
	var c collect
	capture, err := StartCapture(c.sink)
	require.NoError(t, err)
	defer capture.Close()
	var want strings.Builder
	for round := range 50 {
		for i := range 500 {
			fmt.Fprintln(os.Stdout, round, i, "é語🙂")
			fmt.Fprintln(&want, round, i, "é語🙂")
		}
		fmt.Fprintln(os.Stderr, "round", round)
		capture.Flush()
		if got := c.text("stdout"); got != want.String() {
			t.Fatalf("round %d: %d bytes delivered, want %d", round, len(got), want.Len())
		}
		if !strings.HasSuffix(c.text("stderr"), fmt.Sprintf("round %d\n", round)) {
			t.Fatalf("round %d: stderr is %q", round, c.text("stderr"))
		}
	}
	if c.bad {
		t.Error("a character was delivered in two parts")
	}
}

func TestCaptureSeesChildProcesses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file descriptors are redirected on Unix alone")
	}
	teststreams.OwnStderr(t)
	var c collect
	capture, err := StartCapture(c.sink)
	require.NoError(t, err)
	cmd := exec.Command("sh", "-c", "echo to stdout; echo to stderr >&2")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	capture.Close()
	if err != nil || c.text("stdout") != "to stdout\n" || c.text("stderr") != "to stderr\n" {
		t.Errorf("%v, %q", err, c.got)
	}
}

// Bytes that are not text, among them those that a marker begins with, arrive as they are.
func TestCaptureOfBytes(t *testing.T) {
	var c collect
	capture, err := StartCapture(c.sink)
	require.NoError(t, err)
	var want string
	for i := range 300 {
		s := strings.Repeat("\xff", i%7) + string([]byte{byte(i)}) + strings.Repeat("\xff\xfe", i%3)
		want += s
		os.Stdout.WriteString(s)
		if i%10 == 0 {
			capture.Flush()
		}
	}
	capture.Close()
	if c.text("stdout") != want {
		t.Errorf("got %d bytes, want %d", len(c.text("stdout")), len(want))
	}
}

func TestCaptureGivesTheStreamsBack(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		var c collect
		capture, err := StartCapture(c.sink)
		require.NoError(t, err)
		fmt.Print("captured")
		capture.Close()
		capture.Flush() // harmless afterwards
		if c.text("stdout") != "captured" {
			t.Errorf("got %q", c.got)
		}
	}
	for range 1000 { // not by require.Eventually, which has a goroutine of its own
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Writers that do not stop must not keep Flush from returning.
func TestFlushWhileOthersWrite(t *testing.T) {
	var c collect
	capture, err := StartCapture(c.sink)
	require.NoError(t, err)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					fmt.Println(w, i)
				}
			}
		})
	}
	for range 100 {
		capture.Flush()
	}
	close(stop)
	wg.Wait()
	capture.Close()
	next := [4]int{}
	for _, line := range strings.Split(strings.TrimSpace(c.text("stdout")), "\n") {
		var w, i int
		if _, err := fmt.Sscan(line, &w, &i); err != nil || next[w] != i {
			t.Fatalf("line %q, want number %d of writer %d", line, next[w], w)
		}
		next[w]++
	}
}
