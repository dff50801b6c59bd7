package ptx_test

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

func TestMain(m *testing.M) { testsize.Main(m, 400) }
