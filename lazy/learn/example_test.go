package learn_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/learn"
)

// What is learned of known samples is used for others. Nothing runs before the answers are shown.
func Example() {
	known := np.FromSlice([]float64{1, 100, 2, 110, 3, 90, 11, 500, 12, 520, 13, 480}, 6, 2)
	kind := []string{"small", "small", "small", "large", "large", "large"}

	scaler, pca, knn := learn.NewStandardScaler(), learn.NewPCA(1), learn.NewKNeighborsClassifier(3)
	knn.Fit(pca.FitTransform(scaler.FitTransform(known)), kind)

	asked := np.FromSlice([]float64{2, 95, 14, 510}, 2, 2)
	answer := knn.Predict(pca.Transform(scaler.Transform(asked)))
	fmt.Println(len(np.Explain(answer).Calls), "calls")
	fmt.Println(answer)
	fmt.Println(knn)
	// Output:
	// 9 calls
	// ['small' 'large']
	// KNeighborsClassifier(k=3): fitted on 6×1
}

func ExampleNewStandardScaler() {
	x := np.FromSlice([]float64{0, 10, 2, 30}, 2, 2)
	s := learn.NewStandardScaler()
	z := s.FitTransform(x)
	fmt.Println(z)
	fmt.Println(s.Mean(), s.Var(), s.Scale())
	fmt.Println(s.InverseTransform(z))
	// Output:
	// [[-1. -1.]
	//  [ 1.  1.]]
	// [ 1. 20.] [  1. 100.] [ 1. 10.]
	// [[ 0. 10.]
	//  [ 2. 30.]]
}

func ExampleNewPCA() {
	x := np.FromSlice([]float64{0, 0, 3, 4, 6, 8}, 3, 2) // on a line
	p := learn.NewPCA(1).Fit(x)
	fmt.Println(p)
	fmt.Println(p.Components())
	fmt.Println(p.Transform(x).Reshape(-1))
	fmt.Println(p.ExplainedVariance(), p.ExplainedVarianceRatio())
	// Output:
	// PCA(k=1): fitted on 3×2
	// [[0.6 0.8]]
	// [-5.  0.  5.]
	// [25.] [1.]
}

func ExampleNewTruncatedSVD() {
	x := np.FromSlice([]float64{3, 0, 0, 0, 2, 0}, 2, 3)
	t := learn.NewTruncatedSVD(1)
	fmt.Println(t.FitTransform(x).Round().Reshape(-1))
	fmt.Println(t.SingularValues())
	// Output:
	// [3. 0.]
	// [3.]
}

func ExampleNewKNeighborsClassifier() {
	c := learn.NewKNeighborsClassifier(1).Fit([][]float64{{0}, {1}, {10}}, []int{7, 7, 9})
	fmt.Println(c.Predict([][]float64{{2}, {8}}))
	fmt.Println(c.Score([][]float64{{2}, {8}}, []int{7, 7}))
	// Output:
	// [7 9]
	// 0.5
}

func ExampleNewKMeans() {
	x := np.FromSlice([]float64{0, 1, 20, 21}, 4, 1)
	m := learn.NewKMeans(2, learn.Init([][]float64{{0}, {5}}))
	fmt.Println(m.FitPredict(x))
	fmt.Println(m.ClusterCenters().Reshape(-1), m.Inertia())
	fmt.Println(m.Predict([][]float64{{8}, {14}}))
	// Output:
	// [0 0 1 1]
	// [ 0.5 20.5] 1.0
	// [0 1]
}

func ExampleSeed() {
	m := learn.NewKMeans(3, learn.Seed(7), learn.MaxSteps(100), learn.Tolerance(0))
	fmt.Println(m)
	// Output: KMeans(k=3, seed=7): not fitted
}

func ExampleNewDBSCAN() {
	x := np.FromSlice([]float64{0, 1, 2, 10, 20, 20.5, 21}, 7, 1)
	m := learn.NewDBSCAN(1, 3).Fit(x)
	fmt.Println(m.Labels())
	fmt.Println(m.Core().AsType(np.Int64))
	// Output:
	// [ 0  0  0 -1  1  1  1]
	// [0 1 0 0 1 1 1]
}

func ExampleTrainTestSplit() {
	xTrain, xTest, yTrain, yTest := learn.TrainTestSplit(np.Zeros(10, 3), np.Arange(10), 0.3, 0)
	fmt.Println(xTrain.Shape(), xTest.Shape(), yTrain.Shape(), yTest.Shape())
	// Output: [7 3] [3 3] [7] [3]
}

func ExampleNewLinearRegression() {
	x := np.FromSlice([]float64{0, 1, 2, 3}, 4, 1)
	m := learn.NewLinearRegression().Fit(x, []float64{1, 3, 5, 7})
	fmt.Printf("%.3f %.3f %.3f\n", m.Coef().Float64(0), m.Intercept().Float64(), m.Predict([][]float64{{10}}).Float64(0))
	// Output: 2.000 1.000 21.000
}

func ExampleThroughOrigin() {
	x := np.FromSlice([]float64{1, 2}, 2, 1)
	m := learn.NewLinearRegression(learn.ThroughOrigin()).Fit(x, []float64{2, 4})
	fmt.Printf("%.3f %.3f\n", m.Coef().Float64(0), m.Intercept().Float64())
	// Output: 2.000 0.000
}

func ExampleNewLogisticRegression() {
	x := np.FromSlice([]float64{0, 1, 2, 7, 8, 9}, 6, 1)
	m := learn.NewLogisticRegression().Fit(x, []string{"low", "low", "low", "high", "high", "high"})
	fmt.Println(m.Classes(), m.Predict([][]float64{{3}, {6}}))
	fmt.Printf("%.2f\n", m.PredictProba([][]float64{{4.5}}).Float64(0, 0))
	// Output:
	// ['high' 'low'] ['low' 'high']
	// 0.50
}

func ExampleInverse() {
	fmt.Println(learn.NewLogisticRegression(learn.Inverse(0.1)))
	// Output: LogisticRegression(C=0.1): not fitted
}
