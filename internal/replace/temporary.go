package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A temporary file of path is named for the machine and the process that writes it: .name.machine-process.number.tmp

// temporary makes the file that becomes path, with the permissions that the umask leaves of mode.
func temporary(path string, mode os.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s%d.%d.tmp", prefix(path), os.Getpid(), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// prefix is how the temporary files begin that this machine makes for path.
func prefix(path string) string {
	machine, _ := os.Hostname()
	base := filepath.Base(path)
	if len(base) > 100 { // names of files have a limit
		base = base[:100]
	}
	return "." + base + "." + strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:.-`, r) {
			return '_'
		}
		return r
	}, machine) + "-"
}

// removeLeft removes what processes of this machine that are gone have left of path. It reads the directory once.
func removeLeft(path string) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	begin := prefix(path)
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, begin)
		if !ok {
			continue
		}
		process, _, _ := strings.Cut(rest, ".")
		if pid, err := strconv.Atoi(process); err == nil && strings.HasSuffix(rest, ".tmp") && gone(pid) {
			os.Remove(filepath.Join(dir.Name(), name))
		}
	}
}
