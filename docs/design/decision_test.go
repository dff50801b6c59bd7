package design

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A decision is short, so that whoever looks for one reads it whole.
const (
	mostLines   = 40
	mostColumns = 120
)

// decision is a file of decisions/.
type decision struct {
	file   string // "0007-modelled-and-measured-time.md"
	number string // "0007"
	title  string
	status string // "accepted" or "superseded"
	by     string // the file of the decision that superseded it
	date   string // when it was taken, "2026-11-21"
	area   string
}

// areas are what decisions are about, in the order of the index.
var areas = []string{"kernel", "interpreter", "arrays", "lazy", "offload", "kir", "simgpu", "cards", "charts", "documents", "release", "tests"}

var (
	fileName   = regexp.MustCompile(`^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$`)
	heading    = regexp.MustCompile(`^# (\d{4})\. (\S.*\S)$`)
	superseded = regexp.MustCompile(`^superseded by \[(\d{4})\]\((\d{4}-[a-z0-9-]+\.md)\)$`)
	dates      = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:, changed (\d{4}-\d\d-\d\d))?$`)
)

var sections = []string{"Context", "Decision", "Rejected", "How it would be revoked"}

// parseDecision reads a file of that name, and returns all that is wrong with its form.
func parseDecision(file, text string) (d decision, wrong []string) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	d.file = file
	if m := fileName.FindStringSubmatch(file); m != nil {
		d.number = m[1]
	} else {
		complain("the name must be NNNN-words-in-lower-case.md")
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !strings.HasSuffix(text, "\n") {
		complain("the last line has no end")
	}
	if len(lines) > mostLines {
		complain("it has %d lines; at most %d are allowed: move figures to measurements/, or make two decisions of it", len(lines), mostLines)
	}
	for i, line := range lines {
		if n := len([]rune(line)); n > mostColumns {
			complain("line %d has %d columns; at most %d are allowed", i+1, n, mostColumns)
		}
	}
	if m := heading.FindStringSubmatch(lines[0]); m == nil {
		complain("the first line must be a heading, # NNNN. and a title")
	} else if d.title = m[2]; m[1] != d.number {
		complain("the heading has number %s, the name %s", m[1], d.number)
	}
	fields := map[string]string{}
	body := map[string][]string{}
	var order []string
	section := ""
	for _, line := range lines[1:] {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
			order = append(order, name)
			continue
		}
		if section != "" {
			body[section] = append(body[section], line)
			continue
		}
		if name, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": "); ok && strings.HasPrefix(line, "- ") {
			fields[name] = value
		} else if line != "" {
			complain("%q stands before the first section and is not a field", line)
		}
	}
	if !slices.Equal(order, sections) {
		complain("the sections are %q; they must be %q", order, sections)
	}
	for _, name := range sections {
		if strings.TrimSpace(strings.Join(body[name], "")) == "" {
			complain("nothing is under %q", name)
		}
	}
	for _, name := range []string{"Status", "Date", "Area"} {
		if fields[name] == "" {
			complain("the field %s is missing", name)
		}
	}
	switch m := superseded.FindStringSubmatch(fields["Status"]); {
	case fields["Status"] == "accepted":
		d.status = "accepted"
	case m != nil && strings.HasPrefix(m[2], m[1]+"-"):
		d.status, d.by = "superseded", m[2]
	default:
		complain("the status %q is not known; it must be accepted, or superseded by [NNNN](NNNN-words.md)", fields["Status"])
	}
	if m := dates.FindStringSubmatch(fields["Date"]); m == nil {
		complain("the date %q must be YYYY-MM-DD, or YYYY-MM-DD, changed YYYY-MM-DD", fields["Date"])
	} else {
		d.date = m[1]
		last := m[1]
		for _, s := range m[1:] {
			if _, err := time.Parse(time.DateOnly, s); s != "" && err != nil {
				complain("%s is not a day", s)
			}
		}
		if m[2] != "" {
			if last = m[2]; m[2] < m[1] {
				complain("it was changed on %s, before it was taken on %s", m[2], m[1])
			}
		}
		if last < "2026-11-21" { // the first commit
			complain("%s is before the project began", last)
		}
	}
	if d.area = fields["Area"]; !slices.Contains(areas, d.area) {
		complain("the area %q is not one of %s", d.area, strings.Join(areas, ", "))
	}
	return d, wrong
}

// decisions reads all files of decisions/ but the index.
func decisions(t *testing.T) (ds []decision) {
	t.Helper()
	files, err := filepath.Glob("decisions/*.md")
	require.NoError(t, err)
	require.Greater(t, len(files), 100, "the decisions are not found")
	for _, path := range files {
		if filepath.Base(path) == "README.md" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		d, wrong := parseDecision(filepath.Base(path), string(text))
		for _, w := range wrong {
			t.Errorf("%s: %s", path, w)
		}
		ds = append(ds, d)
	}
	return ds
}

func TestDecisions(t *testing.T) {
	byFile, byNumber, byTitle := map[string]decision{}, map[string]string{}, map[string]string{}
	ds := decisions(t)
	for _, d := range ds {
		byFile[d.file] = d
		assert.Empty(t, byNumber[d.number], "%s has the number of another decision", d.file)
		assert.Empty(t, byTitle[d.title], "%s has the title of another decision", d.file)
		byNumber[d.number], byTitle[d.title] = d.file, d.file
	}
	for _, d := range ds {
		if d.status != "superseded" {
			continue
		}
		by, ok := byFile[d.by]
		if assert.True(t, ok, "%s is superseded by %s, which is not there", d.file, d.by) {
			assert.NotEqual(t, d.file, by.file, "it is superseded by itself")
			assert.Equal(t, "accepted", by.status, "%s is superseded by %s, which is superseded too: name the one that stands", d.file, d.by)
		}
	}
}

// Each rule of the form refuses what breaks it, and nothing else is wrong then.
func TestDecisionForm(t *testing.T) {
	const file = "0007-a-title.md"
	good := "# 0007. A title\n\n- Status: accepted\n- Date: 2026-11-22, changed 2026-11-23\n- Area: kir\n\n" +
		"## Context\nA.\n\n## Decision\nB.\n\n## Rejected\nC.\n\n## How it would be revoked\nD.\n"
	d, wrong := parseDecision(file, good)
	require.Empty(t, wrong)
	assert.Equal(t, decision{file: file, number: "0007", title: "A title", status: "accepted", date: "2026-11-22", area: "kir"}, d)
	d, wrong = parseDecision(file, strings.Replace(good, "accepted", "superseded by [0009](0009-another.md)", 1))
	require.Empty(t, wrong)
	assert.Equal(t, "0009-another.md", d.by)
	for _, c := range []struct{ was, is, says string }{
		{"# 0007.", "# 0008.", "number 0008"},
		{"# 0007. A title", "A title", "must be a heading"},
		{"accepted", "proposed", `"proposed" is not known`},
		{"accepted", "superseded by 0009", "is not known"},
		{"accepted", "superseded by [0009](0008-another.md)", "is not known"},
		{"- Status: accepted\n", "", "Status is missing"},
		{"- Area: kir\n", "", "Area is missing"},
		{"Area: kir", "Area: weather", `"weather" is not one of`},
		{"2026-11-22,", "22 November,", "must be YYYY-MM-DD"},
		{"2026-11-22,", "2026-11-32,", "2026-11-32 is not a day"},
		{"changed 2026-11-23", "changed 2026-11-21", "before it was taken"},
		{"2026-11-22, changed 2026-11-23", "2025-11-22", "before the project began"},
		{"## Rejected\nC.\n\n", "", "the sections are"},
		{"## Context\nA.\n\n## Decision\nB.\n\n", "## Decision\nB.\n\n## Context\nA.\n\n", "the sections are"},
		{"\nB.\n", "\n \n", `nothing is under "Decision"`},
		{"- Area", "Stray words.\n- Area", "is not a field"},
		{"D.\n", "D.", "has no end"},
		{"D.\n", strings.Repeat("D.\n", 30), "at most 40"},
		{"D.\n", strings.Repeat("é", 121) + "\n", "121 columns"},
	} {
		bad := strings.Replace(good, c.was, c.is, 1)
		require.NotEqual(t, good, bad, "%q is not in the example", c.was)
		_, wrong := parseDecision(file, bad)
		assert.Contains(t, strings.Join(wrong, "\n"), c.says, "%q in place of %q", c.is, c.was)
	}
	_, wrong = parseDecision("7-A title.md", good)
	assert.Contains(t, strings.Join(wrong, "\n"), "the name must be")
}
