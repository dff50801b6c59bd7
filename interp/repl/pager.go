package repl

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// pager is the command that shows long texts: the user's, or less.
func pager() (string, bool) {
	if p, ok := os.LookupEnv("PAGER"); ok {
		return p, strings.TrimSpace(p) != "" && p != "cat"
	}
	if _, err := exec.LookPath("less"); err != nil {
		return "", false
	}
	return "less", true
}

// lessOptions serve where the user has none: a text that fits is only printed, colours stay, the text stays on the
// screen, Ctrl-C leaves as q does.
const lessOptions = "FRXK"

// page prints the answer to a question, by the pager when it is higher than the terminal. Values, and what cells print,
// never go to the pager: nobody has asked to read them. Nor does anything when keys have been typed ahead: they are the
// next cell's, and a pager would take them.
func (r *repl) page(text string) {
	columns, rows := r.size()
	paged := !r.noPager && r.drawable() && r.interacting() && height(text, columns) >= rows && !typedAhead(r.In)
	if !paged || r.runPager(text) != nil {
		r.screen.print(text)
	}
}

// runPager returns an error only when nothing has been shown.
func (r *repl) runPager(text string) error {
	name, ok := pager()
	if !ok {
		return fmt.Errorf("no pager")
	}
	cmd := exec.Command("sh", "-c", name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), r.Out, r.Out
	cmd.Env = os.Environ()
	if _, ok := os.LookupEnv("LESS"); !ok {
		cmd.Env = append(cmd.Env, "LESS="+lessOptions)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	cmd.Wait() // it has shown what it wanted to
	if code := cmd.ProcessState.ExitCode(); code == 126 || code == 127 {
		return fmt.Errorf("the shell finds no %s", name) // POSIX: what sh ends with then
	}
	return nil
}

// setPager is %pager.
func (r *repl) setPager(arg string) error {
	switch arg {
	case "on", "off":
		r.noPager = arg == "off"
		return nil
	}
	return r.fail(fmt.Errorf("usage: %%pager on, or %%pager off"))
}

// result shows what a cell gave in the end, by the pager where it was asked for to be read.
func (r *repl) result(b display.Bundle, read bool) {
	if picture := r.drawn(b); picture != "" && r.screen.draw(picture) {
		return
	}
	if text := b.Text() + "\n"; read {
		r.page(text)
	} else {
		r.screen.print(text)
	}
}
