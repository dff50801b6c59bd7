// Package record keeps what a benchmark prints in a page of docs/design/measurements, with the command, the day and the
// machine.
//
//	page := record.Flag()
//	flag.Parse()
//	page.Start()
//	… print …
//	page.End()
//
// Without -o nothing is kept. A program that fails before End leaves the page as it was. In a page stands one block for
// each program, between two comments; all else is written by hand and stays.
package record

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Page is where a program keeps what it prints.
type Page struct {
	path  string
	began time.Time
	load  string

	screen *os.File // standard output as it was
	pipe   *os.File
	text   bytes.Buffer
	done   chan error
}

// Flag defines the option -o of a program.
func Flag() *Page {
	p := new(Page)
	flag.StringVar(&p.path, "o", "", "keep what is printed in this page too, such as docs/design/measurements/kir.md, with the day and the machine")
	return p
}

// Start lets standard output go to the page, too, until End.
func (p *Page) Start() error {
	p.began, p.load = time.Now(), load()
	if p.path == "" {
		return nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	p.screen, p.pipe, p.done = os.Stdout, w, make(chan error, 1)
	os.Stdout = w
	go func() {
		_, err := io.Copy(io.MultiWriter(p.screen, &p.text), r)
		p.done <- err
	}()
	return nil
}

// End writes the page. Standard output is what it was before.
func (p *Page) End() error {
	if p.pipe == nil {
		return nil
	}
	os.Stdout = p.screen
	p.pipe.Close()
	p.pipe = nil
	if err := <-p.done; err != nil {
		return err
	}
	return Write(p.path, Program(), Header(Command(), p.began, p.load)+"\n\n```text\n"+strings.TrimSpace(p.text.String())+"\n```\n")
}

// Header says who wrote a block, when and where: by what command, the day that it began, and the load of the machine
// then.
func Header(command string, began time.Time, load string) string {
	s := fmt.Sprintf("Written by `%s`, %s. Machine: %s, %d processors, %s/%s, %s", command, began.UTC().Format(time.DateOnly),
		processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if load != "" {
		s += fmt.Sprintf("; its load when this began was %s", load)
	}
	return s + "."
}

// Write puts text into the block of that name of the page at path, in place of what it had. A page without the block
// gets it at its end, but before figures that were carried over; one that is not there is made.
func Write(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	page := string(old)
	if page == "" {
		page = fmt.Sprintf("# %s\n", strings.TrimSuffix(filepath.Base(path), ".md"))
	}
	begin, end := "<!-- begin: "+name+" -->\n", "<!-- end: "+name+" -->\n"
	block := begin + strings.TrimSpace(text) + "\n" + end
	switch before, rest, found := strings.Cut(page, begin); {
	case found:
		_, after, ended := strings.Cut(rest, end)
		if !ended {
			return fmt.Errorf("%s: the block %s has no line %s", path, name, strings.TrimSpace(end))
		}
		page = before + block + after
	default:
		before, after, carried := strings.Cut(page, "\n## Carried over\n")
		page = strings.TrimRight(before, "\n") + "\n\n## Last run of " + name + "\n\n" + block
		if carried {
			page += "\n## Carried over\n" + after
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// an earlier commit, which tests/bench/paired builds this with, may have no internal/replace.Bytes
	return os.WriteFile(path, []byte(page), 0o644)
}

// Program is the folder of the running program in the tree, "tests/bench/kir".
func Program() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return strings.TrimPrefix(info.Path, "github.com/arrayrepl/arrayrepl/")
	}
	return filepath.Base(os.Args[0])
}

// Command is how the running program is called.
func Command() string { return Line(append([]string{"go", "run", "./" + Program()}, os.Args[1:]...)) }

// Line is a command for a page: without -o and its page, and of files elsewhere only the names.
func Line(args []string) string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch name, value, given := strings.Cut(a, "="); {
		case a == "-o" || a == "--o":
			i++
			continue
		case (name == "-o" || name == "--o") && given:
			continue
		case given && filepath.IsAbs(value):
			a = name + "=" + filepath.Base(value)
		case filepath.IsAbs(a):
			a = filepath.Base(a)
		}
		if strings.ContainsAny(a, " *|$'\"") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}

// processor is the name of the machine's processor, as far as the system tells.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	if _, rest, ok := strings.Cut(string(text), "model name"); ok {
		line, _, _ := strings.Cut(rest, "\n")
		return strings.Trim(line, " \t:")
	}
	return "a processor of unknown name"
}

// load is the number of programs that have waited for a processor in the last minute, where the system tells.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// Load is that number now, for programs that call Header themselves.
func Load() string { return load() }
