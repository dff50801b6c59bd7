package testsize

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reached returns the targets of the Makefile that these lead to, as what they need, or by make, alone or as
// part-TARGET.
func reached(makefile string, from ...string) map[string]bool {
	rules := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):([^=\n#]*)(?:#.*)?\n((?:\t.*\n)*)`).FindAllStringSubmatch(makefile, -1) {
		rules[m[1]] = m[2] + " " + m[3]
	}
	word := regexp.MustCompile(`[a-z0-9$-]+`)
	seen := map[string]bool{}
	for len(from) > 0 {
		name := strings.TrimPrefix(from[0], "part-")
		from = from[1:]
		if name == "test-turn-$" { // all of them, in turn
			from = append(from, "test-turn-0", "test-turn-1", "test-turn-2")
		}
		if _, is := rules[name]; !is || seen[name] {
			continue
		}
		seen[name] = true
		for line := range strings.Lines(rules[name]) {
			// prerequisites, and the lines that call make
			if !strings.HasPrefix(line, "\t") || strings.Contains(line, "$(MAKE)") || strings.Contains(line, "$(BESIDE)") {
				from = append(from, word.FindAllString(line, -1)...)
			}
			if loop := regexp.MustCompile(`for t in ([a-z -]+); do \$\(MAKE\) part-(test-)?\$\$t`).FindStringSubmatch(line); loop != nil {
				for _, t := range strings.Fields(loop[1]) {
					from = append(from, loop[2]+t)
				}
			}
		}
	}
	return seen
}

// TestProtection: the page that says what is tested when is true of the Makefile and of .ci/run.
func TestProtection(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
		return string(text)
	}
	makefile, ci := read("Makefile"), read(".ci/run")
	var each []string // the targets of each commit
	for _, m := range regexp.MustCompile(`(?m)^time make ([a-z-]+)$`).FindAllStringSubmatch(ci, -1) {
		each = append(each, m[1])
	}
	require.Contains(t, each, "test", "what README says")
	for name, targets := range map[string]map[string]bool{
		"each commit":   reached(makefile, each...),
		"three commits": reached(makefile, each...),
		"night":         reached(makefile, "test-nightly"),
		"tag":           {"dist": strings.Contains(ci, "\ttime make dist\n")},
	} {
		rows := 0
		for line := range strings.Lines(read("docs/design/protection.md")) {
			cells := strings.Split(line, "|")
			if len(cells) != 5 || strings.TrimSpace(cells[3]) != name {
				continue
			}
			rows++
			for _, target := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
				require.True(t, targets[target[1]], "%q is not reached: %s", target[1], line)
			}
		}
		require.Positive(t, rows, name)
	}
	// What takes part in turns is in one turn alone.
	turns := map[string]int{}
	for _, turn := range []string{"test-turn-0", "test-turn-1", "test-turn-2"} {
		all := reached(makefile, turn)
		require.Greater(t, len(all), 1, turn)
		for name := range all {
			turns[name]++
		}
	}
	for _, name := range []string{"test-corpora", "test-portable", "test-programs", "test-foreign", "audit", "test-race-interp"} {
		require.Equal(t, 1, turns[name], name)
	}
	// Three commits in a row try all concurrent packages under the race detector.
	for _, name := range []string{"./kernel/...", "./offload/...", "./simgpu", "./lazy/...", "./arrays", "./internal/workers", "./internal/fourier",
		"./kir", "./kir/check", "./kir/random", "./kir/ref"} {
		require.Len(t, regexp.MustCompile(`(?m)^RACED-[012] :=.* `+regexp.QuoteMeta(name)+`( |$)`).FindAllString(makefile, -1), 1, name)
	}
	// What continuous integration ran of each commit before is still run at night, packing apart from tags too.
	night := reached(makefile, "test-nightly")
	for _, name := range []string{"lint", "test-go", "test-race", "test-jupyter", "test-notebooks", "test-browser", "test-gosuite", "test-corpora", "test-programs",
		"test-foreign", "test-tier", "test-race-interp", "fuzz-kernels", "fuzz-parsers", "cross", "dist", "audit"} {
		require.True(t, night[name], name)
	}
	require.False(t, slices.Contains(each, "test-long"))
}
