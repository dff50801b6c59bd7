package arrays

import "io"

// spaceReader turns runs of spaces and tabs within a line into one space and drops those at its ends, so that tables
// aligned with spaces read like comma-separated ones.
type spaceReader struct {
	in      io.Reader
	dialect csvDialect
	matched int  // bytes of the comment's prefix that were read last
	remark  bool // this is in a comment, where quotes are text
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
	commented := s.dialect.comment != ""
	quote := s.dialect.quote // spaces in quotes are as they are; 0 for no quotes
	for _, c := range p[:n] {
		if commented {
			s.seeComment(c)
		}
		switch {
		case s.remark && c != '\n' && c != '\r':
			if s.pending {
				out = append(out, ' ')
			}
			out, s.pending, s.inLine = append(out, c), false, true
		case quote != 0 && c == quote && (s.quoted || s.closed):
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
			if quote != 0 && c == quote { // in the middle of a cell it is text
				s.quoted = s.pending || !s.inLine
			}
			s.pending, s.inLine = false, true
			out = append(out, c)
		}
		s.closed = false
	}
	return copy(p, out), err
}

// seeComment follows where a comment begins and ends.
func (s *spaceReader) seeComment(c byte) {
	prefix := s.dialect.comment
	switch {
	case s.quoted:
		s.matched = 0
	case c == '\n' || c == '\r':
		s.matched, s.remark = 0, false
	case s.remark:
	case c == prefix[s.matched] && !(s.dialect.whole && s.matched == 0 && s.inLine):
		if s.matched++; s.matched == len(prefix) {
			s.matched, s.remark = 0, true
		}
	case c == prefix[0] && !(s.dialect.whole && s.inLine):
		s.matched = 1
	default:
		s.matched = 0
	}
}
