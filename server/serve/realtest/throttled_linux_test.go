package realtest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/report/page/pagetest"
)

var (
	isReal        = flag.Bool("real", false, "run real programs around limpet serve, for half an hour")
	limpet        = flag.String("real.limpet", "limpet", "limpet as it was built")
	exporters     = flag.String("real.exporters", "prometheus-node-exporter,node_exporter", "programs, apart by commas")
	prometheuses  = flag.String("real.prometheus", "prometheus", "programs, apart by commas")
	vmagents      = flag.String("real.vmagent", "vmagent", "programs, apart by commas")
	alertmanagers = flag.String("real.alertmanager", "prometheus-alertmanager,alertmanager", "programs, apart by commas: the first that is installed is told")
	warm          = flag.Duration("real.warm", 9*time.Minute, "how long all is well at first")
)

const (
	drives         = 8
	throttledDrive = 5
	readsPerSecond = 20
	throttledReads = 18 // in a second: each takes 55 ms then
	waitLongest    = 40 * time.Minute
)

// A chain is an exporter, a sender, and a limpet serve that is sent to.
type chain struct {
	name    string // of exporter and sender
	url     string // of limpet
	id      string // of the incident, once it is known
	moments map[string]time.Time
}

// The moments of a chain, in their order.
var moments = []string{"suspect", "incident", "at Alertmanager", "passed on", "recovering", "gone from Alertmanager", "its end passed on", "over"}

// TestThrottledDrive: a real drive becomes slow and well again. Whoever pushes what
// node_exporter counts, the incident arrives at a real Alertmanager, names this drive and
// no other, and is resolved there.
func TestThrottledDrive(t *testing.T) {
	if !*isReal {
		t.Skip("takes half an hour and root: make real-serve")
	}
	m := startAlertmanager(t, installed(t, *alertmanagers)[0])
	all := makeDrives(t, drives)
	var names []string
	for _, d := range all {
		d.read(t, readsPerSecond)
		names = append(names, d.name)
	}
	slow := all[throttledDrive]
	chains := startChains(t, names, m)
	look := newCamera(t, chains[0])
	w := &watcher{t: t, m: m, chains: chains, drive: slow.name, look: look}
	w.until("all that is sent is judged", func() bool { return w.ready() })
	end := time.Now().Add(*warm)
	w.until("all was well for a while", func() bool { return time.Now().After(end) })
	look.at("before", "/")

	began := time.Now()
	slow.throttle(t, throttledReads)
	w.until("Alertmanager fires for all", func() bool { return w.have("incident") && w.have("passed on") })
	look.at("incident", "/")
	look.at("why", "/incident/"+chains[0].id)
	ended := time.Now()
	slow.throttle(t, 0)
	w.until("Alertmanager has resolved all", func() bool { return w.have("its end passed on") })
	w.until("all is over", func() bool { return w.have("over") })
	look.at("over", "/incident/"+chains[0].id)
	t.Logf("%s was throttled from %d to %d reads a second for %v\n%s", slow.name, readsPerSecond, throttledReads, ended.Sub(began).Round(time.Second), timesOf(chains, began, ended))
}

// startChains starts a limpet serve behind each sender that is installed. They share
// drives and Alertmanager.
func startChains(t *testing.T, names []string, m *alertmanager) (chains []*chain) {
	t.Helper()
	topology := write(t, "storage1.yaml", "name: storage1\nservers: storage1\ndrives:\n  - servers: storage1\n    devices: %s\n", strings.Join(names, ", "))
	from := installed(t, *exporters)
	var addresses []string
	for _, p := range from {
		addresses = append(addresses, startExporter(t, p))
	}
	add := func(senders []program, start func(t *testing.T, p program, exporter, to string)) {
		for i, p := range senders {
			with := i % len(from)
			c := &chain{name: from[with].name + ", " + p.name, url: "http://" + freeAddress(t), moments: map[string]time.Time{}}
			startLimpet(t, c, topology, m)
			start(t, p, addresses[with], c.url+"/api/v1/write")
			t.Logf("%s -> %s", c.name, c.url)
			chains = append(chains, c)
		}
	}
	add(installed(t, *prometheuses), startPrometheus)
	add(installed(t, *vmagents), startVMAgent)
	return chains
}

func startLimpet(t *testing.T, c *chain, topology string, m *alertmanager) {
	t.Helper()
	config := write(t, "limpet.yaml", `state: %s
listen: %s
topology: %s
diagnosis: {step: 5s, recover_after: 3m, clear_after: 6m}
alerts:
  fire_after: 0s
  resolve_after: 0s
  alertmanagers: [{url: %q, labels: {sender: %q}}]
`, t.TempDir(), strings.TrimPrefix(c.url, "http://"), topology, m.url, c.name)
	start(t, *limpet, "serve", "--config", config)
	answers(t, c.url+"/-/healthy")
}

// timesOf is a table of when each moment came, in seconds after the throttle began or
// ended.
func timesOf(chains []*chain, began, ended time.Time) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "seconds after\tthe throttle began\t\t\t\tthe throttle ended\n\t", strings.Join(moments, "\t"), "\n")
	for _, c := range chains {
		fmt.Fprint(w, c.name)
		for _, name := range moments {
			since := began
			if slices.Index(moments, name) >= slices.Index(moments, "recovering") {
				since = ended
			}
			if c.moments[name].IsZero() {
				fmt.Fprint(w, "\t-")
				continue
			}
			fmt.Fprintf(w, "\t%.0f", c.moments[name].Sub(since).Seconds())
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return text.String()
}

// A camera keeps pictures of a console, where the environment names a directory for them.
type camera struct {
	tab   *pagetest.Tab
	seen  map[string]bool
	began time.Time
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

func newCamera(t *testing.T, c *chain) *camera {
	t.Helper()
	look := &camera{seen: map[string]bool{}, began: time.Now()}
	if os.Getenv(pagetest.Screenshots) != "" {
		look.tab = pagetest.Start(t).Visit(t, c.url+"/", pagetest.View{Width: 1280, Height: 860, Zone: "UTC"})
	}
	return look
}

// at keeps a picture of a view, once.
func (c *camera) at(name, view string) {
	if c.tab == nil || c.seen[name] {
		return
	}
	c.seen[name] = true
	if strings.HasPrefix(view, "/incident/") { // all that there is
		view += "?from=" + stamp(c.began) + "&to=" + stamp(time.Now())
	}
	c.tab.Go(view)
	time.Sleep(3 * time.Second) // it asks, and draws
	c.tab.ShootWindow(name)
}
