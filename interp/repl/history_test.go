package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"src.elv.sh/pkg/cli/tk"
)

func TestHistoryIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	h, err := openHistory(file)
	if err != nil {
		t.Fatal(err)
	}
	other, _ := openHistory(file) // a second session at the same time
	for _, c := range []string{"a := 1", "a := 1", "func f() {\n\tg(\"é\")\n}\n", "", strings.Repeat("x", 1<<20)} {
		if err := h.add(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.add("from elsewhere"); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("{\"datetime\": cut sh\n\xff\xff\n\n{\"block\":\"last\"}") // damage, and no line end
	f.Close()
	got, err := openHistory(file)
	want := []string{"a := 1", "func f() {\n\tg(\"é\")\n}", strings.Repeat("x", 1<<20), "from elsewhere", "last"}
	if err != nil || !reflect.DeepEqual(got.cells, want) {
		t.Errorf("%v, %.200q", err, got.cells)
	}
}

func TestHistoryFileIsCut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range 2*maxHistory + 10 {
		fmt.Fprintf(&b, "{\"block\":\"x%d\"}\n", i)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // what is written is what is read
		h, err := openHistory(file)
		if err != nil || len(h.cells) != maxHistory || h.cells[0] != fmt.Sprintf("x%d", maxHistory+10) {
			t.Fatalf("%v, %d cells from %q", err, len(h.cells), h.cells[0])
		}
	}
	data, _ := os.ReadFile(file)
	if n := strings.Count(string(data), "\n"); n != maxHistory {
		t.Errorf("the file has %d lines, want %d", n, maxHistory)
	}
}

func TestHistoryThatCannotBeKept(t *testing.T) {
	dir := t.TempDir() // a folder is not a file, for root either
	h, err := openHistory(dir)
	if err == nil {
		t.Fatal("a folder was taken for a history file")
	}
	if err := h.add("a"); err != nil || len(h.cells) != 1 {
		t.Errorf("%v, %q: the session's own history must work", err, h.cells)
	}
	files := []string{filepath.Join(dir, "gone", "history")}
	if _, err := os.Stat("/dev/full"); err == nil {
		files = append(files, "/dev/full")
	}
	for _, file := range files {
		h = &history{file: file}
		if h.add("a") == nil {
			t.Errorf("%s: no word of a file that cannot be written", file)
		}
		if err := h.add("b"); err != nil || len(h.cells) != 2 {
			t.Errorf("%s: %v, %q: said a second time, or lost", file, err, h.cells)
		}
	}
}

func TestMatching(t *testing.T) {
	h := &history{cells: []string{"np.Arange(3)", "fmt.Println(1)", "x := np.Sin(y)", "fmt.Println(1)"}}
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{"np.Arange(3)", "x := np.Sin(y)", "fmt.Println(1)"}},
		{"NP.", []string{"np.Arange(3)", "x := np.Sin(y)"}},
		{"y sin", []string{"x := np.Sin(y)"}},
		{"cos", nil},
	} {
		if got := h.matching(c.query); !reflect.DeepEqual(got, c.want) {
			t.Errorf("matching(%q) = %q, want %q", c.query, got, c.want)
		}
	}
}

// Each step is a key and what is then in the line.
func TestWalk(t *testing.T) {
	h := &history{cells: []string{"a := 1", "fmt.Println(a)", "a := 2"}}
	for _, c := range []struct {
		typed string
		steps string // p and n for previous and next
		want  []string
	}{
		{"", "pppp", []string{"a := 2", "fmt.Println(a)", "a := 1", "a := 1"}},
		{"", "ppnnn", []string{"a := 2", "fmt.Println(a)", "a := 2", "", ""}},
		{"a", "ppn", []string{"a := 2", "a := 1", "a := 2"}},
		{"fmt", "ppn", []string{"fmt.Println(a)", "fmt.Println(a)", "fmt"}},
		{"none", "p", []string{"none"}},
	} {
		e := &editor{history: h}
		code := tk.NewCodeArea(tk.CodeAreaSpec{})
		code.MutateState(func(s *tk.CodeAreaState) { s.Buffer.InsertAtDot(c.typed) })
		var got []string
		for _, k := range c.steps {
			if k == 'p' {
				e.previous(code)
			} else {
				e.next(code)
			}
			got = append(got, code.CopyState().Buffer.Content)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q, %s: %q, want %q", c.typed, c.steps, got, c.want)
		}
	}
}
