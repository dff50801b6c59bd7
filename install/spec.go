package install

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// Defaults of Options.
const (
	DefaultName        = "arrayrepl"
	DefaultDisplayName = "Go (arrayrepl)"
)

// logo holds the pictures that go into a kernelspec.
//
//go:embed logo
var logo embed.FS

// Spec is the content of kernel.json.
type Spec struct {
	Argv            []string          `json:"argv"`
	DisplayName     string            `json:"display_name"`
	Language        string            `json:"language"`
	InterruptMode   string            `json:"interrupt_mode,omitempty"`
	ProtocolVersion string            `json:"kernel_protocol_version,omitempty"`
	Env             map[string]string `json:"env,omitempty"`
	Metadata        map[string]any    `json:"metadata,omitempty"`
}

// connectionFile is what Jupyter replaces by the path of a connection file.
const connectionFile = "{connection_file}"

// newSpec is the kernelspec that starts binary.
func newSpec(binary, engine, displayName string) Spec {
	argv := []string{binary, "kernel", connectionFile}
	if engine != "" {
		argv = []string{binary, "kernel", "--engine", engine, connectionFile}
	}
	return Spec{
		Argv:            argv,
		DisplayName:     displayName,
		Language:        "go",
		InterruptMode:   "message",
		ProtocolVersion: "5.5",
		Metadata:        map[string]any{"debugger": true, "supported_encryption": []string{"curve"}},
	}
}

// resourceDir is what Jupyter replaces by the directory of the kernelspec.
const resourceDir = "{resource_dir}"

// Portable returns the files of a kernelspec that a package brings along: wherever it lands, the kernel's command is
// found from the kernelspec's own directory, by the relative path command.
func Portable(command string) (map[string][]byte, error) {
	return newSpec(resourceDir+"/"+filepath.ToSlash(command), "", DefaultDisplayName).files()
}

// command is the path of the program that the kernelspec in dir starts.
func (s Spec) command(dir string) string {
	return filepath.Clean(strings.ReplaceAll(s.Argv[0], resourceDir, dir))
}

// aliasOf makes a kernelspec that of another name for the kernel called original, along with which it is removed. The
// kernel is told the name: it is that of a kernel for which notebooks were written.
func (s Spec) aliasOf(original, name string) Spec {
	s.Metadata["alias_of"] = original
	n := len(s.Argv) - 1
	s.Argv = append(s.Argv[:n:n], "--as", name, s.Argv[n])
	return s
}

// as is the name that the kernel is told, "" for none.
func (s Spec) as() string { return s.option("--as") }

func (s Spec) original() string {
	name, _ := s.Metadata["alias_of"].(string)
	return name
}

// Engine is the one that the command line names, "" for the default.
func (s Spec) Engine() string { return s.option("--engine") }

// option is the value of an option on the command line, "" when it is not there.
func (s Spec) option(name string) string {
	if i := slices.Index(s.Argv, name); i >= 0 && i+1 < len(s.Argv) {
		return s.Argv[i+1]
	}
	return ""
}

// current reports whether s says all that a new kernelspec for the same program would.
func (s Spec) current() bool {
	want := newSpec(s.Argv[0], s.Engine(), s.DisplayName)
	if s.original() != "" {
		want = want.aliasOf(s.original(), s.as())
	}
	want.Env = s.Env // whoever set a variable there wanted it
	a, err1 := json.Marshal(s)
	b, err2 := json.Marshal(want)
	return err1 == nil && err2 == nil && bytes.Equal(a, b)
}

// validName is what Jupyter accepts as the name of a kernelspec.
var validName = lazyregexp.New(`\A[A-Za-z0-9._-]+\z`)

func checkName(name string) error {
	if !validName.MatchString(name) || strings.Trim(name, ".") == "" {
		return fmt.Errorf("install: %q cannot name a kernel: only letters, digits, '-', '_' and '.' are allowed", name)
	}
	return nil
}

// write makes the kernelspec directory dir, in place of what was there.
func (s Spec) write(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "spec") // with the permissions that the umask leaves, which MkdirTemp's has not
	if err := os.Mkdir(made, 0o755); err != nil {
		return err
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(made, name), data, 0o644); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(made, dir)
}

// files are those of a kernelspec, by name.
func (s Spec) files() (map[string][]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	files := map[string][]byte{"kernel.json": text.Bytes()}
	pictures, err := logo.ReadDir("logo")
	if err != nil {
		return nil, err
	}
	for _, f := range pictures {
		if files[f.Name()], err = logo.ReadFile("logo/" + f.Name()); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// readSpec reads the kernelspec in dir.
func readSpec(dir string) (s Spec, err error) {
	data, err := budget.ReadFile(filepath.Join(dir, "kernel.json"), "kernel.json", budget.SmallFile)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(data, &s)
}

// ours reports whether the kernelspec starts this project's kernel, under whatever name the binary goes.
func (s Spec) ours() bool {
	n := len(s.Argv)
	return s.Language == "go" && n >= 3 && slices.Contains(s.Argv[1:n-1], "kernel") && s.Argv[n-1] == connectionFile
}
