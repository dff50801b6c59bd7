package dp

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Table is a finite automaton that cuts a text in tokens: what state follows a state at a character.
type Table struct {
	States string // a letter for each, the one before the first character first
	Begin  string // those states whose character is the first of a token
	Blank  string // those whose character belongs to none
	Rows   []Row
}

// Row is what characters of a class do: Next has a letter for each of the table's states.
type Row struct{ Characters, Next string }

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	singles = "+-*/%&|^~!?.:(),;[]{}" // the paper has + - *, and uses ( ) , ; too
)

// HillisSteeleTable is the table of figure 3 of the paper: N is before a token, A and Z in one of letters, * at an
// operator, < and = at one of two characters, Q, S and E at the beginning, inside and end of a text in quotes, whose
// quotes are doubled inside. After the end of a text a letter begins a token: the table as printed has E there, with
// which "ab"cd is one token.
var HillisSteeleTable = &Table{
	States: "NAZ*<=QSE", Begin: "A*<Q", Blank: "N",
	Rows: []Row{
		{letters, "AZZAAASSA"}, {singles, "******SS*"}, {"<>", "<<<<<<SS<"},
		{"=", "****=*SS*"}, {`"`, "QQQQQQEES"}, {" \t\n\r", "NNNNNNSSN"},
	},
}

// Lexed is a text with the state after each character.
type Lexed struct {
	Text   string
	States string // a letter of the table for each byte of the text
	Tokens []string

	steps    *Report
	table    *Table
	composed []uint64 // what all characters up to each make of each state, of short texts
}

func (x *Lexed) report() *Report { return x.steps }

// String returns the tokens, one behind the other, in quotes.
func (x *Lexed) String() string {
	quoted := make([]string, len(x.Tokens))
	for i, t := range x.Tokens {
		quoted[i] = fmt.Sprintf("%q", t)
	}
	return strings.Join(quoted, " ")
}

// Lex cuts a text in tokens: each character becomes the function from states to states that it is, the functions are
// combined by a scan, and each combination, of the first state, is the state after a character. So a text of n
// characters takes log2(n) rounds (section 3.4 of the paper). It panics with *np.Error where the table lacks a
// character.
func Lex(text string, table *Table) *Lexed {
	const name = "dp.Lex"
	columns, err := table.columns()
	check(name, err)
	functions := make([]uint64, len(text))
	for i := range len(text) {
		f, ok := columns[text[i]]
		if !ok {
			line := 1 + strings.Count(text[:i], "\n")
			check(name, fmt.Errorf("the table has no row for %q, character %d of the text, in line %d: add one to Rows", text[i], i, line))
		}
		functions[i] = f
	}
	n := len(text)
	l := steps(name, n, 4*len(table.States))
	out := &Lexed{Text: text, steps: l.Report, table: table}
	if n == 0 {
		return out
	}
	l.compute("a function of each character", n, 4*len(table.States), n)
	composed := Scan(then, functions)
	if n <= mostShown {
		for b := range slices.Chunk(composed.Array().Bytes(), 8) {
			out.composed = append(out.composed, binary.LittleEndian.Uint64(b))
		}
	}
	state := composed.BitAnd(uint64(maxStates - 1)).AsType(np.Uint8)
	l.scan("combine functions", n, 4*len(table.States))
	l.compute("the state after each", n, 4, n)
	states := make([]byte, n)
	for i, s := range state.Array().Bytes() {
		states[i] = table.States[s]
	}
	out.States = string(states)
	from := -1
	end := func(to int) {
		if from >= 0 {
			out.Tokens = append(out.Tokens, text[from:to])
		}
		from = -1
	}
	for i, s := range states {
		switch {
		case strings.IndexByte(table.Begin, s) >= 0:
			end(i)
			from = i
		case strings.IndexByte(table.Blank, s) >= 0:
			end(i)
		}
	}
	end(n)
	return out
}

// columns are the functions of all characters.
func (t *Table) columns() (map[byte]uint64, error) {
	if t == nil || len(t.States) == 0 || len(t.States) > maxStates {
		return nil, fmt.Errorf("a table has 1 to %d states, each a letter of States", maxStates)
	}
	out := map[byte]uint64{}
	for i, r := range t.Rows {
		if len(r.Next) != len(t.States) {
			return nil, fmt.Errorf("row %d says what follows %d states; there are %d", i, len(r.Next), len(t.States))
		}
		f := then.identityBits[0]
		for s := range len(r.Next) {
			to := strings.IndexByte(t.States, r.Next[s])
			if to < 0 {
				return nil, fmt.Errorf("row %d names state %q, which is not one of %q", i, r.Next[s], t.States)
			}
			f = f&^(15<<(4*s)) | uint64(to)<<(4*s)
		}
		for k := range len(r.Characters) {
			if _, twice := out[r.Characters[k]]; twice {
				return nil, fmt.Errorf("two rows have the character %q", r.Characters[k])
			}
			out[r.Characters[k]] = f
		}
	}
	return out, nil
}
