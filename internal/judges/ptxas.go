package judges

import (
	"errors"
	"os/exec"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/nvidiawheel"
)

// Ptxas is [nvidiawheel.Ptxas], NVIDIA's own assembler of PTX: its error is what ptxas finds wrong. Without ptxas the
// judge is missing.
func Ptxas(t testing.TB, text string, target int) (string, error) {
	t.Helper()
	out, err := nvidiawheel.Ptxas(text, target)
	if errors.Is(err, exec.ErrNotFound) {
		Missing(t, "no ptxas to assemble with: %v", err)
	}
	return out, err
}
