// Package lazyregexp has regular expressions that are compiled when they are first used: a program that starts with a
// hundred of them spends milliseconds on those that it does not need. Knows nothing of the rest.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression of package regexp. Its methods are those of [regexp.Regexp].
type Regexp struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// New returns the expression that text describes. A text that is not one panics at the first use; a test of this
// package compiles those of all packages. Variables that it initialises are data to the compiler, so that a program
// links package regexp only where it uses one.
func New(text string) *Regexp { return &Regexp{text: text} }

// Get returns the compiled expression.
func (re *Regexp) Get() *regexp.Regexp {
	re.once.Do(func() { re.re = regexp.MustCompile(re.text) })
	return re.re
}

func (re *Regexp) Match(b []byte) bool                  { return re.Get().Match(b) }
func (re *Regexp) MatchString(s string) bool            { return re.Get().MatchString(s) }
func (re *Regexp) FindIndex(b []byte) []int             { return re.Get().FindIndex(b) }
func (re *Regexp) FindSubmatch(b []byte) [][]byte       { return re.Get().FindSubmatch(b) }
func (re *Regexp) FindString(s string) string           { return re.Get().FindString(s) }
func (re *Regexp) FindStringSubmatch(s string) []string { return re.Get().FindStringSubmatch(s) }

func (re *Regexp) FindStringSubmatchIndex(s string) []int { return re.Get().FindStringSubmatchIndex(s) }

func (re *Regexp) FindAllString(s string, n int) []string { return re.Get().FindAllString(s, n) }

func (re *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return re.Get().FindAllStringSubmatch(s, n)
}

func (re *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return re.Get().FindAllStringSubmatchIndex(s, n)
}

func (re *Regexp) ReplaceAllString(s, by string) string { return re.Get().ReplaceAllString(s, by) }

func (re *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return re.Get().ReplaceAllStringFunc(s, by)
}
