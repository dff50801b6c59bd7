package design

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// commentWidth is how wide a line may be that is a comment alone, with tabs of four columns.
const commentWidth = 120

var generatedFile = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// wideComments returns the numbers of a Go file's lines that are comments and too wide: tables, addresses
// and what an example prints may be.
func wideComments(text string) (lines []int) {
	output := false
	for i, line := range strings.Split(text, "\n") {
		body, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), "// ")
		if output = ok && (output || strings.HasPrefix(body, "Output:") || strings.HasPrefix(body, "Unordered output:")); output {
			continue // an example's, as it is
		}
		if !ok || strings.Contains(body, "  ") || strings.Contains(body, "\t") {
			continue
		}
		tabs := strings.Count(line, "\t")
		if utf8.RuneCountInString(line)+3*tabs > commentWidth && strings.Contains(body, " ") {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// TestCommentsFit: comments of files written by hand fit into a window.
func TestCommentsFit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		judges.Missing(t, "there is no git to list the files with")
	}
	out, err := exec.Command("git", "-C", "../..", "ls-files", "*.go").Output()
	require.NoError(t, err)
	for name := range strings.FieldsSeq(string(out)) {
		if strings.Contains(name, "/testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // taken out of the tree, not yet of the index
		}
		require.NoError(t, err)
		if generatedFile.Match(text) {
			continue
		}
		for _, line := range wideComments(string(text)) {
			assert.Failf(t, "a comment is too wide", "%s:%d: break it before column %d", name, line, commentWidth)
		}
	}
}

func TestWideComments(t *testing.T) {
	long := strings.Repeat("word ", 24)
	assert.Equal(t, []int{2}, wideComments("package p\n// "+long+"\n// "+long[:100]+"\n"))
	assert.Equal(t, []int{1}, wideComments("\t\t\t// "+long[:110]))
	assert.Empty(t, wideComments("//   "+long+"\n// https://"+strings.Repeat("x", 130)+"\n\n// Output:\n// "+long))
}
