package judge

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// Output is what a compiled program printed.
type Output struct {
	Text string
	Err  error // the compiler does not take it, or it did not end well, or not in time

	program string
	number  int
}

// Varies reports whether the program prints something else when it runs again: it has no one meaning.
func (o Output) Varies() bool {
	for range 10 {
		if again := runCompiled(o.program, o.number); again.Err != nil || again.Text != o.Text {
			return true
		}
	}
	return false
}

// compiledLimit is how long a compiled program may run.
const compiledLimit = 20 * time.Second

// Compiled has the compiler build n programs, and runs each. text writes program i as a package of the given name with
// a function Run. They are built as one executable, since linking takes longer than compiling, and run in processes of
// their own. Types of the programs are printed as those of package main.
func Compiled(t testing.TB, n int, text func(i int, pkg string) string) []Output {
	t.Helper()
	judges.Command(t, "go")
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var imports, list, modules strings.Builder
	for i := range n {
		pkg := programName(i)
		write(pkg+"/p.go", text(i, pkg))
		write(pkg+"/go.mod", "module "+pkg+"\n\ngo 1.26\n")
		fmt.Fprintf(&imports, "\t\"%s\"\n", pkg)
		fmt.Fprintf(&modules, "require %s v0.0.0\nreplace %s => ./%s\n", pkg, pkg, pkg)
		fmt.Fprintf(&list, "%s.Run, ", pkg)
	}
	write("go.mod", "module compare\n\ngo 1.26\n"+modules.String())
	write("main.go", "package main\n\nimport (\n\t\"os\"\n\t\"strconv\"\n"+imports.String()+")\n\nfunc main() {\n"+
		"\ti, _ := strconv.Atoi(os.Args[1])\n\t[]func(){"+list.String()+"}[i]()\n}\n")
	program := filepath.Join(dir, "program.exe")
	args := []string{"-ldflags=-s -w", "-o", program}
	for i := range (n + 99) / 100 { // without the optimiser: that of Go 1.26.8 lets some overlapping copies go wrong
		args = append(args, fmt.Sprintf("-gcflags=p%d...=-N -l", i))
	}
	cmd := building(dir, append(args, ".")...)
	outputs := make([]Output, n)
	if out, err := cmd.CombinedOutput(); err != nil {
		// The others are built without what the compiler does not take.
		for _, m := range wrongProgram.FindAllStringSubmatch(string(out), -1) {
			i, _ := strconv.Atoi(m[1])
			outputs[i].Err = fmt.Errorf("go build: %.1000s", m[0])
			write(programName(i)+"/p.go", "package "+programName(i)+"\n\nfunc Run() {}\n")
		}
		again := exec.Command(cmd.Args[0], cmd.Args[1:]...)
		again.Dir, again.Env = cmd.Dir, cmd.Env
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	queue := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range queue {
				if outputs[i].Err == nil {
					outputs[i] = runCompiled(program, i)
				}
			}
		})
	}
	for i := range n {
		queue <- i
	}
	close(queue)
	wg.Wait()
	return outputs
}

// building is the go command's build of the package in a folder, which collects garbage less often, for less time.
func building(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", append([]string{"build"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off", "GOGC=300")
	return cmd
}

// Run builds the program of a folder, or of one file, without the optimiser, which takes longer than what is compiled
// runs, and returns what the program prints.
func Run(t testing.TB, dir, what string) string {
	t.Helper()
	judges.Command(t, "go")
	program := filepath.Join(t.TempDir(), "program.exe")
	if out, err := building(dir, "-ldflags=-s -w", "-gcflags=-N -l", "-o", program, what).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v:\n%.2000s", what, err, out)
	}
	cmd := exec.Command(program)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s, compiled: %v:\n%.2000s", what, err, out)
	}
	return string(out)
}

func runCompiled(program string, i int) Output {
	ctx, cancel := context.WithTimeout(context.Background(), compiledLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, fmt.Sprint(i))
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, problems.String())
	}
	return Output{strings.ReplaceAll(out.String(), programName(i)+".", "main."), err, program, i}
}

// wrongProgram is what the go command says of a program that the compiler does not take.
var wrongProgram = regexp.MustCompile(`(?m)^# p(\d{3})\n(?:[^#].*\n)*`)

// programName is the name and the path of a program's package, as long as "main", so that texts with types have the
// same length and places.
func programName(i int) string { return fmt.Sprintf("p%03d", i) }
