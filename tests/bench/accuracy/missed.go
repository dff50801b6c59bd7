package main

import (
	"fmt"
	"slices"
	"strings"
)

// missed is what the model does not reach in one experiment: a row or an assertion, by its name, and how.
type missed struct{ name, how string }

// misses returns the rows whose step is more than 1.5 times off or whose rate is more than 2 times, those that are not
// in the published order with another, and the assertions that do not hold.
func (e *experiment) misses() (out []missed) {
	for i, v := range e.variants {
		var how []string
		if p, m, ok := e.step(i); ok && (m/p > 1.5 || m/p < 1/1.5) {
			how = append(how, fmt.Sprintf("step %.2f times the published", m/p))
		}
		if p, m, ok := e.fractions(i); ok && (m/p > 2 || m/p < 0.5) {
			how = append(how, fmt.Sprintf("rate %.2f times the published", m/p))
		}
		if e.confidence != "M" {
			for j := range i {
				if same, ok := e.sameOrder(j, i); ok && !same {
					how = append(how, "not in order with "+e.variants[j].name)
				}
			}
		}
		if len(how) > 0 {
			out = append(out, missed{v.name, strings.Join(how, ", ")})
		}
	}
	for _, c := range e.checks {
		if !c.holds(e.got) {
			out = append(out, missed{c.text, "does not hold"})
		}
	}
	return out
}

// why writes for each of the experiment's misses why it is one. An error names those that nothing explains, and
// explanations of what is not a miss any more.
func (e *experiment) why() (string, error) {
	var b strings.Builder
	var wrong []string
	of := explanations[e.id]
	names := map[string]bool{}
	for _, m := range e.misses() {
		names[m.name] = true
		x, ok := of[m.name]
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s, %s (%s): not explained", e.id, m.name, m.how))
			continue
		}
		if len(names) == 1 {
			b.WriteString("\nWhat is missed, and why:\n\n")
		}
		fmt.Fprintf(&b, "- %s (%s): %s\n", m.name, m.how, x)
	}
	for name := range of {
		if !names[name] {
			wrong = append(wrong, fmt.Sprintf("%s, %s: explained, but reached", e.id, name))
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return "", fmt.Errorf("explanations.go: %s", strings.Join(wrong, "; "))
	}
	return b.String(), nil
}
