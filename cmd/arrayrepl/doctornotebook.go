package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// patient is a notebook that doctor examines.
type patient struct {
	path    string
	nb      *notebook.Notebook
	sources []string // of its code cells
	carried carried.Set
}

// examine says of each thing that a notebook needs whether it is on this machine. Nothing of the notebook runs.
func examine(path string) ([]finding, error) {
	nb, err := notebook.Read(path)
	if err != nil {
		return nil, err
	}
	p := &patient{path: path, nb: nb, carried: nb.Carried()}
	for _, c := range nb.Cells {
		if c.Type == "code" {
			p.sources = append(p.sources, c.Source)
		}
	}
	var found []finding
	for _, check := range []func() []finding{p.age, p.kernel, p.modules, p.packages, p.data, p.devices, p.programs} {
		found = append(found, check()...)
	}
	return found, nil
}

func (p *patient) age() []finding {
	f := finding{part: "notebook", found: fmt.Sprintf("%d cells", len(p.nb.Cells))}
	saved := savedBy(p.nb)
	if saved != "" {
		f.found += ", run with arrayrepl " + saved
	}
	if newerThan(saved, version()) {
		self, _ := os.Executable()
		f.found += ", which is newer than this, " + version()
		f.repair, f.optional = howToUpdate(self), true
	}
	return []finding{f}
}

func (p *patient) kernel() []finding {
	spec, _ := p.nb.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["name"].(string)
	if language, _ := spec["language"].(string); language != "" && language != "go" {
		return []finding{{part: "kernel", found: "its cells are " + language + ", not Go", repair: "open it with the kernel " + name}}
	}
	installed, err := install.List()
	if name == "" {
		return []finding{{part: "kernel", found: "it names none; Jupyter will ask"}}
	}
	at := slices.IndexFunc(installed, func(in install.Installed) bool { return in.Name == name && in.Missing == "" })
	if err == nil && at >= 0 {
		return []finding{{part: "kernel", found: name + " in " + installed[at].Dir}}
	}
	repair := "arrayrepl install"
	if engine, ok := strings.CutPrefix(name, install.DefaultName+"-"); ok && engines[engine] != nil {
		repair += " --engine " + engine
	} else if name != install.DefaultName {
		repair += " --alias " + name
	}
	return []finding{{part: "kernel", found: "Jupyter has no kernel " + name + " here; arrayrepl run needs none", repair: repair, optional: true}}
}

var getQuery = lazyregexp.New(`(?m)^[ \t]*%get[ \t]+(.*)$`)

// queries are the modules that the cells fetch.
func (p *patient) queries() (queries []string) {
	for _, src := range p.sources {
		for _, m := range getQuery.FindAllStringSubmatch(src, -1) {
			queries = append(queries, strings.Fields(m[1])...)
		}
	}
	return queries
}

func (p *patient) modules() (found []finding) {
	for _, q := range p.queries() {
		if interp.IsDir(q) {
			f := finding{part: "module", found: q + " is a directory of its own"}
			if _, err := os.Stat(filepath.Join(filepath.Dir(p.path), q)); err != nil && !filepath.IsAbs(q) {
				f.found, f.repair = q+", which a cell adds, is not here", "put the directory beside the notebook"
			}
			found = append(found, f)
			continue
		}
		path, version, named := strings.Cut(q, "@")
		if module, m := p.carried.ModuleOf(path); module != "" && !named {
			path, version = module, m.Version
		}
		f := finding{part: "module", found: strings.TrimSpace(path + " " + version)}
		_, noGo := exec.LookPath("go")
		switch {
		case noGo != nil:
			f.found += " is fetched by the go command, which is not in the PATH"
			f.repair = "install Go: https://go.dev/dl"
		case version == "":
			f.found += ": the notebook does not say which version; the newest will be fetched"
			f.repair, f.optional = "run it once and save it: then it carries the version", true
		case slices.Contains(interp.CachedModules(path+"@"), path+"@"+version):
			f.found += " is in Go's module cache"
		default:
			f.found += " will be fetched"
		}
		found = append(found, f)
	}
	return found
}

func (p *patient) packages() (found []finding) {
	dir, err := filepath.Abs(filepath.Dir(p.path))
	if err != nil {
		return nil
	}
	s, err := newSessionIn(dir)
	if err != nil {
		return nil // as the check of the set-up says
	}
	for _, q := range p.queries() {
		if interp.IsDir(q) && !filepath.IsAbs(q) {
			s.GetDir(filepath.Join(dir, q)) // what is wrong with it, modules says
		}
	}
	seen := map[string]bool{}
	for _, src := range p.sources {
		for _, path := range interp.Imports(src) {
			fetched := slices.ContainsFunc(p.queries(), func(q string) bool {
				module, _, _ := strings.Cut(q, "@")
				return path == module || strings.HasPrefix(path, module+"/") || strings.HasPrefix(module, path+"/")
			})
			if module, _ := p.carried.ModuleOf(path); s.Importable(path) || fetched || module != "" || seen[path] {
				continue
			}
			seen[path] = true
			found = append(found, finding{part: "package", found: path + " is imported, and no cell fetches it", repair: "a cell above it: %get " + path})
		}
	}
	return found
}

func (p *patient) data() (found []finding) {
	for _, src := range p.sources {
		names, _ := carried.Asked(src)
		for _, name := range names {
			found = append(found, p.file(filepath.ToSlash(filepath.Clean(name))))
		}
	}
	return found
}

func (p *patient) file(name string) finding {
	f := finding{part: "data"}
	known, expected := p.carried.Data[name]
	content, err := budget.ReadFile(filepath.Join(filepath.Dir(p.path), filepath.FromSlash(name)), name, 0)
	switch {
	case err == nil && expected && known.Check(content) != nil:
		f.found = name + " is here, but " + known.Check(content).Error()
		f.repair, f.optional = "move it away: the notebook's own is put in its place when its cell runs", true
		if known.Gzip == nil && known.URL == "" {
			f.repair = "ask for the one with the SHA-256 " + known.SHA256
		}
	case err == nil:
		f.found = name + " is here"
	case known.Gzip != nil:
		f.found = fmt.Sprintf("%s, %d bytes, is in the notebook; its cell will write it", name, known.Size)
	case known.URL != "":
		f.found = fmt.Sprintf("%s, %d bytes, will be fetched from %s", name, known.Size, known.URL)
	default:
		f.found, f.repair = name+" is neither here nor in the notebook", "put it beside the notebook"
		if expected {
			f.repair += fmt.Sprintf(": %d bytes, SHA-256 %s", known.Size, known.SHA256)
		}
	}
	return f
}

var deviceName = lazyregexp.New(`"((?:sim|cuda):[A-Za-z0-9_#]+)"`)

func (p *patient) devices() (found []finding) {
	names := map[string]bool{}
	for _, src := range p.sources {
		for _, m := range deviceName.FindAllStringSubmatch(src, -1) {
			names[m[1]] = true
		}
	}
	r := devices()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		f := finding{part: "device", found: name}
		if _, err := r.Get(name); err != nil {
			f.found, f.repair = err.Error(), "arrayrepl devices   (names what is here; np.Use takes another)"
		}
		found = append(found, f)
	}
	return found
}

var shellWord = lazyregexp.New(`(?m)^(?:[ \t]*[!$][ \t]*([A-Za-z][\w.+-]*)|%%(bash|sh)\b)`)

// programs are those that shell lines begin with. What a script calls besides is not looked for.
func (p *patient) programs() (found []finding) {
	seen := map[string]bool{"cd": true, "echo": true, "export": true, "set": true, "test": true} // the shell's own
	for _, src := range p.sources {
		for _, m := range shellWord.FindAllStringSubmatch(src, -1) {
			name := m[1] + m[2]
			if _, err := exec.LookPath(name); err != nil && !seen[name] {
				found = append(found, finding{part: "program", found: "a cell runs " + name + ", which is not in the PATH", repair: "install " + name})
			}
			seen[name] = true
		}
	}
	return found
}
