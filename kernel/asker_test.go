package kernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// A read of os.Stdin asks, through whatever package it comes; what is left of a line does not reach the next cell.
func TestReadsAsk(t *testing.T) {
	a, err := newAsker()
	if a == nil {
		t.Skip("not on this system: ", err)
	}
	defer a.close()
	answers := make(chan string, 4)
	ask := func(context.Context) (string, bool) {
		select {
		case line := <-answers:
			return line, true
		default:
			return "", false
		}
	}
	cell := func(f func()) {
		end := a.beginCell(t.Context(), ask, nobody)
		defer end()
		f()
	}
	answers <- "7 8 left over"
	cell(func() {
		var x, y int
		if _, err := fmt.Scan(&x, &y); x != 7 || y != 8 || err != nil {
			t.Error(x, y, err)
		}
	})
	answers <- "a line"
	answers <- "another"
	cell(func() {
		in := bufio.NewScanner(os.Stdin)
		for _, want := range []string{"a line", "another"} {
			if in.Scan(); in.Text() != want {
				t.Errorf("%q, %v; want %q", in.Text(), in.Err(), want)
			}
		}
	})
}

// A read that waits ends with its cell's context, and the next cell can read again.
func TestReadsEndWithTheirCell(t *testing.T) {
	a, err := newAsker()
	if a == nil {
		t.Skip("not on this system: ", err)
	}
	defer a.close()
	for range 3 {
		ctx, cancel := context.WithCancelCause(t.Context())
		end := a.beginCell(ctx, func(context.Context) (string, bool) {
			cancel(errors.New("nobody there"))
			return "", false
		}, nobody)
		if n, err := os.Stdin.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d bytes, %v", n, err)
		}
		end()
	}
	end := a.beginCell(t.Context(), func(context.Context) (string, bool) { return "x", true }, nobody)
	defer end()
	if n, err := os.Stdin.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// A cell may be over before it was looked at whether it reads. What it leaves waiting fails then too, and takes no
// later cell's line.
func TestReadsEndWithAShortCell(t *testing.T) {
	a, err := newAsker()
	if a == nil {
		t.Skip("not on this system: ", err)
	}
	defer a.close()
	ctx, cancel := context.WithCancel(t.Context())
	end := a.beginCell(ctx, func(context.Context) (string, bool) { return "", false }, nobody)
	left := make(chan error)
	for range ownGoroutines {
		go func() {}()
	}
	go readOne(left)
	for !readsOne() {
		time.Sleep(time.Millisecond)
	}
	cancel()
	end()
	if err := <-left; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("what the cell left behind reads: %v", err)
	}
	end = a.beginCell(t.Context(), func(context.Context) (string, bool) { return "x", true }, nobody)
	defer end()
	if n, err := os.Stdin.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("the next cell reads %d bytes, %v", n, err)
	}
}

// A read that somebody left behind fails and takes nothing; the cell is asked for its own.
func TestReadsOfStrangersTakeNothing(t *testing.T) {
	testsize.InTurn(t, 1)
	a, err := newAsker()
	if a == nil {
		t.Skip("not on this system: ", err)
	}
	defer a.close()
	left := make(chan error)
	go readOne(left)
	var asked atomic.Int32
	end := a.beginCell(t.Context(), func(context.Context) (string, bool) { asked.Add(1); return "x", true }, readsOne)
	defer end()
	if err := <-left; !errors.Is(err, os.ErrDeadlineExceeded) || asked.Load() != 0 {
		t.Errorf("what reads for nobody: %v, after %d questions", err, asked.Load())
	}
	time.Sleep(time.Second) // a read at the very moment at which the other fails would fail too
	if n, err := os.Stdin.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("the cell reads %d bytes, %v", n, err)
	}
}

func nobody() bool { return false }

func readOne(end chan<- error) {
	_, err := os.Stdin.Read(make([]byte, 1))
	end <- err
}

// readsOne reports whether a goroutine in readOne waits.
func readsOne() bool {
	buf := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "readOne(") && strings.Contains(stack, "[IO wait") {
			return true
		}
	}
	return false
}

// An attempt on the read lock that gets no processor for a while is in nobody's way: nobody is asked for it.
func TestSlowAttemptIsNoRead(t *testing.T) {
	a, err := newAsker()
	if a == nil {
		t.Skip("not on this system: ", err)
	}
	defer a.close()
	if a.lock == nil {
		t.Fatal("the read lock of os.File is not where it was: see readLock")
	}
	starved := make(chan struct{})
	a.free = starved
	if a.awaited() {
		t.Error("nobody reads")
	}
	close(starved)
	go func() {
		var b [1]byte
		os.Stdin.Read(b[:])
	}()
	for start := time.Now(); !a.awaited(); {
		if time.Since(start) > time.Minute {
			t.Fatal("a read that waits is not seen")
		}
	}
	a.w.WriteString("x")
}
