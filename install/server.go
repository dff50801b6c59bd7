package install

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/arrayrepl/arrayrepl/internal/replace"
)

//go:embed server/arrayrepl.json server/arrayrepl/*.py
var server embed.FS

// EntryPoints is what the Python package offers to other programs, as a file of a wheel's dist-info: papermill finds
// there what writes the parameters of notebooks in Go.
//
//go:embed server/entry_points.txt
var EntryPoints []byte

// ServerExtension is the Python package of the project: it finds the program, and is an extension of Jupyter's server,
// which the second file enables. Names are relative: arrayrepl/__init__.py, arrayrepl.json.
func ServerExtension() fs.FS {
	sub, err := fs.Sub(server, "server")
	if err != nil {
		panic(err) // the name is valid
	}
	return sub
}

// WriteServerExtension writes the extension for servers that are started with the environment that it returns:
// variables, by name, with a directory that is to stand first in each.
func WriteServerExtension(dir string) (env map[string]string, err error) {
	env = map[string]string{"PYTHONPATH": filepath.Join(dir, "python"), "JUPYTER_CONFIG_PATH": filepath.Join(dir, "config")}
	files := ServerExtension()
	overrides := filepath.Join(env["JUPYTER_CONFIG_PATH"], "labconfig", "default_setting_overrides.json")
	if err := os.MkdirAll(filepath.Dir(overrides), 0o755); err != nil {
		return nil, err
	}
	if err := replace.Bytes(overrides, []byte(settings)); err != nil {
		return nil, err
	}
	return env, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		to := filepath.Join(env["PYTHONPATH"], filepath.FromSlash(name))
		if filepath.Ext(name) == ".json" {
			to = filepath.Join(env["JUPYTER_CONFIG_PATH"], "jupyter_server_config.d", name)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return replace.Bytes(to, data)
	})
}

// settings are JupyterLab's defaults for who starts it through this program; the user's own settings come before
// them. It does not ask about news of its project: who opens a notebook for the first time has other questions.
const settings = `{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
`
