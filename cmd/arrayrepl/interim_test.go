package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// runCells runs a notebook in a process of its own, as "arrayrepl run -o" does.
func runCells(t *testing.T, out string, cells ...string) (text string, err error) {
	t.Helper()
	nb := &notebook.Notebook{}
	for _, c := range cells {
		nb.Cells = append(nb.Cells, &notebook.Cell{Type: "code", Source: c, Outputs: []map[string]any{{"output_type": "stream", "name": "stdout", "text": "old"}}})
	}
	in := filepath.Join(t.TempDir(), "in.ipynb")
	require.NoError(t, nb.Write(in))
	cmd := exec.Command(os.Args[0], "run", in, "-o", out)
	cmd.Env = append(os.Environ(), "ARRAYREPL_TEST_IS_THE_PROGRAM=1")
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// outputsOf is what the cells of a notebook gave: the text of streams and results, and errors' names.
func outputsOf(t *testing.T, path string) (all []string) {
	t.Helper()
	nb, err := notebook.Read(path)
	require.NoError(t, err)
	for _, c := range nb.Cells {
		s := fmt.Sprint(c.Count, ":")
		for _, o := range c.Outputs {
			switch o["output_type"] {
			case "error":
				s += " " + o["ename"].(string)
			case "stream":
				s += " " + strings.TrimSpace(o["text"].(string))
			default:
				s += " " + o["data"].(map[string]any)["text/plain"].(string)
			}
		}
		all = append(all, s)
	}
	return all
}

// A cell that ends the process leaves what the cells before it gave, and is marked. It unlocks a mutex through reflect:
// other wrong uses are panics of the cell.
func TestOutputsOutliveTheProcess(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.ipynb")
	said, err := runCells(t, out, `fmt.Println("one")`, "6 * 7", `reflect.ValueOf(new(sync.Mutex)).MethodByName("Unlock").Call(nil)`, "4")
	if err == nil || !strings.Contains(said, "sync.(*Mutex).Unlock") { // Go's own words
		t.Fatalf("the process has not ended early: %v\n%s", err, said)
	}
	if got, want := fmt.Sprintf("%q", outputsOf(t, out)), `["1: one" "2: 42" "3: process ended" "0: old"]`; got != want {
		t.Errorf("%s, want %s\n%s", got, want, said)
	}
	if rest, _ := filepath.Glob(filepath.Join(filepath.Dir(out), ".*")); len(rest) > 0 {
		t.Errorf("left %v", rest)
	}
}

// Where nothing ends the process no mark is left, whether cells failed or not; a pipe gets the notebook once.
func TestNoMarkIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  string
	}{
		"all well": {[]string{"1", `fmt.Println("a")`}, `["1: 1" "2: a"]`},
		"failed":   {[]string{"1", `panic("x")`, "2"}, `["1: 1" "2: panic" "0: old"]`},
	} {
		out := filepath.Join(t.TempDir(), "out.ipynb")
		said, _ := runCells(t, out, c.cells...)
		if got := fmt.Sprintf("%q", outputsOf(t, out)); got != c.want {
			t.Errorf("%s: %s, want %s\n%s", name, got, c.want, said)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if said, err := runCells(t, "/dev/stdout", "1", "2"); err != nil || strings.Count(said, `"nbformat":`) != 1 {
		t.Errorf("to a pipe: %v\n%s", err, said)
	}
}
