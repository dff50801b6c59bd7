package nvrtc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSourcesThatTheCompilerIsNotGiven: what would send the compiler too deep into itself is an error with the line, and ordinary sources
// are none, whatever stands in their comments and texts.
func TestSourcesThatTheCompilerIsNotGiven(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, 100_000) }
	const head = "__global__ void k(int *x) {\n\t"
	for source, want := range map[string]string{
		head + "x[0] = " + many("(") + "1" + many(")") + ";\n}": "cell.cu(2): brackets are nested more than 500 deep",
		head + many("{") + many("}") + "}":                      "cell.cu(2): brackets are nested",
		head + "x[0] = " + many("-") + "1;\n}":                  "cell.cu(2): an expression has more than 2000 operators",
		head + "x[0] = 1" + many("+1") + ";\n}":                 "cell.cu(2): an expression has more than 2000 operators",
		head + many("if (x[0]) ") + ";\n}":                      "cell.cu(2): an expression has more than 2000 operators",
		head + many("if (x[0]) {} else\n") + ";\n}":             "there are more than 4000 else",
		"\n\ncaf\xe9":              "cell.cu(3): the text is not UTF-8",
		strings.Repeat(" ", 9<<20): "has 9437184 bytes; at most 8388608 are compiled",
	} {
		assert.ErrorContains(t, bounded(source, "cell.cu"), want)
	}
	for _, source := range []string{
		"", "/*", "\"", "'\\", "//", "\"(((\n",
		"// " + many("(") + "\n/* " + many("{\n") + " */ \"" + many("[") + "\" '('",
		"__constant__ float t[] = {" + many("-1.5f, ") + "0};\n" + many("int f(int a) { return a + 1; }\n")[:1<<20],
		"ä €", many("int elsewhere = 1, pulse_else = 2;\n")[:1<<20],
	} {
		assert.NoError(t, bounded(source, "cell.cu"))
	}
}
