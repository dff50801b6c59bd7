package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTerm(t *testing.T) {
	for _, name := range []string{"bank conflict", "bank conflicts", "Bank-Conflict"} {
		text, ok := Term(name)
		require.True(t, ok, name)
		assert.True(t, strings.HasPrefix(text, "bank conflict: Shared memory has 32 banks"), text)
	}
	_, ok := Term("nosuch")
	assert.False(t, ok)
	_, ok = Term("")
	assert.False(t, ok)
	assert.Equal(t, "https://github.com/arrayrepl/arrayrepl/blob/main/docs/glossary.md#littles-law", TermAddress("Little's law"))
	names := Terms()
	assert.True(t, slices.IsSortedFunc(names, func(a, b string) int { return strings.Compare(key(a), key(b)) }), "the order is the alphabet's")
}

// Every term that the map of the course names is in the glossary, and every notebook that the glossary names has the
// word, and is there.
func TestTermsOfTheCourse(t *testing.T) {
	course, err := os.ReadFile("../notebooks/README.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\d\d[a-z]?) \|.*\| ([^|]*) \|$`).FindAllStringSubmatch(string(course), -1)
	require.Greater(t, len(rows), 8)
	for _, row := range rows {
		for _, name := range strings.Split(row[2], ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			_, ok := Term(name)
			assert.True(t, ok, "notebook %s teaches %q, which the glossary lacks", row[1], name)
		}
	}
	texts := map[string]string{}
	for _, name := range Terms() {
		text, _ := Term(name)
		where := regexp.MustCompile(`Notebooks? (\d\d[a-z]?)(?: and (\d\d[a-z]?))?\.`).FindStringSubmatch(text)
		if see := regexp.MustCompile(`: See ([a-zA-Z ]+)\.$`).FindStringSubmatch(text); see != nil {
			_, ok := Term(see[1])
			assert.True(t, ok, "%s: %s is not in the glossary", name, see[1])
			continue
		}
		require.NotNil(t, where, "%s: no notebook teaches it", name)
		for _, number := range where[1:] {
			if number == "" {
				continue
			}
			if texts[number] == "" {
				texts[number] = markdownOf(t, number)
			}
			assert.True(t, strings.Contains(texts[number], key(name)), "notebook %s has no word of %s", number, name)
		}
	}
}

// markdownOf is the text of the course's notebook of that number, as keys are: without capitals and hyphens.
func markdownOf(t *testing.T, number string) string {
	files, err := filepath.Glob("../notebooks/" + number + "-*.ipynb")
	require.NoError(t, err)
	require.Len(t, files, 1, number)
	raw, err := os.ReadFile(files[0])
	require.NoError(t, err)
	var nb struct {
		Cells []struct {
			CellType string `json:"cell_type"`
			Source   []string
		}
	}
	require.NoError(t, json.Unmarshal(raw, &nb))
	var b strings.Builder
	for _, c := range nb.Cells {
		if c.CellType == "markdown" {
			b.WriteString(strings.Join(c.Source, "") + "\n")
		}
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(b.String()), "-", " ")), " ")
}
