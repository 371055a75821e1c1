package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// description is the document, with what the tests need of it.
type description struct {
	Paths map[string]map[string]operation
	Parts struct {
		Responses map[string]response
		Schemas   map[string]any
	} `yaml:"components"`
}

type operation struct {
	Role       string `yaml:"x-role"`
	Parameters []struct {
		Name, In string
		Schema   map[string]any
	}
	Body *struct {
		Content map[string]any
	} `yaml:"requestBody"`
	Responses map[string]response
	Security  *[]any
}

type response struct {
	Ref     string `yaml:"$ref"`
	Content map[string]struct{ Schema map[string]any }
}

func read(t *testing.T) *description {
	t.Helper()
	d := &description{}
	if err := yaml.Unmarshal(api.Description, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// plain is the document as package json would read it.
func plain(t *testing.T) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(api.Description, &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pathOf is a pattern of net/http as OpenAPI writes it.
func pathOf(pattern string) string {
	return strings.NewReplacer("{$}", "", "...}", "}").Replace(pattern)
}

// TestEveryRouteIsDescribed: routes and description have the same paths, methods,
// roles and parameters.
func TestEveryRouteIsDescribed(t *testing.T) {
	d, described := read(t), 0
	for _, route := range sitetest.NewHandler(t, sitetest.New(), "", nil).Routes() {
		op, ok := d.Paths[pathOf(route.Path)][strings.ToLower(route.Method)]
		if !ok {
			t.Errorf("%s %s is not described", route.Method, route.Path)
			continue
		}
		described++
		if op.Role != string(route.Role) || (op.Security != nil) != (route.Role == access.Anyone) {
			t.Errorf("%s: the description says role %q, the route %q", route.Path, op.Role, route.Role)
		}
		var query []string
		for _, p := range op.Parameters {
			if p.In == "query" {
				query = append(query, p.Name)
			} else if !strings.Contains(pathOf(route.Path), "{"+p.Name+"}") {
				t.Errorf("%s has no %s in it", route.Path, p.Name)
			}
		}
		if want := slices.Sorted(slices.Values(route.Parameters)); !slices.Equal(slices.Sorted(slices.Values(query)), want) {
			t.Errorf("%s: described are %v, the route takes %v", route.Path, query, want)
		}
		if (op.Body != nil) != (route.Method == http.MethodPost) {
			t.Errorf("%s %s: a body is for POST, and for it alone", route.Method, route.Path)
		}
	}
	for path, methods := range d.Paths {
		described -= len(methods)
		if described < 0 {
			t.Errorf("%s, or another path, is described and not served", path)
		}
	}
}

// TestSharesTheSchemaOfReports: what diagnose prints is described in one way.
func TestSharesTheSchemaOfReports(t *testing.T) {
	data, err := os.ReadFile(checkout.Path(t, "docs/report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("#/$defs/"), []byte("#/components/schemas/"))
	data = bytes.ReplaceAll(data, []byte(`"$ref": "#"`), []byte(`"$ref": "#/components/schemas/diagnosis"`))
	var report map[string]any
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	want := report["$defs"].(map[string]any)
	delete(report, "$defs")
	delete(report, "$schema")
	want["diagnosis"] = report
	got, _ := json.Marshal(read(t).Parts.Schemas)
	var schemas map[string]any
	if err := json.Unmarshal(got, &schemas); err != nil {
		t.Fatal(err)
	}
	for name, schema := range want {
		if !reflect.DeepEqual(schemas[name], schema) {
			t.Errorf("%s differs from docs/report.schema.json", name)
		}
	}
}

// TestWordsAreComplete: where one of some words is answered, all of them are
// described.
func TestWordsAreComplete(t *testing.T) {
	schemas := read(t).Parts.Schemas
	for name, want := range map[string][]any{
		"Source state":         {api.SourceReading, api.SourceLive, api.SourceLate, api.SourceSilent, api.SourceFailing},
		"Event change":         {incident.Opened, incident.Changed, incident.Recovers, incident.Clears, incident.Reopened, incident.Mutes, incident.Unmutes, incident.Commented},
		"Said verb":            {command.Resolve, command.Accept, command.Mute, command.Unmute, command.Comment, api.Was},
		"FeedbackRequest verb": {command.Resolve, command.Accept, command.Mute, command.Unmute, command.Comment, api.Was},
		"Series what":          {api.Values, api.Scores},
		"Record section":       document.Each(api.Sections(), func(s string) any { return s }),
	} {
		of, field, _ := strings.Cut(name, " ")
		got := schemas[of].(map[string]any)["properties"].(map[string]any)[field].(map[string]any)["enum"]
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is described as one of %v, want %v", name, got, want)
		}
	}
}

// oracle holds answers against the description, and remembers what it has seen.
type oracle struct {
	t        *testing.T
	d        *description
	compiler *jsonschema.Compiler
	seen     map[string]bool
}

func newOracle(t *testing.T) *oracle {
	o := &oracle{t: t, d: read(t), compiler: jsonschema.NewCompiler(), seen: map[string]bool{}}
	o.compiler.AssertFormat()
	o.compiler.DefaultDraft(jsonschema.Draft2020)
	if err := o.compiler.AddResource("openapi.json", plain(t)); err != nil {
		t.Fatal(err)
	}
	return o
}

// check holds an answer against what its route says.
func (o *oracle) check(route *handler.Route, status int, header http.Header, body []byte) {
	o.t.Helper()
	op := o.d.Paths[pathOf(route.Path)][strings.ToLower(route.Method)]
	key := fmt.Sprint(status)
	answer, ok := op.Responses[key]
	if !ok && (status >= http.StatusInternalServerError || status == http.StatusTooManyRequests) {
		key = "default"
		answer = op.Responses[key]
	}
	name := fmt.Sprintf("%s %s: %d", route.Method, route.Path, status)
	o.seen[route.Method+" "+route.Path+" "+key] = true
	if answer.Ref != "" {
		answer = o.d.Parts.Responses[answer.Ref[strings.LastIndex(answer.Ref, "/")+1:]]
	}
	if answer.Content == nil {
		if len(body) > 0 || status != http.StatusNotModified {
			o.t.Errorf("%s is not described, with body %.100s", name, body)
		}
		return
	}
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	media, ok := answer.Content[kind]
	if !ok {
		o.t.Errorf("%s: %s is not described", name, kind)
		return
	}
	if ref, _ := media.Schema["$ref"].(string); ref != "" {
		o.valid(name, ref, body)
	}
}

func (o *oracle) valid(name, ref string, body []byte) {
	o.t.Helper()
	schema, err := o.compiler.Compile("openapi.json" + ref)
	if err != nil {
		o.t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		o.t.Errorf("%s: %v\n%.300s", name, err, body)
	}
}

// examples are good requests, by route; those of POST with their bodies.
var examples = map[string][]string{
	"GET /api/v1/incidents":      {"?section=now,suspected&component=ddn1&kind=single%20LUN&limit=1", "?limit=2", "?limit=1&after=slow-1.0"},
	"GET /api/v1/incidents/past": {"?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&component=1.0&kind=single%20LUN&limit=5", "?limit=2", "?limit=2&after=slow-1.0"},
	"GET /api/v1/components":     {"?find=FS1&group=1&limit=2", "?limit=3&after=1.0.1"},
	"GET /api/v1/latencies":      {"?component=1.0.1", "?component=1.0.1&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&points=4"},
	"GET /api/v1/series":         {"?component=1.0.1", "?component=1.0.1&metric=await&what=score&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&points=4"},
	"GET /api/v1/map":            {"?metric=await&what=score&at=2026-03-01T00:00:00Z&names=false", "?what=p50", "?what=p99", "?what=slowest"},
	"GET /api/v1/fleet":          {"?days=7", "?days=90"},
	"GET /api/v1/events":         {"?after=1&limit=1"},
	"GET /api/v1/audit":          {"?before=3&limit=1"},
	"POST /api/v1/incidents/{id}/feedback": {
		`{"verb":"comment","text":"a drive is ordered"}`, `{"verb":"mute","until":"2026-03-02T00:00:00Z"}`, `{"verb":"unmute"}`,
		`{"verb":"was","text":"firmware"}`, `{"verb":"resolve"}`,
	},
	"POST /api/v1/feedback": {`{"verb":"mute","component":"ddn1"}`},
	"GET /api/v1/actions":   {"?incident=slow-1.0&limit=1"},
	"POST /api/v1/actions/{id}/command": {
		`{"verb":"approve","text":"go ahead"}`, `{"verb":"undo"}`,
	},
	"POST /api/v1/actions/command": {`{"verb":"stop","text":"maintenance"}`, `{"verb":"resume"}`},
	"POST /api/v1/reload":          {`{}`},
	"POST /api/v1/backup":          {`{}`},
}

// target is a route's path with something that there is.
func target(route *handler.Route) string {
	return strings.NewReplacer("actions/{id}", "actions/17", "{id}", "slow-1.0", "{name}", "1.0.1", "{group}", "1").Replace(pathOf(route.Path))
}

// ask sends a request with the token of a role, and holds the answer against the
// description.
func (o *oracle) ask(h http.Handler, route *handler.Route, role access.Role, path, body string, change func(*http.Request)) (int, http.Header) {
	o.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(route.Method, path, reader)
	r.Host = "localhost"
	sitetest.Authorize(r, role)
	if route.Method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // an answer that is cut off
		h.ServeHTTP(w, r)
	}()
	o.check(route, w.Code, w.Header(), w.Body.Bytes())
	return w.Code, w.Header()
}

// TestAnswersAreAsDescribed: for every route the good requests and the wrong ones;
// every status that is described was seen, and every body is valid.
func TestAnswersAreAsDescribed(t *testing.T) {
	o, site := newOracle(t), sitetest.New()
	site.SetActions(sitetest.SampleActions("slow-1.0", "1.0.1", site.Result().To)...)
	h := sitetest.NewHandler(t, site, sitetest.Users(t), nil)
	for _, route := range h.Routes() {
		bodies, paths := []string{""}, []string{target(&route)}
		for _, e := range examples[route.Method+" "+route.Path] {
			if route.Method == http.MethodGet {
				paths = append(paths, paths[0]+e)
			} else {
				bodies = append(bodies, e)
			}
		}
		if route.Path == api.Base+"/series" || route.Path == api.Base+"/latencies" {
			paths = paths[1:]
		}
		if route.Method == http.MethodPost {
			bodies = bodies[1:]
		}
		for _, path := range paths {
			for _, body := range bodies {
				o.good(h, &route, path, body)
			}
		}
		o.wrong(h, &route, paths[0], bodies[0])
	}
	site.Set(func(s *api.Result) { s.Waiting = "3 of 4 servers have been read." })
	for _, route := range h.Routes() {
		if route.Path == "/-/ready" {
			o.ask(h, &route, "", route.Path, "", nil)
		}
	}
	o.failing(t)
	o.complete()
}

func (o *oracle) good(h http.Handler, route *handler.Route, path, body string) {
	o.t.Helper()
	status, header := o.ask(h, route, route.Role, path, body, nil)
	if status != http.StatusOK {
		o.t.Errorf("%s %s %s: %d", route.Method, path, body, status)
	}
	if tag := header.Get("ETag"); tag != "" {
		status, _ = o.ask(h, route, route.Role, path, body, func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
		if status != http.StatusNotModified {
			o.t.Errorf("%s: %d for who has it already", path, status)
		}
	}
}

func (o *oracle) wrong(h http.Handler, route *handler.Route, path, body string) {
	o.t.Helper()
	want := func(status int, role access.Role, path string, change func(*http.Request)) {
		o.t.Helper()
		if got, _ := o.ask(h, route, role, path, body, change); got != status {
			o.t.Errorf("%s %s: %d, want %d", route.Method, path, got, status)
		}
	}
	want(http.StatusBadRequest, route.Role, pathWith(path, "nonsense=1"), nil)
	if route.Role != access.Anyone {
		want(http.StatusUnauthorized, access.Anyone, path, nil)
		want(http.StatusForbidden, access.Ingest, path, nil)
	}
	if missing := strings.NewReplacer("actions/17", "actions/none", "slow-1.0", "none", "1.0.1", "none", "groups/1", "groups/none").Replace(path); missing != path {
		want(http.StatusNotFound, route.Role, missing, nil)
	}
	if route.Path == api.Base+"/incidents" {
		want(http.StatusNotFound, route.Role, path+"?component=none", nil)
	}
	if route.Method != http.MethodPost {
		return
	}
	want(http.StatusUnsupportedMediaType, route.Role, path, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
	want(http.StatusRequestEntityTooLarge, route.Role, path, func(r *http.Request) { r.ContentLength = 100 << 20 })
	if route.Path == api.Base+"/feedback" {
		body = `{"verb":"mute","component":"none"}`
		want(http.StatusNotFound, route.Role, path, nil)
	}
}

func pathWith(path, parameter string) string {
	if strings.Contains(path, "?") {
		return path + "&" + parameter
	}
	return path + "?" + parameter
}

// failing asks a site on which everything fails: the reason is not told.
func (o *oracle) failing(t *testing.T) {
	t.Helper()
	site := sitetest.New()
	site.NoteFails = errors.New("canary")
	h := sitetest.NewHandler(t, site, "", nil)
	for _, route := range h.Routes() {
		if body := examples[route.Method+" "+route.Path]; route.Method == http.MethodPost {
			if status, _ := o.ask(h, &route, "", target(&route), body[0], nil); status != http.StatusServiceUnavailable {
				t.Errorf("%s without an audit trail: %d", route.Path, status)
			}
		}
	}
	site.Fails = errors.New("canary")
	route := h.Routes()[slices.IndexFunc(h.Routes(), func(r handler.Route) bool { return r.Path == api.Base+"/incidents/{id}" })]
	if status, _ := o.ask(h, &route, "", target(&route), "", nil); status != http.StatusInternalServerError {
		t.Errorf("a site that fails answers %d", status)
	}
}

// complete says which described answers were never seen. Default is for all that
// seldom happens.
func (o *oracle) complete() {
	for _, route := range sitetest.NewHandler(o.t, sitetest.New(), "", nil).Routes() {
		for status := range o.d.Paths[pathOf(route.Path)][strings.ToLower(route.Method)].Responses {
			if key := route.Method + " " + route.Path + " " + status; status != "default" && !o.seen[key] {
				o.t.Errorf("%s is described, and no request was answered so", key)
			}
		}
	}
}

// TestTheOracleSees: a document that is not as described fails.
func TestTheOracleSees(t *testing.T) {
	quiet := &testing.T{}
	o := newOracle(t)
	o.t = quiet
	o.valid("an extra field", "#/components/schemas/Error", []byte(`{"error":"x","stack":"y"}`))
	if !quiet.Failed() {
		t.Error("an extra field is taken")
	}
}
