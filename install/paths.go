package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// system is what the directories depend on; tests make their own.
type system struct {
	os   string // runtime.GOOS
	home string
	env  func(string) string
}

func thisSystem() (system, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return system{}, fmt.Errorf("install: there is no home directory to install for: %w (give a prefix instead)", err)
	}
	return system{runtime.GOOS, home, os.Getenv}, nil
}

// UserData is Jupyter's data directory of the user, "" when there is no home directory.
func UserData() string {
	s, err := thisSystem()
	if err != nil {
		return ""
	}
	return s.userData()
}

// userData is Jupyter's data directory of the user: jupyter_core.paths.jupyter_data_dir.
func (s system) userData() string {
	if dir := s.env("JUPYTER_DATA_DIR"); dir != "" {
		return dir
	}
	switch s.os {
	case "darwin":
		return filepath.Join(s.home, "Library", "Jupyter")
	case "windows":
		if dir := s.env("APPDATA"); dir != "" {
			return filepath.Join(dir, "jupyter")
		}
		if dir := s.env("JUPYTER_CONFIG_DIR"); dir != "" {
			return filepath.Join(dir, "data")
		}
		return filepath.Join(s.home, ".jupyter", "data")
	}
	if dir := s.env("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter")
	}
	return filepath.Join(s.home, ".local", "share", "jupyter")
}

// prefixData is Jupyter's data directory under an installation prefix.
func prefixData(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// searchPath lists the data directories that Jupyter searches, first found first used. pythonPrefix is the sys.prefix
// of the Python that has Jupyter, or "".
func (s system) searchPath(pythonPrefix string) []string {
	var dirs []string
	for _, dir := range filepath.SplitList(s.env("JUPYTER_PATH")) {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	dirs = append(dirs, s.userData())
	if pythonPrefix != "" {
		dirs = append(dirs, prefixData(pythonPrefix))
	}
	if s.os == "windows" {
		if dir := s.env("PROGRAMDATA"); dir != "" {
			dirs = append(dirs, filepath.Join(dir, "jupyter"))
		}
		return dirs
	}
	return append(dirs, "/usr/local/share/jupyter", "/usr/share/jupyter")
}

// pythonPrefix asks for the sys.prefix of the active Python environment: the one that VIRTUAL_ENV or CONDA_PREFIX
// names, else that of python3 or python on the path.
func (s system) pythonPrefix() (string, error) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := s.env(name); dir != "" {
			return dir, nil
		}
	}
	for _, python := range []string{"python3", "python"} {
		out, err := exec.Command(python, "-c", "import sys; print(sys.prefix)").Output()
		if prefix := strings.TrimSpace(string(out)); err == nil && prefix != "" {
			return prefix, nil
		}
	}
	return "", errors.New("install: no Python was found whose environment could be installed into; activate one, or install for the user")
}
