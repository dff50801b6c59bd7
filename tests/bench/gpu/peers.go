package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

//go:embed peer.py
var peerSource string

// peerNames are the packages, and ways of one, that peer.py knows.
var peerNames = []string{"cupy", "torch", "torch.compile", "jax"}

// peer is what a package took.
type peer struct {
	name    string
	seconds map[string]float64 // by workload
	said    map[string]string  // why there is no figure
}

// askPeers lets each package measure itself, in a process of its own, and says which are absent.
func askPeers(w io.Writer, o options) (peers []peer) {
	if o.python == "" {
		fmt.Fprintf(w, "Absent: %s, as no Python was named (-python).\n\n", strings.Join(peerNames, ", "))
		return nil
	}
	for _, name := range peerNames {
		cmd := exec.Command(o.python, "-c", peerSource, name, fmt.Sprint(o.N), fmt.Sprint(o.Side), fmt.Sprint(o.Turns))
		var errors strings.Builder
		cmd.Stderr = &errors
		out, err := cmd.Output()
		p := peer{name: name}
		var answer struct {
			Absent  string
			Version string
			Seconds map[string]float64
			Errors  map[string]string
		}
		if err == nil {
			err = json.Unmarshal(out, &answer)
		}
		switch {
		case err != nil:
			lines := strings.Split(strings.TrimSpace(errors.String()), "\n")
			fmt.Fprintf(w, "Absent: %s: %v: %s\n\n", name, err, lines[len(lines)-1])
		case answer.Absent != "":
			fmt.Fprintf(w, "Absent: %s: %s\n\n", name, answer.Absent)
		default:
			fmt.Fprintf(w, "Beside: %s %s.\n\n", name, answer.Version)
			p.seconds, p.said = answer.Seconds, answer.Errors
			peers = append(peers, p)
		}
	}
	return peers
}

// beside writes the package's time for a workload, and how many times ours that is.
func (p peer) beside(workload string, ours float64) string {
	if s, ok := p.seconds[workload]; ok {
		return fmt.Sprintf("%s, %.2f x", short(s), s/ours)
	}
	if said := p.said[workload]; said != "" {
		return said
	}
	return "–"
}
