package notebook

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// texts lists the plain text of outputs.
func texts(list []map[string]any) string {
	var s []string
	for _, o := range list {
		if data, ok := o["data"].(map[string]any); ok {
			s = append(s, fmt.Sprint(data["text/plain"]))
		} else {
			s = append(s, strings.TrimSpace(fmt.Sprint(o["text"])))
		}
	}
	return strings.Join(s, " ")
}

func TestOutputsAreReplacedAndCleared(t *testing.T) {
	o := &outputs{}
	o.PublishAs("a", display.Text("a1"))
	o.Publish(display.Text("b"))
	first := o.take()
	o.PublishAs("a", display.Text("a2"))
	o.Replace("a", display.Text("a3")) // also in the cell before
	o.Replace("unknown", display.Text("x"))
	if got := texts(first) + "; " + texts(o.take()); got != "a3 b; a3" {
		t.Error(got)
	}
	o.Stream("stdout", "old\n")
	o.Clear(true)
	if got := texts(o.list); len(o.list) != 1 {
		t.Errorf("cleared before something comes: %s", got)
	}
	o.Stream("stdout", "new\n")
	if got := texts(o.take()); got != "new" {
		t.Error(got)
	}
	o.Stream("stdout", "old\n")
	o.Clear(false)
	if got := texts(o.take()); got != "" {
		t.Error(got)
	}
}

func TestEcho(t *testing.T) {
	var stdout, stderr bytes.Buffer
	o := &outputs{echo: &echo{stdout: &stdout, stderr: &stderr}}
	for _, step := range []struct {
		do   func()
		want string // what is on stdout then
	}{
		{func() { o.Stream("stdout", "a\nb") }, "a\nb"},
		{func() { o.Stream("stderr", "oops\n") }, "a\nb"},
		{func() { o.Publish(display.HTML("<b>").MIMEBundle()) }, "a\nb\n<b>\n"},
		{func() { o.PublishAs("bar", display.Text("10 %")) }, "a\nb\n<b>\n"},
		{func() { o.Replace("bar", display.Text("20 %")) }, "a\nb\n<b>\n"},
		{func() { o.Stream("stdout", "c") }, "a\nb\n<b>\nc"},
		{func() { o.take() }, "a\nb\n<b>\nc\n20 %\n"},
		{func() { o.take() }, "a\nb\n<b>\nc\n20 %\n"},
	} {
		step.do()
		if stdout.String() != step.want {
			t.Errorf("printed %q, want %q", stdout.String(), step.want)
		}
	}
	if stderr.String() != "oops\n" {
		t.Errorf("on stderr: %q", stderr.String())
	}
}
