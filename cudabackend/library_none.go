//go:build nocuda || !(linux || freebsd)

package cudabackend

import "fmt"

func (l *toolkitLibrary) load() (map[string]uintptr, error) {
	return nil, fmt.Errorf("%s is opened on Linux only, by programs that are not static", l.title)
}

func (l *toolkitLibrary) call(string, ...uintptr) int { return 0 } // nobody comes here without a library
