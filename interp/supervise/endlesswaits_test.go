package supervise_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
)

func TestACellThatWaitsForEverSaysSo(t *testing.T) {
	t.Setenv("GODEBUG", "tracebacklabels=1") // so that other tests' goroutines are not this session's
	type waiting struct {
		name, want string
		said       func() string // in the notes so far
		first      chan bool     // something is said
		cell       started
	}
	// The sessions wait at the same time, as what takes long here is that nothing is said.
	var all []waiting
	for _, tt := range []struct {
		name, src string
		want      string // in the note, "" for none
	}{
		{"receive", "c := make(chan int)\n<-c", "at cell 1, line 2"},
		{"send", "c := make(chan int)\nc <- 1", "at cell 1, line 2"},
		{"select", "c, d := make(chan int), make(chan int)\nselect {\ncase <-c:\ncase d <- 1:\n}", "at cell 1, line 2"},
		{"empty select", "select {}", "at cell 1, line 1"},
		{"wait group", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()", "at cell 1, line 3"},
		{"mutexes", "var a, b sync.Mutex\nheld := make(chan bool)\ngo func() { a.Lock(); held <- true; b.Lock() }()\nb.Lock(); <-held\na.Lock()", "at cell 1, line 5"},
		{"in a function", "func wait(c chan int) {\n\t<-c\n}\ngo wait(nil)\nwait(nil)", "at cell 1, line 2, in wait"},

		{"sleep", "time.Sleep(time.Hour)", ""},
		{"loop", "for { }", ""},
		{"somebody sleeps", "c := make(chan int)\ngo func() { time.Sleep(time.Hour); c <- 1 }()\n<-c", ""},
		{"somebody works", "c := make(chan int)\ngo func() { for { } }()\n<-c", ""},
		{"timer", "<-time.After(time.Hour)", ""},
		{"messages", "c, d := make(chan int), make(chan int)\ngo func() { for { c <- <-d } }()\nfor { d <- 1; <-c }", ""},
	} {
		s, err := interp.New(interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var mu sync.Mutex
		var notes string
		first := make(chan bool, 1)
		s.Redirect(func(_ context.Context, stream string, text []byte) error {
			mu.Lock()
			defer mu.Unlock()
			notes += stream + ": " + string(text)
			select {
			case first <- true:
			default:
			}
			return nil
		})
		said := func() string {
			mu.Lock()
			defer mu.Unlock()
			return notes
		}
		all = append(all, waiting{tt.name, tt.want, said, first, start(s, 1, tt.src)})
	}
	silent := time.After(2 * time.Second)
	limit := time.After(40 * time.Second) // the machine may be busy
	for _, w := range all {
		if w.want == "" {
			continue
		}
		select {
		case <-w.first:
		case <-limit:
		}
	}
	time.Sleep(600 * time.Millisecond) // it is said once
	<-silent
	for _, w := range all {
		t.Run(w.name, func(t *testing.T) {
			notes := w.said()
			if w.name == "timer" { // on a busy machine it is told too, with what it may wait for
				before, _, _ := strings.Cut(notes, "stderr: The cell waits at cell 1, line 1, and so do all goroutines of cells: only a timer")
				notes = before
			}
			if w.want == "" && notes != "" || w.want != "" && (!strings.HasPrefix(notes, "stderr: The cell waits ") || !strings.Contains(notes, w.want) || strings.Count(notes, "\n") != 1) {
				t.Errorf("it says %q, want %q", notes, w.want)
			}
			w.cell.interrupt()
			if e := w.cell.wait(t); e == nil || e.Kind != interp.Interrupted {
				t.Errorf("the interrupt gave %v", e)
			}
		})
	}
}
