package repl_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// programs are whole programs, file by file.
var programs = map[string]map[string]string{
	"files": {
		"a.go":           "package main\n\nimport (\n\t\"bufio\"\n\t\"flag\"\n\t\"fmt\"\n\t\"math/rand\"\n\t\"os\"\n)\n\nvar total = sum(numbers)\n\nfunc main() {\n\tn := flag.Int(\"n\", 1, \"a number\")\n\tflag.Parse()\n\tfmt.Println(len(os.Args), flag.Args(), *n, total, rand.Intn(1))\n\tfor in := bufio.NewScanner(os.Stdin); in.Scan(); {\n\t\tfmt.Println(\"read\", in.Text())\n\t}\n\tfmt.Println(random(4))\n\tdefer fmt.Println(\"os.Exit runs nothing that was deferred\")\n\tos.Exit(5)\n}\n",
		"b.go":           "package main\n\nimport \"fmt\"\nimport \"crypto/rand\"\n\nvar numbers = []int{1, 2, 3}\n\nfunc init() { fmt.Println(\"init\") }\n\nfunc sum(x []int) (t int) {\n\tfor _, v := range x {\n\t\tt += v\n\t}\n\treturn t\n}\n\nfunc random(n int) (int, error) { return rand.Read(make([]byte, n)) }\n",
		"other_plan9.go": "package main\n\nvar numbers = \"of another system\"\n",
		"a_test.go":      "package main\n\nvar numbers = \"of a test\"\n",
	},
	"panic":   {"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tdefer fmt.Println(\"deferred\")\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}\n"},
	"fatal":   {"main.go": "package main\n\nimport \"log\"\n\nfunc main() {\n\tlog.SetFlags(0)\n\tlog.Fatal(\"fatal\")\n}\n"},
	"returns": {"main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)\n\nfunc main() {\n\tgo func() {\n\t\ttime.Sleep(time.Hour)\n\t\tfmt.Println(\"late\")\n\t}()\n\tfmt.Fprintln(os.Stderr, \"to standard error\")\n}\n"},
	"flags":   {"main.go": "package main\n\nimport \"flag\"\n\nfunc main() {\n\tflag.Bool(\"x\", false, \"\")\n\tflag.Parse()\n\tpanic(\"not reached\")\n}\n"},
}

// TestPrograms compares arrayrepl run with the Go compiler: standard output and exit status.
func TestPrograms(t *testing.T) {
	judges.Command(t, "go")
	for name, files := range withArchives(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if files["go.mod"] == "" {
				files["go.mod"] = "module compare\n\ngo 1.26\n"
			}
			for file, text := range files {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
			}
			build := exec.Command("go", "build", "-ldflags=-s -w", "-o", "compiled")
			build.Dir = dir
			build.Env = append(os.Environ(), "GOWORK=off")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			args := []string{"-n", "7", "x", "y"}
			const stdin = "one\ntwo\n"
			compiled := exec.Command(filepath.Join(dir, "compiled"), args...)
			compiled.Stdin = strings.NewReader(stdin)
			var want bytes.Buffer
			compiled.Stdout = &want
			var exit *exec.ExitError
			if err := compiled.Run(); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			got, stderr, code := pipe(t, stdin, append([]string{"run", dir, "--"}, args...)...)
			if got != want.String() || code != compiled.ProcessState.ExitCode() {
				t.Errorf("status %d, %q (%q)\ncompiled: status %d, %q", code, got, stderr, compiled.ProcessState.ExitCode(), want.String())
			}
		})
	}
}

// Errors name the files and lines of the program.
func TestProgramErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	a := write("a.go", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(f(nil)) }\n")
	for _, c := range []struct{ name, b, want string }{
		{"type", "package main\n\nimport \"fmt\"\n\nfunc f(x []int) int {\n\treturn fmt.Sprint(y)\n}\n", "b.go:6:20: undefined: y\n    \treturn fmt.Sprint(y)\n"},
		{"panic", "package main\n\nfunc f(x []int) int {\n\treturn x[3]\n}\n", "b.go:4, in f\n    " + a + ":5, in main\n"},
		{"syntax", "package main\n\nfunc f(x []int) int {\n\treturn x[\n}\n", "b.go:5:1: expected operand"},
		{"package", "package other\n", "b.go belongs to package other"},
		{"import", "package main\n\nimport \"nosuch.example/x\"\n\nfunc f(x []int) int { return x.Y }\n", "b.go:3:8: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, code := pipe(t, "", "run", a, write("b.go", c.b))
			if code == 0 || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("status %d, %q\n%s\nwant\n%s", code, stdout, stderr, c.want)
			}
		})
	}
}
