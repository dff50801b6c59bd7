package export

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// Site makes a static site: a page for each notebook and for each Markdown file that these pages lead to, an index, and
// the files that they show or lead to, all at the places that they have under Root. Pages refer to each other by
// relative links, so the site can be read from a disk. A script that outputs carry is a file of the site, once for all
// its pages.
type Site struct {
	Root      string   // what lies outside of it does not become part of the site
	Notebooks []string // paths, in the order of the index
	Title     string
	Highlight func(code string) string // as in [Options]
	// Read returns the notebook at a path. Nil reads the file.
	Read func(path string) (*notebook.Notebook, error)
	// Sanitize says of a file, by its path under Root with slashes, whether its page is sanitised, as in [Options]; nil
	// for none. It is asked after Read.
	Sanitize func(rel string) bool

	files   map[string][]byte // by path under the destination
	scripts map[string]string // file by what is in it
	listed  []string          // notebooks, under Root
	waiting []string          // Markdown files to make pages of, under Root
	heads   map[string]*page  // by path under Root
	within  *os.Root          // Root
}

const (
	largestFile   = 5 << 20 // that is copied
	largestInline = 50_000  // bytes of a script that stays in its page
	styleFile     = "assets/page.css"
)

// Write makes the site in the directory dest, which need not exist; files there that are not of the site stay. A
// notebook that cannot be read has no page, and a page of it that is there stays; the index names it, and the error
// that is returned when all others are written. Nothing is read through symbolic links that lead out of Root, nor
// written through those out of dest.
func (s *Site) Write(dest string) error {
	if s.Read == nil {
		s.Read = notebook.Read
	}
	s.files, s.scripts, s.heads, s.waiting = map[string][]byte{styleFile: []byte(pageCSS)}, map[string]string{}, map[string]*page{}, nil
	s.listed = nil
	for _, file := range s.Notebooks {
		rel, err := filepath.Rel(s.Root, file)
		if err != nil || !filepath.IsLocal(rel) {
			return fmt.Errorf("export: %s does not lie in %s", file, s.Root)
		}
		s.listed = append(s.listed, filepath.ToSlash(rel))
	}
	var err error
	if s.within, err = os.OpenRoot(s.Root); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer s.within.Close()
	var unread []error
	for i := range s.listed {
		if err := s.notebook(i); err != nil {
			unread = append(unread, err)
		}
	}
	for i := 0; i < len(s.waiting); i++ { // pages may lead to more of them
		if err := s.text(s.waiting[i]); err != nil {
			return err
		}
	}
	s.index()
	if err := s.writeFiles(dest); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if len(unread) > 0 {
		return fmt.Errorf("export: %d of %d notebooks cannot be read; all other pages are written\n%w", len(unread), len(s.listed), errors.Join(unread...))
	}
	return nil
}

func (s *Site) writeFiles(dest string) error {
	if err := os.MkdirAll(dest, 0o755); err != nil {
		return err
	}
	within, err := os.OpenRoot(dest)
	if err != nil {
		return err
	}
	defer within.Close()
	for name, data := range s.files {
		local := filepath.FromSlash(name)
		if err := within.MkdirAll(filepath.Dir(local), 0o755); err != nil {
			return err
		}
		if _, err := within.Stat(local); err != nil && !errors.Is(err, fs.ErrNotExist) { // such as a link out of dest
			return err
		}
		if err := replace.Bytes(filepath.Join(dest, local), data); err != nil {
			return err
		}
	}
	return nil
}

// page begins the page that is made of the file at rel, and keeps it for the index.
func (s *Site) page(rel, title string) *page {
	p := newPage(Options{Title: title, Highlight: s.Highlight, Sanitize: s.Sanitize != nil && s.Sanitize(rel)})
	p.link = func(dest string) (string, bool) { return s.link(rel, dest, p.o.Sanitize) }
	p.outputs = func(text string) string { return s.shareScripts(rel, text) }
	if p.o.Sanitize {
		p.outputs = nil
	}
	p.files = func(name string, data []byte) string {
		file := strings.TrimSuffix(rel, path.Ext(rel)) + "_files/" + name
		s.files[file] = data
		return relative(rel, file)
	}
	p.begin(fmt.Sprintf("<link rel=\"stylesheet\" href=\"%s\">", relative(rel, styleFile)))
	s.heads[rel] = p
	return p
}

func (s *Site) notebook(i int) error {
	rel := s.listed[i]
	if _, err := s.within.Stat(filepath.FromSlash(rel)); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	nb, err := s.Read(s.Notebooks[i])
	if err != nil {
		return err
	}
	p := s.page(rel, strings.TrimSuffix(path.Base(rel), ".ipynb"))
	ways := fmt.Sprintf("<nav><a href=\"%s\">%s</a>", relative(rel, "index.html"), html.EscapeString(s.Title))
	for _, way := range []struct{ to, arrow int }{{i - 1, '←'}, {i + 1, '→'}} {
		if way.to >= 0 && way.to < len(s.listed) {
			to := s.listed[way.to]
			ways += fmt.Sprintf(" <a href=\"%s\">%c %s</a>", html.EscapeString(relative(rel, pageOf(to))), way.arrow, html.EscapeString(strings.TrimSuffix(path.Base(to), ".ipynb")))
		}
	}
	ways += "</nav>\n"
	p.WriteString(ways + "<noscript><p class=\"note\">Without scripts the charts are pictures.</p></noscript>\n")
	p.notebook(nb)
	p.WriteString(ways)
	s.files[pageOf(rel)] = p.end()
	return nil
}

// text makes the page of a Markdown file.
func (s *Site) text(rel string) error {
	data, err := s.within.ReadFile(rel)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	p := s.page(rel, strings.TrimSuffix(path.Base(rel), ".md"))
	fmt.Fprintf(p, "<nav><a href=\"%s\">%s</a></nav>\n<section class=\"text\">\n", relative(rel, "index.html"), html.EscapeString(s.Title))
	p.try("This text", func() error { return p.convert(string(data)) })
	p.WriteString("</section>\n")
	s.files[pageOf(rel)] = p.end()
	return nil
}

// index lists the pages with their headings.
func (s *Site) index() {
	p := newPage(Options{Title: s.Title})
	p.begin(fmt.Sprintf("<link rel=\"stylesheet\" href=\"%s\">", styleFile))
	fmt.Fprintf(p, "<section class=\"text\">\n<h1>%s</h1>\n", html.EscapeString(s.Title))
	for _, rel := range s.listed {
		of := s.heads[rel]
		if of == nil {
			fmt.Fprintf(p, "<p class=\"note\">%s cannot be read.</p>\n", html.EscapeString(rel))
			continue
		}
		fmt.Fprintf(p, "<h2><a href=\"%s\">%s</a></h2>\n<p>%s</p>\n", html.EscapeString(address(pageOf(rel))), html.EscapeString(of.name()), html.EscapeString(of.first))
		var parts []string
		for _, h := range of.heads {
			if h.level == 2 {
				parts = append(parts, fmt.Sprintf("<a href=\"%s#%s\">%s</a>", html.EscapeString(address(pageOf(rel))), html.EscapeString(h.id), html.EscapeString(h.text)))
			}
		}
		if len(parts) > 0 {
			fmt.Fprintf(p, "<p class=\"parts\">%s</p>\n", strings.Join(parts, " · "))
		}
	}
	if len(s.waiting) > 0 {
		p.WriteString("<h2>To look things up</h2>\n<ul>\n")
		texts := slices.Clone(s.waiting)
		slices.Sort(texts)
		for _, rel := range texts {
			fmt.Fprintf(p, "<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(address(pageOf(rel))), html.EscapeString(s.heads[rel].name()))
		}
		p.WriteString("</ul>\n")
	}
	p.WriteString("</section>\n")
	s.files["index.html"] = p.end()
}

// name is what the index calls a page: its first heading.
func (p *page) name() string {
	if len(p.heads) > 0 {
		return p.heads[0].text
	}
	return p.o.Title
}

// link leads a link of the file at rel to what the site makes of its target; false when the site has none. Symbolic
// links that lead out of Root are not followed. A careful page leads only to files that a browser does not run.
func (s *Site) link(rel, dest string, careful bool) (string, bool) {
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return dest, true
	}
	target := path.Join(path.Dir(rel), u.Path)
	if !filepath.IsLocal(filepath.FromSlash(target)) {
		return "", false
	}
	info, err := s.within.Stat(target)
	if err == nil && info.IsDir() {
		target = path.Join(target, "README.md")
		info, err = s.within.Stat(target)
	}
	fragment := ""
	if u.Fragment != "" {
		fragment = "#" + u.EscapedFragment()
	}
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", false
	case path.Ext(target) == ".md":
		if !slices.Contains(s.waiting, target) {
			s.waiting = append(s.waiting, target)
		}
		return relative(rel, pageOf(target)) + fragment, true
	case slices.Contains(s.listed, target):
		return relative(rel, pageOf(target)) + fragment, true
	case info.Size() > largestFile:
		return "", false
	case s.files[target] == nil:
		data, err := s.within.ReadFile(target)
		if err != nil || careful && !safeCopy.MatchString(target) && !(path.Ext(target) == ".svg" && inertSVG(data) == nil) {
			return "", false
		}
		s.files[target] = data
	}
	return relative(rel, target) + fragment, true
}

var script = lazyregexp.New(`(?s)<script>(.*?)</script>`)

// shareScripts replaces large scripts in an output of the page at rel by references to files, which pages share.
func (s *Site) shareScripts(rel, text string) string {
	return script.ReplaceAllStringFunc(text, func(element string) string {
		body := script.FindStringSubmatch(element)[1]
		if len(body) < largestInline {
			return element
		}
		if s.scripts[body] == "" {
			sum := sha256.Sum256([]byte(body))
			s.scripts[body] = fmt.Sprintf("assets/%x.js", sum[:6])
			s.files[s.scripts[body]] = []byte(body)
		}
		return fmt.Sprintf("<script src=\"%s\"></script>", relative(rel, s.scripts[body]))
	})
}

// pageOf is the path of the page that is made of the file at rel.
func pageOf(rel string) string { return strings.TrimSuffix(rel, path.Ext(rel)) + ".html" }

// relative is the address of the site's file target as the page of the file at rel refers to it.
func relative(rel, target string) string {
	return address(strings.Repeat("../", strings.Count(rel, "/")) + target)
}

// address is a path as a link has it.
func address(path string) string { return (&url.URL{Path: path}).EscapedPath() }
