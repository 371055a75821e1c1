package agent

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestNodeExporter: what has a name of node_exporter's is what node_exporter
// tells of this machine. Counters only grow, so what it says lies between what
// was said before and after.
func TestNodeExporter(t *testing.T) {
	path, err := exec.LookPath("prometheus-node-exporter")
	if err != nil {
		t.Skip("prometheus-node-exporter is not installed")
	}
	address := startNodeExporter(t, path)
	e := thisMachine(t)
	before := parse(t, e.sample())
	theirs := parse(t, fetch(t, address))
	after := parse(t, e.sample())
	checked := map[string]int{}
	for series, low := range before {
		value, known := theirs[series]
		high, still := after[series]
		if !known || !still || !strings.HasPrefix(series, "node_") {
			continue
		}
		checked[series[:len("node_disk")]]++
		const rounding = 1e-6
		if value.number < low.number-rounding || value.number > high.number+rounding {
			t.Errorf("%s is %v, not in %v … %v", series, value.number, low.number, high.number)
		}
		if value.kind != low.kind {
			t.Errorf("%s is a %s, here a %s", series, value.kind, low.kind)
		}
	}
	t.Logf("%v series are the same", checked)
	for thing, families := range map[string]int{"node_disk": len(diskFamilies) - 1 + len(completedFamilies), "node_netw": len(faultFamilies)} {
		if checked[thing] < families {
			t.Errorf("only %d series of %s could be compared", checked[thing], thing)
		}
	}
}

// sampled is an Exporter of this machine.
type sampled struct {
	*Exporter
	t      *testing.T
	kernel *kernel.Kernel
}

func thisMachine(t *testing.T) sampled {
	t.Helper()
	k, err := kernel.Open(kernel.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close() })
	e := NewExporter("this")
	e.Completed = k.Completed
	e.Name = func(major, minor uint32) string {
		target, _ := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
		return strings.ReplaceAll(filepath.Base(target), "!", "/")
	}
	return sampled{e, t, k}
}

// sample is the metrics of now.
func (e sampled) sample() string {
	e.t.Helper()
	var s sysstat.Sample
	if err := e.kernel.Sample(&s); err != nil {
		e.t.Fatal(err)
	}
	e.Hear(time.Now(), 1, &s)
	return get(e.Exporter, "/metrics").Body.String()
}

func startNodeExporter(t *testing.T, path string) (address string) {
	t.Helper()
	return startListening(t, path, "--collector.disable-defaults", "--collector.diskstats", "--collector.netdev")
}

// startListening runs a program of Prometheus's family at a free address, until the
// test ends.
func startListening(t *testing.T, path string, arguments ...string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	cmd := exec.Command(path, append(arguments, "--web.listen-address="+address)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return address
}

// fetch asks until there is an answer.
func fetch(t *testing.T, address string) string {
	t.Helper()
	for range 100 {
		r, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	t.Fatal("prometheus-node-exporter does not answer")
	return ""
}

type value struct {
	number float64
	kind   string
}

// parse is the series of a text whose labels hold no spaces.
func parse(t *testing.T, text string) map[string]value {
	t.Helper()
	series, kinds := map[string]value{}, map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if words[0] == "#" {
			if words[1] == "TYPE" {
				kinds[words[2]] = words[3]
			}
			continue
		}
		number, err := strconv.ParseFloat(words[len(words)-1], 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		name, _, _ := strings.Cut(words[0], "{")
		series[words[0]] = value{number, kinds[name]}
	}
	return series
}
