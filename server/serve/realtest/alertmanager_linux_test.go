package realtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// An alert as Alertmanager shows it, and as it passes it on.
type alert struct {
	Labels map[string]string `json:"labels"`
	Status json.RawMessage   `json:"status"` // an object in the API, a word to its receivers
	Ends   time.Time         `json:"endsAt"`
}

// An alertmanager runs, and passes on what it is told to a receiver of ours.
type alertmanager struct {
	url    string
	mu     sync.Mutex
	passed map[string]map[string]time.Time // by sender: when it passed on "firing" and "resolved"
}

func startAlertmanager(t *testing.T, p program) *alertmanager {
	t.Helper()
	m := &alertmanager{passed: map[string]map[string]time.Time{}}
	receiver := httptest.NewServer(http.HandlerFunc(m.receive))
	t.Cleanup(receiver.Close)
	config := write(t, "alertmanager.yml", `route: {receiver: ours, group_by: [sender, incident], group_wait: 1s, group_interval: 5s, repeat_interval: 1h}
receivers: [{name: ours, webhook_configs: [{url: %q, send_resolved: true}]}]
`, receiver.URL)
	address := freeAddress(t)
	start(t, p.path, "--config.file="+config, "--storage.path="+t.TempDir(), "--web.listen-address="+address, "--cluster.listen-address=")
	m.url = "http://" + address
	answers(t, m.url+"/-/ready")
	return m
}

func (m *alertmanager) receive(_ http.ResponseWriter, r *http.Request) {
	var message struct{ Alerts []alert }
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range message.Alerts {
		var status string
		if json.Unmarshal(a.Status, &status) != nil {
			continue
		}
		of := m.passed[a.Labels["sender"]]
		if of == nil {
			of = map[string]time.Time{}
			m.passed[a.Labels["sender"]] = of
		}
		if of[status].IsZero() {
			of[status] = time.Now()
		}
	}
}

// passedOn says whether Alertmanager has passed on that a sender's alert fires, or is
// resolved.
func (m *alertmanager) passedOn(sender, status string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.passed[sender][status].IsZero()
}

// firing are the alerts that Alertmanager has now.
func (m *alertmanager) firing(t *testing.T) (list []alert) {
	t.Helper()
	ask(t, m.url+"/api/v2/alerts", &list)
	return list
}

// ask reads an answer in JSON.
func ask(t *testing.T, url string, into any) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(into); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", url, r.Status, err)
	}
}
