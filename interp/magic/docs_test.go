package magic

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocs compares the table in docs/magics.md with the magics that there are.
func TestDocs(t *testing.T) {
	const path, begin, end = "../../docs/magics.md", "-update -->\n", "<!-- end -->"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", path)
	}
	var table strings.Builder
	table.WriteString("| magic | what it does |\n|---|---|\n")
	for _, m := range Table() {
		name := strings.TrimSpace(m.Name + " " + m.Arg)
		if m.Name == "?" {
			name = m.Arg + "?"
		}
		fmt.Fprintf(&table, "| `%s` | %s |\n", strings.ReplaceAll(name, "|", "\\|"), m.Help)
	}
	want := head + begin + table.String() + end + tail
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(raw) {
		t.Errorf("%s does not list the magics that there are; go test ./interp/magic -update writes it", path)
	}
}
