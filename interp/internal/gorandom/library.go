package gorandom

// library writes statements in which functions of the standard library call what programs declare, or take types of
// theirs. In a text, E is a printable type, K a type of keys, X, Y and Z expressions of type E, N and M some of int, S
// one of string, and $ a number that makes names unique.
func (g *generator) library() {
	if g.plain || g.pure {
		g.simple()
		return
	}
	g.libraryOf(uses)
}

func (g *generator) libraryOf(texts []string) {
	g.w("{\n%s\n}\n", g.fill(pick(g, texts...), g.name(""), g.printableType(1)))
}

// openings use interfaces of the standard library in instances of generic functions before anything else in the program
// does: a session may then take them for types of its own, which closings would show.
var openings = []string{
	"fmt.Println(must(strconv.Atoi(\"3\")))",
	"fmt.Println(check[‹E›](‹X›, func(‹E›) error { return io.EOF }))",
	"fmt.Println(label(‹N›, time.Second), label[[]string](nil, time.March))",
	"fmt.Println(read[string](strings.NewReader(\"ab\"), bytes.NewBufferString(\"c\")))",
}

var closings = []string{
	"fmt.Printf(\"%T %T %T %T\\n\", []error{}, func(error) fmt.Stringer { return nil }, map[string]io.Reader{}, struct{ E error }{})",
	"err := fs.WalkDir(fstest.MapFS{\"a/b\": {}}, \".\", func(path string, d fs.DirEntry, err error) error { fmt.Println(path, err); return err })\nfmt.Println(err)",
	"t := template.Must(template.New(\"t\").Funcs(template.FuncMap{\"f\": func(s string) (string, error) { return s, nil }}).Parse(\"{{f .}}\"))\nfmt.Println(t.Execute(io.Discard, ‹S›))",
	"errs := []error{io.EOF, errors.New(‹S›)}\nerr := errors.Join(errs...)\nfmt.Println(errors.Is(err, io.EOF))",
	"rs := []io.Reader{strings.NewReader(‹S›), bytes.NewBufferString(\"x\")}\nb, err := io.ReadAll(io.MultiReader(rs...))\nfmt.Println(string(b), err)",
	"var v any = func(e error) (fmt.Stringer, io.Reader) { return nil, nil }\n_, ok := v.(func(error) (fmt.Stringer, io.Reader))\nfmt.Println(ok, reflect.TypeOf(v).In(0) == reflect.TypeFor[error]())",
}

var uses = []string{
	"xs := []‹E›{‹X›, ‹Y›, ‹Z›}\nsort.SliceStable(xs, func(i, j int) bool { return fmt.Sprint(xs[i]) < fmt.Sprint(xs[j]) })\nfmt.Println(xs)",
	"xs := []‹E›{‹X›, ‹Y›, ‹Z›}\nslices.SortStableFunc(xs, func(a, b ‹E›) int { return cmp.Compare(len(fmt.Sprint(a)), len(fmt.Sprint(b))) })\nfmt.Println(xs, ‹N›)",
	"fmt.Println(strings.Map(func(r rune) rune { if r == 'a' { return -1 }; return r + 1 }, ‹S›))",
	"fmt.Println(strings.FieldsFunc(‹S›, func(r rune) bool { return r == 'x' || unicode.IsSpace(r) }))",
	"n, err := strconv.Atoi(‹S›)\nfmt.Println(n, err)\nvar ne *strconv.NumError\nfmt.Println(errors.As(err, &ne), errors.Is(err, strconv.ErrSyntax))",
	"n := must(strconv.Atoi(\"12\"))\nfmt.Println(n)",
	"try(func() { fmt.Println(must(strconv.ParseBool(‹S›))) })",
	"err := check[‹E›](‹X›, func(x ‹E›) error { if ‹B› { return fmt.Errorf(\"bad %v: %w\", x, io.EOF) }; return nil })\nfmt.Println(err, errors.Is(err, io.EOF))",
	"fsys := fstest.MapFS{\"a/b.txt\": {Data: []byte(\"x\")}, \"c\": {}}\nerr := fs.WalkDir(fsys, \".\", func(path string, d fs.DirEntry, err error) error { fmt.Println(path, d.IsDir(), err); return err })\nfmt.Println(err)",
	"var b strings.Builder\nt := template.Must(template.New(\"t\").Funcs(template.FuncMap{\"twice\": func(x int) (int, error) { return 2 * x, nil }}).Parse(\"{{twice .}};\"))\nfmt.Println(t.Execute(&b, ‹N›), b.String())",
	"errs := []error{io.EOF, errors.New(\"x\")}\nerr := errors.Join(errs...)\nfmt.Println(err, errors.Is(err, io.EOF))",
	"fmt.Printf(\"%T %T\\n\", func(error) error { return nil }, []error{})",
	"var w bytes.Buffer\nn, err := fmt.Fprintf(&w, \"%v|%T\", ‹X›, ‹Y›)\nfmt.Println(n, err, w.String())",
	"m := map[‹K›]‹E›{‹KX›: ‹X›}\nfmt.Println(m, len(m))\nx, ok := m[‹KX›]\nfmt.Println(x, ok)\nclear(m)\nfmt.Println(m)",
	"m := map[any]int{}\nm[‹KX›]++\nm[any(‹KX›)]++\nfor _, n := range m { _ = n }\nfmt.Println(len(m), m[‹KX›])",
	"f := sync.OnceValue(func() ‹E› { fmt.Println(\"once\"); return ‹X› })\n_ = f()\nfmt.Println(f())",
	"next, stop := iter.Pull(each[‹E›](‹X›, ‹Y›))\ndefer stop()\nfor { x, ok := next(); if !ok { break }; fmt.Println(x) }",
	"fmt.Println(reflect.TypeOf(‹X›), reflect.DeepEqual(‹X›, ‹Y›), reflect.TypeFor[map[string]‹E›]())",
	"x := ‹X›\np := &x\n*p = ‹Y›\nfmt.Println(x)",
	"sc := bufio.NewScanner(strings.NewReader(\"a b\\nc\"))\nsc.Split(bufio.ScanWords)\nfor sc.Scan() { fmt.Print(sc.Text(), \";\") }\nfmt.Println()",
	"b, err := json.Marshal(struct{ A int; B string; C []int }{‹N›, \"q\", []int{1}})\nfmt.Println(string(b), err)",
	"type local$ struct { X ‹E›; N int }\nv := local${‹X›, ‹N›}\nw := v\nw.N++\nfmt.Printf(\"%v %+v %T\\n\", v, w, w)",
	"type item$[T any] struct { v T }\nfmt.Printf(\"%T %v\\n\", item$[‹E›]{‹X›}, item$[‹I›]{})",
	"p := pair[‹K›, ‹E›]{‹KX›, ‹X›}\nq := p.With(‹Y›)\n(&p).Set(‹Z›)\nfmt.Printf(\"%v %+v %T\\n\", p, q, q)",
	"s := (&stack[pair[‹K›, ‹E›]]{}).Push(pair[‹K›, ‹E›]{‹KX›, ‹X›})\nfor i, x := range s.All() { fmt.Println(i, x) }\nfmt.Printf(\"%T\\n\", *s)",
	"xs := [][2]‹E›{{‹X›, ‹Y›}, {‹Z›}}\nxs[0][1], xs[1][0] = xs[1][0], xs[0][1]\nfmt.Println(xs)",
	"a := [2]struct { X ‹E›; Y int }{{‹X›, 1}, {Y: ‹N›}}\nb := a\nb[0], b[1] = a[1], a[0]\nfmt.Println(a, b)",
	"c := make(chan [2]‹E›, 2)\nc <- [2]‹E›{‹X›, ‹Y›}\nclose(c)\nx, ok := <-c\ny, ok2 := <-c\nfmt.Println(x, ok, y, ok2)",
	"m := map[string][2]‹E›{\"a\": {‹X›, ‹Y›}}\nv := m[\"a\"]\nv[0] = ‹Z›\nfmt.Println(v, m, m[\"none\"])",
	"f := func(xs ...‹E›) int { return len(xs) }\nfmt.Println(f(), f(‹X›), f([]‹E›{‹X›, ‹Y›}...))",
	"f := func(n int) (x ‹E›, err error) { defer func() { if r := recover(); r != nil { err = fmt.Errorf(\"caught %v\", r) } }(); x = ‹X›; var xs []int; _ = xs[n]; return x, nil }\nfmt.Println(f(‹N›))",
	"var fib func(n int) int\nfib = func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfmt.Println(fib(8))",
	"fmt.Println(time.Duration(‹N›), time.Month(3), []time.Duration{time.Second})",
	"fmt.Println(slices.Collect(maps.Values(map[int]‹E›{1: ‹X›})), slices.Index([]string{\"a\", ‹S›}, ‹S›))",
	"type node$ struct { v ‹E›; next *node$ }\nvar head *node$\nfor _, x := range []‹E›{‹X›, ‹Y›} { head = &node${x, head} }\nfor n := head; n != nil; n = n.next { fmt.Println(n.v) }",
	"type tree$ struct { l, r *tree$; n int }\nvar root *tree$\nvar put func(t *tree$, n int) *tree$\nput = func(t *tree$, n int) *tree$ { if t == nil { return &tree${n: n} }; if n < t.n { t.l = put(t.l, n) } else { t.r = put(t.r, n) }; return t }\nfor _, n := range []int{3, ‹N›, 1} { root = put(root, n) }\nfmt.Println(root.n, root.l != nil)",
	"cur, next := []‹E›{‹X›}, []‹E›{}\nfor i := range 3 { for _, x := range cur { next = append(next, x, ‹Y›) }; cur, next = next, cur[:0]; fmt.Println(i, len(cur), cur[:1]) }",
	"a, b := 0, 1\nfor range 6 { a, b = b, a+b; fmt.Print(a, \" \") }\nfmt.Println()",
	"for i, r := range ‹S› { fmt.Print(i, string(r), r, \" \") }\nfmt.Println(len(‹S›), []byte(‹S›), []rune(‹S›))",
	"fmt.Println(min(‹N›, 3, ‹N›), max(‹S›, \"b\"), min(uintptr(id(3)), uintptr(id(2))), max(uintptr(id(3)), uintptr(id(9))))",
	"var s fmt.Stringer = time.Duration(‹N›)\nfmt.Println(s)\n_, ok := s.(error)\nfmt.Println(ok)",
	"xs := slices.Collect(each[‹E›](‹X›, ‹Y›, ‹Z›))\nfor c := range slices.Chunk(xs, 2) { fmt.Println(c) }",
	"type in$ struct { V ‹E›; N int }\ntype mid$ struct { in$; M map[string]int }\ntype out$ struct { *mid$; K ‹I› }\no := out${mid$: &mid${in$: in${‹X›, ‹N›}}}\no.N++\no.V, o.mid$.M = ‹Y›, map[string]int{\"a\": o.N}\nc := *o.mid$\nc.N--\nfmt.Println(o.V, o.N, c.N, o.in$.N, o.M[\"a\"], len(c.M))",
	"c, d := make(chan [2]‹E›, 2), make(chan int)\nloop$:\nfor i := 0; ; i++ {\nselect {\ncase c <- [2]‹E›{‹X›, ‹Y›}:\nif i > 4 { break loop$ }\ncase x := <-d:\nfmt.Println(x)\ndefault:\nfmt.Println(len(c), <-c)\nif i > 3 { break loop$ }\n}\n}",
	"d := make(chan int)\ndone := make(chan bool)\ngo func() { defer close(done); for x := range d { fmt.Println(\"got\", x) } }()\nvar none chan int\nfor i := range 3 { select { case d <- i + ‹N›: case none <- 1: case <-none: } }\nclose(d)\n<-done",
}
