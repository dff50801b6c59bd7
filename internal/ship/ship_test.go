package main

import "testing"

// What Python makes of a version is checked by tests/ship, with the packaging library; here, that order stays.
func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "1.2.3", "v1.2.3-rc.1": "1.2.3rc1", "v1.2.3-beta.2": "1.2.3b2",
		"v0.0.0-20261121234057-e978ea560848":        "0.0.0.dev20261121234057",
		"v1.2.4-0.20261121234057-e978ea560848":      "1.2.4.dev20261121234057",
		"v1.2.3-rc.1.0.20261121234057-e978ea560848": "1.2.3.dev20261121234057",
	} {
		if got, err := pythonVersion(version); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", version, got, err, want)
		}
	}
	for _, bad := range []string{"1.2.3", "v1.2.3-strange"} {
		if got, err := pythonVersion(bad); err == nil {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

func TestMayShip(t *testing.T) {
	for expression, want := range map[string]bool{"MIT": true, "BSD-3-Clause AND OFL-1.1": true, "": false, "GPL-2.0": false, "MIT AND AGPL-3.0": false} {
		if mayShip(expression) != want {
			t.Errorf("%q may be inside: %v", expression, !want)
		}
	}
}
