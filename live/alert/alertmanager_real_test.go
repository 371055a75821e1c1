package alert_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// startReal starts an Alertmanager that resolves alerts which are not repeated for two seconds, and
// returns its address.
func startReal(t *testing.T) string {
	t.Helper()
	program := ""
	for _, name := range []string{"prometheus-alertmanager", "alertmanager"} {
		if p, err := exec.LookPath(name); err == nil && program == "" {
			program = p
		}
	}
	if program == "" {
		t.Skip("Alertmanager is not installed (Debian: prometheus-alertmanager): the receiver is not held against it")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "alertmanager.yml")
	if err := os.WriteFile(config, []byte("global: {resolve_timeout: 2s}\nroute: {receiver: nobody}\nreceivers: [{name: nobody}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "--config.file="+config, "--storage.path="+dir, "--web.listen-address="+address, "--cluster.listen-address=")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	eventually(t, "ready", func() string {
		answer, err := http.Get("http://" + address + "/-/ready")
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		return map[bool]string{true: "ready"}[answer.StatusCode == http.StatusOK]
	})
	return "http://" + address
}

// firing returns the alerts that fire in Alertmanager: "ec080001 single LUN".
func firing(t *testing.T, url string) string {
	answer, err := http.Get(url + "/api/v2/alerts")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var list []struct {
		Labels, Annotations map[string]string
		GeneratorURL        string
	}
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, a := range list {
		if !strings.Contains(a.Annotations["number"], "times slower than") || a.GeneratorURL == "" {
			t.Errorf("an alert without its number or link: %+v", a)
		}
		lines = append(lines, a.Labels["incident"]+" "+a.Labels["kind"])
	}
	slices.Sort(lines)
	return strings.Join(lines, ", ")
}

func eventually(t *testing.T, want string, is func() string) {
	t.Helper()
	got := ""
	for range 1200 {
		if got = is(); got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("within a minute it is %q, want %q", got, want)
}

// A real Alertmanager gets each incident once, keeps it while it is repeated, and forgets it when it
// is over.
func TestARealAlertmanager(t *testing.T) {
	url := startReal(t)
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	o := alert.DefaultOptions()
	o.FireSeconds, o.ResolveSeconds, o.MostPerPeriod = 0, 0, 1
	o.Receivers = []alert.Receiver{{Name: "manager", Groups: true}}
	o.Link = func(id string) string { return "https://limpet.example/#/incident/" + id }
	a, err := alert.New(o, v)
	if err != nil {
		t.Fatal(err)
	}
	start := func() *alert.Outbox {
		m, err := alert.NewAlertmanager(alert.AlertmanagerOptions{Options: post.Options{URL: url}, Remind: 500 * time.Millisecond, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		b, err := alert.StartOutbox(t.Context(), l, []alert.Address{{Receiver: o.Receivers[0], Sender: m}}, alert.DefaultDeliveryOptions())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := start()
	seq, began := int64(0), time.Now().Unix()-3600
	say := func(change incident.Change, in incident.Incident) {
		t.Helper()
		seq++
		e := ledgertest.Event(began+seq, change, in)
		if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return a.Event(tx, seq, e) }); err != nil {
			t.Fatal(err)
		}
	}
	fires := func() string { return firing(t, url) }
	say(incident.Opened, ledgertest.Slow(v, 1, began))
	say(incident.Opened, ledgertest.Slow(v, 2, began))
	eventually(t, "ec080001 single LUN, ec080002 single LUN", fires)
	drawer := ledgertest.Slow(v, 1, began)
	drawer.Kind = finding.DrawerError
	say(incident.Changed, drawer)
	eventually(t, "ec080001 drawer error, ec080002 single LUN", fires)
	time.Sleep(3 * time.Second) // longer than it keeps an alert that is not repeated
	if got := fires(); got != "ec080001 drawer error, ec080002 single LUN" {
		t.Errorf("after a while there is %q", got)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	say(incident.Clears, drawer) // while nothing is delivered
	b = start()
	defer b.Close()
	eventually(t, "ec080002 single LUN", fires)
	say(incident.Clears, ledgertest.Slow(v, 2, began))
	eventually(t, "", fires)
	eventually(t, "0 queued", func() string {
		status, err := b.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d queued%s", status[0].Queued, status[0].Trouble)
	})
	fmt.Fprintln(t.Output(), "held against", url)
}

// Alertmanager accepts the route in docs/alerts.md.
func TestTheDocumentedRoute(t *testing.T) {
	amtool, err := exec.LookPath("amtool")
	if err != nil {
		t.Skip("amtool is not installed (Debian: prometheus-alertmanager): the route of docs/alerts.md is not checked")
	}
	text, err := os.ReadFile(checkout.Path(t, "docs/alerts.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, route, _ := strings.Cut(string(text), "```yaml\nroute:")
	route, _, ok := strings.Cut(route, "```")
	if !ok {
		t.Fatal("docs/alerts.md has no route")
	}
	file := filepath.Join(t.TempDir(), "alertmanager.yml")
	if err := os.WriteFile(file, []byte("route:"+route), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(amtool, "check-config", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for labels, want := range map[string]string{
		"alertname=LimpetIncident severity=critical": "pager", "alertname=LimpetSuspect severity=warning": "mail", "alertname=LimpetIncident severity=info": "mail",
	} {
		args := append([]string{"config", "routes", "test", "--config.file=" + file}, strings.Fields(labels)...)
		out, err := exec.Command(amtool, args...).Output()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s goes to %s, want %s, %v", labels, out, want, err)
		}
	}
}
