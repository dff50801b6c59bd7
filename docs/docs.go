// Package docs holds the pages of the documentation, so that a session can show them without a network: %doc kernels.
package docs

import (
	"embed"
	"regexp"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

//go:embed *.md
var pages embed.FS

// web is where the pages are for those who have no copy.
const web = "https://github.com/arrayrepl/arrayrepl/blob/main/docs/"

// Address is the page of that name on the web; of "README" the list of all.
func Address(name string) string { return web + name + ".md" }

var (
	listed  = lazyregexp.New(`(?m)^- \[([^\]]*)\]\(([\w-]+)\.md\)`)
	picture = lazyregexp.New(`!\[[^\]]*\]\([^)]*\)`)
	local   = lazyregexp.New(`\]\(([^)#:\s]+)(#[^)\s]*)?\)`)
	link    = lazyregexp.New(`\[([^\]\n]+)\]\([^)\s]*\)`)
	oneOnly = lazyregexp.New(`(?m)^<!--.*-->\n`)
)

// Names returns the names of the pages, in the order of the list in README.md.
func Names() []string {
	text, _ := pages.ReadFile("README.md") // it is embedded
	var names []string
	for _, m := range listed.FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[2])
	}
	return names
}

// Page returns the page of that name, with or without ".md", as Markdown: without its pictures, and with links that
// lead to the web.
func Page(name string) (text string, ok bool) {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md")
	raw, err := pages.ReadFile(name + ".md")
	if err != nil {
		return "", false
	}
	text = oneOnly.ReplaceAllString(picture.ReplaceAllString(string(raw), ""), "")
	return outsideCode(local, text, "]("+web+"$1$2)"), true
}

// outsideCode replaces what matches, but in code, whose brackets and parentheses are Go's:
// gpu.SharedDynamic[float32]().
func outsideCode(of *lazyregexp.Regexp, text, by string) string {
	both := regexp.MustCompile("(?s:```.*?```)|`[^`\n]*`|" + of.Get().String())
	return both.ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '`' {
			return found
		}
		return of.ReplaceAllString(found, by)
	})
}

// Plain is a page for a terminal: its links are their words.
func Plain(page string) string { return outsideCode(link, page, "$1") }

// Index lists the pages, and the terms of the glossary, as Markdown.
func Index() string {
	text, _ := Page("README")
	pages, _, _ := strings.Cut(text, "\nThe notebooks teach:")
	return strings.TrimRight(pages, "\n") + "\n\nWords that `%doc` explains: " + strings.Join(Terms(), ", ") + ".\n"
}

// Help is what a session says of the pages.
func Help() string {
	return "Documentation: %doc NAME shows one of " + strings.Join(Names(), ", ") + "; a word of the glossary, as %doc occupancy; numpy.NAME, what a name of NumPy is here. On the web: " + Address("README") + "\n"
}
