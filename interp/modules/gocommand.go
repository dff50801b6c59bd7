package modules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// goCommand runs the go command in a folder that has the session's module.
type goCommand struct {
	dir      string
	progress io.Writer
	own      *workspace
}

// goCommand makes one for the session's module, with what the user's go.mod says.
func (m *Set) goCommand(progress io.Writer) (*goCommand, error) {
	m.mu.Lock()
	own, mod, sum, err := m.workspace(), m.mod, m.sum, m.ownErr
	m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	if mod == nil {
		mod = []byte(emptyMod)
	}
	if mod, sum, err = own.merge(mod, sum); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "arrayrepl-modules-")
	if err != nil {
		return nil, err
	}
	g := &goCommand{dir: dir, progress: progress, own: own}
	err = os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
	}
	if err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

const (
	goVersion = "1.26" // the language of cells
	emptyMod  = "module session\n\ngo " + goVersion + "\n"
)

func (g *goCommand) close() { os.RemoveAll(g.dir) }

// files returns the module's files as the commands have left them, without what comes from the user's go.mod.
func (g *goCommand) files() (mod, sum []byte, err error) {
	if mod, err = readSource(filepath.Join(g.dir, "go.mod")); err == nil {
		mod, err = g.own.without(mod)
	}
	if err == nil {
		sum, err = readSource(filepath.Join(g.dir, "go.sum"))
	}
	return mod, sum, err
}

// run runs a go command and returns what it prints. Its error is what it says on standard error.
func (g *goCommand) run(ctx context.Context, args ...string) ([]byte, error) {
	return g.runFor(ctx, "", args...)
}

func (g *goCommand) runFor(ctx context.Context, arch string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if runtime.GOOS == "windows" {
		cmd.Cancel = cmd.Process.Kill
	}
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off", "GO111MODULE=on", "CGO_ENABLED=0", "GIT_TERMINAL_PROMPT=0")
	if arch != "" {
		cmd.Env = append(cmd.Env, "GOARCH="+arch)
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if g.progress != nil {
		cmd.Stderr = io.MultiWriter(&said, g.progress)
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("go %s was interrupted: %w", args[0], ctx.Err())
		}
		return nil, fmt.Errorf("go %s: %s", args[0], errorText(said.String(), err))
	}
	return out.Bytes(), nil
}

// errorText is what the go command says that is not progress.
func errorText(said string, err error) string {
	var lines []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "go: downloading") && !strings.HasPrefix(line, "go: added") {
			lines = append(lines, strings.TrimPrefix(line, "go: "))
		}
	}
	if len(lines) == 0 {
		return err.Error()
	}
	return strings.Join(lines, "\n")
}

// packages lists packages and all that they import, the standard library left out.
func (g *goCommand) packages(ctx context.Context, paths ...string) (map[string]*Package, error) {
	found, err := g.list(ctx, "", paths)
	if err != nil {
		return nil, err
	}
	assembly := false
	for _, p := range found {
		assembly = assembly || len(p.SFiles) > 0
	}
	if !assembly {
		return found, nil
	}
	plain, err := g.list(ctx, pureArch, paths)
	if err != nil {
		return found, nil // not every system has the architecture
	}
	for path, p := range plain {
		if old := found[path]; old == nil || p.purer(old) {
			found[path] = p
		}
	}
	return found, nil
}

// packageNames lists the modules, and the packages of the module that has the package path, or is it, with their names.
func (g *goCommand) packageNames(ctx context.Context, path string) (modulePaths []string, names map[string]string, err error) {
	out, err := g.run(ctx, "list", "-m", "-f", "{{.Path}} {{.Dir}}", "all")
	if err != nil {
		return nil, nil, err
	}
	dirs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		m, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		modulePaths = append(modulePaths, m)
		dirs[m] = dir
	}
	module := (&Set{paths: modulePaths}).module(path)
	names = map[string]string{}
	if root := dirs[module]; root != "" {
		for p, name := range packagesBelow(module, root) {
			if mayImport("", p) {
				names[p] = name
			}
		}
	}
	return modulePaths, names, nil
}

// packageClause is the name of the package that a file belongs to, "" when that cannot be read.
func packageClause(file string) string {
	if budget.Regular(file, file, budget.SourceFile) != nil {
		return ""
	}
	f, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if f == nil {
		return ""
	}
	return f.Name.Name
}

func (g *goCommand) list(ctx context.Context, arch string, paths []string) (map[string]*Package, error) {
	tags := PureTags
	if arch != "" {
		tags += "," + safeTag
	}
	args := []string{"list", "-deps", "-e", "-tags=" + tags,
		"-json=ImportPath,Name,Dir,Standard,GoFiles,SFiles,IgnoredGoFiles,Imports,ImportMap,EmbedFiles,Module,Error", "--"}
	out, err := g.runFor(ctx, arch, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	found := map[string]*Package{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Standard {
			continue
		}
		if slices.Contains(paths, p.ImportPath) && p.Error != nil && p.Module == nil {
			return nil, errors.New(errorText(p.Error.Err, errors.New("package "+p.ImportPath+" cannot be listed")))
		}
		found[p.ImportPath] = p
	}
	return found, nil
}
