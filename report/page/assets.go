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

// assets holds the style sheets, scripts and templates of a page. charts.js is the chart library of
// the console. Each other file has one purpose, and is inlined unchanged.
//
//go:embed assets
var assets embed.FS

// parts holds the common parts of all pages: one style sheet and three scripts. scheme.js runs in
// the head, so that a dark page never flashes white. charts has the licence of uPlot, because the
// chart library is built on uPlot. program is one module, so that its names are not global.
type parts struct {
	style, scheme, charts, program string
	// policy is the Content-Security-Policy of the page. It allows nothing except the scripts and
	// styles that the page was written with. An image may be a data URL: the page has an empty
	// icon, so that browsers do not request one.
	policy    string
	templates *template.Template
}

// shared returns the parts. They are made for the first page, because most commands write no page.
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
		panic(err) // no embedded file has this name
	}
	return string(text)
}

// hashes returns the CSP sources that allow elements with these texts.
func hashes(texts ...string) string {
	var sources []string
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		sources = append(sources, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Join(sources, " ")
}
