//go:build !unix

package early

import (
	"errors"
	"os"
)

func listen([4]byte, int) (*os.File, error) { return nil, errors.ErrUnsupported }
