// Package published has the five programs of GrCUDA's scheduler for several GPUs (Parravicini and others, IPDPS 2021,
// and its sequel) as cells: VEC, B&S, ML, CG and MUL, each with its partitions by hand, by kernels, and as plain array
// code.
//
// The cells use variables, which are declared before: n, the size; parts, into how many the work is divided by hand;
// and features, the columns of ML's samples, and of MUL's matrix, which is square with 0. n is a multiple of parts.
package published

// Program is one of the five.
type Program struct {
	Name string
	// Data declares the program's arrays. It is run with np.Use("host"), so that they begin there, as in the paper.
	Data string
	// Long is run behind Data for as many iterations as the paper has, where Data has fewer.
	Long string
	// Parts computes the results with partitions by hand, and evaluates them. Plain does so in array code.
	Parts, Plain string
	// Result is an expression for what Parts or Plain has computed, a float64.
	Result string
}

// Programs are the five.
var Programs = []Program{vec, options, learning, gradients, product}

// Kernels is the cell of their kernels.
const Kernels = `
func square(x, out []float32) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = x[i] * x[i]
	}
}

func difference(x, y, sum []float32) {
	if i := gpu.GlobalID(); i < len(x) {
		gpu.AtomicAdd(&sum[0], x[i]-y[i])
	}
}

func multiply(a, x, out []float32) { // rows of a matrix by a vector
	if i := gpu.GlobalID(); i < len(out) {
		s := float32(0)
		for j := range len(x) {
			s += a[i*len(x)+j] * x[j]
		}
		out[i] = s
	}
}

func put(x, out []float32) {
	if i := gpu.GlobalID(); i < len(x) {
		out[i] = x[i]
	}
}

func normal(d float64) float64 { // the paper's polynomial for the cumulative normal distribution
	k := 1 / (1 + 0.2316419*math.Abs(d))
	w := 1 - 0.39894228040143267794*math.Exp(-d*d/2)*k*(0.31938153+k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429))))
	if d < 0 {
		return 1 - w
	}
	return w
}

func call(x, price []float64) { // a year, at 60, with 8 % and a volatility of 0.3
	if i := gpu.GlobalID(); i < len(x) {
		d := (math.Log(x[i]/60) + 0.08 + 0.3*0.3/2) / 0.3
		price[i] = x[i]*normal(d) - 60*math.Exp(-0.08)*normal(d-0.3)
	}
}

func precondition(a []float32, row int) { // rows of a matrix from this one on: its diagonal moves
	if i := gpu.GlobalID(); i < 1 {
		for k := row; k < row+1; k++ {
			a[k] += 1e-12
		}
	}
}

func residual(a, x, b, r []float32) { // r = b - a·x
	if i := gpu.GlobalID(); i < len(r) {
		s := b[i]
		for j := range len(x) {
			s -= a[i*len(x)+j] * x[j]
		}
		r[i] = s
	}
}

func inner(x, y, sum []float32) {
	i := gpu.GlobalID()
	s := float32(0)
	for k := i; k < len(x); k += gpu.GlobalSize() {
		s += x[k] * y[k]
	}
	gpu.AtomicAdd(&sum[0], s)
}

func axpy(y, x []float32, alpha float32) { // y += alpha·x
	if i := gpu.GlobalID(); i < len(y) {
		y[i] += alpha * x[i]
	}
}

func xpay(y, x []float32, beta float32) { // y = x + beta·y
	if i := gpu.GlobalID(); i < len(y) {
		y[i] = x[i] + beta*y[i]
	}
}

func sums(x, mean, std []float32) { // rr1: sums of columns, and of their squares
	if j := gpu.GlobalID(); j < len(mean) {
		s, q := float32(0), float32(0)
		for k := j; k < len(x); k += len(mean) {
			s += x[k]
			q += x[k] * x[k]
		}
		mean[j], std[j] = s, q
	}
}

func merge(mean, std, mean2, std2 []float32) { // rr11
	if j := gpu.GlobalID(); j < len(mean) {
		mean[j] += mean2[j]
		std[j] += std2[j]
	}
}

func normalize(x, z, mean, std []float32, rows int) { // rr12
	if i := gpu.GlobalID(); i < len(x) {
		j, n := i%len(mean), float32(rows)
		m := mean[j] / n
		z[i] = (x[i] - m) / float32(math.Sqrt(float64(std[j]/n-m*m)))
	}
}

func scores(x, w, out []float32, features, classes int) { // rr2 and nb1: rows by the transpose of a matrix
	if i := gpu.GlobalID(); i < len(out) {
		row, c := i/classes*features, i%classes*features
		s := float32(0)
		for j := range features {
			s += x[row+j] * w[c+j]
		}
		out[i] = s
	}
}

func rowMax(r, amax []float32, classes int) { // nb2
	if i := gpu.GlobalID(); i < len(amax) {
		m := r[i*classes]
		for c := 1; c < classes; c++ {
			m = max(m, r[i*classes+c])
		}
		amax[i] = m
	}
}

func logSum(r, amax, l []float32, classes int) { // nb3
	if i := gpu.GlobalID(); i < len(l) {
		s := float32(0)
		for c := range classes {
			s += float32(math.Exp(float64(r[i*classes+c] - amax[i])))
		}
		l[i] = float32(math.Log(float64(s))) + amax[i]
	}
}

func exponent(r, l []float32, classes int) { // nb4
	if i := gpu.GlobalID(); i < len(r) {
		r[i] = float32(math.Exp(float64(r[i] - l[i/classes])))
	}
}

func bias(b, r []float32) { // rr3
	if i := gpu.GlobalID(); i < len(r) {
		r[i] += b[i%len(b)]
	}
}

func softmax(r []float32, classes int) {
	if i := gpu.GlobalID(); i < len(r)/classes {
		s := float32(0)
		for c := range classes {
			s += float32(math.Exp(float64(r[i*classes+c])))
		}
		for c := range classes {
			r[i*classes+c] = float32(math.Exp(float64(r[i*classes+c]))) / s
		}
	}
}

func best(r1, r2, out []float32, classes int) { // argmax of the sum
	if i := gpu.GlobalID(); i < len(out) {
		at := 0
		for c := 1; c < classes; c++ {
			if r1[i*classes+c]+r2[i*classes+c] > r1[i*classes+at]+r2[i*classes+at] {
				at = c
			}
		}
		out[i] = float32(at)
	}
}

func zeros32(shape ...int) *np.Array { return np.FromArray(arrays.Zeros(shape...).AsType(np.Float32)) }
`

var vec = Program{
	Name: "VEC",
	Data: `
vecX, vecY := make([]*np.Array, parts), make([]*np.Array, parts)
for p := range parts {
	i := arrays.Arange(float64(p*n/parts+1), float64((p+1)*n/parts+1))
	vecX[p], vecY[p] = np.FromArray((1/i).AsType(np.Float32)), np.FromArray((2/i).AsType(np.Float32))
}
vecSums := []*np.Array{}
`,
	Parts: `
vecSums = nil
for p := range parts {
	x1, y1, s := zeros32(n/parts), zeros32(n/parts), zeros32(1)
	gpu.Launch(square, gpu.Blocks(n/parts, 32), 32, vecX[p], x1)
	gpu.Launch(square, gpu.Blocks(n/parts, 32), 32, vecY[p], y1)
	gpu.Launch(difference, gpu.Blocks(n/parts, 32), 32, x1, y1, s)
	vecSums = append(vecSums, s)
}
np.Eval(vecSums...)
`,
	Plain: `
vecSums = nil
for p := range parts {
	vecSums = append(vecSums, (vecX[p]*vecX[p] - vecY[p]*vecY[p]).Sum())
}
np.Eval(vecSums...)
`,
	Result: `func() (t float64) {
	for _, s := range vecSums {
		t += s.Float64s()[0]
	}
	return t
}()`,
}

var options = Program{
	Name: "B&S",
	Data: `
spots := make([]*np.Array, 24)
for k := range spots {
	spots[k] = np.FromArray(60 + (arrays.Arange(float64(n)) + float64(k)) % 7)
}
prices := []*np.Array{}
`,
	Parts: `
prices = nil
for _, x := range spots {
	price := np.FromArray(arrays.Zeros(n))
	gpu.Launch(call, gpu.Blocks(n, 256), 256, x, price)
	prices = append(prices, price)
}
np.Eval(prices...)
`,
	Plain: `
prices = nil
cumulative := func(d *np.Array) *np.Array {
	k := 1 / (1 + 0.2316419*np.Abs(d))
	w := 1 - 0.39894228040143267794*np.Exp(-d*d/2)*k*(0.31938153+k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429))))
	return np.Where(d < 0, 1-w, w)
}
for _, x := range spots {
	d := (np.Log(x/60) + 0.08 + 0.3*0.3/2) / 0.3
	prices = append(prices, x*cumulative(d) - 60*math.Exp(-0.08)*cumulative(d-0.3))
}
np.Eval(prices...)
`,
	Result: `float64(prices[0][0])`,
}

var product = Program{
	Name: "MUL",
	Data: `
rows, columns := make([]*np.Array, parts), n
if features > 0 {
	columns = features
}
for p := range parts {
	m := n / parts * columns
	rows[p] = np.FromArray(((arrays.Arange(float64(m)) + float64(p*m)) % 7).AsType(np.Float32).Reshape(n/parts, columns))
}
factor := np.FromArray((arrays.Arange(float64(columns)) % 5).AsType(np.Float32))
made := zeros32(n)
`,
	Parts: `
made = zeros32(n)
zs := make([]*np.Array, parts)
for p := range parts {
	zs[p] = zeros32(n/parts)
	gpu.Launch(multiply, gpu.Blocks(n/parts, 32), 32, rows[p].Ravel(), factor, zs[p])
}
for p := range parts {
	gpu.Launch(put, gpu.Blocks(n/parts, 32), 32, zs[p], made[p*n/parts:(p+1)*n/parts])
}
np.Eval(made)
`,
	Plain: `
products := make([]*np.Array, parts)
for p := range parts {
	products[p] = np.Dot(rows[p], factor)
}
made = np.Concat(0, products)
np.Eval(made)
`,
	Result: `float64(made.Sum())`,
}

var gradients = Program{
	Name: "CG",
	Data: `
system := make([]*np.Array, parts) // symmetric, positive definite
for p := range parts {
	i, j := arrays.Arange(float64(p*n/parts), float64((p+1)*n/parts)).Reshape(n/parts, 1), arrays.Arange(float64(n))
	system[p] = np.FromArray((-0.5 * (i - j).Abs()).Exp().AsType(np.Float32))
}
right := np.FromArray(arrays.Ones(n).AsType(np.Float32))
solution, residuals, iterations := zeros32(n), []float64{}, 10
`,
	Long: "\niterations = 50\n",
	Parts: `
solution, residuals = zeros32(n), nil
{
	m, blocks := n/parts, gpu.Blocks(n, 256)
	r, p := zeros32(n), zeros32(n)
	for k := range parts {
		gpu.Launch(precondition, 1, 32, system[k].Ravel(), k*m)
	}
	for k := range parts {
		gpu.Launch(residual, gpu.Blocks(m, 32), 32, system[k].Ravel(), solution, right[k*m:(k+1)*m], r[k*m:(k+1)*m])
	}
	gpu.Launch(put, blocks, 256, r, p)
	t1 := zeros32(1)
	gpu.Launch(inner, 16, 256, r, r, t1)
	for range iterations {
		y, t2 := zeros32(n), zeros32(1)
		for k := range parts {
			gpu.Launch(multiply, gpu.Blocks(m, 32), 32, system[k].Ravel(), p, y[k*m:(k+1)*m])
		}
		gpu.Launch(inner, 16, 256, p, y, t2)
		np.Eval(t1, t2)
		rr, alpha := float64(t1[0]), float32(float64(t1[0])/float64(t2[0]))
		gpu.Launch(axpy, blocks, 256, solution, p, alpha)
		gpu.Launch(axpy, blocks, 256, r, y, -alpha)
		t1 = zeros32(1)
		gpu.Launch(inner, 16, 256, r, r, t1)
		np.Eval(t1)
		residuals = append(residuals, math.Sqrt(float64(t1[0])))
		gpu.Launch(xpay, blocks, 256, p, r, float32(float64(t1[0])/rr))
	}
	np.Eval(solution, r, p)
}
`,
	Plain: `
solution, residuals = zeros32(n), nil
{
	times := func(p *np.Array) *np.Array {
		var y []*np.Array
		for k := range parts {
			y = append(y, np.Dot(system[k], p))
		}
		return np.Concat(0, y)
	}
	r := right - times(solution)
	p, rr := r, np.Dot(r, r)
	for range iterations {
		y := times(p)
		alpha := rr / np.Dot(p, y)
		solution, r = solution+alpha*p, r-alpha*y
		next := np.Dot(r, r)
		p, rr = r + next/rr*p, next
		residuals = append(residuals, math.Sqrt(float64(rr)))
	}
	np.Eval(solution)
}
`,
	Result: `float64(np.Sum(solution))`,
}

var learning = Program{
	Name: "ML",
	Data: `
const classes = 16
samples := make([]*np.Array, parts)
for p := range parts {
	k := arrays.Arange(float64(n*features/parts)) + float64(p*n*features/parts)
	samples[p] = np.FromArray(((k*k + 3*k) % 97 % 10).AsType(np.Float32).Reshape(n/parts, features))
}
ridge := np.FromArray(((arrays.Arange(float64(classes*features)) * 7 % 13 - 6) / 50).AsType(np.Float32).Reshape(classes, features))
bayes := np.FromArray(((arrays.Arange(float64(classes*features)) * 5 % 17 - 8) / 80).AsType(np.Float32).Reshape(classes, features))
intercepts := np.FromArray((arrays.Arange(float64(classes)) / 16).AsType(np.Float32))
labels := zeros32(n)
`,
	Parts: `
labels = zeros32(n)
{
	m := n / parts
	r1, r2, amax, l := zeros32(n, classes), zeros32(n, classes), zeros32(n), zeros32(n)
	mean, std, z := make([]*np.Array, parts), make([]*np.Array, parts), make([]*np.Array, parts)
	for p := range parts {
		mean[p], std[p], z[p] = zeros32(features), zeros32(features), zeros32(m, features)
		gpu.Launch(sums, gpu.Blocks(features, 32), 32, samples[p].Ravel(), mean[p], std[p])
	}
	all, all2 := zeros32(features), zeros32(features)
	for p := range parts {
		gpu.Launch(merge, gpu.Blocks(features, 32), 32, all, all2, mean[p], std[p])
	}
	for p := range parts {
		gpu.Launch(normalize, gpu.Blocks(m*features, 32), 32, samples[p].Ravel(), z[p].Ravel(), all, all2, n)
	}
	for p := range parts {
		gpu.Launch(scores, gpu.Blocks(m*classes, 32), 32, z[p].Ravel(), ridge.Ravel(), r2[p*m:(p+1)*m].Ravel(), features, classes)
	}
	for p := range parts {
		gpu.Launch(scores, gpu.Blocks(m*classes, 32), 32, samples[p].Ravel(), bayes.Ravel(), r1[p*m:(p+1)*m].Ravel(), features, classes)
	}
	gpu.Launch(rowMax, gpu.Blocks(n, 32), 32, r1.Ravel(), amax, classes)
	gpu.Launch(logSum, gpu.Blocks(n, 32), 32, r1.Ravel(), amax, l, classes)
	gpu.Launch(exponent, gpu.Blocks(n*classes, 32), 32, r1.Ravel(), l, classes)
	gpu.Launch(softmax, gpu.Blocks(n, 32), 32, r1.Ravel(), classes)
	gpu.Launch(bias, gpu.Blocks(n*classes, 32), 32, intercepts, r2.Ravel())
	gpu.Launch(softmax, gpu.Blocks(n, 32), 32, r2.Ravel(), classes)
	gpu.Launch(best, gpu.Blocks(n, 32), 32, r1.Ravel(), r2.Ravel(), labels, classes)
	np.Eval(labels)
}
`,
	Plain: `
{
	soft := func(r *np.Array) *np.Array {
		e := np.Exp(r)
		return e / e.Sum(1).Reshape(-1, 1)
	}
	x := np.Concat(0, samples)
	z := (x - x.Mean(0)) / x.Std(0)
	r2 := soft(np.Dot(z, ridge.T()) + intercepts)
	r1 := np.Dot(x, bayes.T())
	top := r1.Max(1).Reshape(-1, 1)
	r1 = soft(np.Exp(r1 - top - np.Log(np.Exp(r1-top).Sum(1).Reshape(-1, 1))))
	labels = np.ArgMax(r1+r2, 1)
	np.Eval(labels)
}
`,
	Result: `float64((labels * (np.Arange(n) % 11)).Sum())`,
}
