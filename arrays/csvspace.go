package arrays

import "io"

// spaceReader turns runs of spaces and tabs within a line into one space and drops those at its ends, so that tables
// aligned with spaces read like comma-separated ones.
type spaceReader struct {
	in      io.Reader
	quote   byte // spaces in quotes are as they are; 0 for no quotes
	quoted  bool
	closed  bool // the last byte closed quotes; another one opens them again
	pending bool // spaces were seen after a cell
	inLine  bool // a cell of this line was seen
}

// Read implements io.Reader.
func (s *spaceReader) Read(p []byte) (int, error) {
	if len(p) < 2 {
		return 0, io.ErrShortBuffer
	}
	n, err := s.in.Read(p[:len(p)/2]) // a pending space may make the text one byte longer
	out := make([]byte, 0, n+1)
	for _, c := range p[:n] {
		switch {
		case s.quote != 0 && c == s.quote && (s.quoted || s.closed):
			s.quoted = !s.quoted
			s.closed = !s.quoted
			out = append(out, c)
			continue
		case s.quoted:
			out = append(out, c)
		case c == ' ' || c == '\t':
			s.pending = s.inLine
		case c == '\n' || c == '\r':
			s.pending, s.inLine = false, false
			out = append(out, c)
		default:
			if s.pending {
				out = append(out, ' ')
			}
			if s.quote != 0 && c == s.quote { // in the middle of a cell it is text
				s.quoted = s.pending || !s.inLine
			}
			s.pending, s.inLine = false, true
			out = append(out, c)
		}
		s.closed = false
	}
	return copy(p, out), err
}
