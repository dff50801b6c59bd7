package interp

import (
	"bytes"
	"strings"
)

// Sums returns the checksums of the modules that Get has fetched, as lines of a go.sum: path, version, checksum.
func (s *Session) Sums() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(string(s.modules.sum)) {
		if f := strings.Fields(line); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
			lines = append(lines, strings.Join(f, " "))
		}
	}
	return lines
}

// ExpectSums adds checksums, as Sums returns them: Get refuses a module that has come to be another.
func (s *Session) ExpectSums(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range lines {
		if !bytes.Contains(s.modules.sum, []byte(line)) {
			s.modules.sum = append(s.modules.sum[:len(s.modules.sum):len(s.modules.sum)], line+"\n"...)
		}
	}
}
