package agent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestPrometheus: a real Prometheus scrapes native histograms, and its median is
// that of the requests within a bucket.
func TestPrometheus(t *testing.T) {
	path, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("prometheus is not installed")
	}
	e := NewExporter("fs1")
	e.Name, e.Custom = names, []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	const median = 7e-3
	e.Hear(time.Unix(1, 0), 1, latencySample(1, 10, blklat.Bucket(median*nsInSecond)))
	target := httptest.NewServer(e)
	defer target.Close()
	address := startPrometheus(t, path, strings.TrimPrefix(target.URL, "http://"))
	query := "http://" + address + "/api/v1/query?query=" + url.QueryEscape(`histogram_quantile(0.5, limpet_disk_request_device_seconds{op="read"})`)
	var got float64
	const patience = time.Minute
	for end := time.Now().Add(patience); got == 0; time.Sleep(200 * time.Millisecond) {
		if got = first(query); time.Now().After(end) {
			t.Fatalf("prometheus has no native histogram after %v", patience)
		}
	}
	if got < median/1.13 || got > median*1.13 {
		t.Errorf("the median is %g s, want about %g", got, median)
	}
	t.Logf("the median is %g s, of requests of %g s", got, median)
}

// startPrometheus has it scrape a target every second, until the test ends.
func startPrometheus(t *testing.T, path, target string) (address string) {
	t.Helper()
	dir := t.TempDir()
	config := fmt.Sprintf("scrape_configs:\n- job_name: limpet\n  scrape_interval: 1s\n  static_configs:\n  - targets: [%q]\n", target)
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return startListening(t, path, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--enable-feature=native-histograms")
}

// first is the first value of an answer; 0 where there is none.
func first(query string) float64 {
	r, err := http.Get(query)
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if json.NewDecoder(r.Body).Decode(&answer) != nil || len(answer.Data.Result) == 0 {
		return 0
	}
	text, _ := answer.Data.Result[0].Value[1].(string)
	v, _ := strconv.ParseFloat(text, 64)
	return v
}
