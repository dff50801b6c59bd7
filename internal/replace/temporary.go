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
	"sync"
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
	base := filepath.Base(path)
	if len(base) > 100 { // names of files have a limit
		base = base[:100]
	}
	return "." + base + "." + machine() + "-"
}

// machine is this machine's name, as it stands in names of files.
func machine() string {
	name, _ := os.Hostname()
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:.-`, r) {
			return '_'
		}
		return r
	}, name)
}

// scans says for each directory how many more files are replaced there before it is read again: as reading takes as
// long as there are entries, each file has a bounded share of it.
var scans = struct {
	sync.Mutex
	rest map[string]int
}{rest: map[string]int{}}

// filesPerScan is how many entries of a directory are read for each file that is replaced there.
const filesPerScan = 64

// removeLeft removes what processes of this machine that are gone have left of path.
func removeLeft(path string) {
	name := filepath.Dir(path)
	scans.Lock()
	defer scans.Unlock()
	if scans.rest[name] > 0 {
		scans.rest[name]--
		return
	}
	dir, err := os.Open(name)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	scans.rest[name] = len(names) / filesPerScan
	machine := machine()
	for _, entry := range names {
		if pid, ok := writer(entry, machine); ok && gone(pid) {
			os.Remove(filepath.Join(name, entry))
		}
	}
}

// writer returns the process that writes a temporary file of this machine.
func writer(entry, machine string) (pid int, ok bool) {
	rest, ok := strings.CutSuffix(entry, ".tmp")
	at := strings.LastIndex(rest, "."+machine+"-")
	if !ok || at < 1 || rest[0] != '.' {
		return 0, false
	}
	process, number, ok := strings.Cut(rest[at+len(machine)+2:], ".")
	if _, err := strconv.ParseUint(number, 10, 32); !ok || err != nil {
		return 0, false
	}
	pid, err := strconv.Atoi(process)
	return pid, err == nil && pid > 0
}
