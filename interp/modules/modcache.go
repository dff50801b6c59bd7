package modules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Cached lists what [Set.Fetch] could get without a network: the modules of Go's module cache whose paths
// begin with prefix, or the versions of one when prefix has an @, the newest first. It is what completion proposes.
func Cached(prefix string) []string {
	root := filepath.Join(moduleCache(), "cache", "download")
	if path, version, ok := strings.Cut(prefix, "@"); ok {
		return cachedVersions(root, path, version)
	}
	start, _ := filepath.Split(filepath.FromSlash(prefix)) // the folder whose entries can begin with prefix
	escaped, err := module.EscapePath(strings.TrimSuffix(filepath.ToSlash(start), "/"))
	if err != nil {
		escaped = filepath.ToSlash(start)
	}
	var out []string
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil || depth == 0 || len(out) >= maxCached {
			return
		}
		for _, e := range entries {
			switch {
			case !e.IsDir() || e.Name() == "sumdb":
			case e.Name() == "@v":
				if path, err := module.UnescapePath(dir); err == nil && strings.HasPrefix(path, prefix) {
					out = append(out, path)
				}
			default:
				sub := strings.TrimPrefix(dir+"/"+e.Name(), "/")
				plain, err := module.UnescapePath(sub)
				if err != nil { // a first element alone is not a path
					plain = sub
				}
				if strings.HasPrefix(plain, prefix) || strings.HasPrefix(prefix, plain+"/") {
					walk(sub, depth-1)
				}
			}
		}
	}
	walk(escaped, 6)
	slices.Sort(out)
	return slices.Compact(out)
}

// maxCached bounds how many modules are proposed.
const maxCached = 500

func cachedVersions(root, path, version string) (out []string) {
	escaped, err := module.EscapePath(path)
	if err != nil {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(escaped), "@v", "*.zip"))
	var versions []string
	for _, f := range files {
		v, err := module.UnescapeVersion(strings.TrimSuffix(filepath.Base(f), ".zip"))
		if err == nil && strings.HasPrefix(v, version) {
			versions = append(versions, v)
		}
	}
	semver.Sort(versions)
	slices.Reverse(versions)
	for _, v := range versions {
		out = append(out, path+"@"+v)
	}
	return out
}

// moduleCache is where the go command keeps modules, unless go env -w says otherwise.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	gopath := filepath.SplitList(os.Getenv("GOPATH"))
	if len(gopath) > 0 && gopath[0] != "" {
		return filepath.Join(gopath[0], "pkg", "mod")
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, "go", "pkg", "mod")
}
