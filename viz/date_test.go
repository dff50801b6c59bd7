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

// The same density as over numbers, on an axis of dates in all forms.
func TestDensityOverDates(t *testing.T) {
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Density([]time.Time{from, from, from.AddDate(0, 2, 0), {}}, []float64{0, 0, 5, 1})
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	if want := "1 of 4 points are NaN or infinite and are not counted."; c.Notes[0] != want {
		t.Errorf("notes %q, want %q", c.Notes, want)
	}
	p := parse(t, c)
	const first, last = 1704067200000, 1709251200000 // date -u -d 2024-01-01 +%s, 2024-03-01
	if box := p.Panels[0].Grid.Box; box[0] != first || box[1] != last || p.Option.XAxis[0].Type != "time" {
		t.Errorf("the cells go from %v to %v on an axis of type %q", box[0], box[1], p.Option.XAxis[0].Type)
	}
	if text := c.String(); !strings.Contains(text, "4 Jan 2024") || !strings.Contains(text, "15 Feb 2024") {
		t.Errorf("the text has no dates:\n%s", text)
	}
	if !strings.Contains(c.SVG(), "Feb 2024") {
		t.Error("the picture has no tick in February")
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
