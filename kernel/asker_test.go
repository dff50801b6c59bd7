package kernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
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
		end := a.beginCell(t.Context(), ask)
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
		})
		if n, err := os.Stdin.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d bytes, %v", n, err)
		}
		end()
	}
	end := a.beginCell(t.Context(), func(context.Context) (string, bool) { return "x", true })
	defer end()
	if n, err := os.Stdin.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
