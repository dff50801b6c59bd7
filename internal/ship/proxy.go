package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// proxyCommand writes a folder that the go command takes for a module proxy (GOPROXY=file://DIR) which has this module,
// as the commit has it, and no other.
func proxyCommand(args []string) error {
	o, rest, err := parse("proxy", args, 1)
	if err != nil {
		return err
	}
	text, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	if len(file.Replace)+len(file.Exclude) > 0 {
		return fmt.Errorf("go.mod replaces or excludes modules: go install refuses such a module")
	}
	at, err := commitTime()
	if err != nil {
		return err
	}
	v := module.Version{Path: file.Module.Mod.Path, Version: o.version}
	dir := filepath.Join(rest[0], filepath.FromSlash(v.Path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	archive, err := os.Create(filepath.Join(dir, v.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromVCS(archive, v, ".", "HEAD", ""); err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	for name, data := range map[string]string{
		v.Version + ".mod":  string(text),
		v.Version + ".info": fmt.Sprintf(`{"Version":%q,"Time":%q}`, v.Version, at.Format(time.RFC3339)),
		"list":              v.Version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			return err
		}
	}
	return nil
}
