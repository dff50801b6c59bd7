//go:build !nocuda && (linux || darwin || freebsd)

package compiler

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where there is no NVRTC the error says what needs it, what it is called and how to get it, and what is wrong with a
// file that is there.
func TestWithoutNVRTC(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "libnvrtc.so.12")
	if err := os.WriteFile(broken, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, paths := range map[string][]string{"nowhere": {"libnvrtc.so.none"}, "broken": {broken, "libnvrtc.so.none"}} {
		l, err := loadFrom(paths)
		if l != nil || err == nil {
			t.Fatalf("%s: %v, %v", name, l, err)
		}
		for _, want := range []string{"CUDA C needs", "libnvrtc", "not found", "pip install nvidia-cuda-nvrtc-cu12", "CUDA_HOME"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in: %v", name, want, err)
			}
		}
		if strings.Contains(err.Error(), broken) != (name == "broken") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
