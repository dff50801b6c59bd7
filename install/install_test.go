package install

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// The directories are those that jupyter_core.paths.jupyter_data_dir returns (5.9), read in its source.
func TestUserData(t *testing.T) {
	home := filepath.FromSlash("/home/ada")
	for _, tt := range []struct {
		os   string
		env  map[string]string
		want string
	}{
		{"linux", nil, "/home/ada/.local/share/jupyter"},
		{"linux", map[string]string{"XDG_DATA_HOME": "/xdg"}, "/xdg/jupyter"},
		{"linux", map[string]string{"XDG_DATA_HOME": "/xdg", "JUPYTER_DATA_DIR": "/data"}, "/data"},
		{"freebsd", nil, "/home/ada/.local/share/jupyter"},
		{"darwin", map[string]string{"XDG_DATA_HOME": "/xdg"}, "/home/ada/Library/Jupyter"},
		{"darwin", map[string]string{"JUPYTER_DATA_DIR": "/data"}, "/data"},
		{"windows", map[string]string{"APPDATA": "/appdata"}, "/appdata/jupyter"},
		{"windows", nil, "/home/ada/.jupyter/data"},
		{"windows", map[string]string{"JUPYTER_CONFIG_DIR": "/config"}, "/config/data"},
	} {
		s := system{tt.os, home, func(k string) string { return tt.env[k] }}
		if got := s.userData(); got != filepath.FromSlash(tt.want) {
			t.Errorf("%s %v: %s, want %s", tt.os, tt.env, got, tt.want)
		}
	}
}

func TestSearchPath(t *testing.T) {
	env := map[string]string{"JUPYTER_PATH": strings.Join([]string{"/one", "/two"}, string(os.PathListSeparator))}
	s := system{"linux", "/home/ada", func(k string) string { return env[k] }}
	got := strings.Join(s.searchPath("/venv"), " ")
	if want := "/one /two /home/ada/.local/share/jupyter /venv/share/jupyter /usr/local/share/jupyter /usr/share/jupyter"; filepath.ToSlash(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestInstallListRemove(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join(dir, "user data"))
	t.Setenv("VIRTUAL_ENV", filepath.Join(dir, "venv"))
	t.Setenv("JUPYTER_PATH", "")
	bin := filepath.Join(dir, "bin & such", "arrayrepl")
	os.MkdirAll(filepath.Dir(bin), 0o755)
	os.WriteFile(bin, nil, 0o755)

	at, err := Install(Options{Binary: bin})
	if want := filepath.Join(dir, "user data", "kernels", "arrayrepl"); err != nil || at != want {
		t.Fatalf("%s, %v; want %s", at, err, want)
	}
	data, err := os.ReadFile(filepath.Join(at, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"argv": []any{bin, "kernel", "{connection_file}"}, "display_name": "Go (arrayrepl)", "language": "go",
		"interrupt_mode": "message", "kernel_protocol_version": "5.5", "metadata": map[string]any{"debugger": true, "supported_encryption": []any{"curve"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("kernel.json is %s", data)
	}
	for size, name := range map[int]string{32: "logo-32x32.png", 64: "logo-64x64.png"} {
		f, err := os.Open(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := png.DecodeConfig(f); err != nil || c.Width != size || c.Height != size {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		f.Close()
	}

	if all, err := List(); err != nil || len(all) != 1 || all[0].Outdated || all[0].Missing != "" {
		t.Errorf("%+v, %v", all, err)
	}
	os.WriteFile(filepath.Join(at, "kernel.json"), bytes.Replace(data, []byte("5.5"), []byte("5.3"), 1), 0o644)
	if all, _ := List(); len(all) != 1 || !all[0].Outdated {
		t.Errorf("an older kernelspec: %+v", all)
	}

	os.WriteFile(filepath.Join(at, "stale"), nil, 0o644)
	for _, o := range []Options{
		{Binary: bin, DisplayName: "Again"},
		{Binary: bin, SysPrefix: true, Name: "in-venv"},
		{Binary: bin, SysPrefix: true, DisplayName: "hidden by the user's"},
	} {
		if _, err := Install(o); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(at, "stale")); err == nil {
		t.Error("installing again left an old file")
	}
	other := filepath.Join(dir, "user data", "kernels", "python3")
	os.MkdirAll(other, 0o755)
	os.WriteFile(filepath.Join(other, "kernel.json"), []byte(`{"argv":["python","-m","ipykernel_launcher","-f","{connection_file}"],"language":"python"}`), 0o644)
	broken := filepath.Join(dir, "user data", "kernels", "broken")
	os.MkdirAll(broken, 0o755)
	os.WriteFile(filepath.Join(broken, "kernel.json"), []byte(`{`), 0o644)

	os.Remove(bin)
	all, err := List()
	if err != nil || len(all) != 2 || all[0].Name != "arrayrepl" || all[0].Spec.DisplayName != "Again" || all[1].Name != "in-venv" || all[1].Missing != bin {
		t.Errorf("%+v, %v", all, err)
	}
	if gone, err := Remove("arrayrepl"); err != nil || !slices.Equal(gone, []string{at}) {
		t.Errorf("%s, %v", gone, err)
	}
	if all, _ := List(); len(all) != 2 || all[0].Spec.DisplayName != "hidden by the user's" {
		t.Errorf("%+v", all)
	}
	if _, err := Remove("python3"); err == nil {
		t.Error("removed a kernel that is not ours")
	}
}

func TestAliases(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", dir)
	t.Setenv("JUPYTER_PATH", "")
	t.Setenv("VIRTUAL_ENV", filepath.Join(dir, "venv"))
	kernels := filepath.Join(dir, "kernels")
	names := func() string {
		entries, _ := os.ReadDir(kernels)
		var s []string
		for _, e := range entries {
			s = append(s, e.Name())
		}
		return strings.Join(s, " ")
	}
	other := filepath.Join(kernels, "gophernotes")
	os.MkdirAll(other, 0o755)
	os.WriteFile(filepath.Join(other, "kernel.json"), []byte(`{"argv":["gophernotes","{connection_file}"],"display_name":"Go","language":"go"}`), 0o644)
	if _, err := Install(Options{Aliases: []string{"gophernotes"}}); err == nil || !strings.Contains(err.Error(), "is another kernel") || names() != "gophernotes" {
		t.Fatalf("%v, installed %s", err, names())
	}
	os.RemoveAll(other)
	for range 2 {
		if _, err := Install(Options{Aliases: []string{"gophernotes", "gonb"}}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := List()
	if err != nil || len(all) != 3 || all[2].Name != "gophernotes" || all[2].AliasOf != "arrayrepl" || all[0].AliasOf != "" ||
		all[2].Spec.DisplayName != "Go (arrayrepl) as gophernotes" || all[2].Spec.Argv[1] != "kernel" {
		t.Errorf("%+v, %v", all, err)
	}
	if argv := all[2].Spec.Argv; err == nil && !slices.Contains(argv, "gophernotes") { // imports fetch modules there
		t.Errorf("the alias gophernotes runs %v", argv)
	}
	if gone, err := Remove("gonb"); err != nil || len(gone) != 1 || names() != "arrayrepl gophernotes" {
		t.Errorf("removed %v, %v; left %s", gone, err, names())
	}
	if gone, err := Remove("arrayrepl"); err != nil || len(gone) != 2 || names() != "" {
		t.Errorf("removed %v, %v; left %s", gone, err, names())
	}
}

// A kernel for an engine has a name of its own beside the usual one.
func TestInstallForAnEngine(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	t.Setenv("JUPYTER_PATH", "")
	for _, engine := range []string{"", "yaegi"} {
		if _, err := Install(Options{Engine: engine}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := List()
	if err != nil || len(all) != 2 || all[1].Name != "arrayrepl-yaegi" || all[1].Spec.DisplayName != "Go (yaegi)" {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := strings.Join(all[1].Spec.Argv[1:], " "); got != "kernel --engine yaegi {connection_file}" {
		t.Errorf("it starts %q", got)
	}
}

// What a package brings along is found from where it lands, and is there to be listed and removed as any other.
func TestPortable(t *testing.T) {
	prefix := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join(prefix, "share", "jupyter"))
	t.Setenv("JUPYTER_PATH", "")
	dir := filepath.Join(prefix, "share", "jupyter", "kernels", "arrayrepl")
	files, err := Portable("../../../../bin/arrayrepl")
	if err != nil {
		t.Fatal(err)
	}
	os.MkdirAll(dir, 0o755)
	for name, data := range files {
		os.WriteFile(filepath.Join(dir, name), data, 0o644)
	}
	bin := filepath.Join(prefix, "bin", "arrayrepl")
	if all, _ := List(); len(all) != 1 || all[0].Missing != bin || all[0].Outdated {
		t.Errorf("without the program: %+v", all)
	}
	os.MkdirAll(filepath.Dir(bin), 0o755)
	os.WriteFile(bin, nil, 0o755)
	if all, _ := List(); len(all) != 1 || all[0].Missing != "" {
		t.Errorf("with it: %+v", all)
	}
}

// Files whose names begin with an underscore are easily left out of what is embedded.
func TestServerExtension(t *testing.T) {
	env, err := WriteServerExtension(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		filepath.Join(env["PYTHONPATH"], "arrayrepl", "__init__.py"), filepath.Join(env["PYTHONPATH"], "arrayrepl", "__main__.py"),
		filepath.Join(env["PYTHONPATH"], "arrayrepl", "carried.py"), filepath.Join(env["JUPYTER_CONFIG_PATH"], "jupyter_server_config.d", "arrayrepl.json"),
	} {
		if !isFile(want) {
			t.Errorf("%s is not there", want)
		}
	}
}

func TestInstallErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o644)
	for want, o := range map[string]Options{
		"either":               {SysPrefix: true, Prefix: dir},
		"../up":                {Prefix: dir, Name: "../up"},
		`".."`:                 {Prefix: dir, Name: ".."},
		"no program at":        {Prefix: dir, Binary: filepath.Join(dir, "none")},
		"writing the kernel":   {Prefix: file},
		"only letters, digits": {Prefix: dir, Name: "a b"},
		`"c d" cannot`:         {Prefix: dir, Aliases: []string{"c d"}},
		"the kernel itself":    {Prefix: dir, Aliases: []string{"arrayrepl"}},
	} {
		if _, err := Install(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", o, err, want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Jupyter itself finds what was installed.
func TestJupyterFindsIt(t *testing.T) {
	python := judges.Python(t, "jupyter_client")
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	if _, err := Install(Options{}); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", `
from jupyter_client.kernelspec import KernelSpecManager
m = KernelSpecManager()
s = m.get_kernel_spec("arrayrepl")
assert s.display_name == "Go (arrayrepl)" and s.interrupt_mode == "message" and s.argv[1] == "kernel", s.to_dict()
assert "logo-svg.svg" in __import__("os").listdir(s.resource_dir)`).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
