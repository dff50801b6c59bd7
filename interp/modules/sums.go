package modules

import (
	"bytes"
	"strings"

	"golang.org/x/mod/modfile"
)

// Sums returns the checksums of the modules that Get has fetched, as lines of a go.sum: path, version, checksum.
func (m *Set) Sums() (lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for line := range strings.Lines(string(m.sum)) {
		if f := strings.Fields(line); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
			lines = append(lines, strings.Join(f, " "))
		}
	}
	return lines
}

// ExpectSums adds checksums, as Sums returns them: Get refuses a module that has come to be another.
func (m *Set) ExpectSums(lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, line := range lines {
		if !bytes.Contains(m.sum, []byte(line)) {
			m.sum = append(m.sum[:len(m.sum):len(m.sum)], line+"\n"...)
		}
	}
}

// Modules returns the modules that Fetch has fetched and those that they need, as lines of a go.mod: path, blank,
// version. Those that the user's own go.mod requires in these versions are left out.
func (m *Set) Modules() (lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, err := modfile.ParseLax("go.mod", m.mod, nil)
	if err != nil {
		return nil
	}
	for _, r := range file.Require {
		lines = append(lines, r.Mod.Path+" "+r.Mod.Version)
	}
	return lines
}

// Files returns the go.mod and the go.sum of the session's module, nil before they are needed.
func (m *Set) Files() (mod, sum []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mod, m.sum
}
