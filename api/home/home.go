package home

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"

	"github.com/limpet-storage/limpet/api"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/plain"
	"github.com/limpet-storage/limpet/words"
)

//go:embed home.css
var style string

//go:embed home.html
var text string

var page = template.Must(template.New("home").Parse(text))

// Policy is the content security policy of the page: its own style, and nothing
// else.
var Policy = "default-src 'none'; style-src 'sha256-" + sum(style) + "'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

func sum(s string) string {
	b := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(b[:])
}

// content is what the page shows.
type content struct {
	Style    template.CSS
	Title    string
	Calm     bool
	Verdict  string
	At       string
	Waiting  string
	Sections []section
	Sources  []api.Source
	Remarks  []string
	Version  string
	Watched  int
	Groups   int
	API      string
}

type section struct {
	Heading string
	Cards   []card
}

type card struct {
	ID, Title, Headline, Because, Note string
}

// Page is the page of how things stand.
func Page(s *api.Standing) ([]byte, error) {
	c := content{
		Style: template.CSS(style), Title: "limpet", Verdict: s.Verdict, Waiting: s.Waiting, Sources: s.Sources, Version: s.Subject.Version,
		Watched: len(s.Subject.System.Components), Groups: len(s.Subject.System.Groups), API: api.Base,
	}
	if s.Subject.System.Name != "" {
		c.Title = s.Subject.System.Name
	}
	v := s.Voice()
	if s.To > 0 {
		c.At = v.Time(s.To)
	}
	c.Sections = sections(s, v)
	c.Calm = s.Waiting == "" && len(s.Troubles) == 0 && quiet(s)
	for _, t := range s.Troubles {
		c.Remarks = append(c.Remarks, t.Text)
	}
	c.Remarks = append(append(c.Remarks, v.Remarks(&s.Summary.Summary)...), s.Warnings...)
	var out bytes.Buffer
	err := page.Execute(&out, c)
	return []byte(plain.Text(out.String())), err
}

// quiet says whether nothing limps and nothing is suspected.
func quiet(s *api.Standing) bool {
	for i := range s.Incidents {
		if words.SectionOf(&s.Incidents[i]) == words.Now {
			return false
		}
	}
	return len(s.Suspects) == 0
}

// mostCards are shown in a section; the API has all.
const mostCards = 50

func sections(s *api.Standing, v *words.Voice) []section {
	var all [words.NumSections][]card
	put := func(at words.Section, in *incident.Incident, note string) {
		if len(all[at]) < mostCards {
			all[at] = append(all[at], cardOf(v, in, note))
		}
	}
	for i := range s.Incidents {
		in := &s.Incidents[i]
		note := ""
		if n := s.Notes[in.ID]; n.Was != nil {
			note = "This was: " + n.Was.Text + " (" + n.Was.User + ")"
		}
		put(words.SectionOf(in), in, note)
	}
	for i := range s.Suspects {
		put(words.Suspected, &s.Suspects[i].Incident, v.Becomes(&s.Suspects[i]))
	}
	var list []section
	for at, cards := range all {
		if len(cards) > 0 {
			list = append(list, section{words.Section(at).String(), cards})
		}
	}
	return list
}

func cardOf(v *words.Voice, in *incident.Incident, note string) card {
	c := card{ID: in.ID, Title: v.Title(in), Headline: v.Headline(in) + ".", Note: note}
	for i, why := range v.Because(in) {
		if i > 0 {
			c.Because += "; "
		}
		c.Because += why
	}
	return c
}
