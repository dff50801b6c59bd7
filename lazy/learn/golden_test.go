package learn

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// golden is a model, fitted by scikit-learn; tests/golden/make_learn.py wrote it.
type golden struct {
	Model          string
	Args           []float64
	X, Asked, Init [][]float64
	Y              json.RawMessage
	Want           map[string]json.RawMessage
}

// use lets arrays be computed on a device.
func use(t *testing.T, name string) *offload.Runtime {
	t.Helper()
	var r device.Registry
	r.Add(host.ID, func() (device.Device, error) { return host.Open(0), nil })
	for _, sim := range []string{"sim:v100", "sim:tiny"} {
		r.Add(sim, func() (device.Device, error) { return simgpu.Open(sim) })
	}
	rt, err := offload.New(&r, host.ID)
	if err != nil {
		t.Fatal(err)
	}
	np.Wiring{}.SetRuntime(rt)
	np.Use(name)
	return rt
}

// TestAsScikitLearn: every model has the values of scikit-learn's, fitted on processors and on a device.
func TestAsScikitLearn(t *testing.T) {
	testsize.InTurn(t, 0)
	text, err := os.ReadFile("testdata/learn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []golden }
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) < 20 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for _, where := range []string{host.ID, "sim:tiny"} {
		use(t, where)
		for i, c := range file.Cases {
			got := c.run(t)
			if len(got) != len(c.Want) {
				t.Fatalf("%s has %d values, scikit-learn %d", c.Model, len(got), len(c.Want))
			}
			for name, v := range got {
				if msg := differs(v, c.Want[name], c.tolerance()); msg != "" {
					t.Errorf("%s, case %d, %s%v, %s: %s", where, i, c.Model, c.Args, name, msg)
				}
			}
		}
	}
}

// run fits the model of the case and returns what it has, by the names of the golden file.
func (c golden) run(t *testing.T) map[string]*np.Array {
	x, asked := np.From2D(c.X), (*np.Array)(nil)
	if len(c.Asked) > 0 {
		asked = np.From2D(c.Asked)
	}
	switch c.Model {
	case "scaler":
		m, other := NewStandardScaler(), NewStandardScaler().Fit(x)
		return map[string]*np.Array{"fit_transform": m.FitTransform(x), "mean": m.Mean(), "variance": m.Var(), "scale": other.Scale(),
			"transform": other.Transform(asked), "inverse": m.InverseTransform(asked)}
	case "pca":
		m, other := NewPCA(int(c.Args[0])), NewPCA(int(c.Args[0])).Fit(x)
		return map[string]*np.Array{"fit_transform": m.FitTransform(x), "mean": m.Mean(), "components": m.Components(), "variance": other.ExplainedVariance(),
			"ratio": m.ExplainedVarianceRatio(), "singular": m.SingularValues(), "transform": other.Transform(asked), "inverse": m.InverseTransform(m.Transform(asked))}
	case "tsvd":
		m, other := NewTruncatedSVD(int(c.Args[0])), NewTruncatedSVD(int(c.Args[0])).Fit(x)
		return map[string]*np.Array{"fit_transform": m.FitTransform(x), "components": m.Components(), "singular": other.SingularValues(),
			"variance": m.ExplainedVariance(), "ratio": other.ExplainedVarianceRatio(), "transform": other.Transform(asked)}
	case "neighbors":
		var y any
		var numbers []int
		if json.Unmarshal(c.Y, &numbers) == nil {
			y = numbers
		} else {
			y = texts(t, c.Y)
		}
		return map[string]*np.Array{"predict": NewKNeighborsClassifier(int(c.Args[0])).Fit(x, y).Predict(asked)}
	case "kmeans":
		options := []KMeansOption{Init(np.From2D(c.Init)), MaxSteps(int(c.Args[1]))}
		m, other := NewKMeans(int(c.Args[0]), options...), NewKMeans(int(c.Args[0]), options...).Fit(x)
		return map[string]*np.Array{"labels": m.FitPredict(x), "centres": m.ClusterCenters(), "inertia": other.Inertia(), "predict": other.Predict(asked)}
	case "dbscan":
		m := NewDBSCAN(c.Args[0], int(c.Args[1])).Fit(x)
		if got, want := NewDBSCAN(c.Args[0], int(c.Args[1])).FitPredict(x).Ints(), m.Labels().Ints(); !slices.Equal(got, want) {
			t.Errorf("FitPredict gives %v, Labels %v", got, want)
		}
		return map[string]*np.Array{"labels": m.Labels(), "core": m.Core()}
	case "linear":
		var y []float64
		require.NoError(t, json.Unmarshal(c.Y, &y))
		var options []LinearOption
		if c.Args[0] == 0 {
			options = append(options, ThroughOrigin())
		}
		m := NewLinearRegression(options...).Fit(x, y)
		out := map[string]*np.Array{"coef": m.Coef(), "intercept": m.Intercept(), "predict": m.Predict(asked)}
		if len(y) > 1 { // one target has no deviations
			out["score"] = m.Score(x, y)
		}
		return out
	case "logistic":
		var y any
		var numbers []int
		if json.Unmarshal(c.Y, &numbers) == nil {
			y = numbers
		} else {
			y = texts(t, c.Y)
		}
		m := NewLogisticRegression(Inverse(c.Args[0])).Fit(x, y)
		return map[string]*np.Array{"coef": m.Coef(), "intercept": m.Intercept(), "classes": m.Classes(), "predict": m.Predict(asked), "probabilities": m.PredictProba(asked),
			"score": m.Score(x, y)}
	}
	t.Fatalf("there is no model %q", c.Model)
	return nil
}

func texts(t *testing.T, raw json.RawMessage) (out []string) {
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// tolerance is 1e-9, but for minima that both find by steps.
func (c golden) tolerance() float64 {
	if c.Model == "logistic" {
		return 1e-6
	}
	return 1e-9
}

// differs compares an array with nested lists: integers, bools and text must be equal.
func differs(got *np.Array, raw json.RawMessage, tolerance float64) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}
	var shape []int
	var flat []any
	var walk func(v any, axis int)
	walk = func(v any, axis int) {
		list, ok := v.([]any)
		if !ok {
			flat = append(flat, v)
			return
		}
		if len(shape) == axis {
			shape = append(shape, len(list))
		}
		for _, e := range list {
			walk(e, axis+1)
		}
	}
	walk(v, 0)
	if !slices.Equal(got.Shape(), shape) {
		return fmt.Sprintf("the shape is %v, want %v", got.Shape(), shape)
	}
	a, largest := got.Array(), 0.0
	for _, w := range flat {
		if f, ok := w.(float64); ok {
			largest = max(largest, math.Abs(f))
		}
	}
	for i, w := range flat {
		switch w := w.(type) {
		case string:
			if g := a.Strings()[i]; g != w {
				return fmt.Sprintf("element %d is %q, want %q", i, g, w)
			}
		case bool:
			if a.Bools()[i] != w {
				return fmt.Sprintf("element %d is %v", i, !w)
			}
		case float64:
			bound := tolerance * (1 + largest)
			if a.DType() != arrays.Float64 {
				bound = 0
			}
			if g := a.AsType(arrays.Float64).Float64s()[i]; !(math.Abs(g-w) <= bound) {
				return fmt.Sprintf("element %d is %v, want %v", i, g, w)
			}
		}
	}
	return ""
}
