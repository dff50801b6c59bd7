package ski

import "fmt"

// Atoms are numbers from 0; pairs come after them.
const (
	atomS = iota
	atomK
	atomI
	named // the first of the names that are not combinators
)

// expression is an atom, or an application.
type expression struct {
	atom        int
	left, right *expression // nil of an atom
}

// parser reads expressions: names and parentheses, applied from the left.
type parser struct {
	text  string
	at    int
	names []string // of atoms
	known map[string]int
	pairs int
	deep  int
}

// mostDeep is how deeply parentheses may be nested.
const mostDeep = 1000

// mostPairs is how many applications an expression may have.
const mostPairs = 1 << 20

func newParser(text string) *parser {
	return &parser{text: text, names: []string{"S", "K", "I"}, known: map[string]int{"S": atomS, "K": atomK, "I": atomI}}
}

func (p *parser) whole() (*expression, error) {
	e, err := p.sequence()
	if err == nil && p.at < len(p.text) {
		err = fmt.Errorf("there is a ) too many at character %d", p.at)
	}
	return e, err
}

// sequence reads what is applied one after the other, up to a parenthesis or the end.
func (p *parser) sequence() (e *expression, err error) {
	for {
		for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\n' || p.text[p.at] == '\t') {
			p.at++
		}
		if p.at == len(p.text) || p.text[p.at] == ')' {
			if e == nil {
				return nil, fmt.Errorf("there is nothing to reduce before character %d", p.at)
			}
			return e, nil
		}
		next, err := p.one()
		if err != nil {
			return nil, err
		}
		if e == nil {
			e = next
			continue
		}
		if p.pairs++; p.pairs > mostPairs {
			return nil, fmt.Errorf("the expression has more than %d applications", mostPairs)
		}
		e = &expression{left: e, right: next}
	}
}

func (p *parser) one() (*expression, error) {
	c := p.text[p.at]
	if c == '(' {
		if p.deep++; p.deep > mostDeep {
			return nil, fmt.Errorf("parentheses are nested more than %d deep at character %d", mostDeep, p.at)
		}
		from := p.at
		p.at++
		e, err := p.sequence()
		p.deep--
		if err != nil {
			return nil, err
		}
		if p.at == len(p.text) {
			return nil, fmt.Errorf("the ( at character %d is not closed", from)
		}
		p.at++
		return e, nil
	}
	if c < 'a' || c > 'z' {
		if c != 'S' && c != 'K' && c != 'I' {
			return nil, fmt.Errorf("character %d is %q; expressions are of S, K, I, names in small letters, and parentheses", p.at, c)
		}
		p.at++
		return &expression{atom: p.known[string(c)]}, nil
	}
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] >= 'a' && p.text[p.at] <= 'z' || p.text[p.at] >= '0' && p.text[p.at] <= '9') {
		p.at++
	}
	name := p.text[from:p.at]
	atom, ok := p.known[name]
	if !ok {
		atom = len(p.names)
		p.known[name] = atom
		p.names = append(p.names, name)
	}
	return &expression{atom: atom}, nil
}
