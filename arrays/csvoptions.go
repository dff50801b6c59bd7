package arrays

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/csvtable"
)

// CSVOption changes how [LoadCSV], [LoadColumns] and [LoadTable] read, and how [SaveCSV] writes: [Columns],
// [Delimiter], [Header], [Names], [SkipLines], [Comment], [Quote], [Ragged], [Missing], [OnlyMissing], [ColumnType],
// [Thousands], [DecimalMark], [DateFormat], [Encoding], [TextWidth], [MissingInto] and [Report].
type CSVOption func(*csvOptions)

type csvOptions struct {
	csvtable.Options
	textWidth int
	types     map[string]DType
	masks     []map[string][]bool
	reports   []*CSVReport
}

// pieceBytes is how much text of a table one processor reads at a time; tests change it.
var pieceBytes = csvtable.PieceBytes

func gather(opts []CSVOption) csvOptions {
	o := csvOptions{Options: csvtable.Defaults(csvtable.Host{Reserve: reserve, Poll: poll, Fail: badDate})}
	o.PieceBytes = pieceBytes
	for _, opt := range opts {
		opt(&o)
	}
	o.Masked = o.masks != nil
	for name := range o.types {
		if o.Typed == nil {
			o.Typed = make(map[string]bool, len(o.types))
		}
		o.Typed[name] = true
	}
	return o
}

// tell fills what [Report] names.
func (o *csvOptions) tell(r csvtable.Report) {
	for _, into := range o.reports {
		*into = CSVReport(r)
	}
}

// textOnly returns the name of an option that is for files of text, or nothing.
func (o *csvOptions) textOnly() string {
	switch {
	case o.Delimiter != ',':
		return "Delimiter"
	case o.Header != nil:
		return "Header"
	case o.Names != nil:
		return "Names"
	case o.Skip > 0:
		return "SkipLines"
	case o.textWidth > 0:
		return "TextWidth"
	case o.Comment != nil:
		return "Comment"
	case o.Quote != '"':
		return "Quote"
	case o.Ragged != csvtable.RaggedRefused:
		return "Ragged"
	case o.Missing != nil || o.OnlyMissing:
		return "Missing"
	case o.types != nil:
		return "ColumnType"
	case o.Thousands != 0:
		return "Thousands"
	case o.Point != '.':
		return "DecimalMark"
	case o.Dates != nil:
		return "DateFormat"
	case o.Encoding != "":
		return "Encoding"
	}
	return ""
}

// Columns reads only the named columns, in this order; without a header their names are numbers from 0. Other columns
// may hold any text.
func Columns(names ...string) CSVOption {
	return func(o *csvOptions) { o.Columns = append(o.Columns, names...) }
}

// Delimiter sets what separates cells. With ' ' runs of spaces and tabs count as one. Without it that is a comma; but
// where commas do not cut the first rows (up to 100) into equally many cells, at least two, and tabs, semicolons or
// bars do, it is the one of these that makes the most. [Report] tells.
func Delimiter(r rune) CSVOption {
	return func(o *csvOptions) { o.Delimiter, o.IsDelimited = r, true }
}

// Header says whether the first row holds names. Without it the types of columns decide: the first row is a header when
// none of its cells is a number, bool or date, or when its words stand above columns of numbers, bools or dates, or a
// number above words, bools or dates; and so are words beside years in a row (name, 2019, 2020) above other numbers.
// All else is data. [Report] tells how it was decided, and package frames shows it where there was a doubt.
func Header(present bool) CSVOption { return func(o *csvOptions) { o.Header = &present } }

// Names gives the columns of the file these names, as many as there are, in place of those of a header, if there is
// one.
func Names(names ...string) CSVOption {
	return func(o *csvOptions) { o.Names = append(o.Names, names...) }
}

// SkipLines leaves out the first n lines of the file, whatever they hold.
func SkipLines(n int) CSVOption { return func(o *csvOptions) { o.Skip = n } }

// Comment says what begins a comment, which goes on to the end of its line; lines that are nothing else are not rows.
// Otherwise there are none in tables; [LoadCSV] of all columns takes lines that begin with # for comments, as no number
// has it, and with Comment("") none.
func Comment(prefix string) CSVOption { return func(o *csvOptions) { o.Comment = &prefix } }

// Quote sets what stands around cells with delimiters or line ends in them, '"' otherwise; 0 is for nothing. Inside of
// such a cell it is written twice. A quote in the middle of a cell without quotes is text.
func Quote(r rune) CSVOption { return func(o *csvOptions) { o.Quote = r } }

// RaggedRows is what becomes of rows that have another number of cells than the first; see [Ragged].
type RaggedRows int

// RaggedRefused makes such a row an error, RaggedFilled gives short rows missing cells and drops empty cells behind the
// last column, and RaggedSkipped leaves such rows out; [Report] counts them.
const (
	RaggedRefused RaggedRows = iota // as csvtable has them
	RaggedFilled
	RaggedSkipped
)

// Ragged says what becomes of rows that have more or fewer cells than the first: [RaggedRefused], which is so without
// it, [RaggedFilled] or [RaggedSkipped].
func Ragged(how RaggedRows) CSVOption { return func(o *csvOptions) { o.Ragged = csvtable.Ragged(how) } }

// Missing adds words that stand for a missing value to those of pandas (NA, N/A, NaN, null, None and their kin) and
// NaT. An empty cell always is one. A word that is a number stands for its value, however it is written: with
// Missing("-999") -999.0 is missing too.
func Missing(words ...string) CSVOption {
	return func(o *csvOptions) { o.Missing = append(o.Missing, words...) }
}

// OnlyMissing is [Missing] in place of the words that are known otherwise. Without any, only empty cells are missing.
func OnlyMissing(words ...string) CSVOption {
	return func(o *csvOptions) { o.Missing, o.OnlyMissing = slices.Clone(words), true }
}

// ColumnType sets the dtype of a column, named as [Columns] names it: ColumnType("zip", Str(0)) keeps text that looks
// like numbers, zeros in front and all. A cell that is not of the dtype is an error. Str(0) is text as wide as there
// is; a text longer than Str(n) says is an error.
func ColumnType(name string, dtype DType) CSVOption {
	return func(o *csvOptions) {
		if o.types == nil {
			o.types = map[string]DType{}
		}
		o.types[name] = dtype
	}
}

// Thousands says what groups the digits of whole numbers and of what stands before a decimal mark: with ',' "1,234,567"
// is a number.
func Thousands(r rune) CSVOption { return func(o *csvOptions) { o.Thousands = r } }

// DecimalMark says what stands before the fraction of a number in place of a point: DecimalMark(',') reads much of what
// spreadsheets write in Europe, with a delimiter that is found; to write it, say Delimiter(';') too.
func DecimalMark(r rune) CSVOption { return func(o *csvOptions) { o.Point = r } }

// DateFormat adds a form of dates to those of ISO 8601, as package time writes it: DateFormat("02.01.2006"),
// DateFormat("01/02/2006 15:04"), DateFormat("20060102"). Where all cells of a column have it, they are dates, not
// numbers.
func DateFormat(layout string) CSVOption {
	return func(o *csvOptions) { o.Dates = append(o.Dates, layout) }
}

// Encoding names how text is encoded: "utf-8", "utf-16", "windows-1252", "iso-8859-2" and the like. Without it a byte
// order mark decides, and the zeros that UTF-16 has; text that is not UTF-8 is Windows-1252, which Latin-1 is a part
// of. [Report] tells.
func Encoding(name string) CSVOption { return func(o *csvOptions) { o.Encoding = name } }

// TextWidth cuts texts to the first n characters, for [LoadColumns] and its kin. Without it one text that is much
// longer than the others makes a column of [StringDType], as strings of [Str] are all as wide as the longest.
func TextWidth(n int) CSVOption { return func(o *csvOptions) { o.textWidth = n } }

// MissingInto leaves columns of whole numbers and of bools as they are where cells are missing: these are 0 and false,
// and masks gets, by the name of each such column, which they are. Without it they would be float64, or text where
// float64 would round, and text.
func MissingInto(masks map[string][]bool) CSVOption {
	return func(o *csvOptions) {
		if masks != nil {
			o.masks = append(o.masks, masks)
		}
	}
}

// gaps returns which elements of a column that is written are missing, or nil.
func (o *csvOptions) gaps(name string) []bool {
	for _, m := range o.masks {
		if m[name] != nil {
			return m[name]
		}
	}
	return nil
}

// CSVReport is what a reader found out by itself; see [Report].
type CSVReport struct {
	Header   bool   // the first row holds names
	Doubtful bool   // it could be otherwise
	Why      string // the header was decided so
	Encoding string // of the text: "utf-8", "utf-16le", "windows-1252"…
	Skipped  int    // rows that RaggedSkipped has left out
	Notes    []string
}

// Report fills *into with what [LoadTable] and its kin decide by themselves: the header, the encoding, another
// delimiter than a comma, columns that are text to keep numbers exact.
func Report(into *CSVReport) CSVOption {
	return func(o *csvOptions) { o.reports = append(o.reports, into) }
}
