package handler_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// ask sends a request to a handler without users, or with the token of a role.
func ask(h http.Handler, role access.Role, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	sitetest.Authorize(r, role)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// get reads an answer into a value.
func get[T any](t *testing.T, h http.Handler, path string) T {
	t.Helper()
	w := ask(h, "", http.MethodGet, api.Base+path, "")
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", path, w.Code, w.Body, err)
	}
	return v
}

func ids(list []api.Record) string {
	var out []string
	for _, r := range list {
		out = append(out, r.Incident.ID)
	}
	return strings.Join(out, " ")
}

// TestDiagnosis is the document of limpet diagnose, byte for byte.
func TestDiagnosis(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, "", nil)
	var want bytes.Buffer
	if err := report.WriteJSON(&want, site.Result().Subject, site.Result().Result); err != nil {
		t.Fatal(err)
	}
	if got := ask(h, "", http.MethodGet, api.Base+"/diagnosis", ""); got.Body.String() != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got.Body, &want)
	}
}

func TestIncidents(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	for query, want := range map[string]string{
		"":                                    "slow-1.0 path-ddn2a slow-1.2 slow-1.3 slow-1.4 +1",
		"?section=now":                        "slow-1.0 path-ddn2a +0",
		"?section=suspected,over":             "slow-1.3 +1",
		"?component=ddn2":                     "path-ddn2a +0",
		"?component=1.0":                      "slow-1.0 +0",
		"?component=fs1":                      "slow-1.0 slow-1.2 slow-1.4 +0",
		"?component=1.5.2":                    " +1",
		"?kind=lost+attachment":               "path-ddn2a +0",
		"?limit=2":                            "slow-1.0 path-ddn2a +1 path-ddn2a",
		"?limit=2&after=path-ddn2a":           "slow-1.2 slow-1.3 +0 slow-1.3",
		"?limit=2&after=slow-1.3":             "slow-1.4 +0",
		"?limit=2&section=now&after=slow-1.0": "path-ddn2a +0",
	} {
		list := get[api.IncidentList](t, h, "/incidents"+query)
		got := strings.TrimRight(fmt.Sprintf("%s +%d %s", ids(list.Incidents), len(list.Suspects), list.Next), " ")
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	whole := get[api.IncidentList](t, h, "/incidents").Verdict
	list := get[api.IncidentList](t, h, "/incidents?component=ddn2")
	at, all, _ := strings.Cut(whole, ": ")
	if want := at + ": 1 incident at ddn2; in the whole system: " + all; list.Verdict != want {
		t.Errorf("about one array: %q, want %q", list.Verdict, want)
	}
	if got := ask(h, "", http.MethodGet, api.Base+"/incidents?component=nosuch", ""); got.Code != http.StatusNotFound || !strings.Contains(got.Body.String(), `has the name \"nosuch\"`) {
		t.Errorf("a name that nothing has: %d, %s", got.Code, got.Body)
	}
	past := get[api.PastList](t, h, "/incidents/past?limit=2")
	if got := ids(past.Incidents) + " " + past.Next; got != "slow-1.4 slow-1.0 slow-1.0" {
		t.Errorf("of the past: %s", got)
	}
}

// TestIncident: one that the archive has, one that only stands, and none.
func TestIncident(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	kept := get[api.Kept](t, h, "/incidents/slow-1.0")
	if kept.Section != "now" || len(kept.Events) != 1 || kept.Events[0].Change != "opened" || kept.Incident.Headline == "" {
		t.Errorf("%+v", kept)
	}
	if kept = get[api.Kept](t, h, "/incidents/slow-1.3"); kept.Section != "over" || kept.Events == nil {
		t.Errorf("%+v", kept)
	}
	const tooShort = `no incident has the ID \"ec0\": give the whole ID, or at least its first 4 characters`
	if w := ask(h, "", http.MethodGet, api.Base+"/incidents/ec0", ""); w.Code != 404 || !strings.Contains(w.Body.String(), tooShort) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if w := ask(h, "", http.MethodGet, api.Base+"/incidents/none", ""); w.Code != 404 || !strings.Contains(w.Body.String(), `no incident has the ID \"none\"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for name, word := range map[string]string{"1.4": "1.4", "1.*": "'1.*'", "1.[4-5]": "'1.[4-5]'"} { // a shell would expand the pattern
		var refused api.Error
		w := ask(h, "", http.MethodGet, api.Base+"/incidents/"+url.PathEscape(name), "")
		if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil || w.Code != 404 || !strings.HasSuffix(refused.Text, "run limpet incidents --component "+word) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestComponents(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	all := get[api.ComponentList](t, h, "/components?limit=1000")
	if all.Total != 32 || len(all.Components) != 32 || all.Next != "" {
		t.Errorf("%d of %d", len(all.Components), all.Total)
	}
	var paged []string
	for after := ""; ; {
		page := get[api.ComponentList](t, h, "/components?limit=5&after="+after)
		for _, c := range page.Components {
			paged = append(paged, c.Name)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	for i, c := range all.Components {
		if paged[i] != c.Name {
			t.Fatalf("page by page: %v", paged)
		}
	}
	found := get[api.ComponentList](t, h, "/components?find=DDN2&group=1")
	if found.Total != 8 || found.Components[0].Array != "ddn2" {
		t.Errorf("%+v", found)
	}
	c := get[api.Component](t, h, "/components/1.0.1")
	if len(c.Scores) != 1 || c.Scores[0].State != "anomalous" || c.Scores[0].Own != 31.6 || strings.Join(c.Incidents, " ") != "slow-1.0" {
		t.Errorf("%+v", c)
	}
	g := get[api.Group](t, h, fmt.Sprintf("/groups/%d", c.Group))
	if g.Members != len(g.Windows[0].Components) || g.TooSmall {
		t.Errorf("%+v", g)
	}
}

func TestPlots(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	s := get[api.Series](t, h, "/series?component=1.0.1&from=2026-03-01T00:00:00Z&to=2026-03-01T01:00:00Z")
	if s.Metric != "await" || s.StepSeconds != 900 || len(s.Values) != 4 || !s.Values[2].IsZero() || len(s.Peers) != 2 {
		t.Errorf("%+v", s)
	}
	m := get[api.Map](t, h, "/map")
	if len(m.Components) != 32 || len(m.Values) != 32 || !m.Values[0].IsZero() || m.Values[1] != 1 {
		t.Errorf("%+v", m)
	}
	if m = get[api.Map](t, h, "/map?names=false"); m.Components != nil {
		t.Errorf("names are %v", m.Components)
	}
}

// TestWrongQuestions: each mistake in one sentence with its cure.
func TestWrongQuestions(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	for path, want := range map[string]string{
		"/incidents?section=soon":        "section must be one or more of now, suspected, recovering, over, harmless, muted (with commas between them), not",
		"/incidents?after=none":          "request the first page again",
		"/incidents/past?from=yesterday": "from must be a time such as 2026-03-01T12:30:00Z",
		"/incidents/past?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z": `the time \"from\" must be before the time \"to\"`,
		"/components?after=none":               "request the first page again",
		"/components?group=99":                 "group must be a whole number between 1 and 2",
		"/components/none":                     `no component has the name \"none\"`,
		"/groups/99":                           "the peer groups have the numbers 1 to 2",
		"/series":                              `the parameter \"component\" is missing; add the name of a component`,
		"/latencies":                           `the parameter \"component\" is missing; add the name of a component`,
		"/latencies?component=1.0.1&points=1":  "points must be a whole number between 2 and 1000",
		"/series?component=1.0.1&metric=speed": `this storage system has no metric \"speed\"; its metrics are`,
		"/series?component=1.0.1&points=1":     "points must be a whole number between 2 and 5000",
		"/series?component=1.0.1&what=both":    "what must be value or score",
		"/map?names=perhaps":                   "names must be true or false",
		"/events?after=-1":                     "after must be a whole number between 0",
		"/audit?before=0":                      "before must be a whole number between 1",
		"/nonsense":                            "/api/v1/openapi.yaml lists all paths",
	} {
		w := ask(h, "", http.MethodGet, api.Base+path, "")
		if w.Code < 400 || w.Code > 404 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
}

// TestRolesMatrix: every route with every role.
func TestRolesMatrix(t *testing.T) {
	users := sitetest.Users(t)
	received := 0
	site := sitetest.New()
	site.SetActions(sitetest.SampleActions("slow-1.0", "1.0.1", site.Result().To)...)
	h := sitetest.NewHandler(t, site, users, func(o *handler.Options) {
		o.Receivers = []handler.Receiver{{Path: api.Base + "/write", Bytes: 1 << 10, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received++ })}}
	})
	good := func(path string) string {
		path = strings.NewReplacer("{$}", "", "actions/{id}", "actions/17", "{id}", "slow-1.0", "{name...}", "1.0.1", "{group}", "1").Replace(path)
		if strings.HasSuffix(path, "/series") || strings.HasSuffix(path, "/latencies") {
			path += "?component=1.0.1"
		}
		return path
	}
	for _, route := range h.Routes() {
		body := ""
		switch {
		case strings.HasSuffix(route.Path, "/{id}/feedback"):
			body = `{"verb":"comment","text":"x"}`
		case strings.HasSuffix(route.Path, "/feedback"):
			body = `{"verb":"comment","text":"x","component":"fs1"}`
		case strings.HasSuffix(route.Path, "/{id}/command"):
			body = `{"verb":"approve"}`
		case strings.HasSuffix(route.Path, "/command"):
			body = `{"verb":"stop"}`
		case route.Method == http.MethodPost:
			body = "{}"
		}
		for _, role := range append(access.Roles(), access.Anyone) {
			want := http.StatusForbidden
			switch {
			case (access.Caller{Roles: []access.Role{role}}).May(route.Role):
				want = http.StatusOK
			case role == access.Anyone:
				want = http.StatusUnauthorized
			}
			if w := ask(h, role, route.Method, good(route.Path), body); w.Code != want {
				t.Errorf("%s %s as %q: %d %s, want %d", route.Method, route.Path, role, w.Code, w.Body, want)
			}
		}
	}
	if received != 1 {
		t.Errorf("samples were taken %d times, want once: from the role ingest", received)
	}
}

// TestFeedback: what is said acts, is kept with who and when, and stands in the
// audit trail.
func TestFeedback(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, sitetest.Users(t), nil)
	say := func(path, body string, status int, want string) {
		t.Helper()
		if w := ask(h, access.Operator, http.MethodPost, api.Base+path, body); w.Code != status || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s %s: %d %s, want %d %s", path, body, w.Code, w.Body, status, want)
		}
	}
	const on = "/incidents/slow-1.0/feedback"
	say(on, `{"verb":"comment","text":" drive ordered "}`, 200, `"user":"the-operator","verb":"comment","text":"drive ordered"`)
	say(on, `{"verb":"mute","until":"2026-03-02T00:00:00Z"}`, 200, `"until":"2026-03-02T00:00:00Z"`)
	say(on, `{"verb":"was","text":"firmware"}`, 200, "firmware")
	say(on, `{"verb":"resolve"}`, 200, "resolve")
	say(on, `{"verb":"resolve"}`, 400, "incident slow-1.0 is already resolved: nothing was changed")
	say("/incidents/path-d/feedback", `{"verb":"comment","text":"cable"}`, 200, `"incident":"path-ddn2a","place":"controller ddn2a"`)
	say("/incidents/path-d/feedback", `{"verb":"accept"}`, 400, `incident path-ddn2a cannot be accepted: limpet can accept only an incident \"slower than before\"`)
	say("/incidents/none/feedback", `{"verb":"resolve"}`, 404, `no incident has the ID \"none\"; limpet incidents --all lists the IDs`)
	say("/feedback", `{"verb":"mute","component":"ddn1"}`, 200, "ddn1")
	for body, want := range map[string]string{
		`{"verb":"fix"}`:             `the field \"verb\" must be one of resolve, accept, mute, unmute, comment, was, not \"fix\"`,
		`{"verb":"comment"}`:         `the verb \"comment\" needs a text`,
		`{"verb":"was","text":"  "}`: `the verb \"was\" needs a text`,
		`{"verb":"comment","text":"` + strings.Repeat("x", 2001) + `"}`: "at most 2000 bytes are allowed",
		`{"verb":"comment","text":"a\nb"}`:                              `the field \"text\" has control characters or several lines; write`,
		`{"verb":"resolve","until":"2026-03-02T00:00:00Z"}`:             `the field \"until\" is only for the verb \"mute\"`,
		`{"verb":"mute","until":"2026-02-01T00:00:00Z"}`:                `the field \"until\" is in the past`,
		`{"verb":"mute","until":"tomorrow"}`:                            "the body cannot be read",
		`{"verb":"mute","component":"fs1"}`:                             `remove the field \"component\"`,
	} {
		say(on, body, 400, want)
	}
	say("/feedback", `{"verb":"mute"}`, 400, `the field \"component\" is missing`)
	say("/feedback", `{"verb":"was","text":"x","component":"fs1"}`, 400, `the verb \"was\" needs an incident`)
	say("/feedback", `{"verb":"mute","component":"none"}`, 404, `no component has the name \"none\"`)
	var trail api.AuditList
	w := ask(h, access.Operator, http.MethodGet, api.Base+"/audit", "")
	if err := json.Unmarshal(w.Body.Bytes(), &trail); err != nil {
		t.Fatal(err)
	}
	var deeds []string
	for _, d := range trail.Deeds {
		deeds = append(deeds, fmt.Sprintf("%s %s %s %s %s", d.User, d.Address, d.Action, strings.TrimSpace(d.Object+" "+d.Text), d.Outcome))
	}
	want := `the-operator 192.0.2.1 mute ddn1 done
the-operator 192.0.2.1 resolve none failed
the-operator 192.0.2.1 accept path-ddn2a refused: incident path-ddn2a cannot be accepted: limpet can accept only an incident "slower than before", "changed workload" or "noisy neighbour". To get no more notifications about incident path-ddn2a, run limpet incidents mute path-ddn2a
the-operator 192.0.2.1 comment path-ddn2a cable done
the-operator 192.0.2.1 resolve slow-1.0 refused: incident slow-1.0 is already resolved: nothing was changed
the-operator 192.0.2.1 resolve slow-1.0 done
the-operator 192.0.2.1 was slow-1.0 firmware done
the-operator 192.0.2.1 mute slow-1.0 until 2026-03-02T00:00:00Z done
the-operator 192.0.2.1 comment slow-1.0 drive ordered done`
	if got := strings.Join(deeds, "\n"); got != want {
		t.Errorf("the trail is\n%s\nwant\n%s", got, want)
	}
}

// TestNothingWithoutATrail: what cannot be noted is not done.
func TestNothingWithoutATrail(t *testing.T) {
	site := sitetest.New()
	site.NoteFails = errors.New("the disk is full")
	h, before := sitetest.NewHandler(t, site, "", nil), site.Result()
	w := ask(h, "", http.MethodPost, api.Base+"/incidents/slow-1.0/feedback", `{"verb":"resolve"}`)
	if w.Code != 503 || !strings.Contains(w.Body.String(), "the change was not made") || site.Result() != before {
		t.Errorf("%d %s, %d events", w.Code, w.Body, site.Result().Event)
	}
}

// TestReloadAndBackup.
func TestReloadAndBackup(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, "", nil)
	if w := ask(h, "", http.MethodPost, api.Base+"/reload", "{}"); w.Code != 200 || !strings.Contains(w.Body.String(), "restart limpet to listen elsewhere") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "", http.MethodPost, api.Base+"/backup", "{}"); w.Body.String() != "backup of made-up" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	site.Fails = errors.New("the disk is gone")
	s := httptest.NewServer(h)
	defer s.Close()
	answer, err := http.Post(s.URL+api.Base+"/backup", "application/json", strings.NewReader("{}"))
	if err == nil {
		_, err = new(bytes.Buffer).ReadFrom(answer.Body)
		answer.Body.Close()
	}
	if err == nil {
		t.Error("a backup that broke seems whole")
	}
}

// TestIncidentByTheFirstDigitsOfItsID: the beginning of an ID finds what is listed, and commands go
// to the whole ID.
func TestIncidentByTheFirstDigitsOfItsID(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, "", nil)
	if kept := get[api.Kept](t, h, "/incidents/path"); kept.Incident.ID != "path-ddn2a" || len(kept.Events) != 1 {
		t.Errorf("%+v", kept)
	}
	if w := ask(h, "", http.MethodGet, api.Base+"/incidents/slow-1", ""); w.Code < 400 || !strings.Contains(w.Body.String(), "the IDs of several incidents begin with slow-1, such as slow-1.") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "", http.MethodGet, api.Base+"/incidents/pat", ""); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "", http.MethodPost, api.Base+"/incidents/path-d/feedback", `{"verb":"mute"}`); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if kept := get[api.Kept](t, h, "/incidents/path-ddn2a"); !kept.Incident.Muted || kept.MutedBy != "local" {
		t.Errorf("%+v", kept)
	}
}
