package supervise_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/teststreams"
	"github.com/arrayrepl/arrayrepl/interp"
)

// started is a cell that runs on a goroutine of the test.
type started struct {
	interrupt context.CancelFunc
	failed    chan *interp.Error
}

// named is a context by which a test tells cells apart.
type named struct{}

func start(s *interp.Session, cell int, src string) started {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), named{}, fmt.Sprint("cell ", cell)))
	st := started{cancel, make(chan *interp.Error, 1)}
	go func() {
		_, err := s.Run(ctx, cell, src)
		var e *interp.Error
		errors.As(err, &e)
		st.failed <- e
	}()
	return st
}

func (st started) wait(t *testing.T) *interp.Error {
	t.Helper()
	select {
	case e := <-st.failed:
		return e
	case <-time.After(2 * time.Minute):
		t.Fatal("the cell does not end")
		return nil
	}
}

// ready waits for a cell to have come to signalling: it closes begun.
const ready = "close(begun)\n"

func TestCellsRunAtTheSameTime(t *testing.T) {
	for _, tt := range []struct {
		name, other string // what runs while the cell waits
		kind        string // how it ends
	}{
		{"value", "1 + 1", ""},
		{"panic", "panic(`boom`)", interp.Panic},
		{"panic in a goroutine", "go func() { panic(`boom`) }()\ntime.Sleep(time.Second)", interp.Panic},
		{"recursion", "func deep(n int) int { return deep(n+1) + 1 }\ndeep(0)", interp.StackLimit},
		{"exit", "os.Exit(3)", interp.Exit},
		{"no Go", "1 +", interp.CompileError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRecorder(t, interp.Options{})
			r.Run(1, "begun := make(chan bool)\ngate := make(chan int)\nvar ticks atomic.Int64")
			first := start(r.session, 2, ready+"go func() { for { ticks.Add(1); time.Sleep(time.Millisecond) } }()\ngot := <-gate")
			for r.Run(3, "select { case <-begun: default: panic(0) }") != "" {
				time.Sleep(time.Millisecond)
			}
			e := start(r.session, 4, tt.other).wait(t)
			if kind := ""; e != nil && e.Kind != tt.kind || e == nil && tt.kind != kind {
				t.Errorf("the other cell ended with %v, want %q", e, tt.kind)
			}
			before := r.Run(5, "gate <- 7\nticks.Load()")
			if e := first.wait(t); e != nil {
				t.Fatalf("the cell that waited failed: %v", e)
			}
			got := ""
			for range 500 { // on a busy machine the goroutine may have to wait for its turn
				if got = r.Run(6, "fmt.Println(got, ticks.Load() > "+strings.TrimSpace(before)+")"); got == "7 true\n" {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if got != "7 true\n" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAnInterruptIsOfOneCell(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "var n atomic.Int64\ngate := make(chan int)")
	spins := start(r.session, 2, "for { n.Add(1) }")
	waits := start(r.session, 3, "<-gate\nfor range 100_000 { }")
	time.Sleep(20 * time.Millisecond)
	spins.interrupt()
	if e := spins.wait(t); e == nil || e.Kind != interp.Interrupted {
		t.Errorf("the loop ended with %v", e)
	}
	r.Run(4, "gate <- 1")
	if e := waits.wait(t); e != nil {
		t.Errorf("the other cell ended with %v", e)
	}
	if a, b := r.Run(5, "n.Load()"), r.Run(6, "n.Load()"); a != b {
		t.Errorf("the loop goes on: %s, then %s", a, b)
	}
}

// What a goroutine writes belongs to the cell that started it, while others run and after its cell has ended, however
// it writes; and so does the context that compiled code finds there.
func TestOutputBelongsToItsCell(t *testing.T) {
	teststreams.OwnStderr(t)
	s, err := interp.New(interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	got := map[string]string{}
	s.Redirect(func(ctx context.Context, stream string, text []byte) error {
		mu.Lock()
		defer mu.Unlock()
		name, _ := ctx.Value(named{}).(string)
		if now, _ := s.Context().Value(named{}).(string); now != name {
			t.Errorf("%q is written with the context of %q, and Context is that of %q", text, name, now)
		}
		got[name+" "+stream] += string(text)
		return nil
	})
	cells := []string{
		"fire := make(chan bool)\ndone := make(chan bool)",
		"go func() { <-fire; fmt.Println(`late`); println(`built in`); done <- true }()",
		"f := func(s string) { fmt.Fprintln(os.Stdout, s); fmt.Fprint(os.Stderr, s); log.SetFlags(0); log.Print(s) }",
		"f(`called`)\nos.Stdout.WriteString(`method`)\nos.Stderr.Write([]byte(`bytes`))\nio.WriteString(os.Stdout, `io`)",
		"fire <- true\n<-done\nfmt.Print(`after`)",
	}
	for i, src := range cells {
		if e := start(s, i+1, src).wait(t); e != nil {
			t.Fatal(e)
		}
	}
	for name, want := range map[string]string{
		"cell 2 stdout": "late\nbuilt in\n", "cell 4 stdout": "called\nmethodio", "cell 4 stderr": "calledcalled\nbytes", "cell 5 stdout": "after",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	// A run is forgotten when its last goroutine has ended.
	forgotten := func() bool {
		runtime.GC()
		return supervisorOf(s).Crews() == 0
	}
	for range 100 {
		if forgotten() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("runs without goroutines are kept")
}

// A panic in a function that compiled code calls on a goroutine of its own is the cell's error too.
func TestPanicsInCallbacks(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Limit = 30 * time.Second
	r.Run(1, "kept := 1")
	for _, src := range []string{
		"var wg sync.WaitGroup\nwg.Go(func() { panic(`boom`) })\nwg.Wait()\ntime.Sleep(time.Second)",
		"time.AfterFunc(time.Millisecond, func() { panic(`boom`) })\ntime.Sleep(time.Second)",
		"ctx, stop := context.WithCancel(context.Background())\ncontext.AfterFunc(ctx, func() { panic(`boom`) })\nstop()\ntime.Sleep(time.Second)",
		"func drop() { runtime.SetFinalizer(new([4]int), func(*[4]int) { panic(`boom`) }) }\ndrop()\nfor {\n\truntime.GC()\n\ttime.Sleep(time.Millisecond)\n}",
		"testing.Benchmark(func(b *testing.B) { panic(`boom`) })\ntime.Sleep(time.Minute)",
		"testing.Benchmark(func(b *testing.B) { sort.Slice([]int{2, 1}, func(i, j int) bool { panic(`boom`) }) })\ntime.Sleep(time.Minute)",
		"type W struct{}\nfunc (W) Write([]byte) (int, error) { panic(`boom`) }\nc := exec.Command(`go`, `version`)\nc.Stdout = W{}\nc.Run()\ntime.Sleep(time.Minute)",
		"c := http.Client{Transport: &http.Transport{Dial: func(string, string) (net.Conn, error) { panic(`boom`) }}}\nc.Get(`http://127.0.0.1:1/`)\ntime.Sleep(time.Minute)",
	} {
		if got := r.Run(2, src); !strings.HasPrefix(got, "panic: boom [in a goroutine]\n    cell 2, line ") {
			t.Errorf("%s:\n%s", src, got)
		}
		if got := r.Run(3, "kept"); got != "1\n" {
			t.Errorf("kept is %s", got)
		}
	}
}

// A library that recovers goes on to do so, and the runtime's goroutine for finalizers goes on after a cell has ended
// it.
func TestTakenPanics(t *testing.T) {
	log.SetOutput(io.Discard) // where net/http tells of them
	defer log.SetOutput(os.Stderr)
	r := newRecorder(t, interp.Options{})
	r.Limit = 30 * time.Second
	for _, tt := range [][2]string{
		{"srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(`boom`) }))\n_, err := http.Get(srv.URL)\nerrors.Is(err, io.EOF)", "true\n"},
		{"func inner() (v any) {\n\tdefer func() { v = recover() }()\n\tsort.Slice([]int{2, 1}, func(i, j int) bool { sort.Slice([]int{2, 1}, func(i, j int) bool { panic(`boom`) }); return false })\n\treturn 0\n}\ninner()", "boom\n"},
		{"out := make(chan any)\ngo func() { defer func() { out <- recover() }(); sort.Slice([]int{2, 1}, func(i, j int) bool { panic(`boom`) }) }()\n<-out", "boom\n"},
		{"func drop(f func(*[4]int)) { runtime.SetFinalizer(new([4]int), f) }\ndrop(func(*[4]int) { runtime.Goexit() })\nruntime.GC()", ""},
		{"ran := make(chan bool)\ndrop(func(*[4]int) { close(ran) })\ngo func() { for { select { case <-ran: return; default: runtime.GC() } } }()\n<-ran", "false\n"},
	} {
		if got := r.Run(1, tt[0]); got != tt[1] {
			t.Errorf("%s:\n%s\nwant %s", tt[0], got, tt[1])
		}
	}
}

// A cleanup may run when its cell is long over: its panic is told, and the cleanups after it run.
func TestPanicsInCleanups(t *testing.T) {
	told := make(chan *interp.Error, 10)
	r := newRecorder(t, interp.Options{Background: func(e *interp.Error) { told <- e }})
	r.Limit = 30 * time.Second
	for cell := 1; cell < 4; cell++ {
		r.Run(cell, "func drop() { runtime.AddCleanup(new([4]int), func(n int) { panic(n) }, 7) }\ndrop()")
	}
	for range 2 { // the engine may keep a call's last values until others take their place
		var e *interp.Error
		for deadline := time.Now().Add(30 * time.Second); e == nil && time.Now().Before(deadline); {
			runtime.GC()
			select {
			case e = <-told:
			case <-time.After(time.Millisecond):
			}
		}
		if e == nil || e.Kind != interp.Panic || e.Message != "7 [in a goroutine]" {
			t.Errorf("got %v", e)
		}
	}
}

// net/rpc calls methods by the addresses that a type has of them, and in types of cells there are none.
func TestRPC(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	const arith = "type Arith int\nfunc (*Arith) Double(a int, r *int) error { *r = 2 * a; return nil }\n"
	for _, register := range []string{"rpc.Register(new(Arith))", "rpc.NewServer().RegisterName(`A`, new(Arith))"} {
		if got := r.Run(1, arith+register); got != "net/rpc cannot call the methods of *main.Arith, a type of a cell\n" {
			t.Errorf("%s: %s", register, got)
		}
	}
}
