// Package testsize says how much each random test tries: little in make test, what it tried before in go test, and much
// in make test-long. A short test takes one part of the normal one's trials, the next commit's the next part, so that
// three commits that follow each other try all of them: see [Seeds] and docs/design/protection.md.
package testsize

import (
	"fmt"
	"iter"
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable that holds the size: short, normal or long. Without it the size is normal, or
// short under -test.short.
const Variable = "ARRAYREPL_TESTS"

// TurnVariable is the environment variable that holds the number of the commit, which [Turn] returns.
const TurnVariable = "ARRAYREPL_TURN"

// Turns is the number of commits in a row after which short tests have tried all that normal ones try.
const Turns = 3

type size int

const (
	short size = iota
	normal
	long
)

func current() size {
	switch name := os.Getenv(Variable); name {
	case "short":
		return short
	case "long":
		return long
	case "normal":
		return normal
	case "":
		if testing.Short() {
			return short
		}
		return normal
	default:
		panic(fmt.Sprintf("%s is %q; it must be short, normal or long", Variable, name))
	}
}

// Short reports whether tests are to be short.
func Short() bool { return current() == short }

// Long reports whether tests are to be long.
func Long() bool { return current() == long }

// Of returns how many trials the test of that name makes. It panics if the table has no row of that name.
func Of(test string) int {
	row, ok := table[test]
	if !ok {
		panic(fmt.Sprintf("the table of package testsize has no row %q", test))
	}
	return row[current()]
}

// Seeds yields as many seeds as the test of that name makes trials. Those of a short test are a part of the normal
// one's, which are those from 0 on; each turn has another part.
func Seeds(test string) iter.Seq[uint64] {
	n, first := Of(test), 0
	if Short() {
		all := table[test][normal]
		parts := (all + n - 1) / n
		first = min(Turn()%parts*n, all-n)
	}
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(uint64(first + i)) {
				return
			}
		}
	}
}

// Turn is the number of the commit, by which short tests take their parts in turn, or 0 where [TurnVariable] does not
// hold it.
func Turn() int {
	text := os.Getenv(TurnVariable)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		panic(fmt.Sprintf("%s is %q; it must be a number of 0 or more", TurnVariable, text))
	}
	return n
}

// Part reports whether the i-th of many cases is to be tried: all of them but in short tests, which take one of parts
// at a time, each turn another. Parts above [Turns] leave cases untried for longer than the project allows, so it
// panics.
func Part(i, parts int) bool {
	if parts < 1 || parts > Turns {
		panic(fmt.Sprintf("testsize.Part: %d parts; at most %d are allowed", parts, Turns))
	}
	return !Short() || (i+Turn())%parts == 0
}

// InTurn is for a test that takes seconds of processor time and cannot be cut: a short one is skipped but in one turn
// of three. Tests of a package with different numbers i share the turns out.
func InTurn(t testing.TB, i int) {
	t.Helper()
	if !Part(i, Turns) {
		t.Skipf("it takes long: one commit in %d runs it, or %s=normal", Turns, Variable)
	}
}
