package gorandom

// Random types.

func (g *generator) basicType() *typ {
	switch g.IntN(10) {
	case 0, 1, 2:
		return intType
	case 3, 4:
		return stringType
	case 5:
		return pick(g, basic("float64"), basic("float64"), basic("float32"))
	case 6:
		return pick(g, boolType, boolType, basic("complex128"), basic("complex64"))
	default:
		return basic(pick(g, integers...))
	}
}

// typ returns a type of no more than so many layers.
func (g *generator) typ(depth int) *typ {
	for {
		t := g.anyTyp(depth)
		if t.words() <= maxWords && (!g.plain || t.plain()) {
			return t
		}
	}
}

func (g *generator) anyTyp(depth int) *typ {
	if len(g.tparams) > 0 && g.one(2) {
		return pick(g, g.tparams...)
	}
	if depth <= 0 {
		if len(g.named) > 0 && g.one(3) {
			return pick(g, g.named...)
		}
		return g.basicType()
	}
	switch g.IntN(20) {
	case 0, 1, 2, 3:
		if len(g.named) > 0 {
			return pick(g, g.named...)
		}
	case 4, 5, 6:
		return arrayOf(1+g.IntN(4), g.anyTyp(depth-1))
	case 7, 8, 9:
		return sliceOf(g.anyTyp(depth - 1))
	case 10, 11:
		return mapOf(g.keyType(depth-1), g.anyTyp(depth-1))
	case 12:
		return g.structType(depth - 1)
	case 13:
		return pick(g, anyType, errorType, anyType, stringer)
	case 14:
		return pointerTo(g.anyTyp(depth - 1))
	case 15:
		return g.instance(depth - 1)
	case 16:
		if len(g.ifaces) > 0 {
			return pick(g, g.ifaces...)
		}
	}
	return g.basicType()
}

func (g *generator) suchTyp(depth int, ok func(*typ) bool) *typ {
	for range 50 {
		if t := g.typ(depth); ok(t) {
			return t
		}
	}
	return intType
}

func (g *generator) keyType(depth int) *typ {
	for _, p := range g.tparams {
		if p.constraint == "comparable" && g.one(2) {
			return p
		}
	}
	return g.suchTyp(depth, (*typ).isKey)
}

func (g *generator) printableType(depth int) *typ { return g.suchTyp(depth, (*typ).printable) }

func (g *generator) structType(depth int) *typ {
	t := &typ{kind: structKind}
	for i := range 1 + g.IntN(3) {
		f := g.anyTyp(depth)
		if f.kind == namedKind && f.generic == nil && g.one(3) && !hasField(t, f.name) {
			t.fields = append(t.fields, field{f.name, f, true})
		} else {
			name := string(rune('A' + i))
			if g.one(4) {
				name = string(rune('a' + i))
			}
			t.fields = append(t.fields, field{name, f, false})
		}
	}
	return t
}

func hasField(t *typ, name string) bool {
	for _, f := range t.fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// instance is an instance of a generic type.
func (g *generator) instance(depth int) *typ {
	d := pick(g, g.generics...)
	return d.instance(g.typeArgs(d.params, depth))
}

func (g *generator) typeArgs(params []*typ, depth int) (args []*typ) {
	for _, p := range params {
		t := g.suchTyp(max(depth, 0), func(t *typ) bool { return g.satisfies(t, p.constraint) })
		if p.constraint == "fmt.Stringer" && !g.satisfies(t, p.constraint) {
			t = duration
		}
		args = append(args, t)
	}
	return args
}

// satisfies says whether a type can be given for a type parameter. Types without printable values are not.
func (g *generator) satisfies(t *typ, constraint string) bool {
	if !t.printable() {
		return false
	}
	b := t.base()
	switch constraint {
	case "comparable":
		return t.isKey() || t.kind == paramKind && t.constraint == "comparable"
	case "integer":
		return isInteger(b)
	case "number":
		return isNumber(b) && !(b.kind == paramKind && b.constraint == "cmp.Ordered")
	case "cmp.Ordered":
		return isInteger(b) || isFloat(b) || isString(b) || b.kind == paramKind && b.constraint == "cmp.Ordered"
	case "fmt.Stringer":
		return t.kind == paramKind && t.constraint == constraint || t.implements(stringer, false) && t.kind != interfaceKind
	}
	return true
}
