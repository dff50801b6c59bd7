package repl_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

var update = flag.Bool("update", false, "write the screens of testdata anew")

var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		// Where make builds it, and as make does: the go command does not link again what is up to date, under other
		// tests that run it.
		var err error
		if binary, err = filepath.Abs("../../.build/arrayrepl"); err != nil {
			panic(err)
		}
		if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/arrayrepl").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
		return m.Run()
	}())
}

// lookAtSources tells go test that the results depend on all sources, which its cache would not know: another process
// reads them. It notes only what is looked at while tests run.
var lookAtSources = sync.OnceFunc(func() {
	filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && strings.Trim(d.Name(), ".") != "":
			return fs.SkipDir
		case strings.HasSuffix(path, ".go"):
			os.Stat(path)
		}
		return nil
	})
})

// environment is one in which no test sees another's history, nor the colours of who runs it.
func environment(home string) []string {
	lookAtSources()
	return append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TERM=xterm-256color", "NO_COLOR=")
}

// pipe runs the command and returns what it wrote and its exit status.
func pipe(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = environment(t.TempDir())
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	kill := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer kill.Stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestPipes(t *testing.T) {
	testsize.InTurn(t, 0)
	const program = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tfmt.Println(\"args\", len(os.Args))\n\tos.Exit(7)\n}\n"
	script := file(t, "script.go", "#!/usr/bin/env arrayrepl\nx := 6\nfmt.Println(\"first\")\nx * 7\n")
	whole := file(t, "whole.go", program)
	for _, c := range []struct {
		name, stdin string
		args        []string
		stdout      string
		stderr      string // a part of it
		code        int
	}{
		{"cells", "x := 6\nx * 7\nfunc f(a int) int {\n\treturn a + x\n}\nf(1)\n", nil, "42\n7\n", "", 0},
		{"printed and shown in order", "fmt.Println(1)\nfor i := range 2 {\n\tfmt.Println(\"i\", i)\n}\n3;\n4\n", nil, "1\ni 0\ni 1\n4\n", "", 0},
		{"arrays as NumPy prints them", "np.Reshape(np.Arange(6), 2, 3)\n", nil, "[[0 1 2]\n [3 4 5]]\n", "", 0},
		{"no line end", "1+1", nil, "2\n", "", 0},
		{"nothing", "", nil, "", "", 0},
		{"the first failure ends it", "1\nundefinedName\n2\n", nil, "1\n", "    undefinedName\n    ^\n", 1},
		{"a panic", "panic(\"no\")\n2\n", nil, "", "panic: no\n    cell 1, line 1\n", 1},
		{"an open bracket", "f(\n", nil, "", "never closed", 1},
		{"os.Exit", "os.Exit(3)\n2\n", nil, "", "", 3},
		{"a whole program", program, nil, "args 1\n", "", 7},
		{"marked cells", "// %% one\na := 1\nb := 2\na + b\n// %%\nfunc f() int { return 7 }\n\nf()\n", nil, "3\n7\n", "", 0},
		{"a marker in a program is a comment", strings.Replace(program, "func", "// %%\nfunc", 1), nil, "args 1\n", "", 7},
		{"--keep-going", "1\nnosuch\nos.Exit(3)\n2\n", []string{"--keep-going"}, "1\n2\n", "os.Exit(3)", 1},
		{"a file of marked cells", "", []string{file(t, "cells.go", "x := 1\nx\n// %% \nx + 1\n")}, "1\n2\n", "", 0},
		{"commands", "x := 1\n%who\nx?\n", nil, "x\nvar x int = 1\n", "", 0},
		{"magics", "!echo one\n%%bash\necho two\n\nx := 3\nx + 1\n%env ARRAYREPL_TEST=1\n_ + 1\n", nil, "one\ntwo\n4\nARRAYREPL_TEST=1\n5\n", "", 0},
		{"an unknown magic", "%tiem 1\n2\n", nil, "", "did you mean %tier or %time", 1},
		{"a failing script", "%%bash\nexit 4\n\n1\n", nil, "", "exit status 4", 1},
		{"an unknown command", "%nosuch\n", nil, "", "%help", 1},
		{"bytes that are not text", "\"a\xffb\"\n", nil, "", "UTF-8", 1},
		{"a line of a megabyte", "len(\"" + strings.Repeat("a", 1<<20) + "\")\n", nil, "1048576\n", "", 0},
		{"a function of a cell named quit", "func quit() int { return 7 }\nquit()\n2\n", nil, "7\n2\n", "", 0},
		{"leaving", "1\nexit\n2\n", nil, "1\n", "", 0},

		{"-e", "", []string{"-e", "6*7"}, "42\n", "", 0},
		{"several -e are cells of one session", "", []string{"-e", "x := 6", "-e", "x*7"}, "42\n", "", 0},
		{"-e that fails", "", []string{"-e", "nosuch", "-e", "2"}, "", "undefined: nosuch", 1},
		{"a file of cell code", "", []string{script}, "first\n42\n", "", 0},
		{"a program with arguments", "", []string{whole, "a", "-b"}, "args 3\n", "", 7},
		{"a program reads the pipe", "5 8\n", []string{"-e", "var a, b int; fmt.Scan(&a, &b); a * b"}, "40\n", "", 0},
		{"no such file", "", []string{"nosuch.go"}, "", "nosuch.go", 1},
		{"no such command", "", []string{"nosuch"}, "", "nosuch", 2},
		{"no such option", "", []string{"-nosuch"}, "", "nosuch", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, code := pipe(t, c.stdin, c.args...)
			if stdout != c.stdout || !strings.Contains(stderr, c.stderr) || code != c.code || c.stderr == "" && stderr != "" {
				t.Errorf("status %d, want %d\nstdout %.300q\nwant   %.300q\nstderr %.300q\nwant   %.300q in it", code, c.code, stdout, c.stdout, stderr, c.stderr)
			}
		})
	}
}

// What a session saved, another one loads, with the same results; Go's own indentation is as it was.
func TestSaveAndLoad(t *testing.T) {
	nb := filepath.Join(t.TempDir(), "saved.ipynb")
	session := "x := 6\nfunc f(a int) int {\n\treturn a * x\n}\nf(7)\n"
	stdout, stderr, code := pipe(t, session+"%save "+nb+"\n")
	if want := "42\n3 cells are in " + nb + ".\n"; stdout != want || code != 0 {
		t.Fatalf("status %d, %q, %q, want %q", code, stdout, stderr, want)
	}
	stdout, stderr, code = pipe(t, "%load "+nb+"\nf(x)\n")
	want := "In [1]: x := 6\nIn [2]: func f(a int) int {\n            return a * x\n        }\nIn [3]: f(7)\n42\n36\n"
	if stdout != want || code != 0 {
		t.Errorf("status %d, %q\ngot  %q\nwant %q", code, stderr, stdout, want)
	}
	stdout, stderr, code = pipe(t, "", "run", nb) // the notebook's own runner is the second judge
	if !strings.Contains(stdout, "42") || code != 0 {
		t.Errorf("arrayrepl run: status %d, %q, %q", code, stdout, stderr)
	}
}
