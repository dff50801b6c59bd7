// Command dependencies writes into the table of docs/dependencies.md what can be read elsewhere: which modules go.mod
// requires directly, the version and date of each, its licence from the module cache, and its last release where the
// registry tells it. The other columns are written by hand and stay. Run it in the root of the repository:
//
//	go run ./tests/dependencies
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/licensecheck"
	"golang.org/x/mod/modfile"
)

const page = "docs/dependencies.md"

// columns of the table; the first four are written here.
const (
	module = iota
	version
	latest
	terms
	columns = 7
)

func main() {
	log.SetFlags(0)
	text, err := os.ReadFile("go.mod")
	check(err)
	mod, err := modfile.Parse("go.mod", text, nil)
	check(err)
	old, err := os.ReadFile(page)
	check(err)
	head, rows, tail := split(string(old))
	var out strings.Builder
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		row := rows[r.Mod.Path]
		if row == nil {
			row = make([]string, columns)
			log.Printf("%s is new: say why it is here, who maintains it and what would be done without it", r.Mod.Path)
		}
		used := info(r.Mod.Path)
		row[module] = "`" + r.Mod.Path + "`"
		row[version] = strings.TrimSpace(r.Mod.Version + " " + date(used.Time))
		if last := info(r.Mod.Path + "@latest"); last.Version != "" {
			row[latest] = strings.TrimSpace(last.Version + " " + date(last.Time))
		} else if row[latest] == "" {
			row[latest] = "not told"
		}
		if found := licence(used.Dir); found != "" {
			row[terms] = found
		}
		fmt.Fprintf(&out, "| %s |\n", strings.Join(row, " | "))
	}
	check(os.WriteFile(page, []byte(head+out.String()+tail), 0o644))
}

// split cuts a page at the rows of its first table, and gives these by their modules.
func split(text string) (head string, rows map[string][]string, tail string) {
	const line = "|---|---|---|---|---|---|---|\n"
	before, after, found := strings.Cut(text, line)
	if !found {
		log.Fatalf("%s has no table of %d columns", page, columns)
	}
	rows = map[string][]string{}
	for strings.HasPrefix(after, "|") {
		row, rest, _ := strings.Cut(after, "\n")
		cells := strings.Split(strings.Trim(row, "|"), "|")
		if len(cells) != columns {
			log.Fatalf("%s: this row has not %d columns: %s", page, columns, row)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[strings.Trim(cells[module], "`")] = cells
		after = rest
	}
	return before + line, rows, after
}

// released is what the go command says of a module.
type released struct {
	Version, Dir string
	Time         time.Time
}

// info asks the go command; what it does not know, as where the registry is not reached, is empty.
func info(query string) (r released) {
	out, err := exec.Command("go", "list", "-m", "-json", query).Output()
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(out)).Decode(&r)
	}
	if err != nil {
		return released{}
	}
	return r
}

func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// licence returns the SPDX names of the texts beside a module's source.
func licence(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "[LC][IO][CP][EY]*"))
	var names []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		for _, m := range licensecheck.Scan(text).Match {
			if !strings.Contains(strings.Join(names, " "), m.ID) {
				names = append(names, m.ID)
			}
		}
	}
	return strings.Join(names, ", ")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
