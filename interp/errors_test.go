package interp

import (
	"strings"
	"testing"
)

func TestManyErrorsAreCutAtTen(t *testing.T) {
	r := newRecorder(t, Options{})
	got := r.Run(1, strings.Repeat("nothing()\n", 14))
	if n := strings.Count(got, "undefined: nothing"); n != MaxDiagnostics {
		t.Errorf("%d errors are shown:\n%s", n, got)
	}
}

func TestUnknownPackageOption(t *testing.T) {
	_, err := New(Options{Packages: []Package{{"np", "no/such"}}})
	if err == nil || !strings.Contains(err.Error(), "no/such") {
		t.Errorf("got %v", err)
	}
}
