//go:build unix

package yaegi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// Go's own tests judge this engine as they judge the first, each program as a whole file.
const (
	suiteDeadline = 30 * time.Second
	// suiteLeast is how many of the 349 programs of Go 1.26 must pass: 294 do, and fewer on a machine so busy that some
	// take longer than the deadline. yaegi alone passes 164.
	suiteLeast = 280
	suiteAll   = 349
)

func TestMain(m *testing.M) { judge.Main(m, 6<<30, runSuiteProgram) }

// runSuiteProgram is the child.
func runSuiteProgram(program, _ string) int {
	s, err := interp.New(interp.Options{Engine: New()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), suiteDeadline)
	defer cancel()
	_, err = s.Run(ctx, 1, program)
	var e *interp.Error
	if errors.As(err, &e) && !(e.Kind == interp.Exit && strings.HasPrefix(e.Message, "os.Exit(0)")) {
		fmt.Fprintln(os.Stderr, strings.Join(e.Lines(false), "\n"))
		return 2
	}
	return 0
}

func TestGoSuite(t *testing.T) {
	suite := judge.FindSuite(t).Part(t, 0)
	failures := suite.Run(t, "", suiteDeadline)
	for _, p := range suite.Programs {
		if why := failures[p]; why != "" {
			t.Logf("%s: %s", p, why)
		}
	}
	least := suiteLeast
	if !judge.AllOfSuite() {
		least = least * len(suite.Programs) / suiteAll * 9 / 10
	}
	passed := len(suite.Programs) - len(failures)
	t.Logf("%d of %d programs pass", passed, len(suite.Programs))
	if passed < least {
		t.Errorf("%d programs pass, want at least %d", passed, least)
	}
}
