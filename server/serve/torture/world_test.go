package torture

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/lab/simulate/playback"
	"github.com/limpet-storage/limpet/live/alert"
)

// stepSeconds is how far the clock goes at a time.
const stepSeconds = 15

// ahead is how long before the first file something is pushed and pulled.
const ahead = 10 * stepSeconds

// A world is all that stands around a server, and its clock.
type world struct {
	tb       testing.TB
	rng      *rand.Rand
	from     string // what was recorded
	dir      string // of the server
	settings settings
	files    *playback.Replay
	sender   *sender
	endpoint *endpoint
	hook     *hook
	now, end int64
	isDead   atomic.Bool // the server was killed
}

// newWorld records some hours, in each of which a LUN is slow.
func newWorld(tb testing.TB, hours int, seed uint64) *world {
	tb.Helper()
	w := &world{tb: tb, rng: rand.New(rand.NewPCG(seed, 18)), dir: tb.TempDir(), endpoint: newEndpoint(tb), hook: newHook(tb)}
	from := tb.TempDir()
	s := arrays.Demo(1)
	s.End, s.Compressed, s.Events = s.Start.Add(time.Duration(hours)*time.Hour), nil, nil
	for hour := range hours {
		begins := s.Start.Add(time.Duration(hour)*time.Hour + 10*time.Minute)
		s.Events = append(s.Events, arrays.Event{From: begins, To: begins.Add(25 * time.Minute), Mechanism: arrays.SlowLUN{LUN: fmt.Sprintf("1.%02d", 3+hour), Factor: 8}})
	}
	if _, err := s.Write(tb.Context(), from, nil); err != nil {
		tb.Fatal(err)
	}
	var err error
	if w.files, err = playback.Open(from, filepath.Join(w.dir, grownDir)); err != nil {
		tb.Fatal(err)
	}
	first, last := w.files.Span()
	w.now, w.end = first/stepSeconds*stepSeconds-ahead, last
	w.from = from
	w.settings = settings{Listen: freeAddress(tb), Hook: w.hook.URL, Endpoint: w.endpoint.Listener.Addr().String()}
	w.settings.Job = earlyName(w.settings.Endpoint)
	w.sender = &sender{url: "http://" + w.settings.Listen + "/api/v1/write"}
	w.settle()
	return w
}

// settle writes what a server reads when it starts.
func (w *world) settle() {
	w.tb.Helper()
	text, err := os.ReadFile(filepath.Join(w.from, simulate.TopologyFile))
	if err != nil {
		w.tb.Fatal(err)
	}
	more := fmt.Sprintf("drives:\n  - servers: %s, %s\n    devices: sd[a-h]\n", pushedServer, pulledServer)
	all := strings.Replace(string(text), "servers: fs[1-8]", fmt.Sprintf("servers: fs[1-8], %s, %s", pushedServer, pulledServer), 1)
	all = strings.Replace(all, "    servers_per_array", "    servers: fs[1-8]\n    servers_per_array", 1)
	data, err := json.Marshal(w.settings)
	if err != nil {
		w.tb.Fatal(err)
	}
	for name, text := range map[string]string{simulate.TopologyFile: all + more, settingsFile: string(data)} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			w.tb.Fatal(err)
		}
	}
	setClock(w.tb, w.dir, w.now)
}

// earlyName is a name of a job whose place in its second is early: where a clock stands
// still, that is how long a scraper waits.
func earlyName(endpoint string) string {
	for i := 0; ; i++ {
		name := fmt.Sprint("pull", i)
		h := fnv.New64a()
		fmt.Fprintf(h, "%s\xffhttp://%s/metrics\xffinstance\xff%s\xffjob\xff%s", name, endpoint, pulledServer, name)
		if place := time.Duration(h.Sum64() % uint64(time.Second)); place > 5*time.Millisecond && place < 15*time.Millisecond {
			return name
		}
	}
}

func freeAddress(tb testing.TB) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// patience is how long a server may take for one step of a loaded machine.
const patience = 2 * time.Minute

// step lets all go on by a step, and waits until the server has been pushed to and has
// pulled. It says whether that came to its end before the server was killed.
func (w *world) step() bool {
	if len(w.sender.waiting) == 0 {
		if w.now+stepSeconds > w.end {
			return false
		}
		w.now += stepSeconds
		if _, err := w.files.Write(w.now); err != nil {
			w.tb.Error(err)
		}
		setClock(w.tb, w.dir, w.now)
		w.endpoint.set(w.now)
		w.sender.scrape(w.now, 10+w.rng.IntN(60))
	}
	return w.until(w.sender.send) && w.until(func() bool { return w.endpoint.hasTold(w.now) })
}

// until waits for something, or until the server is dead.
func (w *world) until(holds func() bool) bool {
	for end := time.Now().Add(patience); !holds(); time.Sleep(2 * time.Millisecond) {
		if w.isDead.Load() {
			return false
		}
		if time.Now().After(end) {
			w.tb.Errorf("the server does nothing for %v at %d", patience, w.now)
			return false
		}
	}
	return true
}

// A hook acknowledges notifications, and keeps which process sent each.
type hook struct {
	*httptest.Server
	mu   sync.Mutex
	life int
	told []note
}

type note struct {
	life int
	alert.Notification
}

func newHook(tb testing.TB) *hook {
	tb.Helper()
	h := &hook{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var n alert.Notification
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.told = append(h.told, note{h.life, n})
	}))
	tb.Cleanup(h.Close)
	return h
}

func (h *hook) nextLife() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.life++
}
