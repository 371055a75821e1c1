package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
)

// Everything a page carries besides its content. Charts are drawn by the library that
// the console has, too; the rest is one idea a file, and is inlined as it stands.
//
//go:embed assets
var assets embed.FS

// A page has one style sheet and three scripts: scheme.js, which runs in the head
// so that a dark page never flashes white; the library of charts, with the licence of
// uPlot, which it is built on; and the program, one module, so that its names are its own.
var (
	style = asset("charts.css") + "\n" + asset("page.css") + asset("tip.css") +
		asset("plot.css") + asset("dots.css") + asset("map.css") + asset("timeline.css") + asset("cases.css")
	scheme  = asset("scheme.js")
	charts  = "/*\n" + asset("uPlot.LICENSE") + "\n*/\n" + asset("charts.js")
	program = asset("format.js") + asset("numbers.js") + asset("tip.js") + asset("reading.js") + asset("plot.js") + asset("map.js") + asset("cases.js") + asset("page.js")
)

// policy is the page's Content-Security-Policy: by default nothing, and of
// scripts and styles those whose text the page was written with. An image may be
// a data address, for the empty icon that keeps browsers from asking for one.
var policy = strings.Join([]string{
	"default-src 'none'",
	"script-src " + hashes(scheme, charts, program),
	"style-src " + hashes(style),
	"img-src data:",
	"base-uri 'none'",
	"form-action 'none'",
}, "; ")

// The templates insert assets unescaped: they are as trustworthy as this code.
var templates = template.Must(template.New("page").Funcs(template.FuncMap{
	"policy":  func() string { return policy },
	"style":   func() template.CSS { return template.CSS(style) },
	"scheme":  func() template.JS { return template.JS(scheme) },
	"charts":  func() template.JS { return template.JS(charts) },
	"program": func() template.JS { return template.JS(program) },
	"class":   cellClass,
	"role":    func(r Role) string { return r.class(0) },
}).ParseFS(assets, "assets/*.tmpl"))

func render(w io.Writer, name string, data any) error {
	return templates.ExecuteTemplate(w, name, data)
}

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // a name above is not that of an embedded file
	}
	return string(text)
}

// hashes are the sources that admit elements of these texts.
func hashes(texts ...string) string {
	var sources []string
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		sources = append(sources, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Join(sources, " ")
}
