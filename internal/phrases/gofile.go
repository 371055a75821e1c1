package phrases

import (
	"cmp"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goFile is a parsed Go file.
type goFile struct {
	pkg, name string // engine/table, fold.go
	tree      *ast.File
	imports   map[string]string // folders of limpet's own packages, by package name
}

// declared holds functions, constants and more by folder and name: "report/sentence.named".
type declared struct {
	functions map[string][]function
	constants map[string]ast.Expr
	fields    map[string]string // type of a field, by its name; empty: several types
	results   map[string][]string
	errors    map[string]string // texts of errors that packages declare, by name: "raid.errTorn"
}

// function is a function and its file.
type function struct {
	file *goFile
	decl *ast.FuncDecl
}

// scope is the place of an expression, and the state of its evaluation.
type scope struct {
	all      *declared
	file     *goFile
	function string                // name of the function; empty outside functions
	types    map[string]string     // types of parameters
	values   map[string][]ast.Expr // expressions that are assigned to local variables
	below    []ast.Node            // texts that are listed below the current phrase
	within   []string              // functions whose results are being searched
	asked    map[string]bool       // variables whose values are being searched
}

// phrases returns the phrases of a file, in the order of the source.
func (f *goFile) phrases(all *declared) (list []Phrase) {
	for _, d := range f.tree.Decls {
		s := &scope{all: all, file: f}
		if decl, ok := d.(*ast.FuncDecl); ok {
			s.types, s.values, s.function = parameters(decl), variables(decl), decl.Name.Name
		}
		found := roots(d)
		texts, beneath := make([][]Segment, len(found)), map[ast.Node]bool{}
		for i := len(found) - 1; i >= 0; i-- { // a text below a later phrase is not a phrase itself
			if beneath[found[i].expr] {
				continue
			}
			s.below = nil
			texts[i] = s.root(found[i])
			for _, n := range s.below {
				beneath[n] = n != found[i].expr || beneath[n]
			}
		}
		for i, text := range texts {
			list = append(list, s.missed(s.function, found[i], text)...)
			for _, line := range lines(text, found[i].label) {
				list = append(list, Phrase{Package: f.pkg, File: f.name, Function: s.function, Text: line})
			}
		}
	}
	return list
}

// missed returns phrases for texts inside a root expression that its phrase does not show, such as
// the texts of a list that is joined.
func (s *scope) missed(name string, r root, text []Segment) (list []Phrase) {
	if text == nil {
		return nil // the text is listed below another phrase
	}
	shown := "\n"
	for _, line := range lines(text, r.label) {
		p := Phrase{Text: line}
		shown += p.Example() + "\n" + p.Own() + "\n"
	}
	for _, e := range append([]ast.Expr{r.expr}, r.values...) {
		ast.Inspect(e, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || !isText(lit) || e == lit || strings.Contains(literal(lit), "%") && verb.MatchString(literal(lit)) || form.MatchString(literal(lit)) {
				return true
			}
			for _, line := range lines([]Segment{{Text: literal(lit)}}, false) {
				if p := (Phrase{Package: s.file.pkg, File: s.file.name, Function: name, Text: line}); !strings.Contains(shown, p.Example()) {
					list = append(list, p)
				}
			}
			return true
		})
	}
	return list
}

// root is an expression that is not part of another text: a text, or a format and its values.
type root struct {
	expr   ast.Expr
	values []ast.Expr // values of a format
	format bool
	label  bool // label of a table or plot, which may be one word
}

// root returns the segments of a root.
func (s *scope) root(r root) []Segment {
	if r.format {
		return s.format(r.expr, r.values)
	}
	if bare.MatchString(literal(r.expr)) { // a format; its values are elsewhere
		return s.format(r.expr, nil)
	}
	return s.text(r.expr)
}

// labels are the names of fields that are printed above a table, a plot or a column.
var labels = []string{"Title", "Label", "Caption", "head", "Name"}

// roots returns the roots in a declaration, without texts that leave.go excludes.
func roots(d ast.Node) (found []root) {
	var path []ast.Node
	inside := map[ast.Node]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		e, ok := n.(ast.Expr)
		if !ok || inside[n] {
			return true
		}
		var r root
		switch call, isCall := n.(*ast.CallExpr); {
		case isCall && isFormat(call) >= 0:
			i := isFormat(call)
			r = root{expr: call.Args[i], values: call.Args[i+1:], format: true}
			path = append(path, call.Args[i])
		case isText(e):
			r = root{expr: e}
		default:
			return true
		}
		left := leftOut(path, literal(r.expr))
		if pair, ok := path[max(0, len(path)-2)].(*ast.KeyValueExpr); ok {
			r.label = slices.Contains(labels, nameOf(pair.Key))
		}
		if r.format {
			path = path[:len(path)-1]
		}
		mark(r.expr, inside)
		if left {
			return true
		}
		for _, e := range r.values {
			mark(e, inside)
		}
		found = append(found, r)
		return true
	})
	return found
}

// mark notes an expression and all its parts, except functions, which have texts of their own.
func mark(e ast.Expr, inside map[ast.Node]bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			inside[n] = true
		}
		return true
	})
}

// verb matches the verbs of a format.
var verb = regexp.MustCompile(`%[-+# 0]*(\*|\d+)?(\.(\*|\d+))?(\[\d+\])?[a-zA-Z%]`)

// bare matches a verb in a text that may not be a format: "99 % of all" has no verb. bareVerb
// matches the verbs of such a text, and has the same groups as verb.
var (
	bare     = regexp.MustCompile(`%(\[\d\])?[dsqvw](\W|$)`)
	bareVerb = regexp.MustCompile(`%()()()(\[\d+\])?[dsqvw]`)
)

// isFormat returns the index of the argument of a call that is a format with verbs; -1 if none is.
func isFormat(call *ast.CallExpr) int {
	for i, arg := range call.Args {
		if isText(arg) {
			if text := literal(arg); strings.Contains(strings.ReplaceAll(text, "%%", ""), "%") && verb.MatchString(text) && i+1 < len(call.Args) {
				return i
			}
			if _, name := callee(call); strings.HasSuffix(name, "printf") || name == "Errorf" {
				return i
			}
		}
	}
	return -1
}

// isText reports whether an expression is a text, or a sum that contains a text.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.ParenExpr:
		return isText(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isText(e.X) || isText(e.Y) || isSprintf(e.X) || isSprintf(e.Y))
	}
	return false
}

func isSprintf(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	_, name := callee(call)
	return name == "Sprintf"
}

// literal returns the text of an expression without its values.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	case *ast.ParenExpr:
		return literal(e.X)
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}

// text returns the segments of an expression that is a text or part of a text.
func (s *scope) text(e ast.Expr) []Segment {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return []Segment{{Text: literal(e)}}
		}
		return []Segment{{Text: e.Value}}
	case *ast.ParenExpr:
		return s.text(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(s.text(e.X), s.text(e.Y)...)
		}
	case *ast.CallExpr:
		if i := isFormat(e); i >= 0 && isSprintf(e) {
			return s.format(e.Args[i], e.Args[i+1:])
		}
	}
	return []Segment{s.value(e, "s")}
}

// format returns the segments of a format and its values.
func (s *scope) format(f ast.Expr, values []ast.Expr) (text []Segment) {
	next, verbs := 0, verb
	if values == nil {
		verbs = bareVerb
	}
	for _, part := range s.text(f) {
		if part.Example != "" {
			text = append(text, part)
			continue
		}
		rest := part.Text
		for {
			at := verbs.FindStringSubmatchIndex(rest)
			if at == nil {
				text = append(text, Segment{Text: rest})
				break
			}
			text = append(text, Segment{Text: rest[:at[0]]})
			v := rest[at[0]:at[1]]
			rest = rest[at[1]:]
			if strings.HasSuffix(v, "%") {
				text = append(text, Segment{Text: "%"})
				continue
			}
			if strings.Contains(v, "*") {
				next++
			}
			if at[8] >= 0 { // %[1]s
				n, _ := strconv.Atoi(strings.Trim(part.Text[len(part.Text)-len(rest)-len(v):][at[8]-at[0]:at[9]-at[0]], "[]"))
				next = n - 1
			}
			var value Segment
			if next < len(values) {
				value = s.value(values[next], v[len(v)-1:])
			} else {
				example := cmp.Or(inPackage(s.place(), v), unnamed(v[len(v)-1:]))
				value = Segment{Example: example, Name: "…", guessed: example == unknown}
			}
			if v[len(v)-1] == 'q' {
				value.Example = strconv.Quote(value.Example)
			}
			text = append(text, value)
			next++
		}
	}
	return text
}

// value returns the segment of a value: its example, and the texts that it can be.
func (s *scope) value(e ast.Expr, verb string) Segment {
	name := nameOf(e)
	choices := s.choices(e)
	example, known := exampleOf(s, e, verb)
	if !known && len(choices) > 0 {
		example = choices[0]
	}
	if len(choices) == 1 && choices[0] == example {
		choices = nil
	}
	return Segment{Example: example, Name: name, Choices: choices, guessed: !known || example == texts["name"] || example == texts["names"]}
}

// deepest is the largest depth of calls in which the results of functions are searched.
const deepest = 3

// choices returns the texts that a value can be, if they are in this function, in a constant, or in
// the results of one of limpet's own functions.
func (s *scope) choices(e ast.Expr) (list []string) {
	add := func(more ...string) {
		for _, text := range more {
			if text = strings.TrimSpace(spaces.ReplaceAllString(text, " ")); text != "" && !slices.Contains(list, text) && words.MatchString(text) {
				list = append(list, text)
			}
		}
	}
	switch e := e.(type) {
	case *ast.BasicLit, *ast.BinaryExpr, *ast.ParenExpr:
		if x, ok := e.(*ast.BinaryExpr); ok && !isText(x) {
			return nil
		}
		add(s.example(e))
	case *ast.Ident:
		if s.asked[e.Name] { // the variable is in its own value: text = text + …
			return nil
		}
		s.ask(e.Name)
		defer delete(s.asked, e.Name)
		for _, v := range s.values[e.Name] {
			add(s.choices(v)...)
		}
		if len(s.asked) == 1 && len(list) > 1 && len(list) <= mostChoices {
			for _, v := range s.values[e.Name] {
				if slices.ContainsFunc(s.text(v), func(part Segment) bool { return len(part.Choices) > 1 }) {
					continue // the text has choices of its own
				}
				if call, ok := v.(*ast.CallExpr); ok && isFormat(call) >= 0 {
					v = call.Args[isFormat(call)]
				}
				s.below = append(s.below, v)
			}
		}
		if c := s.all.constants[s.file.pkg+"."+e.Name]; c != nil && len(s.values[e.Name]) == 0 {
			add(literal(c))
		}
	case *ast.IndexExpr: // map[bool]string{…}[…]
		if table, ok := e.X.(*ast.CompositeLit); ok {
			for _, v := range table.Elts {
				if pair, ok := v.(*ast.KeyValueExpr); ok {
					v = pair.Value
				}
				add(s.choices(v)...)
			}
		}
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if c := s.all.constants[s.file.imports[x.Name]+"."+e.Sel.Name]; c != nil {
				add(literal(c))
			}
		}
	case *ast.CallExpr:
		if i := isFormat(e); i >= 0 {
			if isSprintf(e) {
				add(s.example(e))
			}
			return list
		}
		switch _, name := callee(e); {
		case examplesOfFunctions[name] != "" || keyed[name] || isCount(e):
			return nil
		case transparent[name] && name != "Or":
			if len(e.Args) == 0 {
				return nil
			}
			return s.choices(e.Args[0])
		}
		for _, arg := range e.Args {
			if isText(arg) && words.MatchString(literal(arg)) {
				add(s.example(arg))
			} else if call, ok := arg.(*ast.CallExpr); ok && isSprintf(call) { // append(list, Sprintf(…))
				add(s.example(call))
			} else if ok {
				for _, inner := range call.Args { // tense(in, Verb(n, "is", "are"), "was")
					if isText(inner) && words.MatchString(literal(inner)) {
						add(s.example(inner))
					}
				}
			}
		}
		if len(list) == 0 {
			add(s.results(e)...)
		}
	}
	return list
}

// isCount reports whether a call returns a number and a noun.
func isCount(call *ast.CallExpr) bool {
	_, name := callee(call)
	_, counts := countFunctions[name]
	return counts && len(call.Args) == 2 || name == "countOf" && len(call.Args) == 3
}

// place returns the folder and the name of the file.
func (s *scope) place() string { return s.file.pkg + "/" + s.file.name }

// ask notes that the values of a variable are being searched.
func (s *scope) ask(name string) {
	if s.asked == nil {
		s.asked = map[string]bool{}
	}
	s.asked[name] = true
}

// results returns the texts that one of limpet's own functions returns.
func (s *scope) results(call *ast.CallExpr) (list []string) {
	of, name := callee(call)
	key := s.file.pkg + "." + name
	if folder := s.file.imports[of]; folder != "" {
		key = folder + "." + name
	}
	if known, ok := s.all.results[key]; ok {
		return known
	}
	found := s.all.functions[key]
	if len(found) != 1 || len(s.within) >= deepest || slices.Contains(s.within, key) {
		return nil
	}
	if len(s.within) == 0 {
		defer func() { s.all.results[key] = list }()
	}
	f := found[0]
	inner := &scope{
		all: s.all, file: f.file, function: f.decl.Name.Name, types: parameters(f.decl), values: variables(f.decl),
		within: append(slices.Clone(s.within), key),
	}
	if f.decl.Type.Results == nil || f.decl.Body == nil || typeOf(f.decl.Type.Results.List[0].Type) != "string" {
		return nil
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				if e := n.Results[0]; isText(e) || isSprintf(e) {
					list = append(list, inner.example(e))
				} else {
					list = append(list, inner.choices(e)...)
				}
			}
		}
		return true
	})
	return list
}

// example returns a text with examples of its values.
func (s *scope) example(e ast.Expr) string {
	p := Phrase{Package: s.file.pkg, File: s.file.name, Function: s.function, Text: distinct(s.text(e)), inner: true}
	if slices.ContainsFunc(p.Text, func(part Segment) bool { return part.Example != "" }) {
		p.exemplify()
	}
	var b strings.Builder
	for i, part := range p.Text {
		if i > 0 && apart(p.Text[i-1], part) && !strings.HasSuffix(p.Text[i-1].Text, ".") { // a name such as osp.FS has no space
			b.WriteString(" ")
		}
		b.WriteString(part.Text + part.Example)
	}
	return b.String()
}

// parameters returns the types of a function's parameters by name.
func parameters(f *ast.FuncDecl) map[string]string {
	types := map[string]string{}
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			types[name.Name] = typeOf(field.Type)
		}
	}
	return types
}

// variables returns the expressions that are assigned to each local variable of a function.
func variables(f *ast.FuncDecl) map[string][]ast.Expr {
	values := map[string][]ast.Expr{}
	if f.Body == nil {
		return values
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && name.Name != "_" {
					values[name.Name] = append(values[name.Name], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					values[name.Name] = append(values[name.Name], n.Values[i])
				}
			}
		}
		return true
	})
	return values
}

// typeOf returns a type as it is written in Go, without pointers.
func typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeOf(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return typeOf(e.X)
	case *ast.ArrayType:
		return "[]" + typeOf(e.Elt)
	case *ast.Ellipsis:
		return "[]" + typeOf(e.Elt)
	}
	return ""
}

// nameOf returns the name of a value in the source: of a.b.c, it is c.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		_, name := callee(e)
		switch {
		case len(e.Args) > 0 && transparent[name]:
			return nameOf(e.Args[0])
		case len(e.Args) > 0 && keyed[name] && isText(e.Args[0]):
			return literal(e.Args[0])
		case len(e.Args) == 0 && transparent[name]: // err.Error()
			if f, ok := e.Fun.(*ast.SelectorExpr); ok {
				return nameOf(f.X)
			}
		}
		return name
	case *ast.IndexExpr:
		return nameOf(e.X)
	case *ast.StarExpr:
		return nameOf(e.X)
	case *ast.UnaryExpr:
		return nameOf(e.X)
	case *ast.ParenExpr:
		return nameOf(e.X)
	case *ast.BinaryExpr:
		if n := nameOf(e.X); n != "" {
			return n
		}
		return nameOf(e.Y)
	case *ast.SliceExpr:
		return nameOf(e.X)
	}
	return ""
}
