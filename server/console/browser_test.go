package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/page/pagetest"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// world is a made-up site with an address, which can be away for a while.
type world struct {
	*sitetest.Server
	front *httptest.Server
	away  atomic.Bool
	mute  atomic.Bool  // the diagnosis is not sent
	holds sync.RWMutex // while it is locked, the answers for the page of settings wait
}

func serve(t testing.TB, site *sitetest.Site) *world {
	t.Helper()
	return serveBy(t, site, time.Now)
}

// serveBy serves a site by a clock.
func serveBy(t testing.TB, site *sitetest.Site, clock func() time.Time) *world {
	t.Helper()
	s, err := sitetest.Serve(site, clock, func(err error) { t.Errorf("server: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Server: s}
	w.front = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if w.away.Load() || w.mute.Load() && strings.HasSuffix(r.URL.Path, "/diagnosis") {
			http.Error(out, "away", http.StatusServiceUnavailable)
			return
		}
		if slices.Contains([]string{"audit", "configuration", "diagnosis", "groups"}, path.Base(r.URL.Path)) {
			w.holds.RLock()
			defer w.holds.RUnlock()
		}
		s.ServeHTTP(out, r)
	}))
	t.Cleanup(func() {
		s.Close()
		w.front.CloseClientConnections()
		w.front.Close()
	})
	return w
}

// Windows of readers.
var (
	desk  = pagetest.View{Width: 1280, Height: 860, Zone: "Europe/Berlin"}
	night = pagetest.View{Width: 1280, Height: 860, Dark: true, Zone: "Europe/Berlin"}
	phone = pagetest.View{Width: 390, Height: 844, Zone: "Europe/Berlin"}
)

// visit opens a view of the console.
func (w *world) visit(t testing.TB, b *pagetest.Browser, v pagetest.View, fragment string) *pagetest.Tab {
	t.Helper()
	return b.Visit(t, w.front.URL+"/#"+fragment, v)
}

// TestConsole tries the console in a browser, as operators do. LIMPET_CONSOLE_WALK has
// every view looked at in the light, at night and on a phone (make console-walk).
func TestConsole(t *testing.T) {
	b := pagetest.Start(t)
	for _, do := range []struct {
		name string
		try  func(*testing.T, *pagetest.Browser)
	}{
		{"first screen answers", firstScreenAnswers},
		{"nothing wrong looks calm", nothingWrongLooksCalm},
		{"calm names what is muted", calmNamesWhatIsMuted},
		{"cards show the newest values", cardsShowTheNewestValues},
		{"the server's clock says what is old", serversClockSaysWhatIsOld},
		{"one age in all places", oneAgeInAllPlaces},
		{"walk by mouse", walkByMouse},
		{"walk by keyboard", walkByKeyboard},
		{"a link opens at the same place and time", linkOpensAtTheSamePlaceAndTime},
		{"changes arrive by themselves", changesArriveByThemselves},
		{"operators answer back", operatorsAnswerBack},
		{"operators decide about actions", operatorsDecideAboutActions},
		{"print has all plots", printHasAllPlots},
		{"requests are shown", requestsAreShown},
		{"fleet in plain words", fleetInPlainWords},
		{"similar incidents are of the same kind", similarIncidentsAreOfTheSameKind},
		{"harmless has one name", harmlessHasOneName},
		{"settings name no method before it is known", settingsNameNoMethodBeforeItIsKnown},
		{"settings are loading until they are known", settingsAreLoadingUntilTheyAreKnown},
		{"group page agrees with itself", groupPageAgreesWithItself},
		{"an incident has its ID and one end", incidentHasItsIDAndOneEnd},
		{"numbers have the time that they cover", numbersHaveTheirTime},
	} {
		t.Run(do.name, func(t *testing.T) {
			t.Parallel()
			do.try(t, b)
		})
	}
}

// thorough says whether there is time for everything.
func thorough() bool { return os.Getenv("LIMPET_CONSOLE_WALK") != "" }

// patience is how long a page may take to show something: a loaded machine draws
// slowly, and a view asks the server for its parts one after the other.
const patience = time.Minute

// has waits until all texts are in what can be seen, and looks at it as a whole.
func has(t *testing.T, tab *pagetest.Tab, on string, want ...string) {
	t.Helper()
	there := fmt.Sprintf(`(() => {
		const seen = [...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).map(e => e.innerText).join(" ").replace(/\s+/g, " ");
		return %s.every(text => seen.includes(text));
	})()`, on, quoted(t, want))
	if !tab.Until(there, patience) {
		got := tab.Text(on)
		lacks := slices.DeleteFunc(slices.Clone(want), func(w string) bool { return strings.Contains(got, w) })
		t.Errorf("%s has no %q: %s", on, lacks, got)
	}
}

// quoted are texts as JavaScript has them.
func quoted(t *testing.T, texts []string) string {
	t.Helper()
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

// becomes waits until an expression is true.
func becomes(t *testing.T, tab *pagetest.Tab, expression string) {
	t.Helper()
	if !tab.Until("!!("+expression+")", patience) {
		t.Errorf("it never became true that %s; the page has: %s", expression, tab.Text("main"))
	}
}

// leads waits until the address behind # holds something.
func leads(t *testing.T, tab *pagetest.Tab, to string) {
	t.Helper()
	if !tab.Until(fmt.Sprintf("location.hash.includes(%q)", to), patience) {
		t.Errorf("the address is %s, without %s", address(tab), to)
	}
}

func address(tab *pagetest.Tab) (hash string) {
	tab.Evaluate("location.hash", &hash)
	return hash
}

// firstScreenAnswers holds the first screen against what a tired operator asks:
// which component, how slow, since when, how sure, what to do.
func firstScreenAnswers(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	has(t, tab, "h1", "2 incidents and 1 suspect")
	has(t, tab, "section[aria-label='Incidents now'] article:first-child", "server fs3", "silent", "for 40 min", "certain: the data show the problem directly", "What to do: Does server fs3 answer?")
	has(t, tab, "section[aria-label='Incidents now'] article:nth-child(2)",
		"LUN 1.4", "server fs1", "device sdf", "controller ddn1a", "3.2×", "2.9× to 3.6×", "for 4 h 58 min", "UTC", "a healthy component would look like this less than once in 1,000 years",
		"not caused by the workload", "What to do: Check the drives of LUN 1.4 on its controller")
	has(t, tab, "article:nth-child(2) figcaption", "await", "1.4.1", "percentiles 5 to 95 of the peers", "start", "suspected", "incident")
	has(t, tab, "section[aria-label='Suspects']", "LUN 2.7", "becomes an incident at about", "not certain yet")
	has(t, tab, "main", "The worst problems come first: lost or silent components,", "prometheus-a late", "Recovering", "LUN 1.9", "a healthy component would look like this once in 35 years", "Over within the last day", "LUN 2.2", "2 min", "look at the sender's queue; not used: 12 too late")
	has(t, tab, ".fresh", "1 of 2 sources up to date")
	becomes(t, tab, "document.querySelectorAll('.cards .advice').length === 2 && document.querySelector('.dot.part')")
	var below float64
	tab.Evaluate("Math.max(...[...document.querySelectorAll('.advice')].map(e => e.getBoundingClientRect().bottom)) - innerHeight", &below)
	if below > 0 {
		t.Errorf("what to do stands %v pixels below the first screen", below)
	}
	tab.Shoot("now")
}

func nothingWrongLooksCalm(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Calm(now()))
	tab := w.visit(t, b, desk, "/")
	has(t, tab, "h1.calm", "Nothing limps")
	has(t, tab, "main", "24 of 48 components were judged", "limpet watches 48 components in 2 peer groups")
	tab.Shoot("calm")
}

// calmNamesWhatIsMuted: a LUN that limps is not hidden by the headline because an operator muted it.
func calmNamesWhatIsMuted(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Muted(now()))
	tab := w.visit(t, b, desk, "/")
	has(t, tab, "h1.calm", "Nothing limps that is not muted")
}

// cardsShowTheNewestValues: the small plot of an incident ends with the last row. It ended at the last
// five minutes of the clock, so an incident that was a minute old had a plot without the incident.
func cardsShowTheNewestValues(t *testing.T, b *pagetest.Browser) {
	last := now()/300*300 - 45
	tab := serve(t, sitetest.Small(last)).visit(t, b, desk, "/")
	newest := "to=" + strings.ReplaceAll(time.Unix(last, 0).UTC().Format("2006-01-02T15:04:05Z"), ":", "%3A")
	becomes(t, tab, fmt.Sprintf("performance.getEntriesByType('resource').some(e => e.name.includes('/series') && e.name.includes(%q))", newest))
}

// serversClockSaysWhatIsOld: data of a year ago are new where the server's clock says so,
// and an hour is long where it does not.
func serversClockSaysWhatIsOld(t *testing.T, b *pagetest.Browser) {
	last, ahead := now()-365*24*3600, atomic.Int64{}
	w := serveBy(t, sitetest.Calm(last), func() time.Time { return time.Unix(last+ahead.Load(), 0) })
	tab := w.visit(t, b, desk, "/")
	has(t, tab, "h1.calm", "Nothing limps")
	if text := tab.Text(".behind"); text != "" {
		t.Errorf("data as old as the server's clock are called old: %s", text)
	}
	ahead.Store(3600)
	w.API.Changed()
	has(t, tab, ".behind", "The newest data are 60 min old")
}

// oneAgeInAllPlaces: the page has the age of old data in whole days, as the sentences of the server.
func oneAgeInAllPlaces(t *testing.T, b *pagetest.Browser) {
	const age = 260*24*3600 + 20*3600
	last := now() - age
	w := serveBy(t, sitetest.Calm(last), func() time.Time { return time.Unix(last+age, 0) })
	tab := w.visit(t, b, desk, "/")
	has(t, tab, ".behind", "The newest data are "+english.Age(age)+" old")
}

// slow is the link to the first incident that has numbers.
const slow = "article:has(.spark) h3 a"

// first is the ID of that incident.
func first(t *testing.T, tab *pagetest.Tab) (id string) {
	becomes(t, tab, "document.querySelector('"+slow+"')")
	tab.Evaluate("document.querySelector('"+slow+"').hash.split('/').pop()", &id)
	return id
}

// walkByMouse goes through every view, in the light, at night and on a phone, and
// looks for obstacles in each.
func walkByMouse(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	views := map[string]pagetest.View{"light": desk, "dark": night, "phone": phone}
	if !thorough() {
		views = map[string]pagetest.View{"phone": phone}
	}
	for name, view := range views {
		t.Run(name, func(t *testing.T) {
			tab := w.visit(t, b, view, "/")
			id := first(t, tab)
			look(t, tab, "now-"+name, "Suspects, not incidents yet")
			tab.Click(slow)
			look(t, tab, "incident-"+name, "await: how long requests take", "suspected", "confirmed", "Do not remove this component", "Ruled out", "workload: same load as its peers", "Similar in the past", "Drive 4F failed")
			leads(t, tab, "#/incident/"+id)
			tab.Click("table a[href='#/component/1.4.1']")
			look(t, tab, "component-"+name, "S2A9900", "anomalous", "Incidents of this component")
			tab.Click("a[href='#/group/1']")
			look(t, tab, "group-"+name, "24 components that should be equally fast")
			tab.Click("nav a[href='#/map']")
			look(t, tab, "map-"+name, "above the threshold", "1.4.1")
			tab.Click("nav a[href='#/fleet']")
			look(t, tab, "fleet-"+name, "of 24 LUNs were slow in the last hour: at least twice the median of the group", "0.22 %", "The ten worst drives", "1.4 in ddn1")
			tab.Click("nav a[href='#/settings']")
			look(t, tab, "settings-"+name, "detect.win_size", "prometheus-a", "127.0.0.1:9714", "roles viewer, operator", "everybody who can reach the server may do everything")
		})
	}
}

// look looks at a view: what it says, whether it is too wide, what people stumble over.
func look(t *testing.T, tab *pagetest.Tab, name string, want ...string) {
	t.Helper()
	has(t, tab, "main", want...)
	var wide int
	if tab.Evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth", &wide); wide > 0 {
		t.Errorf("%s is %d pixels too wide", name, wide)
	}
	if thorough() || strings.HasPrefix(name, "now") || strings.HasPrefix(name, "map") {
		for _, obstacle := range tab.Obstacles() {
			t.Errorf("%s: %s", name, obstacle)
		}
	}
	tab.Shoot(name)
}

// walkByKeyboard finds a component by typing, reads a plot, zooms it, travels in
// time and opens a cell of the map, without a mouse.
func walkByKeyboard(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	tab.Type("2.7")
	has(t, tab, "#hits", "2.7.4", "2.7.3")
	tab.Press("ArrowDown")
	tab.Press("Enter")
	leads(t, tab, "#/component/2.7.")
	has(t, tab, "h1", "2.7.")
	becomes(t, tab, "document.querySelector('figure:first-of-type .host')") // a later plot may be drawn first
	tab.Focus("figure:first-of-type .host")
	becomes(t, tab, "document.querySelector('figure:first-of-type .legend .moment')?.textContent")
	before := tab.Text("figure:first-of-type .legend .moment")
	tab.Press("PageUp")
	tab.Press("ArrowLeft")
	becomes(t, tab, fmt.Sprintf("document.querySelector('figure:first-of-type .legend .moment').innerText.replace(/\\s+/g, ' ').trim() !== %q", before))
	tab.Press("+")
	leads(t, tab, "from=")
	leads(t, tab, "to=")
	tab.Press("0")
	tip := openCell(t, tab)
	if name := strings.TrimPrefix(strings.Split(address(tab), "?")[0], "#/component/"); tip == "" || !strings.HasPrefix(tip, name) {
		t.Errorf("the cell says %q, and Enter led to %q", tip, address(tab))
	}
	tab.Press("?")
	has(t, tab, "dialog", "find by typing")
}

// openCell travels in time on the map and opens a cell of it by keys. It returns what the
// cell says.
func openCell(t *testing.T, tab *pagetest.Tab) (tip string) {
	t.Helper()
	tab.Go("/map?days=1")
	tab.Focus("input[type=range]")
	tab.Press("PageDown")
	leads(t, tab, "at=")
	tab.Focus(".map")
	tab.Press("ArrowRight")
	tab.Press("ArrowRight")
	becomes(t, tab, "document.querySelector('.tip')?.textContent")
	tip = tab.Text(".tip")
	tab.Press("Enter")
	leads(t, tab, "#/component/")
	return tip
}

// linkOpensAtTheSamePlaceAndTime opens links that a colleague sent.
func linkOpensAtTheSamePlaceAndTime(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	at := time.Unix(now()-98*3600, 0).UTC().Format(time.RFC3339)
	tab := w.visit(t, b, desk, "/map?what=score&at="+at)
	has(t, tab, "main", "above the threshold", "2.0.3", "2.2.3", "2.4.3", "2.6.3", "2.8.3") // noise may add a sixth: it depends on the time of day
	from, to := time.Unix(now()-20*3600, 0).UTC(), time.Unix(now()-10*3600, 0).UTC()
	tab.Go("/component/1.4.1?from=" + from.Format(time.RFC3339) + "&to=" + to.Format(time.RFC3339))
	has(t, tab, "main", from.Format("2006-01-02 15:04 UTC"), to.Format("2006-01-02 15:04 UTC"), "Until now")
	has(t, tab, "figure:first-of-type .legend", to.Format("2006-01-02"))
}

// changesArriveByThemselves has an incident grow worse, the server go away, and
// come back with what was missed.
func changesArriveByThemselves(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	becomes(t, tab, "document.querySelector('.dot.part')") // the page is connected, and a source is late
	w.Worsen(7.5)
	becomes(t, tab, "document.querySelector('article:has(.spark) .size b').textContent === '7.5×'")
	w.away.Store(true)
	w.front.CloseClientConnections()
	becomes(t, tab, "document.querySelector('.behind')?.textContent.includes('This page is not up to date')")
	tab.ShootWindow("behind")
	w.Worsen(9.5)
	w.away.Store(false)
	becomes(t, tab, "!document.querySelector('.behind') && document.querySelector('article:has(.spark) .size b').textContent === '9.5×'")
	tab.Forgive() // of what the browser says when a server is away
}

func operatorsAnswerBack(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	tab.Click(slow)
	tab.Focus("form input")
	tab.Type("Vendor comes at ten.")
	tab.Press("Enter")
	becomes(t, tab, "document.querySelector('.events').textContent.includes('Vendor comes at ten.')")
	has(t, tab, "output", "Saved")
	var hash string
	tab.Evaluate("location.hash", &hash)
	id, _, _ := strings.Cut(strings.TrimPrefix(hash, "#/incident/"), "?")
	mute := command.Command{Incident: id, Who: "eve", Verb: command.Mute, Text: "known", Time: now(), Until: now() + 86400}
	if _, err := w.Apply(t.Context(), mute); err != nil {
		t.Fatal(err)
	}
	tab.Go("/settings")
	has(t, tab, "main", "comment", "Vendor comes at ten.", "done")
	tab.Go("/incident/" + id)
	has(t, tab, ".events", "eve: mute until 20", "known")
}

// operatorsDecideAboutActions: an incident shows what limpet asked and did, and an operator approves it and
// has it reversed.
func operatorsDecideAboutActions(t *testing.T, b *pagetest.Browser) {
	tab := serve(t, sitetest.Small(now())).visit(t, b, desk, "/")
	tab.Click(slow)
	const actions = "section[aria-labelledby='actions']"
	has(t, tab, actions, "Waits for the approval of an operator: let other OSDs answer the reads of osd.0 ceph osd primary-affinity osd.0 0", "Approve", "Refuse",
		"Done, and undone later:", "approved by ann", "the action did not help enough")
	tab.Shoot("actions")
	tab.Click(actions + " button")
	has(t, tab, actions, "Done; limpet is measuring whether users wait less:", "Saved", "Undo")
	tab.Click(actions + " button")
	becomes(t, tab, "!document.querySelector(\"section[aria-labelledby='actions'] button\")")
	tab.Go("/settings")
	has(t, tab, "main", "action approve", "action undo")
}

// printHasAllPlots looks at the page as a printer does.
func printHasAllPlots(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, night, "/")
	tab.Click(slow)
	becomes(t, tab, "document.querySelectorAll('canvas').length >= 3")
	tab.Print()
	var shown struct {
		Plots, Buttons int
		Paper          string
	}
	tab.Evaluate(`({plots: document.querySelectorAll("canvas").length,
		buttons: [...document.querySelectorAll("button, input")].filter(e => e.checkVisibility()).length,
		paper: getComputedStyle(document.documentElement).colorScheme})`, &shown)
	if shown.Plots < 3 || shown.Buttons != 0 || shown.Paper != "light" {
		t.Errorf("printed are %+v", shown)
	}
	tab.Shoot("print")
}

// fleetInPlainWords: the fleet's page has no short name of a paper and no unit that only the papers
// have, and it shows how many LUNs are in incidents beside the LUNs that it counts.
func fleetInPlainWords(t *testing.T, b *pagetest.Browser) {
	tab := serve(t, sitetest.Small(now())).visit(t, b, desk, "/fleet")
	has(t, tab, "main", "Compared with a large study", "disks in the study", "450,000 disks", "LUNs in incidents now", "also finds shorter and smaller slowdowns")
	text := tab.Text("main")
	for _, word := range []string{"T16", "nat-hours", "always so", "limped"} {
		if strings.Contains(text, word) {
			t.Errorf("the page has %q: %s", word, text)
		}
	}
}

// similarIncidentsAreOfTheSameKind: a slow LUN is not shown beside a server that works for itself.
func similarIncidentsAreOfTheSameKind(t *testing.T, b *pagetest.Browser) {
	tab := serve(t, sitetest.Small(now())).visit(t, b, desk, "/")
	tab.Click(slow)
	has(t, tab, "main", "Similar in the past", "Drive 4F failed")
	var asked []string
	tab.Evaluate("performance.getEntriesByType('resource').map(e => e.name).filter(name => name.includes('/incidents/past'))", &asked)
	if len(asked) == 0 {
		t.Error("the page has not asked for the past")
	}
	for _, address := range asked {
		if !strings.Contains(address, "kind=single") {
			t.Errorf("the page asks for incidents of any kind: %s", address)
		}
	}
}

// harmlessHasOneName: the page of a harmless incident has the word of the list that it is in, and
// not its phase.
func harmlessHasOneName(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	has(t, tab, "main", "server fs4", "(harmless)")
	tab = w.visit(t, b, desk, "/incident/0d15ca00")
	has(t, tab, "dl", "state harmless", "since")
	if text := tab.Text("dl"); strings.Contains(text, "active") || strings.Contains(text, "cleared") {
		t.Error(text)
	}
}

// settingsNameNoMethodBeforeItIsKnown: before the diagnosis has come, the sentence about the version has no
// method, instead of "method .".
func settingsNameNoMethodBeforeItIsKnown(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	w.mute.Store(true)
	tab := w.visit(t, b, desk, "/settings")
	has(t, tab, "main", "You are", "with the roles", "answered 503")
	if text := tab.Text("main"); strings.Contains(text, ", method") {
		t.Errorf("the page names a method that it does not know: %s", text)
	}
	tab.Forgive() // of the answer that the server refused
	w.mute.Store(false)
	has(t, w.visit(t, b, desk, "/settings"), "main", ", method default. You are")
}

// settingsAreLoadingUntilTheyAreKnown: before the answers have come, the page does not state that there
// are no changes and no groups.
func settingsAreLoadingUntilTheyAreKnown(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	w.holds.Lock()
	answer := sync.OnceFunc(w.holds.Unlock)
	defer answer()
	var hash string
	tab.Evaluate("location.hash = '#/settings'", &hash) // Tab.Go waits until the page has all answers
	has(t, tab, "main", "Loading the peer groups …", "Loading the thresholds …", "Loading the configuration …", "Loading the changes …")
	if text := tab.Text("main"); strings.Contains(text, "No user has changed anything") {
		t.Errorf("the page has loaded nothing, and states: %s", text)
	}
	answer()
	has(t, tab, "main", "detect.win_size", "127.0.0.1:9714", "No user has changed anything.")
	if text := tab.Text("main"); strings.Contains(text, "Loading") {
		t.Errorf("the page has loaded everything, and states: %s", text)
	}
}

// groupPageAgreesWithItself: the counts, the marks of the rows, their order and the histogram of a
// group page come from the same verdicts. A member without data differs without a score, a score above
// the threshold is not enough, and a member that was not compared has no score.
func groupPageAgreesWithItself(t *testing.T, b *pagetest.Browser) {
	site := sitetest.Small(now())
	site.Set(func(s *api.Result) {
		s.Windows = slices.Clone(s.Windows)
		w := &s.Windows[0]
		w.Verdicts = slices.Clone(w.Verdicts)
		for i := range w.Verdicts {
			v := &w.Verdicts[i]
			*v = persistence.Verdict{Component: v.Component, Score: 0.2, Threshold: 0.5, Median: 10, Peers: 10}
			switch i {
			case 3:
				v.State, v.Reason, v.Score, v.Median = persistence.Anomalous, persistence.Differs, 5, 30
			case 4:
				v.Score, v.Median = 0.7, 11
			case 5:
				v.State, v.Reason, v.Score, v.Threshold = persistence.Anomalous, persistence.Gone, 0, 0
			case 6:
				v.State, v.Reason, v.Score, v.Threshold = persistence.Unjudged, persistence.TooFewIOs, 0, 0
			}
		}
	})
	tab := serve(t, site).visit(t, b, desk, "/group/1")
	has(t, tab, "main", "Window from", "2 members differ from their peers, 1 of them without a score", "1 member could not be compared", "normal: the difference of the values is too small", "A score above the threshold is not enough")
	var page struct {
		Odd, Results []string
		Scores       []string
		Histogram    string
	}
	tab.Evaluate(`({
		odd: [...document.querySelectorAll("main tr.odd td:last-child")].map(e => e.innerText),
		results: [...document.querySelectorAll("main tbody td:last-child")].map(e => e.innerText),
		scores: [...document.querySelectorAll("main tbody td:nth-child(4)")].map(e => e.innerText),
		histogram: document.querySelector("main svg[role=img]").getAttribute("aria-label")})`, &page)
	if len(page.Odd) != 2 || len(page.Results) != 24 || !strings.Contains(page.Results[0], "no data") || page.Results[1] != "anomalous: differs from its peers" {
		t.Errorf("the rows are %+v", page)
	}
	if want := []string{"", "5", "0.7", "0.2"}; !slices.Equal(page.Scores[:4], want) || page.Scores[23] != "" {
		t.Errorf("scores %q, want %q first, and none last", page.Scores, want)
	}
	if want := "Scores of 22 members; 1 of these members differ from their peers"; page.Histogram != want {
		t.Errorf("histogram %q, want %q", page.Histogram, want)
	}
}

// incidentHasItsIDAndOneEnd: the ID of an incident, which alerts and commands have, can be read on the
// page of the incident and in lists. The end of the problem is before the time at which limpet calls the
// incident over, and has another name.
func incidentHasItsIDAndOneEnd(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	tab := w.visit(t, b, desk, "/")
	id := first(t, tab)
	has(t, tab, "section[aria-label='Incidents now']", "ID "+id)
	has(t, tab, "main table", "ID")
	var over string
	becomes(t, tab, "document.querySelector('table code')")
	tab.Evaluate("document.querySelector('table code').innerText", &over)
	tab.Go("/incident/" + over)
	has(t, tab, ".facts", "ID "+over, "called over at", "problem", "to")
	has(t, tab, ".events", "end of the problem", "over: limpet calls the incident over")
	has(t, tab, "figure:first-of-type .legend", "end of the problem", "called over")
}

// numbersHaveTheirTime: every measured number stands beside the time that it covers.
func numbersHaveTheirTime(t *testing.T, b *pagetest.Browser) {
	tab := serve(t, sitetest.Small(now())).visit(t, b, desk, "/component/1.4.1")
	has(t, tab, "main", "from, to", "median of its values")
	has(t, tab, "figure:first-of-type .legend .moment", "window")
	has(t, tab, "figure:nth-of-type(2) .legend .moment", "mean of", "to")
	has(t, tab, "main", "scores stay high for up to")
}
