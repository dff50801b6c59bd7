package magic

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// jobs lists what earlier cells have left running.
func jobs(c *Call) (display.Bundle, error) {
	all := c.Jobs()
	if len(all) == 0 {
		c.Printf("Earlier cells have left nothing running.\n")
		return display.Bundle{}, nil
	}
	b := display.Text(strings.TrimSuffix(jobText(all), "\n"))
	b.Data[display.TypeHTML] = jobTable(all)
	return b, nil
}

func jobText(all []interp.Job) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "JOB\tWHERE\tWHAT")
	for _, j := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\n", j.Number, j.Where, whatText(j))
	}
	w.Flush()
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		line = strings.TrimRight(line, " \n")
		if columns := display.CurrentScreen().Columns; columns > 0 {
			line = clip(line, columns)
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

func jobTable(all []interp.Job) string {
	var b strings.Builder
	b.WriteString(display.TableTag + "<thead><tr><th>job</th><th style=\"text-align:left\">where</th><th style=\"text-align:left\">what</th></tr></thead><tbody>")
	for _, j := range all {
		fmt.Fprintf(&b, "<tr><td>%d</td><td style=\"text-align:left\">%s</td><td style=\"text-align:left\">%s</td></tr>", j.Number, html.EscapeString(j.Where), html.EscapeString(whatText(j)))
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

func whatText(j interp.Job) string {
	if j.Killed {
		return j.What + " (killed: it ends when that returns, or with the session)"
	}
	return j.What
}

// kill ends jobs.
func kill(c *Call) (display.Bundle, error) {
	words := strings.Fields(strings.ReplaceAll(c.Arg, ",", " "))
	var numbers []int
	for _, word := range words {
		if word == "all" && len(words) == 1 {
			break
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return display.Bundle{}, fmt.Errorf("%q is not the number of a job; %%jobs lists them, %%kill all ends all", word)
		}
		numbers = append(numbers, n)
	}
	left, err := c.EndJobs(c.ctx, numbers...)
	if err != nil {
		return display.Bundle{}, fmt.Errorf("%w; %%jobs lists them", err)
	}
	c.tellLeft(left)
	return display.Bundle{}, nil
}

// tellLeft says which jobs could not be ended.
func (c *Call) tellLeft(left []interp.Job) {
	if len(left) > 0 {
		c.Printf("Told to end, and still there:\n%s", jobText(left))
	}
}

// completeJob proposes the numbers of jobs.
func completeJob(s *Session, text string) []interp.Match {
	out := []interp.Match{}
	for _, j := range s.Jobs() {
		out = append(out, interp.Match{Text: strconv.Itoa(j.Number), Type: "job", Doc: j.What})
	}
	return append(out, interp.Match{Text: "all", Type: "keyword"})
}
