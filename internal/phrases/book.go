package phrases

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Room is a room of ARCHITECTURE.md.
type Room struct{ Name, Owns string }

// Book holds all texts that limpet can print.
type Book struct {
	Rooms   []Room // the rooms whose texts users see first come first
	Phrases []Phrase
}

// Collect returns the phrases of the source below a folder.
func Collect(root string) (*Book, error) {
	c := newCollector(os.DirFS(root), "")
	rooms, err := c.rooms()
	if err != nil {
		return nil, err
	}
	if c.path, err = c.module(); err != nil {
		return nil, err
	}
	list, err := c.collect(rooms)
	return &Book{Rooms: rooms, Phrases: list}, err
}

// rooms returns the rooms of the table in ARCHITECTURE.md, from the last line to the first.
func (c *collector) rooms() ([]Room, error) {
	const architecture = "ARCHITECTURE.md"
	text, err := fs.ReadFile(c.root, architecture)
	if err != nil {
		return nil, err
	}
	_, table, found := strings.Cut(string(text), "<!-- rooms -->")
	if !found {
		return nil, fmt.Errorf("%s has no table of rooms behind <!-- rooms -->", architecture)
	}
	var rooms []Room
	for line := range strings.Lines(strings.TrimLeft(table, "\n")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			break
		}
		if name := strings.Trim(cells[1], " `-"); name != "" && name != "room" {
			rooms = append(rooms, Room{name, strings.TrimSpace(cells[2])})
		}
	}
	slices.Reverse(rooms)
	return rooms, nil
}

// collector collects the phrases of files.
type collector struct {
	root    fs.FS
	path    string // path of the module: github.com/limpet-storage/limpet
	files   *token.FileSet
	all     *declared
	goFiles []*goFile
	other   []Phrase // phrases of files that are not Go
}

func newCollector(root fs.FS, path string) *collector {
	return &collector{
		root: root, path: path, files: token.NewFileSet(),
		all: &declared{map[string][]function{}, map[string]ast.Expr{}, map[string]string{}, map[string][]string{}, map[string]string{}},
	}
}

// collect returns the phrases of rooms, by package and file.
func (c *collector) collect(rooms []Room) ([]Phrase, error) {
	for _, room := range rooms {
		if err := c.room(room.Name); err != nil {
			return nil, err
		}
	}
	for _, f := range c.goFiles {
		c.index(f)
	}
	list := c.other
	for _, f := range c.goFiles {
		list = append(list, f.phrases(c.all)...)
	}
	list = slices.DeleteFunc(list, func(p Phrase) bool { return p.forPrograms() })
	for i := range list {
		list[i].Room, _, _ = strings.Cut(list[i].Package, "/")
		list[i].exemplify()
		list[i].complete()
	}
	slices.SortStableFunc(list, func(a, b Phrase) int {
		return strings.Compare(a.Package+"\x00"+a.File, b.Package+"\x00"+b.File)
	})
	return slices.CompactFunc(list, func(a, b Phrase) bool {
		return a.Package == b.Package && a.File == b.File && a.Function == b.Function && a.Example() == b.Example()
	}), nil
}

// module returns the path of the module.
func (c *collector) module() (string, error) {
	file, err := c.root.Open("go.mod")
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read
	in := bufio.NewScanner(file)
	for in.Scan() {
		if module, ok := strings.CutPrefix(in.Text(), "module "); ok {
			return module, nil
		}
	}
	return "", errors.Join(errors.New("go.mod names no module"), in.Err())
}

// room reads the files of a room. It skips files of tests, packages of npm, built files, and
// folders with another Go module.
func (c *collector) room(room string) error {
	return fs.WalkDir(c.root, room, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch base := d.Name(); base {
			case "testdata", "node_modules", "dist", "asm", "duckdb", "torture", "phrases":
				return fs.SkipDir
			default:
				if strings.HasSuffix(base, "test") { // storetest, sitetest: parts of tests
					return fs.SkipDir
				}
			}
			return nil
		}
		read := readers[path.Ext(name)]
		if read == nil || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".test.ts") || path.Base(name) == "charts.js" {
			return nil
		}
		text, err := fs.ReadFile(c.root, name)
		if err != nil {
			return err
		}
		return read(c, name, string(text))
	})
}

// readers holds the functions that read files, by the ending of the file name.
var readers map[string]func(c *collector, name, text string) error

func init() {
	readers = map[string]func(c *collector, name, text string) error{
		".go": (*collector).parse, ".tmpl": (*collector).markup, ".svelte": (*collector).markup, ".html": (*collector).markup,
		".js": (*collector).script, ".ts": (*collector).script, ".yaml": (*collector).preset,
	}
}

// parse parses a Go file. It skips a file that imports testing, because the file is part of tests.
func (c *collector) parse(name, text string) error {
	tree, err := parser.ParseFile(c.files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f := &goFile{pkg: path.Dir(name), name: path.Base(name), tree: tree, imports: map[string]string{}}
	for _, spec := range tree.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if imported == "testing" {
			return nil
		}
		if folder, ours := strings.CutPrefix(imported, c.path+"/"); ours {
			as := path.Base(folder)
			if spec.Name != nil {
				as = spec.Name.Name
			}
			f.imports[as] = folder
		}
	}
	c.goFiles = append(c.goFiles, f)
	return nil
}

// index notes the functions and constants of a file.
func (c *collector) index(f *goFile) {
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			key := f.pkg + "." + d.Name.Name
			c.all.functions[key] = append(c.all.functions[key], function{f, d})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.TypeSpec); ok {
					c.fields(v.Type)
				}
				if v, ok := spec.(*ast.ValueSpec); ok {
					c.values(f.pkg, v, d.Tok == token.CONST)
				}
			}
		}
	}
}

// values notes constants with text, and errors that a package declares, such as
// var errTorn = errors.New("the file ends early").
func (c *collector) values(pkg string, v *ast.ValueSpec, constant bool) {
	for i, name := range v.Names {
		if i >= len(v.Values) {
			break
		}
		key := pkg + "." + name.Name
		if constant && isText(v.Values[i]) {
			c.all.constants[key] = v.Values[i]
		}
		if call, ok := v.Values[i].(*ast.CallExpr); ok && !constant && len(call.Args) == 1 {
			if of, name := callee(call); of == "errors" && name == "New" && isText(call.Args[0]) {
				c.all.errors[key] = literal(call.Args[0])
			}
		}
	}
}

// fields notes the types of the fields of a struct.
func (c *collector) fields(e ast.Expr) {
	of, ok := e.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range of.Fields.List {
		for _, name := range field.Names {
			t := typeOf(field.Type)
			if other, found := c.all.fields[name.Name]; found && other != t {
				t = ""
			}
			c.all.fields[name.Name] = t
		}
	}
}

// add notes a phrase of a file that is not Go.
func (c *collector) add(name string, text []Segment, label bool) {
	for _, line := range lines(text, label) {
		c.other = append(c.other, Phrase{Package: path.Dir(name), File: path.Base(name), Text: line})
	}
}

// preset reads the first line of a preset, which --tables help prints.
func (c *collector) preset(name, text string) error {
	if line, _, _ := strings.Cut(text, "\n"); strings.Contains(name, "/presets/") && strings.HasPrefix(line, "# ") {
		c.add(name, []Segment{{Text: line[2:]}}, false)
	}
	return nil
}

// WritePage writes the book as Markdown.
func (b *Book) WritePage(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# What can limpet print?\n\n"+
		"Every sentence, headline, label, warning and error of limpet: %d phrases, by room and package. Values are examples, *in italics*. "+
		"A list below a phrase has the words from which the program chooses. The file and the function that print a phrase are named above the phrase.\n\n"+
		"`make phrases` writes this page from the source. To change a phrase, change the source.\n\n", len(b.Phrases))
	for _, room := range b.Rooms {
		fmt.Fprintf(out, "- [%s](#%s): %s\n", room.Name, room.Name, room.Owns)
	}
	for _, room := range b.Rooms {
		fmt.Fprintf(out, "\n## %s\n", room.Name)
		var pkg, place string
		for i := range b.Phrases {
			p := &b.Phrases[i]
			if p.Room != room.Name {
				continue
			}
			if p.Package != pkg {
				pkg, place = p.Package, ""
				fmt.Fprintf(out, "\n### %s\n", pkg)
			}
			here := p.File
			if p.Function != "" {
				here += ", " + p.Function
			}
			if here != place {
				place = here
				fmt.Fprintf(out, "\n%s:\n\n", escape(here))
			}
			p.write(out)
		}
	}
	return out.Flush()
}

// mostChoices is the largest number of choices that are listed below a phrase. If a function has
// more, its texts are listed under its own name.
const mostChoices = 10

// write writes a phrase as lines of a list.
func (p *Phrase) write(out io.Writer) {
	fmt.Fprint(out, "- ")
	for i, s := range p.Text {
		if i > 0 && apart(p.Text[i-1], s) {
			fmt.Fprint(out, " ")
		}
		if s.Example == "" {
			fmt.Fprint(out, escape(s.Text))
			continue
		}
		example := strings.TrimSpace(s.Example)
		left, right := "", ""
		if len(example) > 2 && example[0] == '"' && strings.Count(example, `"`) == 2 && example[len(example)-1] == '"' { // a*"x"* is no emphasis in CommonMark
			left, right, example = `"`, `"`, strings.Trim(example, `"`)
		}
		fmt.Fprintf(out, "%s*%s*%s", left, escape(example), right)
	}
	fmt.Fprintln(out)
	for _, s := range p.Text {
		switch n := len(s.Choices); {
		case n > mostChoices:
			fmt.Fprintf(out, "  - %s: one of %d, see there\n", escape(s.Name), n)
		case n > 1:
			fmt.Fprintf(out, "  - %s: %s\n", escape(s.Name), escape(strings.Join(s.Choices, " · ")))
		}
	}
}

// apart reports whether a space belongs between two segments: examples have no spaces at their
// ends.
func apart(a, b Segment) bool {
	if strings.HasPrefix(b.Example, " ") {
		return !strings.HasSuffix(a.Text, " ")
	}
	left, right := []rune(strings.TrimSpace(a.Example)+a.Text), []rune(b.Text+strings.TrimSpace(b.Example))
	if len(left) == 0 || len(right) == 0 {
		return false
	}
	last, first := left[len(left)-1], right[0]
	begins := unicode.IsLetter(first) || first == '(' || first == '“'
	switch {
	case a.Example != "" && b.Example != "":
		return (begins || unicode.IsDigit(first)) && last != '-' && last != '('
	case a.Example != "": // a value that ends a sentence or a clause
		return begins && strings.ContainsRune(".,;:", last)
	case strings.ContainsRune(".,;", last):
		return unicode.IsUpper(first) || first == '('
	}
	return (unicode.IsLetter(last) || last == ')') && begins && (first == '(' || strings.Contains(b.Example, " "))
}

var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "`", "\\`", "[", `\[`, "]", `\]`)

// escape escapes the characters that have a meaning in Markdown.
func escape(text string) string { return escaper.Replace(text) }
