package main

import (
	"os"
	"os/exec"
)

// A platform is one that binaries are made for.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

func (p platform) program() string {
	if p.os == "windows" {
		return "arrayrepl.exe"
	}
	return "arrayrepl"
}

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

// command is the package that is built.
const command = "github.com/arrayrepl/arrayrepl/cmd/arrayrepl"

// build compiles the program so that the same commit gives the same bits, wherever it lies, and those of a release: the
// flags and settings are those of .goreleaser.yaml. Without cgo it needs no C library of the machine's.
func build(version string, p platform, to string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w -buildid= -X main.release="+version, "-o", to, command)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}
