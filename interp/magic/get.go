package magic

import (
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// get fetches modules, whose packages cells can import then, or adds directories.
func get(c *Call) (display.Bundle, error) {
	var queries []string
	for _, q := range strings.Fields(c.Arg) {
		if !interp.IsDir(q) {
			queries = append(queries, q)
			continue
		}
		path, err := c.GetDir(q)
		if err != nil {
			return display.Bundle{}, err
		}
		c.Printf("%s is %s\n", q, path)
	}
	if len(queries) == 0 {
		return display.Bundle{}, nil
	}
	return display.Bundle{}, c.fetch(queries)
}

// fetch fetches modules. Without a version it is the one that the notebook carries; what has been fetched, the notebook
// carries from now on.
func (c *Call) fetch(queries []string) error {
	carries := c.carries()
	var sums []string
	for path, m := range carries.Modules {
		if m.Sum != "" {
			sums = append(sums, path+" "+m.Version+" "+m.Sum)
		}
	}
	c.ExpectSums(sums)
	for _, q := range queries {
		if path, m := carries.ModuleOf(q); path != "" && !strings.Contains(q, "@") && c.modules().Modules[path].Version == "" {
			q += "@" + m.Version
		}
		if err := c.Session.Session.Get(c.ctx, q, c.stderr()); err != nil {
			return err
		}
	}
	return c.carry(c.modules(), c.asked(queries))
}

// modules are those of the session.
func (c *Call) modules() carried.Set {
	sums := map[string]string{}
	for _, line := range c.Sums() {
		i := strings.LastIndexByte(line, ' ')
		sums[line[:i]] = line[i+1:]
	}
	set := carried.Set{Modules: map[string]carried.Module{}}
	for _, line := range c.Modules() {
		path, version, _ := strings.Cut(line, " ")
		set.Modules[path] = carried.Module{Version: version, Sum: sums[line]}
	}
	return set
}

// asked says which versions the modules have that were asked for.
func (c *Call) asked(queries []string) string {
	have := c.modules()
	lines := map[string]bool{}
	for _, q := range queries {
		q, _, _ = strings.Cut(q, "@")
		if path, m := have.ModuleOf(q); path != "" {
			lines[path+" "+m.Version] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(lines)), "\n")
}

// carries is what the notebook brings along.
func (c *Call) carries() carried.Set {
	if c.opts.Carried == nil {
		return carried.Set{}
	}
	return c.opts.Carried()
}

// carry puts something into the cell's output for the notebook to carry; people read text.
func (c *Call) carry(set carried.Set, text string) error {
	b := display.Text(text)
	b.Data[carried.MIME] = set
	return display.Show(b)
}

// completeModule proposes what is in Go's module cache.
func completeModule(s *Session, text string) (out []interp.Match) {
	if interp.IsDir(text) {
		return completeDir(s, text)
	}
	for _, m := range interp.CachedModules(text) {
		out = append(out, interp.Match{Text: m, Type: "module", Signature: "module " + m})
	}
	return out
}
