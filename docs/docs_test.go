package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryPageIsListed(t *testing.T) {
	files, err := fs.Glob(pages, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(file, ".md"); name != "README" && !slices.Contains(Names(), name) {
			t.Errorf("docs/README.md does not list %s", file)
		}
	}
	for _, name := range Names() {
		if _, ok := Page(name); !ok {
			t.Errorf("docs/README.md lists %s, which is not there", name)
		}
	}
}

func TestPage(t *testing.T) {
	for _, name := range []string{"kernels", "kernels.md", "docs/kernels.md"} {
		text, ok := Page(name)
		if !ok || !strings.HasPrefix(text, "# Writing kernels") || !strings.Contains(text, "[charts.md](https://github.com/arrayrepl/arrayrepl/blob/main/docs/charts.md)") {
			t.Errorf("%s: %.300s", name, text)
		}
	}
	if got := Plain("see [charts.md](https://a.b/c) and x[1](y z), `a[1:2]`"); got != "see charts.md and x[1](y z), `a[1:2]`" {
		t.Error(got)
	}
	const code = "`S[float32]()` of [`f`](g.md)\n```go\nx := f[int](y)\n```\n"
	if got, want := Plain(outsideCode(local, code, "]("+web+"$1$2)")), strings.Replace(code, "[`f`](g.md)", "`f`", 1); got != want {
		t.Errorf("code became\n%s\nwant\n%s", got, want)
	}
	if text, _ := Page("kernels"); !strings.Contains(Plain(text), "`SharedDynamic[float32]()`") {
		t.Error("the page of kernels has lost SharedDynamic[float32]()")
	}
	for _, name := range Names() {
		if text, _ := Page(name); strings.Contains(text, "![") {
			t.Errorf("%s has a picture, which has no place in a session", name)
		}
	}
	if _, ok := Page("nosuch"); ok {
		t.Error("a page that is not there")
	}
}

// Every message that the page of troubles quotes is one that the program gives.
func TestQuotedMessagesOccurInTheSource(t *testing.T) {
	var source strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(d.Name(), "zz_") {
			text, err := os.ReadFile(path)
			source.WriteString(strings.ReplaceAll(string(text), "%%", "%"))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := pages.ReadFile("troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	messages := regexp.MustCompile("\\*\\*`([^`]+)`\\*\\*").FindAllStringSubmatch(string(text), -1)
	if len(messages) < 15 {
		t.Errorf("%d messages were found", len(messages))
	}
	for _, m := range messages {
		for part := range strings.SplitSeq(m[1], "…") {
			if !strings.Contains(source.String(), part) {
				t.Errorf("no source has %q, of the message %q", part, m[1])
			}
		}
	}
}
