package magic

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/mod/modfile"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// moduleDir is a directory with a go.mod that says what modules the session has: where commands that begin with !* run,
// so that what they do to the go.mod, as go get does, is done to the session.
type moduleDir struct {
	dir string
	was []byte // the go.mod before the command
}

// moduleDirVariable names the directory for commands and cells, as in GoNB.
const moduleDirVariable = "GONB_TMP_DIR"

// moduleDirPrefix begins the directories' names; the number of the process follows.
const moduleDirPrefix = "arrayrepl-session-"

// moduleDirectory is the path of the session's directory, which is made when it is asked for first. Those of sessions
// that are gone are removed then.
func (s *Session) moduleDirectory() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moduleDir != "" {
		return s.moduleDir, nil
	}
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), moduleDirPrefix+"*"))
	for _, dir := range old {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), moduleDirPrefix), "-")
		if pid, err := strconv.Atoi(number); err == nil && runtime.GOOS != "windows" {
			if p, err := os.FindProcess(pid); err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
				os.RemoveAll(dir)
			}
		}
	}
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", moduleDirPrefix, os.Getpid()))
	if err != nil {
		return "", err
	}
	s.moduleDir = dir
	return dir, os.Setenv(moduleDirVariable, dir)
}

// openModule writes the go.mod of the session's directory for a command. What earlier commands did to it that the
// session does not know, as a replace line, stays.
func (c *Call) openModule() (*moduleDir, error) {
	dir, err := c.moduleDirectory()
	if err != nil {
		return nil, err
	}
	file, err := readModFile(dir)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = modfile.Parse("go.mod", []byte("module session\n\ngo 1.26\n"), nil)
	}
	if err != nil {
		return nil, err
	}
	for _, line := range c.Modules() {
		path, version, _ := strings.Cut(line, " ")
		if err := file.AddRequire(path, version); err != nil {
			return nil, err
		}
	}
	file.Cleanup()
	text, err := file.Format()
	if err != nil {
		return nil, err
	}
	return &moduleDir{dir, text}, os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o644)
}

func readModFile(dir string) (*modfile.File, error) {
	text, err := budget.ReadRegular(filepath.Join(dir, "go.mod"), "go.mod", budget.SourceFile)
	if err != nil {
		return nil, err
	}
	return modfile.Parse("go.mod", text, nil)
}

// close fetches the modules that the command has added to the go.mod, or wants in another version.
func (m *moduleDir) close(c *Call) error {
	text, err := budget.ReadRegular(filepath.Join(m.dir, "go.mod"), "go.mod", budget.SourceFile)
	if err != nil || bytes.Equal(text, m.was) {
		return nil // a command may remove it
	}
	file, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return fmt.Errorf("the command has made a go.mod that cannot be read: %w", err)
	}
	have := map[string]bool{}
	for _, line := range c.Modules() {
		have[line] = true
	}
	for _, r := range file.Require {
		if have[r.Mod.Path+" "+r.Mod.Version] {
			continue
		}
		if err := c.Session.Session.Get(c.ctx, r.Mod.Path+"@"+r.Mod.Version, c.stderr()); err != nil {
			return err
		}
	}
	return nil
}

// goWorkFix is %goworkfix: what a go.work in the session's directory uses replaces modules in the go.mod there.
func goWorkFix(c *Call) (display.Bundle, error) {
	dir, err := c.moduleDirectory()
	if err != nil {
		return display.Bundle{}, err
	}
	text, err := budget.ReadRegular(filepath.Join(dir, "go.work"), "go.work", budget.SourceFile)
	if errors.Is(err, fs.ErrNotExist) {
		return display.Bundle{}, errors.New("there is no go.work in the session's directory: !*go work init, then !*go work use . DIR")
	}
	if err != nil {
		return display.Bundle{}, err
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return display.Bundle{}, err
	}
	m, err := c.openModule()
	if err != nil {
		return display.Bundle{}, err
	}
	file, err := readModFile(m.dir)
	if err != nil {
		return display.Bundle{}, err
	}
	for _, use := range work.Use {
		at := use.Path
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		if at == dir {
			continue
		}
		theirs, err := readModFile(at)
		if err != nil {
			return display.Bundle{}, err
		}
		if err := file.AddReplace(theirs.Module.Mod.Path, "", at, ""); err != nil {
			return display.Bundle{}, err
		}
		c.Printf("%s is replaced by %s\n", theirs.Module.Mod.Path, at)
	}
	if text, err = file.Format(); err != nil {
		return display.Bundle{}, err
	}
	return display.Bundle{}, os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o644)
}
