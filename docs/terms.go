package docs

import (
	"slices"
	"strings"
	"sync"
)

const glossary = "glossary"

// A term is one of the glossary's.
type term struct{ name, text string }

// terms are those of the glossary by their keys, and in its order.
var terms = sync.OnceValues(func() (byKey map[string]term, names []string) {
	text, _ := Page(glossary) // it is embedded
	byKey = map[string]term{}
	for _, section := range strings.Split(text, "\n### ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		byKey[key(name)] = term{name, strings.TrimSpace(body)}
		names = append(names, name)
	}
	return byKey, names
})

// key is what names that mean the same have in common: capitals, hyphens and a plural's s are not told apart.
func key(name string) string {
	name = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), "-", " ")), " ")
	if strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") {
		name = strings.TrimSuffix(name, "s")
	}
	return name
}

// Terms returns the terms of the glossary, in its order.
func Terms() []string {
	_, names := terms()
	return slices.Clone(names)
}

// Term returns what the glossary says of a term, as Markdown: the term, and its explanation.
func Term(name string) (text string, ok bool) {
	byKey, _ := terms()
	t, ok := byKey[key(name)]
	return t.name + ": " + strings.ReplaceAll(t.text, "\n", " "), ok
}

// TermAddress is a term of the glossary on the web.
func TermAddress(name string) string {
	return Address(glossary) + "#" + strings.ToLower(strings.NewReplacer(" ", "-", "'", "").Replace(name))
}
