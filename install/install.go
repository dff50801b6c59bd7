package install

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

// Options is what Install installs and where. At most one of SysPrefix and Prefix may be set; with neither, it installs
// for the user.
type Options struct {
	Binary      string // the command; default this program
	SysPrefix   bool   // into the active Python environment
	Prefix      string // into PREFIX/share/jupyter
	Engine      string // what the kernel runs cells on; default the command's own choice
	Name        string // default "arrayrepl", "arrayrepl-ENGINE" with an engine
	DisplayName string // default "Go (arrayrepl)", "Go (ENGINE)" with an engine

	// Aliases are further names for the kernel. Notebooks that ask for a kernel of one of these names open with this
	// one: those written for gophernotes with the alias "gophernotes".
	Aliases []string
}

// Installed is one kernelspec that is there.
type Installed struct {
	Name, Dir string
	Spec      Spec
	AliasOf   string // the name of the kernel that this one is a further name for, else ""
	Missing   string // the command that it starts when that is not there, else ""
	Outdated  bool   // it is not what Install writes now
}

// Install writes the kernelspec and those of its aliases, in place of ours of the same names, and returns its
// directory. Jupyter shows the kernel from its next page load on.
func Install(o Options) (dir string, err error) {
	if o.SysPrefix && o.Prefix != "" {
		return "", fmt.Errorf("install: give either the Python environment or a prefix, not both")
	}
	name, display := DefaultName, DefaultDisplayName
	if o.Engine != "" {
		name, display = name+"-"+o.Engine, "Go ("+o.Engine+")"
	}
	o.Name, o.DisplayName = cmp.Or(o.Name, name), cmp.Or(o.DisplayName, display)
	for _, name := range append([]string{o.Name}, o.Aliases...) {
		if err := checkName(name); err != nil {
			return "", err
		}
	}
	if slices.Contains(o.Aliases, o.Name) {
		return "", fmt.Errorf("install: %q is the name of the kernel itself, not another one", o.Name)
	}
	binary, err := findBinary(o.Binary)
	if err != nil {
		return "", err
	}
	data, err := o.dataDir()
	if err != nil {
		return "", err
	}
	specs := map[string]Spec{o.Name: newSpec(binary, o.Engine, o.DisplayName)}
	for _, alias := range o.Aliases {
		specs[alias] = newSpec(binary, o.Engine, fmt.Sprintf("%s as %s", o.DisplayName, alias)).aliasOf(o.Name, alias)
	}
	for name := range specs {
		if err := checkOurs(filepath.Join(data, "kernels", name)); err != nil {
			return "", err
		}
	}
	for name, spec := range specs {
		at := filepath.Join(data, "kernels", name)
		if err := spec.write(at); err != nil {
			return "", fmt.Errorf("install: writing the kernelspec %s: %w", at, err)
		}
	}
	return filepath.Join(data, "kernels", o.Name), nil
}

// checkOurs refuses to write over a kernel of another maker. A directory without a kernelspec that can be read is
// nobody's.
func checkOurs(dir string) error {
	if spec, err := readSpec(dir); err == nil && len(spec.Argv) > 0 && !spec.ours() {
		return fmt.Errorf("install: %s is another kernel, %q; choose a different name, or remove it first: jupyter kernelspec uninstall %s",
			dir, spec.DisplayName, filepath.Base(dir))
	}
	return nil
}

// dataDir is Jupyter's data directory that o asks for.
func (o Options) dataDir() (string, error) {
	if o.Prefix != "" {
		prefix, err := filepath.Abs(o.Prefix)
		return prefixData(prefix), err
	}
	s, err := thisSystem()
	if err != nil {
		return "", err
	}
	if o.SysPrefix {
		prefix, err := s.pythonPrefix()
		return prefixData(prefix), err
	}
	return s.userData(), nil
}

// findBinary is the absolute path of the command to start; an empty one is this program.
func findBinary(path string) (string, error) {
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("install: the path of this program: %w", err)
		}
		path = self
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	if !isFile(path) {
		return "", fmt.Errorf("install: there is no program at %s", path)
	}
	return path, nil
}

// List returns the kernelspecs of this project where Jupyter looks for kernels, by name; of two with one name the one
// that Jupyter would start.
func List() ([]Installed, error) {
	s, err := thisSystem()
	if err != nil {
		return nil, err
	}
	prefix, _ := s.pythonPrefix() // without Python there is one place less to look
	return list(s.searchPath(prefix)), nil
}

func list(dataDirs []string) []Installed {
	found := map[string]bool{}
	var all []Installed
	for _, data := range dataDirs {
		entries, _ := os.ReadDir(filepath.Join(data, "kernels")) // most of them are not there
		for _, e := range entries {
			dir := filepath.Join(data, "kernels", e.Name())
			spec, err := readSpec(dir)
			if err != nil || found[e.Name()] {
				continue
			}
			found[e.Name()] = true
			if !spec.ours() {
				continue
			}
			in := Installed{Name: e.Name(), Dir: dir, Spec: spec, AliasOf: spec.original()}
			in.Outdated = !spec.current()
			if command := spec.command(dir); !isFile(command) {
				in.Missing = command
			}
			all = append(all, in)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Remove deletes the kernelspec that List shows under name, with its aliases beside it, and returns the directories
// that they were. An alias can be removed alone, by its own name. Kernels of other makers are not touched.
func Remove(name string) (dirs []string, err error) {
	all, err := List()
	if err != nil {
		return nil, err
	}
	return remove(all, name)
}

func remove(all []Installed, name string) (dirs []string, err error) {
	at := slices.IndexFunc(all, func(in Installed) bool { return in.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("install: no kernel of arrayrepl is installed under the name %q", name)
	}
	place := filepath.Dir(all[at].Dir)
	for _, in := range all {
		if in.Name != name && (in.AliasOf != name || filepath.Dir(in.Dir) != place) {
			continue
		}
		if err := os.RemoveAll(in.Dir); err != nil {
			return dirs, fmt.Errorf("install: removing the kernelspec %s: %w", in.Dir, err)
		}
		dirs = append(dirs, in.Dir)
	}
	return dirs, nil
}
