package viz

import (
	"strings"
	"testing"
	"time"
)

func TestDateTicksAreRoundMomentsOfTheCalendar(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"1700-01-01T00:00:00Z", "2008-01-01T00:00:00Z", "1700 1750 1800 1850 1900 1950 2000"},
		{"2023-11-20T00:00:00Z", "2024-04-02T00:00:00Z", "Dec 2023 Jan 2024 Feb 2024 Mar 2024 Apr 2024"},
		{"2024-02-26T12:00:00Z", "2024-03-03T00:00:00Z", "27 Feb 28 Feb 29 Feb 1 Mar 2 Mar 3 Mar"},
		{"2024-02-26T12:00:00Z", "2024-02-26T12:00:20Z", "12:00:00 12:00:05 12:00:10 12:00:15 12:00:20"},
		{"1969-12-31T22:30:00Z", "1970-01-01T01:30:00Z", "22:30 23:00 23:30 00:00 00:30 01:00 01:30"},
	} {
		lo, _ := time.Parse(time.RFC3339, c.from)
		hi, _ := time.Parse(time.RFC3339, c.to)
		s := dateSpan(float64(lo.Unix()), float64(hi.Unix()), 8)
		var got []string
		for _, v := range s.ticks {
			got = append(got, s.label(v))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, strings.Join(got, " "), c.want)
		}
	}
}

func TestDatesReachTheBrowserInMilliseconds(t *testing.T) {
	at := time.Date(2024, 2, 29, 23, 59, 59, 123e6, time.FixedZone("", -5*3600)) // 1709269199.123 in GNU date
	c := Line([]time.Time{at, at.Add(time.Hour)}, []int{1, 2})
	p := parse(t, c)
	if got := string(p.Option.Series[0].Data[0]); got != "[1709269199123,1]" {
		t.Errorf("%s", got)
	}
	if p.Option.XAxis[0].Type != "time" {
		t.Errorf("axis %s", p.Option.XAxis[0].Type)
	}
	if !strings.Contains(c.SVG(), "05:15") { // 23:59:59 of UTC-5 is 04:59:59
		t.Error("the picture has no tick at 05:15")
	}
}

func TestDatesAndNumbersDoNotMix(t *testing.T) {
	days := []time.Time{time.Unix(0, 0), time.Unix(86400, 0)}
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"log":     {Line(days, []int{1, 2}, LogX()), "dates cannot stand on a logarithmic axis"},
		"added":   {Line(days, []int{1, 2}).Add([]int{1, 2}, []int{1, 2}, "b"), "the x of some series are dates"},
		"lengths": {Scatter(days, []int{1}), "x has 2 values and y has 1"},
	} {
		if c.chart.Err == nil || !strings.Contains(c.chart.String(), c.want) {
			t.Errorf("%s: %q, want %q", name, c.chart, c.want)
		}
	}
}
