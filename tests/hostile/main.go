package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

// options are what the command is asked for.
type options struct {
	cases   int // random ones of each format
	first   int // the number of the first of them
	seed    uint64
	formats string // names with commas, all when empty
	verbose bool
}

// hang is how long a case may take. It only guards against those that never end.
const hang = 2 * time.Minute

// The child is this program again, asked by these variables: a test's program has its own flags.
const (
	childFormat = "HOSTILE_FORMAT"
	childFrom   = "HOSTILE_FROM"
	childSeed   = "HOSTILE_SEED"
	childCases  = "HOSTILE_CASES"
	childFirst  = "HOSTILE_FIRST"
)

func main() {
	asked, err := runSession()
	if !asked {
		asked, err = runChild()
	}
	if !asked {
		var o options
		flag.IntVar(&o.cases, "cases", shortCases, "how many random cases of each format")
		flag.IntVar(&o.first, "first", 0, "the number of the first random case")
		flag.Uint64Var(&o.seed, "seed", 1, "from which the random cases are made")
		flag.StringVar(&o.formats, "formats", "", "names of formats, with commas; all without")
		flag.BoolVar(&o.verbose, "v", false, "print each case and what its reader said")
		page := record.Flag()
		flag.Parse()
		var faults int
		if err = page.Start(); err == nil {
			faults, err = run(o, os.Stdout)
		}
		if err == nil && faults > 0 {
			err = fmt.Errorf("%d cases went wrong", faults)
		}
		if err == nil {
			err = page.End()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

// shortCases is how many random cases of each format are run unless the command is asked for more.
const shortCases = 60

// runChild runs the part of a child when this process is one.
func runChild() (asked bool, err error) {
	name := os.Getenv(childFormat)
	if name == "" {
		return false, nil
	}
	from, err := strconv.Atoi(os.Getenv(childFrom))
	if err != nil {
		return true, err
	}
	var o options
	if o.cases, err = strconv.Atoi(os.Getenv(childCases)); err != nil {
		return true, err
	}
	if o.first, err = strconv.Atoi(os.Getenv(childFirst)); err != nil {
		return true, err
	}
	if o.seed, err = strconv.ParseUint(os.Getenv(childSeed), 10, 64); err != nil {
		return true, err
	}
	return true, child(o, name, from, os.Stdout)
}

// run runs the cases of all formats that o names, prints those that go wrong and a line for each format, and returns
// how many went wrong.
func run(o options, out io.Writer) (faults int, err error) {
	names := strings.Split(o.formats, ",")
	if o.formats == "" {
		names = nil
		for _, f := range formats() {
			names = append(names, f.name)
		}
	}
	for _, name := range names {
		f := formatNamed(name)
		if f == nil {
			return faults, fmt.Errorf("there is no format %q", name)
		}
		n, wrong, err := runFormat(o, f, out)
		if err != nil {
			return faults, fmt.Errorf("%s: %w", name, err)
		}
		faults += wrong
		fmt.Fprintf(out, "%-12s %6d cases, %d wrong\n", name, n, wrong)
	}
	return faults, nil
}

// runFormat runs the cases of one format in children: the next one goes on behind the case at which one ends.
func runFormat(o options, f *format, out io.Writer) (cases, wrong int, err error) {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	for from := 0; ; {
		c, end := newChild(o, f.name, from, dir)
		last, done, n, bad, err := c.follow(o, f.name, out)
		end()
		cases, wrong = cases+n, wrong+bad
		if done {
			return cases, wrong, nil
		}
		if last < from {
			return cases, wrong, fmt.Errorf("the process ended before a case began: %w\n%s", errors.Join(err, errNoCase), tail(c.errors.Bytes()))
		}
		wrong++
		fmt.Fprintf(out, "%s, case %d: %s: the process ended: %v\n%s\n", f.name, last, c.name, err, tail(c.errors.Bytes()))
		from = last + 1
	}
}

var errNoCase = errors.New("no case has begun")

// tail is the end of what a process said of its end, the beginning of which names the cause.
func tail(text []byte) string {
	const most = 1500
	if len(text) > most {
		text = text[:most]
	}
	return string(text)
}

// childProcess is a child that runs.
type childProcess struct {
	cmd    *exec.Cmd
	errors bytes.Buffer
	name   string // of the last case that began
	kill   context.CancelFunc
}

func newChild(o options, name string, from int, dir string) (c *childProcess, end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c = &childProcess{kill: cancel}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	c.cmd = exec.CommandContext(ctx, self)
	c.cmd.Env = append(os.Environ(), childFormat+"="+name, childFrom+"="+strconv.Itoa(from), childSeed+"="+strconv.FormatUint(o.seed, 10),
		childCases+"="+strconv.Itoa(o.cases), childFirst+"="+strconv.Itoa(o.first), "TMPDIR="+dir)
	c.cmd.Stderr = &c.errors
	return c, cancel
}

// follow reads what a child says until it ends: done is true when it has run all its cases.
func (c *childProcess) follow(o options, name string, out io.Writer) (last int, done bool, cases, wrong int, err error) {
	last = -1
	pipe, err := c.cmd.StdoutPipe()
	if err != nil {
		return last, false, 0, 0, err
	}
	if err := c.cmd.Start(); err != nil {
		return last, false, 0, 0, err
	}
	guard := time.AfterFunc(hang, c.kill)
	defer guard.Stop()
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		guard.Reset(hang)
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, beginLine):
			number, rest, _ := strings.Cut(strings.TrimPrefix(line, beginLine), " ")
			last, _ = strconv.Atoi(number)
			c.name = rest
			cases++
		case strings.HasPrefix(line, wrongLine):
			wrong++
			fmt.Fprintf(out, "%s, case %d: %s: %s\n", name, last, c.name, strings.TrimPrefix(line, wrongLine))
		case strings.HasPrefix(line, skipLine):
			fmt.Fprintf(out, "%s: %s\n", name, line)
		case o.verbose:
			fmt.Fprintf(out, "%s, case %d: %s: %s\n", name, last, c.name, line)
		}
	}
	err = errors.Join(lines.Err(), c.cmd.Wait())
	return last, err == nil, cases, wrong, err
}
