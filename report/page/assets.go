package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"sync"
)

// Everything a page carries besides its content. Charts are drawn by the library that
// the console has, too; the rest is one idea a file, and is inlined as it stands.
//
//go:embed assets
var assets embed.FS

// parts are what all pages have in common: one style sheet and three scripts. The script scheme.js runs
// in the head, so that a dark page never flashes white. The library of charts has the licence of uPlot,
// which it is built on. The program is one module, so that its names are its own.
type parts struct {
	style, scheme, charts, program string
	// policy is the page's Content-Security-Policy: by default nothing, and of
	// scripts and styles those whose text the page was written with. An image may be
	// a data address, for the empty icon that keeps browsers from asking for one.
	policy    string
	templates *template.Template
}

// shared returns the parts. They are made for the first page: most commands write none.
var shared = sync.OnceValue(func() *parts {
	p := &parts{
		style: asset("charts.css") + "\n" + asset("page.css") + asset("tip.css") +
			asset("plot.css") + asset("dots.css") + asset("map.css") + asset("timeline.css") + asset("cases.css"),
		scheme:  asset("scheme.js"),
		charts:  "/*\n" + asset("uPlot.LICENSE") + "\n*/\n" + asset("charts.js"),
		program: asset("format.js") + asset("numbers.js") + asset("tip.js") + asset("reading.js") + asset("plot.js") + asset("map.js") + asset("cases.js") + asset("page.js"),
	}
	p.policy = strings.Join([]string{
		"default-src 'none'",
		"script-src " + hashes(p.scheme, p.charts, p.program),
		"style-src " + hashes(p.style),
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
	// The templates insert assets unescaped: they are as trustworthy as this code.
	p.templates = template.Must(template.New("page").Funcs(template.FuncMap{
		"policy":  func() string { return p.policy },
		"style":   func() template.CSS { return template.CSS(p.style) },
		"scheme":  func() template.JS { return template.JS(p.scheme) },
		"charts":  func() template.JS { return template.JS(p.charts) },
		"program": func() template.JS { return template.JS(p.program) },
		"class":   cellClass,
		"role":    func(r Role) string { return r.class(0) },
	}).ParseFS(assets, "assets/*.tmpl"))
	return p
})

func render(w io.Writer, name string, data any) error {
	return shared().templates.ExecuteTemplate(w, name, data)
}

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // no file of this name is embedded
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
