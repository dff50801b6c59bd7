package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A platform is one that binaries are made for. A static program needs no C library, so that it runs on every Linux,
// musl's as glibc's; it cannot open NVIDIA's driver, which is a library of glibc's.
type platform struct {
	os, arch string
	static   bool
}

func (p platform) String() string { return p.joined("/") }

func (p platform) joined(by string) string {
	name := p.os + by + p.arch
	if p.static {
		name += by + "static"
	}
	return name
}

func (p platform) program() string {
	if p.os == "windows" {
		return "arrayrepl.exe"
	}
	return "arrayrepl"
}

var platforms = []platform{{os: "linux", arch: "amd64"}, {os: "linux", arch: "arm64"}, {os: "darwin", arch: "amd64"}, {os: "darwin", arch: "arm64"},
	{os: "windows", arch: "amd64"}, {os: "linux", arch: "amd64", static: true}, {os: "linux", arch: "arm64", static: true}}

// command is the package that is built.
const command = "github.com/arrayrepl/arrayrepl/cmd/arrayrepl"

// distCommand builds all that is handed out, or only that for the platforms that are named.
func distCommand(args []string) error {
	o, names, err := parse("dist", args, -1)
	if err != nil {
		return err
	}
	var some []platform
	for _, p := range platforms {
		if len(names) == 0 || slices.Contains(names, p.String()) {
			some = append(some, p)
		}
	}
	if len(names) > len(some) || len(some) == 0 {
		return fmt.Errorf("the platforms are %v", platforms)
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	var made []string
	for _, p := range some {
		files, err := distPlatform(o, p)
		if err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
		made = append(made, files...)
	}
	return writeChecksums(filepath.Join(o.out, "checksums.txt"), made)
}

func distPlatform(o options, p platform) (made []string, err error) {
	binary := filepath.Join(o.out, "bin", p.joined("-"), p.program())
	if err := build(o.version, p, binary); err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	notices, err := noticesOf(info)
	if err != nil {
		return nil, err
	}
	archive, err := writeArchive(o, p, binary, notices)
	if err != nil {
		return nil, err
	}
	bill, err := sbomOf(binary, o.version)
	if err != nil {
		return nil, err
	}
	billPath := strings.TrimSuffix(strings.TrimSuffix(archive, ".zip"), ".tar.gz") + ".sbom.json"
	if err := os.WriteFile(billPath, bill, 0o644); err != nil {
		return nil, err
	}
	wheel, err := writeWheel(o, binary, notices)
	if err != nil {
		return nil, err
	}
	for _, f := range []string{binary, archive, wheel} {
		st, err := os.Stat(f)
		if err != nil {
			return nil, err
		}
		fmt.Printf("%6.1f MB  %s\n", float64(st.Size())/1e6, f)
	}
	return []string{archive, billPath, wheel}, nil
}

// build compiles the program so that the same commit gives the same bits, wherever it lies. Without cgo it needs no C
// library of the machine's.
func build(version string, p platform, to string) error {
	args := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w -buildid= -X main.release=" + version, "-o", to}
	if p.static {
		args = append(args, "-tags=nocuda")
	}
	cmd := exec.Command("go", append(args, command)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// writeChecksums writes the file that `sha256sum --check` reads.
func writeChecksums(path string, files []string) error {
	var lines []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), filepath.Base(f)))
	}
	return os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644)
}
