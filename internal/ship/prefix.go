package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/arrayrepl/arrayrepl/install"
)

// prefixCommand builds the program for one platform and puts it with its kernelspec below an installation prefix, as a
// package manager wants it, and the licence texts of what is inside into the current directory. It runs nothing that it
// has built, so that packages can be made for other platforms, and needs no git where the version is given.
func prefixCommand(args []string) error {
	o, rest, err := parse("prefix", args, -1)
	if err != nil {
		return err
	}
	p := platform{os: runtime.GOOS, arch: runtime.GOARCH}
	if len(rest) == 2 {
		at := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == rest[1] })
		if at < 0 {
			return fmt.Errorf("the platforms are %v, not %s", platforms, rest[1])
		}
		p = platforms[at]
	} else if len(rest) != 1 {
		return fmt.Errorf("%d arguments, not a prefix and perhaps a platform", len(rest))
	}
	binary := filepath.Join(rest[0], p.scripts(), p.program())
	if err := build(o.version, p, binary); err != nil {
		return err
	}
	spec, err := p.kernelspec()
	if err != nil {
		return err
	}
	for name, data := range spec {
		name = filepath.Join(rest[0], "share", "jupyter", "kernels", install.DefaultName, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	notices, err := noticesOf(info)
	if err != nil {
		return err
	}
	return os.WriteFile("NOTICES.txt", notices, 0o644)
}

// scripts is where programs lie under the prefix of a Python environment, beside share.
func (p platform) scripts() string {
	if p.os == "windows" {
		return "Scripts"
	}
	return "bin"
}

// kernelspec is one that finds the program of its prefix, wherever that is.
func (p platform) kernelspec() (map[string][]byte, error) {
	return install.Portable("../../../../" + p.scripts() + "/" + p.program())
}
