package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/arrayrepl/arrayrepl/install"
)

// A wheel (https://packaging.python.org/en/latest/specifications/binary-distribution-format) carries the binary as a
// script, the kernelspec as data, and the Python package that is an extension of Jupyter's server.

func wheelCommand(args []string) error {
	o, rest, err := parse("wheel", args, -1)
	if err != nil {
		return err
	}
	if len(rest) > 1 {
		return fmt.Errorf("%d arguments, not one binary or none", len(rest))
	}
	if len(rest) == 0 {
		folder, err := os.MkdirTemp("", "arrayrepl-wheel-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		here := platform{os: runtime.GOOS, arch: runtime.GOARCH}
		rest = []string{filepath.Join(folder, here.program())}
		if err := build(o.version, here, rest[0]); err != nil {
			return err
		}
	}
	path, err := writeWheel(o, rest[0])
	if err == nil {
		fmt.Println(path)
	}
	return err
}

func writeWheel(o options, binary string) (path string, err error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", err
	}
	notices, err := noticesOf(info)
	if err != nil {
		return "", err
	}
	var p platform
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS":
			p.os = s.Value
		case "GOARCH":
			p.arch = s.Value
		}
	}
	tags, err := wheelTags(p, binary)
	if err != nil {
		return "", err
	}
	version, err := pythonVersion(o.version)
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return "", err
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", err
	}
	dist := "arrayrepl-" + version
	entries := []entry{{dist + ".data/scripts/" + p.program(), program, true}}

	spec, err := p.kernelspec()
	if err != nil {
		return "", err
	}
	for name, data := range spec {
		entries = append(entries, entry{dist + ".data/data/share/jupyter/kernels/" + install.DefaultName + "/" + name, data, false})
	}
	extension := install.ServerExtension()
	err = fs.WalkDir(extension, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".py", ".json"}, filepath.Ext(name)) {
			return err
		}
		data, err := fs.ReadFile(extension, name)
		if filepath.Ext(name) == ".json" {
			name = dist + ".data/data/etc/jupyter/jupyter_server_config.d/" + name
		}
		entries = append(entries, entry{name, data, false})
		return err
	})
	if err != nil {
		return "", err
	}
	description, err := os.ReadFile("docs/install.md")
	if err != nil {
		return "", err
	}
	entries = append(entries,
		entry{dist + ".dist-info/licenses/LICENSE", licence, false},
		entry{dist + ".dist-info/licenses/NOTICES.txt", notices, false},
		entry{dist + ".dist-info/METADATA", wheelMetadata(version, description), false},
		entry{dist + ".dist-info/entry_points.txt", install.EntryPoints, false},
		entry{dist + ".dist-info/WHEEL", wheelFile(tags), false})
	slices.SortStableFunc(entries, func(a, b entry) int { // the standard asks for the dist-info to come last
		if x, y := strings.Contains(a.name, ".dist-info/"), strings.Contains(b.name, ".dist-info/"); x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return strings.Compare(a.name, b.name)
	})
	entries = append(entries, entry{dist + ".dist-info/RECORD", record(dist, entries), false})

	at, err := commitTime()
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := writeZip(&b, entries, at); err != nil {
		return "", err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(o.out, dist+"-py3-none-"+strings.Join(tags, ".")+".whl")
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}

func wheelMetadata(version string, description []byte) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.4
Name: arrayrepl
Version: %s
Summary: A Go notebook for array computing: a Jupyter kernel with lazy arrays and simulated GPUs
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICES.txt
Keywords: jupyter,kernel,go,array,gpu,simulator
Classifier: Framework :: Jupyter
Classifier: Intended Audience :: Science/Research
Classifier: Programming Language :: Other
Classifier: Topic :: Scientific/Engineering
Project-URL: Source, https://github.com/arrayrepl/arrayrepl
Requires-Python: >=3.8
Description-Content-Type: text/markdown

%s`, version, description)
}

func wheelFile(tags []string) []byte {
	text := "Wheel-Version: 1.0\nGenerator: arrayrepl internal/ship\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
}

// record lists the files with their checksums, itself without one.
func record(dist string, entries []entry) []byte {
	var b strings.Builder
	for _, e := range entries {
		sum := sha256.Sum256(e.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.data))
	}
	return []byte(b.String() + dist + ".dist-info/RECORD,,\n")
}

// wheelTags are the platforms that pip may install a binary on: of a static Linux binary those with musl, because where
// there is glibc people should get the one that opens NVIDIA's driver; of one that is linked, those with glibc of the
// versions that it names.
func wheelTags(p platform, binary string) ([]string, error) {
	machine := map[string]string{"linux/amd64": "x86_64", "linux/arm64": "aarch64", "darwin/amd64": "x86_64", "darwin/arm64": "arm64", "windows/amd64": "amd64"}[p.os+"/"+p.arch]
	if machine == "" {
		return nil, fmt.Errorf("there is no wheel for %v", p)
	}
	switch p.os {
	case "windows":
		return []string{"win_" + machine}, nil
	case "darwin":
		return []string{"macosx_12_0_" + machine}, nil // the oldest that Go 1.26 supports
	}
	f, err := elf.Open(binary)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Section(".dynamic") == nil {
		return []string{"musllinux_1_1_" + machine}, nil
	}
	tags := []string{"manylinux2014_" + machine, "manylinux_2_17_" + machine}
	if f.SectionByType(elf.SHT_GNU_VERNEED) == nil {
		return tags, nil // any version of its libraries
	}
	needs, err := f.DynamicVersionNeeds()
	if err != nil {
		return nil, err
	}
	newest := "v2.17"
	for _, library := range needs {
		for _, need := range library.Needs {
			if v, ok := strings.CutPrefix(need.Dep, "GLIBC_"); ok && semver.Compare("v"+v, newest) > 0 {
				newest = "v" + v
			}
		}
	}
	return []string{"manylinux_" + strings.ReplaceAll(newest[1:], ".", "_") + "_" + machine}, nil
}

// pythonVersion is a version as Python writes it (PEP 440): v1.2.3 is 1.2.3, v1.2.3-rc.1 is 1.2.3rc1, and a
// pseudo-version is a development release that is numbered by its time.
func pythonVersion(version string) (string, error) {
	if !semver.IsValid(version) {
		return "", fmt.Errorf("%q is not a version", version)
	}
	core, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	core, _, _ = strings.Cut(core, "+")
	pre := strings.TrimPrefix(semver.Prerelease(version), "-")
	if pre == "" {
		return core, nil
	}
	if m := regexp.MustCompile(`^(alpha|beta|rc)\.?(\d+)$`).FindStringSubmatch(pre); m != nil {
		return core + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[1]] + m[2], nil
	}
	if m := regexp.MustCompile(`(\d{14})-[0-9a-f]{12}$`).FindStringSubmatch(pre); m != nil {
		return core + ".dev" + m[1], nil
	}
	return "", fmt.Errorf("the version %q has no form that Python knows; v1.2.3-rc.1 has", version)
}
