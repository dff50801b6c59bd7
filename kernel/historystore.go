package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// keptSessions is how many earlier sessions are kept, and keptOutput how much of an output.
const (
	keptSessions = 500
	keptOutput   = 4 << 10
)

// historyStore keeps the history of sessions in a directory: a file NUMBER.jsonl for each, with a line of JSON for each
// cell. Every kernel writes to a file of its own, which it makes when its first cell has run, so that several at once
// need no lock.
type historyStore struct {
	dir    string
	number int      // of this session; 0 before its first entry
	file   *os.File // nil before the first entry
}

// storedEntry is one line of a file.
type storedEntry struct {
	Line   int    `json:"line"`
	Input  string `json:"input"`
	Output string `json:"output,omitempty"`
}

// session is the number of this session, or the one that it would get now.
func (s *historyStore) session() int {
	if s.number > 0 {
		return s.number
	}
	if all := s.numbers(); len(all) > 0 {
		return all[len(all)-1] + 1
	}
	return 1
}

// add appends an entry and returns the number of the session. It returns one even if nothing could be written.
func (s *historyStore) add(e historyEntry) (session int, err error) {
	if s.number == 0 {
		err = s.begin()
	}
	if s.file == nil {
		return s.number, err
	}
	line, err := json.Marshal(storedEntry{e.line, e.input, e.output})
	if err == nil {
		_, err = s.file.Write(append(line, '\n'))
	}
	return s.number, err
}

// begin takes the next free number and removes the oldest sessions. Who makes the file first has the number.
func (s *historyStore) begin() error {
	s.number = s.session()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	for ; ; s.number++ {
		f, err := os.OpenFile(s.path(s.number), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		s.file = f
		break
	}
	all := s.numbers()
	for _, n := range all[:max(0, len(all)-keptSessions)] {
		os.Remove(s.path(n))
	}
	return nil
}

func (s *historyStore) path(number int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%06d.jsonl", number))
}

// numbers lists the sessions that are there, in order.
func (s *historyStore) numbers() []int {
	files, _ := os.ReadDir(s.dir) // before the first session it is not there
	var all []int
	for _, f := range files {
		if n, err := strconv.Atoi(strings.TrimSuffix(f.Name(), ".jsonl")); err == nil && n > 0 {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

// others returns the entries of all other sessions, those that run at this moment too. Lines that cannot be read are
// left out: one may be written just now.
func (s *historyStore) others() (all []historyEntry) {
	for _, n := range s.numbers() {
		if n == s.number {
			continue
		}
		data, err := budget.ReadFile(s.path(n), "the history", budget.SourceFile)
		if err != nil {
			continue
		}
		for line := range bytes.Lines(data) {
			var e storedEntry
			if json.Unmarshal(line, &e) == nil {
				all = append(all, historyEntry{n, e.Line, e.Input, e.Output})
			}
		}
	}
	return all
}

func (s *historyStore) close() {
	if s.file != nil {
		s.file.Close()
	}
}
