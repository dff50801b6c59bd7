package viz

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/charts.md has every colour that means something, every chart that there is, and a picture of each.
func TestDocumentationHasEveryChartAndColour(t *testing.T) {
	b, err := os.ReadFile("../docs/charts.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(b)
	colors := []string{overlapColor, limitColor, lossColor, restColor, issueColors[0]}
	for _, c := range kindColors {
		colors = append(colors, c)
	}
	colors = append(append(colors, stallColors[:]...), useColors[:]...)
	for _, c := range colors {
		if !strings.Contains(doc, "`"+c+"`") {
			t.Errorf("the table of colours lacks %s", c)
		}
	}
	for _, m := range regexp.MustCompile(`!\[.*?\]\((.*?)\)`).FindAllStringSubmatch(doc, -1) {
		if _, err := os.Stat(filepath.Join("../docs", m[1])); err != nil {
			t.Error(err)
		}
	}
	// A chart is an exported function that returns *Chart.
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(.*\) \*Chart \{`).FindAllStringSubmatch(string(src), -1) {
			if name := m[1]; !strings.HasSuffix(name, "Of") {
				found++
				picture := "charts/" + strings.ToLower(name) + ".svg"
				if !strings.Contains(doc, name) || !strings.Contains(doc, picture) {
					t.Errorf("docs/charts.md lacks %s or %s", name, picture)
				}
			}
		}
	}
	for _, dir := range []string{"gpu/dp", "gpu/dp/ski", "gpu/brook", "gpu/puzzle"} { // charts that stand on this package
		files, err := filepath.Glob("../" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (?:\(.*?\) )?([A-Z]\w*)\(.*\) \*viz\.Chart \{`).FindAllStringSubmatch(string(src), -1) {
				found++
				if !regexp.MustCompile("`[^`]*\\b" + m[1] + "\\(").MatchString(doc) {
					t.Errorf("docs/charts.md lacks %s of %s", m[1], dir)
				}
			}
		}
	}
	if found < 45 {
		t.Errorf("only %d charts were found", found)
	}
}
