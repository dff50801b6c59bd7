package viz

import (
	"fmt"
	"sort"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// pickKernel returns the longest kernel of the logs whose name contains name, and all kernels, the longest first. what
// and of are the functions that the messages name: the one that was called and the one that takes a name.
func pickKernel(what, of, name string, logs []*trace.Log) (k *trace.Event, others string, err error) {
	var kernels []trace.Event
	for _, l := range logs {
		kernels = append(kernels, l.Kernels()...)
	}
	if len(kernels) == 0 {
		return nil, "", fmt.Errorf("viz: %s: the evaluation ran no kernel on a device that keeps statistics: it may have run on the CPU, where there are no warps; see Timeline", what)
	}
	sort.SliceStable(kernels, func(i, j int) bool { return kernels[i].Duration() > kernels[j].Duration() })
	at := -1
	var names []string
	for i, k := range kernels {
		if at < 0 && strings.Contains(k.Name, name) {
			at = i
		}
		names = append(names, k.Name)
	}
	if at < 0 {
		return nil, "", fmt.Errorf("viz: %s: no kernel's name contains %.60q; the evaluation ran %s", what, name, strings.Join(names, ", "))
	}
	if len(kernels) > 1 {
		others = otherKernels(kernels, at, of)
	}
	return &kernels[at], others, nil
}

// pickDetail is pickKernel for charts that need the kernel's detail, of which has says whether it is enough.
func pickDetail(what, of, name string, logs []*trace.Log, has func(*trace.Detail) bool) (*trace.Event, string, error) {
	k, others, err := pickKernel(what, of, name, logs)
	if err != nil {
		return nil, "", err
	}
	if k.Stats.Detail == nil || k.Stats.WarpSize == 0 || !has(k.Stats.Detail) {
		return nil, "", fmt.Errorf("viz: %s: %s does not tell what happens inside kernel %s; simulated GPUs do", what, k.Device, k.Name)
	}
	return k, others, nil
}

// otherKernels names up to five kernels that are not drawn.
func otherKernels(kernels []trace.Event, at int, of string) string {
	var parts []string
	for i, k := range kernels {
		if i != at && len(parts) < 5 {
			parts = append(parts, fmt.Sprintf("%s (%s)", k.Name, k.Duration()))
		}
	}
	s := strings.Join(parts, ", ")
	if more := len(kernels) - 1 - len(parts); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("Other kernels: %s. viz.%s(\"name\") draws one of them.", s, of)
}

// launchOf says in one line what was launched where.
func launchOf(k *trace.Event) string {
	return fmt.Sprintf("%s on %s; grid %s, block %s", k.Duration(), k.Device, dims(k.Stats.Grid), dims(k.Stats.Block))
}

// sampleNote says of how many blocks the figures are.
func sampleNote(k *trace.Event, what string) string {
	s := k.Stats
	if s.SampledBlocks < s.TotalBlocks {
		return fmt.Sprintf("%s of a sample: %s of %s blocks, times ± %.0f %%.", what, count(s.SampledBlocks), count(s.TotalBlocks), 100*s.ErrorEstimate)
	}
	return fmt.Sprintf("%s of all %s blocks.", what, count(s.TotalBlocks))
}
