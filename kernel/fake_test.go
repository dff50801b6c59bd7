package kernel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// fake is a scripted Session: it understands the cells of the table below, spelled as the Go that a real session runs,
// so that the same client tests judge both.
type fake struct {
	mu   sync.Mutex
	vars map[string]int
}

// idKey is where a running cell's context has its id.
type idKey struct{}

type action func(f *fake, ctx context.Context, out Output, args []string) (display.Bundle, error)

// script maps a cell, as a pattern, to what happens.
var script = []struct {
	cell *regexp.Regexp
	do   action
}{
	{cell(`1 \+ 1`), value("2")},
	{cell(`(\w+) := (\d+)`), func(f *fake, _ context.Context, _ Output, a []string) (display.Bundle, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.vars[a[1]], _ = strconv.Atoi(a[2])
		return display.Bundle{}, nil
	}},
	{cell(`(\w+) \+ (\d+)`), func(f *fake, _ context.Context, _ Output, a []string) (display.Bundle, error) {
		f.mu.Lock()
		v, ok := f.vars[a[1]]
		f.mu.Unlock()
		if !ok {
			return display.Bundle{}, &CellError{Name: "CompileError", Value: "undefined: " + a[1]}
		}
		n, _ := strconv.Atoi(a[2])
		return display.Text(fmt.Sprint(v + n)), nil
	}},
	{cell(`fmt\.Println\("(.*)"\)`), func(_ *fake, _ context.Context, out Output, a []string) (display.Bundle, error) {
		fmt.Println(a[1])
		return display.Bundle{}, nil
	}},
	{cell(`fmt\.Fprintln\(os\.Stderr, "(.*)"\)`), func(_ *fake, _ context.Context, out Output, a []string) (display.Bundle, error) {
		fmt.Fprintln(os.Stderr, a[1])
		return display.Bundle{}, nil
	}},
	{cell(`for i := 0; i < (\d+); i\+\+ { fmt\.Println\("line", i\) }`), func(_ *fake, ctx context.Context, out Output, a []string) (display.Bundle, error) {
		n, _ := strconv.Atoi(a[1])
		for i := 0; i < n && ctx.Err() == nil; i++ {
			fmt.Println("line", i)
		}
		return display.Bundle{}, ctx.Err()
	}},
	{cell(`fmt\.Print\(strings\.Repeat\("x", (\d+)\)\)`), func(_ *fake, _ context.Context, out Output, a []string) (display.Bundle, error) {
		n, _ := strconv.Atoi(a[1])
		fmt.Print(strings.Repeat("x", n))
		return display.Bundle{}, nil
	}},
	{cell(`display\.Show\(display\.HTML\("(.*)"\)\)`), func(_ *fake, _ context.Context, _ Output, a []string) (display.Bundle, error) {
		return display.Bundle{}, display.Show(display.HTML(a[1]))
	}},
	{cell(`fmt\.Println\("before"\)\ndisplay\.Show\(display\.HTML\("<b>"\)\)\nfmt\.Println\("after"\)`), func(_ *fake, _ context.Context, out Output, _ []string) (display.Bundle, error) {
		fmt.Println("before")
		err := display.Show(display.HTML("<b>"))
		fmt.Println("after")
		return display.Bundle{}, err
	}},
	{cell(`session's process`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		return display.Text(fmt.Sprint(os.Getpid())), nil
	}},
	{cell(`flood`), func(_ *fake, ctx context.Context, _ Output, _ []string) (display.Bundle, error) {
		text := strings.Repeat("x", 1<<20) + "\n"
		for ctx.Err() == nil {
			fmt.Print(text)
		}
		return display.Bundle{}, ctx.Err()
	}},
	{cell(`for { }`), func(_ *fake, ctx context.Context, _ Output, _ []string) (display.Bundle, error) {
		for ctx.Err() == nil {
			runtime.Gosched()
		}
		return display.Bundle{}, ctx.Err()
	}},
	{cell(`go func\(\) { time\.Sleep\(100 \* time\.Millisecond\); fmt\.Println\("late"\) }\(\)`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		go func() { time.Sleep(100 * time.Millisecond); fmt.Println("late") }()
		return display.Bundle{}, nil
	}},
	{cell(`time\.Sleep\((\d+) \* time\.Millisecond\)`), func(_ *fake, ctx context.Context, _ Output, a []string) (display.Bundle, error) {
		n, _ := strconv.Atoi(a[1])
		select {
		case <-time.After(time.Duration(n) * time.Millisecond):
		case <-ctx.Done():
		}
		return display.Bundle{}, ctx.Err()
	}},
	{cell(`panic\("(.*)"\)`), func(_ *fake, _ context.Context, _ Output, a []string) (display.Bundle, error) {
		return display.Bundle{}, &CellError{Name: "panic", Value: a[1], Traceback: []string{"panic: " + a[1]}}
	}},
	{cell(`input\("(.*)"\)`), func(_ *fake, _ context.Context, out Output, a []string) (display.Bundle, error) {
		line, err := out.Input(a[1], false)
		return display.Text(line), err
	}},
	{cell(`display\.ShowAs\("a", display\.HTML\("1"\)\)\ndisplay\.Clear\(true\)\n_ = display\.Update\("a", display\.HTML\("2"\)\)`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		err := display.ShowAs("a", display.HTML("1"))
		display.Clear(true)
		return display.Bundle{}, errors.Join(err, display.Update("a", display.HTML("2")))
	}},
	{cell(`var name string\nfmt\.Scanln\(&name\)\nname`), func(_ *fake, ctx context.Context, _ Output, _ []string) (display.Bundle, error) {
		var name string
		fmt.Scanln(&name)
		return display.Text(name), ctx.Err()
	}},
	{cell(`display\.Input\("(.*)"\)`), func(_ *fake, _ context.Context, _ Output, a []string) (display.Bundle, error) {
		line, err := display.Input(a[1])
		return display.Text(line), err
	}},
	{cell(`cell id`), func(f *fake, ctx context.Context, _ Output, _ []string) (display.Bundle, error) {
		return display.Text(ctx.Value(idKey{}).(string)), nil
	}},
	{cell(`collect garbage`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		runtime.GC()
		return display.Bundle{}, nil
	}},
	{cell(`kill`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}},
	{cell(`crash`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		go func() { panic("nobody recovers this") }()
		select {}
	}},
	{cell(`crash at length`), func(*fake, context.Context, Output, []string) (display.Bundle, error) {
		var parked sync.WaitGroup
		var park func(n int)
		park = func(n int) {
			if n > 0 {
				park(n - 1)
			}
			parked.Done()
			select {}
		}
		for range 20 { // each goes into the trace with a hundred calls
			parked.Add(1)
			go park(100)
		}
		parked.Wait()
		debug.SetTraceback("all")
		go func() { panic("nobody recovers this either") }()
		select {}
	}},
	{cell(`session bug`), func(*fake, context.Context, Output, []string) (display.Bundle, error) { panic("a bug") }},
}

func cell(pattern string) *regexp.Regexp { return regexp.MustCompile(`\A` + pattern + `\z`) }

func value(text string) action {
	return func(*fake, context.Context, Output, []string) (display.Bundle, error) { return display.Text(text), nil }
}

func (f *fake) Execute(ctx context.Context, c Cell, out Output) (display.Bundle, error) {
	ctx = context.WithValue(ctx, idKey{}, c.ID)
	for _, s := range script {
		if args := s.cell.FindStringSubmatch(c.Code); args != nil {
			return s.do(f, ctx, out, args)
		}
	}
	return display.Bundle{}, &CellError{Name: "CompileError", Value: "undefined: " + c.Code, Traceback: []string{fmt.Sprintf("cell %d: undefined: %s", c.Count, c.Code)}}
}

func (f *fake) Variables() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.vars))
}

func (f *fake) Language() Language {
	return Language{Name: "go", Version: "1.26", MIMEType: "text/x-go", FileExtension: ".go", PygmentsLexer: "go", CodeMirrorMode: "text/x-go", Banner: "a scripted session"}
}

func (f *fake) Complete(code string, cursor int) Completion {
	if before := string([]rune(code)[:cursor]); strings.HasSuffix(before, "fmt.Prin") {
		return Completion{Matches: []string{"Print", "Printf", "Println"}, Types: []string{"function", "function", "function"}, Start: cursor - 4, End: cursor}
	}
	return Completion{Start: cursor, End: cursor}
}

func (f *fake) Inspect(code string, cursor, detail int) (display.Bundle, bool) {
	if strings.Contains(code, "fmt.Println") {
		return display.Text("func Println(a ...any) (n int, err error)"), true
	}
	if code == "session bug" {
		panic("a bug")
	}
	return display.Bundle{}, false
}

func (f *fake) IsComplete(code string) Completeness {
	switch {
	case strings.Count(code, "{") > strings.Count(code, "}"):
		return Completeness{"incomplete", "\t"}
	case strings.Contains(code, ")("):
		return Completeness{"invalid", ""}
	}
	return Completeness{"complete", ""}
}

// TestMain lets the test binary be the kernel of the fake session, for clients in other processes:
// "kernel.test kernel CONNECTION_FILE" with ARRAYREPL_FAKE=1.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "session" {
		fmt.Fprintln(os.Stderr, ServeSession(func() (Session, error) { return &fake{vars: map[string]int{}}, nil }))
		os.Exit(1)
	}
	if len(os.Args) == 3 && os.Args[1] == "kernel" && os.Getenv("ARRAYREPL_FAKE") != "" {
		self, err := os.Executable()
		if err != nil {
			panic(err)
		}
		if err := Serve(context.Background(), os.Args[2], Options{Implementation: "fake", Version: "1", Session: []string{self, "session"}, Language: new(fake).Language(), HistoryDir: os.Getenv("ARRAYREPL_FAKE_HISTORY"), CommsBeside: os.Getenv("ARRAYREPL_FAKE_COMMS") == "beside"}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
