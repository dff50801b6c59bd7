// Package csvtable reads tables of text, CSV and its kin, into columns of plain numbers and texts, and writes the lines
// of such tables. It knows no arrays: what it reads into is asked of the caller, and what it says of a column is a
// [Type].
//
// [ReadNumbers] reads one matrix of float64, [ReadColumns] each column by itself.
package csvtable

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Options say how a table is read or written. The functions of package arrays that set them document them.
type Options struct {
	Columns       []string
	Delimiter     rune
	IsDelimited   bool // Delimiter is said, and not to be found
	Header        *bool
	Names         []string
	Skip          int // lines before the table
	Comment       *string
	WholeComments bool // comments are whole lines, and not those that begin with a word for a missing value
	Quote         rune // 0 for none
	Ragged        Ragged
	Missing       []string
	OnlyMissing   bool
	Thousands     rune
	Point         rune
	Dates         []string // layouts of package time
	Encoding      string
	Masked        bool            // missing whole numbers and bools leave a column what it is
	Typed         map[string]bool // columns that the caller makes of their cells
	KeepText      bool            // the text of all cells is kept, also where their values tell all
	PieceBytes    int             // about how much text one processor reads at a time
	Host
}

// Host is what the caller of this package has: memory, a place to be interrupted, and errors.
type Host struct {
	Reserve func(n int) []byte // n bytes that may hold anything, aligned for every number; it panics where there is too little
	Poll    func()             // it panics to end the work
	Fail    func(err error)    // it panics with an error of the caller's
}

// Defaults are the options of a table of which nothing is said.
func Defaults(h Host) Options {
	return Options{Delimiter: ',', Quote: '"', Point: '.', PieceBytes: PieceBytes, Host: h}
}

// PieceBytes is [Options.PieceBytes] of [Defaults]: some milliseconds of work.
const PieceBytes = 1 << 20

// Ragged is what becomes of rows that have another number of cells than the first.
type Ragged int

// Such a row is an error; or short rows get missing cells and empty cells behind the last column are dropped; or it is
// left out and counted.
const (
	RaggedRefused Ragged = iota
	RaggedFilled
	RaggedSkipped
)

// Report is what a reader found out by itself.
type Report struct {
	Header   bool   // the first row holds names
	Doubtful bool   // it could be otherwise
	Why      string // the header was decided so
	Encoding string // of the text: "utf-8", "utf-16le", "windows-1252"…
	Skipped  int    // rows that RaggedSkipped has left out
	Notes    []string
}

// Check returns what is wrong with the options, for people.
func (o *Options) Check() error {
	bad := func(r rune) bool {
		return r == 0 || r == '\n' || r == '\r' || r == utf8.RuneError || !utf8.ValidRune(r)
	}
	switch {
	case bad(o.Delimiter):
		return fmt.Errorf("Delimiter(%q) cannot be told from a line end or is not a character; ',', ';', '\\t', '|' and ' ' are common", o.Delimiter)
	case o.Quote >= utf8.RuneSelf || o.Quote != 0 && (bad(o.Quote) || o.Quote == ' '):
		return fmt.Errorf("Quote(%q) is not an ASCII character that can be a quote; Quote(0) is for none", o.Quote)
	case o.Quote == o.Delimiter:
		return fmt.Errorf("%q is both the delimiter and the quote; Quote(0) is for no quotes", o.Quote)
	case o.Comment != nil && strings.ContainsAny(*o.Comment, "\r\n"):
		return fmt.Errorf("Comment(%.60q) has a line end", *o.Comment)
	case o.Comment != nil && strings.HasPrefix(*o.Comment, string(o.Delimiter)):
		return fmt.Errorf("Comment(%.60q) begins with the delimiter", *o.Comment)
	case bad(o.Point) || strings.ContainsRune("0123456789+-eE", o.Point):
		return fmt.Errorf("DecimalMark(%q) cannot be told from the rest of a number; '.' and ',' are common", o.Point)
	case o.Point != '.' && o.Point == o.Delimiter && o.IsDelimited:
		return fmt.Errorf("%q is both the delimiter and the decimal mark; say what separates cells, as Delimiter(';')", o.Point)
	case o.Thousands != 0 && (bad(o.Thousands) || strings.ContainsRune("0123456789+-eE", o.Thousands)):
		return fmt.Errorf("Thousands(%q) cannot be told from the rest of a number", o.Thousands)
	case o.Thousands == o.Point:
		return fmt.Errorf("%q is both the decimal mark and what groups thousands; with Thousands('.') say DecimalMark(',')", o.Point)
	}
	for _, layout := range o.Dates {
		if _, err := dateLayoutUnit(layout); err != nil {
			return err
		}
	}
	return nil
}
