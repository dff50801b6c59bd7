package install

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// Options is what Install installs and where. At most one of SysPrefix and Prefix may be set; with neither, it installs
// for the user.
type Options struct {
	Binary      string // the command; default this program
	SysPrefix   bool   // into the active Python environment
	Prefix      string // into PREFIX/share/jupyter
	Name        string // default "arrayrepl"
	DisplayName string // default "Go (arrayrepl)"
}

// Installed is one kernelspec that is there.
type Installed struct {
	Name, Dir string
	Spec      Spec
	Missing   string // the command that it starts when that is not there, else ""
}

// Install writes the kernelspec, in place of one of the same name, and returns its directory. Jupyter shows the kernel from
// its next page load on.
func Install(o Options) (dir string, err error) {
	if o.SysPrefix && o.Prefix != "" {
		return "", fmt.Errorf("install: give either the Python environment or a prefix, not both")
	}
	if o.Name == "" {
		o.Name = DefaultName
	}
	if o.DisplayName == "" {
		o.DisplayName = DefaultDisplayName
	}
	if err := checkName(o.Name); err != nil {
		return "", err
	}
	binary, err := findBinary(o.Binary)
	if err != nil {
		return "", err
	}
	data, err := o.dataDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(data, "kernels", o.Name)
	if err := newSpec(binary, o.DisplayName).write(dir); err != nil {
		return "", fmt.Errorf("install: writing the kernelspec %s: %w", dir, err)
	}
	return dir, nil
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
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "", fmt.Errorf("install: there is no program at %s", path)
	}
	return path, nil
}

// List returns the kernelspecs of this project where Jupyter looks for kernels, by name; of two with one name the one that
// Jupyter would start.
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
			in := Installed{Name: e.Name(), Dir: dir, Spec: spec}
			if _, err := os.Stat(spec.Argv[0]); err != nil {
				in.Missing = spec.Argv[0]
			}
			all = append(all, in)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Remove deletes the kernelspec that List shows under name, and returns the directory that it was. Kernels of other makers
// are not touched.
func Remove(name string) (dir string, err error) {
	all, err := List()
	if err != nil {
		return "", err
	}
	return remove(all, name)
}

func remove(all []Installed, name string) (string, error) {
	for _, in := range all {
		if in.Name == name {
			if err := os.RemoveAll(in.Dir); err != nil {
				return "", fmt.Errorf("install: removing the kernelspec %s: %w", in.Dir, err)
			}
			return in.Dir, nil
		}
	}
	return "", fmt.Errorf("install: no kernel of arrayrepl is installed under the name %q", name)
}
