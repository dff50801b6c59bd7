// Command keep runs a benchmark that is not a program in Go, and keeps what it prints as package record does.
//
//	go run ./tests/bench/keep -o docs/design/measurements/kernel.md -name tests/bench/kernel.py python3 tests/bench/kernel.py …
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

func main() {
	path := flag.String("o", "", "the page")
	name := flag.String("name", "", "the block of the page; the command otherwise")
	flag.Parse()
	if *path == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: keep -o PAGE [-name NAME] COMMAND [ARGUMENT ...]")
		os.Exit(2)
	}
	if err := keep(*path, *name, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "keep:", err)
		os.Exit(1)
	}
}

// keep runs a command and, when it has ended without an error, writes what it has printed.
func keep(path, name string, command []string, screen io.Writer) error {
	began, load := time.Now(), record.Load()
	line := record.Line(command)
	if name == "" {
		name = line
	}
	var text bytes.Buffer
	c := exec.Command(command[0], command[1:]...)
	c.Stdout, c.Stderr = io.MultiWriter(screen, &text), os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w; the page stays as it was", line, err)
	}
	return record.Write(path, name, record.Header(line, began, load)+"\n\n```text\n"+strings.TrimSpace(text.String())+"\n```\n")
}
