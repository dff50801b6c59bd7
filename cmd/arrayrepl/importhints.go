package main

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// dataPackages are packages of other people that are in the program but have to be imported, by the names that cells
// write in front of their functions.
var dataPackages = map[string]string{
	"assert": "github.com/stretchr/testify/assert", "require": "github.com/stretchr/testify/require",
	"plot": "gonum.org/v1/plot", "plotter": "gonum.org/v1/plot/plotter", "plotutil": "gonum.org/v1/plot/plotutil", "vg": "gonum.org/v1/plot/vg",
	"distuv": "gonum.org/v1/gonum/stat/distuv", "optimize": "gonum.org/v1/gonum/optimize", "integrate": "gonum.org/v1/gonum/integrate",
	"charts": "github.com/go-echarts/go-echarts/v2/charts", "opts": "github.com/go-echarts/go-echarts/v2/opts",
	"arrow": "github.com/apache/arrow-go/v18/arrow",
}

var unknownPackage = lazyregexp.New(`^undefined: (\w+)$`)

// importHint knows packages that a cell uses without an import.
func importHint(message, line string, at int) string {
	m := unknownPackage.FindStringSubmatch(message)
	if m == nil || dataPackages[m[1]] == "" || !strings.HasPrefix(line[at:], m[1]+".") {
		return ""
	}
	return fmt.Sprintf("import %q has it", dataPackages[m[1]])
}
