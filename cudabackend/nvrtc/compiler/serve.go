//go:build !nocuda && (linux || darwin || freebsd)

package compiler

import (
	"encoding/gob"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
)

// variable is in the environment of the compiler's process alone: the files that may be the library.
const variable = "ARRAYREPL_NVRTC_PROCESS"

// The files that the process is started with.
const (
	requestsFile = 3 + iota
	repliesFile
)

// request is a source to compile.
type request struct {
	Name, Source string
	Flags        []string
}

// reply answers a request; the first, which answers none, tells of the library. Either PTX is there, or Log, or Err.
type reply struct {
	PTX, Log, Err string
	Version, Path string
}

func init() {
	if paths, is := os.LookupEnv(variable); is {
		serve(filepath.SplitList(paths))
		os.Exit(0)
	}
}

// serve compiles what comes until the pipe is closed.
func serve(paths []string) {
	runtime.GOMAXPROCS(2)
	signal.Ignore(os.Interrupt) // it is for who has asked
	limitMemory()
	replies := gob.NewEncoder(os.NewFile(repliesFile, "replies"))
	l, err := loadFrom(paths)
	first := reply{}
	if err == nil {
		first.Path = l.path
		first.Version, err = l.what()
	}
	if err != nil {
		first.Err = err.Error()
	}
	if replies.Encode(first) != nil || err != nil {
		return
	}
	sources := make(chan request)
	go func() { // beside the compiler, so that a closed pipe ends that too
		requests := gob.NewDecoder(os.NewFile(requestsFile, "requests"))
		for {
			var r request
			if requests.Decode(&r) != nil {
				os.Exit(0)
			}
			sources <- r
		}
	}()
	for r := range sources {
		if replies.Encode(l.compile(r)) != nil {
			return
		}
	}
}
