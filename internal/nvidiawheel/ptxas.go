package nvidiawheel

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Ptxas assembles PTX text for a compute capability and throws the result away. It returns what ptxas -v says
// (registers, memory), and as an error what it finds wrong. ptxas is the one of the wheel, else the one of PATH.
func Ptxas(text string, target int) (string, error) {
	path, err := Find("cuda_nvcc/bin/ptxas", "cu*/bin/ptxas")
	if err != nil {
		var pathErr error
		if path, pathErr = exec.LookPath("ptxas"); pathErr != nil {
			return "", errors.Join(err, pathErr)
		}
	}
	cmd := exec.Command(path, "-v", fmt.Sprintf("-arch=sm_%d", target), "-o", "/dev/null", "-")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("ptxas for sm_%d: %w\n%s", target, err, out)
	}
	return string(out), nil
}
