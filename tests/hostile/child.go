package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// A child process writes a line for what it begins and one for how that ended.
const (
	beginLine = "begin "  // and the number and name of the case
	okLine    = "ok "     // and what the reader said, quoted
	wrongLine = "wrong "  // and what is wrong, quoted
	skipLine  = "skipped" // and why the whole format is
)

// childBytes is how much a child may add to the address space that it starts with.
const childBytes = 1536 << 20

// child runs the cases of a format from one number on.
func child(o options, name string, from int, out io.Writer) error {
	f := formatNamed(name)
	if f == nil {
		return fmt.Errorf("there is no format %q", name)
	}
	debug.SetGCPercent(50) // package arrays keeps a headroom for results where the collector is as Go sets it
	runtime.GOMAXPROCS(2)
	if err := boundAddresses(childBytes); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	defer w.Flush()
	if f.begin != nil {
		if err := f.begin(); err != nil {
			_, err := fmt.Fprintf(w, "%s %v\n", skipLine, err)
			return err
		}
	}
	values := map[string]string{}
	for i, in := range append(f.cases(o), f.pathCases()...) {
		if i < from && in.must != succeed {
			continue
		}
		if i >= from {
			fmt.Fprintf(w, "%s%d %s\n", beginLine, i, strings.ReplaceAll(in.name, "\n", " "))
			w.Flush() // before it runs
		}
		if in.must == unchanged {
			in.same = values[in.of]
		}
		wrong, said := f.try(in)
		if in.must == succeed {
			values[in.name] = strings.TrimPrefix(said, "value ")
		}
		if i < from {
			continue
		}
		said = fmt.Sprintf("%.500q", said)
		if wrong != "" {
			fmt.Fprintf(w, "%s%q %s\n", wrongLine, wrong, said)
		} else {
			fmt.Fprintf(w, "%s%s\n", okLine, said)
		}
	}
	return nil
}

// scratch is the directory of the files that readers get.
var scratch = os.TempDir()

// file writes an input where a reader of files finds it.
func (in input) file() (string, error) {
	path := filepath.Join(scratch, "input"+in.ext)
	return path, os.WriteFile(path, in.data, 0o600)
}
