package gorandom

import "strings"

// An idiom is a declaration that the rest of the generator would not come upon, types that have the methods of an
// interface of the standard library or generic types with constraints on methods, and statements that use it. The texts
// are those of library, and $ is the same number in the declaration and in its statements.
type idiom struct {
	decl string
	uses []string
}

// use is a statement that uses an idiom, whose E is a type.
type use struct {
	text string
	e    *typ
}

// idiom declares one, which statements after it use.
func (g *generator) idiom() {
	e := g.printableType(1)
	i, number := pick(g, idioms...), g.name("")
	vars, funcs := g.vars, g.funcs // a declaration does not depend on variables
	g.vars, g.funcs = nil, nil
	g.item(true, func() { g.w("%s", g.fill(i.decl, number, e)) })
	g.vars, g.funcs = vars, funcs
	for _, u := range i.uses {
		g.idioms = append(g.idioms, use{strings.ReplaceAll(u, "$", number), e})
	}
	for range 1 + g.IntN(2) {
		g.topLevel, g.times, g.cost = true, 1, 0
		g.item(false, g.useIdiom)
		g.topLevel = false
	}
}

func (g *generator) useIdiom() {
	if g.plain || g.pure || len(g.idioms) == 0 {
		g.simple()
		return
	}
	u := pick(g, g.idioms...)
	if g.topLevel && strings.Contains(u.text, "defer ") { // it would wait for the end of the cell
		g.w("func() {\n%s\n}()\n", g.fill(u.text, "", u.e))
		return
	}
	g.w("{\n%s\n}\n", g.fill(u.text, "", u.e))
}

// fill puts random types and expressions into a text.
func (g *generator) fill(text, number string, e *typ) string {
	k := g.keyType(0)
	return strings.NewReplacer(
		"‹E›", e.String(), "‹K›", k.String(), "‹X›", g.expr(e, 1), "‹Y›", g.expr(e, 1), "‹Z›", g.expr(e, 1),
		"‹KX›", g.expr(k, 1), "‹N›", g.expr(intType, 1), "‹M›", g.expr(intType, 1), "‹S›", g.varying(stringType, 1), "$", number,
		"‹B›", g.condition(1), "‹I›", g.basicType().String(),
	).Replace(text)
}

var idioms = []idiom{
	{"type byText$ []‹E›\n\nfunc (b byText$) Len() int { return len(b) }\n\nfunc (b byText$) Less(i, j int) bool { return fmt.Sprint(b[i]) < fmt.Sprint(b[j]) }\n\nfunc (b byText$) Swap(i, j int) { b[i], b[j] = b[j], b[i] }\n\nfunc made$() byText$ { return byText${‹X›, ‹Y›, ‹Z›, ‹X›} }",
		[]string{
			"b := made$()\nsort.Sort(b)\nfmt.Println(b, b.Less(0, 1))",
			"b := made$()\nsort.Sort(sort.Reverse(b[1:]))\nfmt.Println(b)",
			"b := made$()\nless := b.Less\nb.Swap(0, 3)\nfmt.Println(less(0, 1), sort.IsSorted(b))",
		}},
	{"type heap$ []struct { Key int; Val ‹E› }\n\nfunc (h heap$) Len() int { return len(h) }\n\nfunc (h heap$) Less(i, j int) bool { return h[i].Key < h[j].Key }\n\nfunc (h heap$) Swap(i, j int) { h[i], h[j] = h[j], h[i] }\n\nfunc (h *heap$) Push(x any) { *h = append(*h, struct { Key int; Val ‹E› }{x.(int), ‹X›}) }\n\nfunc (h *heap$) Pop() any { old := *h; x := old[len(old)-1]; *h = old[:len(old)-1]; return x }",
		[]string{"h := &heap${}\nfor _, n := range []int{5, ‹N›, 3, ‹M›, 1} { heap.Push(h, n) }\nfor h.Len() > 0 { fmt.Println(heap.Pop(h)) }"}},
	{"type reader$ struct { text string; reads int }\n\nfunc (r *reader$) Read(p []byte) (n int, err error) { if r.text == \"\" { return 0, io.EOF }; r.reads++; n = copy(p[:min(len(p), 3)], r.text); r.text = r.text[n:]; return n, nil }",
		[]string{
			"r := &reader${text: ‹S›}\nb, err := io.ReadAll(r)\nfmt.Printf(\"%q %v %d\\n\", b, err, r.reads)",
			"sc := bufio.NewScanner(io.MultiReader(&reader${text: ‹S›}, strings.NewReader(\" z\\ny\")))\nfor sc.Scan() { fmt.Printf(\"%q\\n\", sc.Text()) }",
			"var r io.Reader = &reader${text: ‹S›}\n_, ok := r.(io.Writer)\nn, err := io.Copy(io.Discard, io.LimitReader(r, 4))\nfmt.Println(n, err, ok)",
		}},
	{"type writer$ struct { lines []string; n ‹E› }\n\nfunc (w *writer$) Write(p []byte) (int, error) { if len(w.lines) > 2 { return 0, io.ErrShortWrite }; w.lines = append(w.lines, string(p)); return len(p), nil }",
		[]string{
			"w := &writer${n: ‹X›}\nfor i := range 4 { n, err := fmt.Fprint(w, i, ‹S›); fmt.Println(n, err) }\nfmt.Printf(\"%q\\n\", w.lines)",
			"w := &writer${}\nn, err := io.WriteString(io.MultiWriter(w, io.Discard), ‹S›)\nfmt.Println(n, err, len(w.lines))",
		}},
	{"type fail$ struct { At ‹E›; Err error }\n\nfunc (f *fail$) Error() string { return fmt.Sprint(\"fail at \", f.At, \": \", f.Err) }\n\nfunc (f *fail$) Unwrap() error { return f.Err }\n\nfunc mayFail$(n int) error { if n%2 == 0 { return &fail${‹X›, io.ErrUnexpectedEOF} }; return nil }",
		[]string{
			"for i := range 2 { err := mayFail$(i); var f *fail$; fmt.Println(err, errors.As(err, &f), errors.Is(err, io.ErrUnexpectedEOF), f == nil) }",
			"err := fmt.Errorf(\"more: %w\", mayFail$(id(‹N›) * 2))\nfmt.Println(err, errors.Unwrap(errors.Unwrap(err)) == io.ErrUnexpectedEOF)",
			"try(func() { panic(mayFail$(0)) })",
		}},
	{"type shown$ struct { A ‹E›; b int }\n\nfunc (s shown$) Format(st fmt.State, verb rune) { w, ok := st.Width(); fmt.Fprintf(st, \"<%c %d %v %v>\", verb, w, ok, s.A) }",
		[]string{"s := shown${‹X›, ‹N›}\nfmt.Printf(\"%v %5d %s|\\n\", s, s, []shown${s})\nfmt.Println(s, map[string]shown${\"k\": s})"}},
	{"type coded$ struct { A int; B string; c ‹E› }\n\nfunc (c coded$) MarshalText() ([]byte, error) { return fmt.Appendf(nil, \"%d:%q\", c.A, c.B), nil }\n\nfunc (c *coded$) UnmarshalText(b []byte) error { _, err := fmt.Sscanf(string(b), \"%d:%q\", &c.A, &c.B); return err }",
		[]string{"c := coded${A: ‹N›, B: ‹S›}\nb, err := json.Marshal(map[string]any{\"x\": c, \"y\": &c, \"z\": []coded${c}})\nfmt.Println(string(b), err)\nvar d []coded$\nfmt.Println(json.Unmarshal([]byte(`[\"3:\\\"q\\\"\"]`), &d), d[0].A, d[0].B)"}},
	{"type named$ interface { ~int | ~string | ~float64; fmt.Stringer }\n\ntype whole$ int\n\nfunc (i whole$) String() string { return \"i\" + strconv.Itoa(int(i)) }\n\ntype word$ string\n\nfunc (w word$) String() string { return \"w\" + string(w) }\n\nfunc texts$[T named$](xs ...T) (out []string) { var zero T; for i, x := range xs { if x != zero || i == 0 { out = append(out, x.String()) } }; return }",
		[]string{"fmt.Println(texts$(whole$(‹N›), 0, 3), texts$(word$(‹S›), word$(\"\")))", "f := texts$[word$]\nfmt.Printf(\"%v %T\\n\", f(\"a\", \"b\"), f)"}},
	{"type setter$[T any] interface { *T; Set(string) }\n\ntype flag$ struct { V ‹E›; Text string }\n\nfunc (f *flag$) Set(s string) { f.Text += s }\n\nfunc set$[T any, P setter$[T]](texts ...string) (out []T) { for _, s := range texts { var v T; P(&v).Set(s); P(&v).Set(\"!\"); out = append(out, v) }; return }",
		[]string{"fmt.Println(set$[flag$](\"a\", ‹S›))", "for i, f := range set$[flag$](‹S›, \"q\") { fmt.Printf(\"%d %+v %T\\n\", i, f, f) }"}},
	{"type num$ interface { ~int | ~int32 | ~float64 | ~uint8 }\n\ntype vec$[T num$] []T\n\nfunc (v vec$[T]) Dot(w vec$[T]) (s T) { for i := range min(len(v), len(w)) { s += v[i] * w[i] }; return }\n\nfunc (v vec$[T]) Map(f func(T) T) vec$[T] { out := make(vec$[T], len(v)); for i, x := range v { out[i] = f(x) }; return out }\n\nfunc sum$[S ~[]T, T num$](s S) (t T) { for _, x := range s { t += x }; return }",
		[]string{
			"v := vec$[int]{‹N›, 2, ‹M›}\nfmt.Println(v.Dot(v), v.Map(func(x int) int { return x*2 - 1 }), sum$(v))",
			"w := vec$[float64]{1.5, 2}\ndot := w.Dot\nfmt.Printf(\"%v %T %v\\n\", dot(vec$[float64]{2, 4}), w, sum$([]uint8{200, 100}))",
		}},
	{"type list$[T any] struct { head *cell$[T]; n int }\n\ntype cell$[T any] struct { v T; next *cell$[T] }\n\nfunc (l *list$[T]) Add(v T) { l.head = &cell$[T]{v, l.head}; l.n++ }\n\nfunc (l *list$[T]) Turn() { var prev *cell$[T]; for c := l.head; c != nil; { prev, c, c.next = c, c.next, prev }; l.head = prev }\n\nfunc (l *list$[T]) All(yield func(int, T) bool) { i := 0; for c := l.head; c != nil; c, i = c.next, i+1 { if !yield(i, c.v) { return } } }",
		[]string{
			"var l list$[‹E›]\nfor _, x := range []‹E›{‹X›, ‹Y›, ‹Z›} { l.Add(x) }\nl.Turn()\nfor i, x := range l.All { if i > 1 { break }; fmt.Println(i, x) }",
			"var l list$[[2]int]\nl.Add([2]int{‹N›, 1})\nl.Add([2]int{2, ‹M›})\nfor i, p := range l.All { p[0]++; defer fmt.Println(\"deferred\", i, p) }\nl.Turn()\nfor _, p := range l.All { fmt.Println(p) }",
		}},
	{"func find$(xs []‹E›, n int) (at int, x ‹E›, err error) { for i, x := range slices.All(xs) { if i == n { return i, x, nil } }; return -1, x, io.EOF }",
		[]string{"for i := range 3 { fmt.Println(find$([]‹E›{‹X›, ‹Y›}[:1], i)) }"}},
	{"func even$(n int) bool { if n <= 0 { return true }; return odd$(n - 1) }\n\nfunc odd$(n int) bool { if n <= 0 { return false }; return even$(n - 1) }",
		[]string{"f := even$\nfmt.Println(f(id(‹N›) & 7), odd$(id(‹M›) & 7))"}},
	{"func counters$(n int) (up func() int, get func() [2]int) { a := [2]int{n, 1}; up = func() int { a[0], a[1] = a[1], a[0]+1; return a[0] }; get = func() [2]int { return a }; return }",
		[]string{"up, get := counters$(‹N›)\nfor range 3 { fmt.Print(up(), \" \") }\nfmt.Println(get())"}},
	{"func walk$(edges map[int][]int, from int) (order [][]int) { seen, cur, next := map[int]bool{from: true}, []int{from}, []int(nil); for len(cur) > 0 { order = append(order, slices.Clone(cur)); for _, v := range cur { for _, to := range edges[v] { if !seen[to] { seen[to] = true; next = append(next, to) } } }; cur, next = next, cur[:0] }; return }",
		[]string{"fmt.Println(walk$(map[int][]int{1: {2, 3}, 2: {4}, 3: {4, 5}, 5: {6, 1}}, id(‹N›)&1 + 1))"}},
	{"type state$ func(*machine$) state$\n\ntype machine$ struct { log []string; n int }\n\nfunc (m *machine$) run(s state$) *machine$ { for s != nil { s = s(m) }; return m }\n\nfunc first$(m *machine$) state$ { m.log = append(m.log, \"first\"); if m.n++; m.n > 3 { return nil }; return m.second }\n\nfunc (m *machine$) second(*machine$) state$ { m.log = append(m.log, fmt.Sprint(m.n)); return first$ }",
		[]string{"fmt.Println((&machine${n: id(‹N›) % 3}).run(first$).log)"}},
	{"type level$ uint8\n\nconst (\n\tlow$ level$ = iota + 1\n\tmid$\n\thigh$\n)\n\nfunc (l level$) String() string { switch l { case low$: return \"low\"; case mid$: return \"mid\"; default: return fmt.Sprintf(\"level(%d)\", uint8(l)) } }\n\ntype base$ struct { Level level$; X ‹E› }\n\nfunc (b *base$) Raise() { b.Level++ }\n\nfunc (b base$) Twice() (base$, base$) { return b, b }\n\ntype outer$ struct { base$; Next *outer$ }",
		[]string{
			"o := outer${base$: base${low$, ‹X›}}\no.Next = &outer${base$: o.base$}\no.Raise()\no.Next.Raise()\no.Next.Raise()\na, b := o.Next.Twice()\nfmt.Println(o.Level, a.Level, b, [...]level${mid$: high$}, map[level$]int{low$: 1, 9: 2})",
			"r := (*outer$).Raise\no := outer${}\nr(&o)\nraise := o.Raise\nraise()\nfmt.Printf(\"%v %d %s %+v\\n\", o.Level, o.Level, high$, o.base$)",
		}},
	{"func drain$[T any](c <-chan T, quit chan struct{}) (n int, last T) { for { select { case x, ok := <-c: if !ok { return n, last }; n, last = n+1, x; case <-quit: return -1, last } } }",
		[]string{
			"c := make(chan [2]‹E›, 2)\nc <- [2]‹E›{‹X›}\nc <- [2]‹E›{‹Y›, ‹Z›}\nclose(c)\nfmt.Println(drain$(c, nil))\nfmt.Println(drain$(c, make(chan struct{})))",
			"a := make(chan [2]int, 2)\nquit := make(chan struct{})\ngo func() { defer close(quit); for p := range a { fmt.Println(p) } }()\nfor i := range 3 { select { case a <- [2]int{i, ‹N›}: case <-quit: fmt.Println(\"early\") } }\nclose(a)\n<-quit",
		}},
}
