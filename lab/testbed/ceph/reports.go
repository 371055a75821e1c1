//go:build linux

package ceph

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// The reports of Ceph about itself. In each file, a line with the time is before each output:
//
//	perf-dump.txt   perf dump of each OSD, after a line with the name of the OSD
//	histograms.txt  perf histogram dump of each OSD, after a line with the name of the OSD
//	metrics.prom    the module prometheus of the manager
//	osd-perf.txt    ceph osd perf -f json
//	osd-df.txt      ceph osd df -f json
//	pg-dump.txt     ceph pg dump pgs_brief -f json
//
// The first line of perf-dump.txt is the output of ceph osd metadata. osd-tree.json and
// osd-metadata.json have no time: they are written once.
//
// The command ceph needs half a second of CPU time to start. So the recorder reads the counters of
// OSDs through their admin sockets, and runs the command less often.
const (
	socketEvery  = 5 * time.Second
	commandEvery = 10 * time.Second
	slowEvery    = time.Minute
)

// Observe records the reports until ctx ends.
func (c *service) Observe(ctx context.Context, dir string) error {
	r := reports{service: c, dir: dir, due: map[string]time.Time{}}
	tree, errTree := c.ceph(ctx, "osd", "tree", "-f", "json")
	metadata, errMetadata := c.metadata(ctx)
	err := errors.Join(errTree, errMetadata, os.WriteFile(filepath.Join(dir, "osd-tree.json"), []byte(tree), 0o644),
		os.WriteFile(filepath.Join(dir, "osd-metadata.json"), metadata, 0o644), os.WriteFile(filepath.Join(dir, "perf-dump.txt"), append(metadata, '\n'), 0o644))
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := r.round(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		_ = bench.Sleep(ctx, time.Until(time.Now().Truncate(socketEvery).Add(socketEvery))) // the loop looks at the context
	}
	return nil
}

// metadata returns the output of ceph osd metadata without the facts about this machine.
func (c *service) metadata(ctx context.Context) ([]byte, error) {
	said, err := c.ceph(ctx, "osd", "metadata", "-f", "json")
	if err != nil {
		return nil, err
	}
	var all []map[string]any
	if err := json.Unmarshal([]byte(said), &all); err != nil {
		return nil, fmt.Errorf("the output of ceph osd metadata cannot be read: %w", err)
	}
	for _, osd := range all {
		for _, key := range []string{"container_name", "container_hostname", "container_image", "pod_name", "pod_namespace", "cpu", "kernel_description"} {
			delete(osd, key)
		}
	}
	return json.Marshal(all)
}

// reports writes the files.
type reports struct {
	*service
	dir string
	due map[string]time.Time // time of the next report, by file

	unanswered int // number of the last requests for metrics that had no answer
}

// round makes the reports that are due.
func (r *reports) round(ctx context.Context) error {
	return errors.Join(
		r.report("perf-dump.txt", socketEvery, func() (string, error) { return r.sockets("perf dump"), nil }),
		r.report("histograms.txt", socketEvery, func() (string, error) { return r.sockets("perf histogram dump"), nil }),
		r.report("metrics.prom", socketEvery, func() (string, error) { return r.metrics(ctx) }),
		r.report("osd-perf.txt", commandEvery, func() (string, error) { return r.ceph(ctx, "osd", "perf", "-f", "json") }),
		r.report("osd-df.txt", slowEvery, func() (string, error) { return r.ceph(ctx, "osd", "df", "-f", "json") }),
		r.report("pg-dump.txt", slowEvery, func() (string, error) { return r.ceph(ctx, "pg", "dump", "pgs_brief", "-f", "json") }),
	)
}

// report appends the time and an output to a file, if it is due. The time is that at which the output
// was asked for.
func (r *reports) report(name string, every time.Duration, ask func() (string, error)) error {
	now := time.Now()
	if now.Before(r.due[name]) {
		return nil
	}
	r.due[name] = now.Truncate(every).Add(every)
	said, err := ask()
	if errors.Is(err, errNoAnswer) {
		fmt.Fprintf(r.Log, "%s has no report of %s: %v\n", name, now.UTC().Format(time.RFC3339), err)
		return nil
	}
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(r.dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s\n%s\n", now.UTC().Format(time.RFC3339), strings.TrimSpace(said))
	return errors.Join(err, file.Close())
}

// sockets sends a command to the admin socket of each OSD. An OSD that does not answer is left out, as it is in the
// output of ceph tell: the daemon may hang, or be down.
func (r *reports) sockets(command string) string {
	var text bytes.Buffer
	for osd := range r.Run.Ceph.OSDs() {
		said, err := ask(r.socket(osd), command)
		if err != nil {
			fmt.Fprintf(r.Log, "osd.%d does not answer the command %s: %v\n", osd, command, err)
			continue
		}
		fmt.Fprintf(&text, "osd.%d\n%s\n", osd, bytes.TrimSpace(said))
	}
	return text.String()
}

// askTimeout is how long a daemon that hangs is waited for.
const askTimeout = time.Second

// ask sends a command to the admin socket of a daemon. The daemon answers with a length of four bytes
// and so many bytes.
func ask(socket, command string) ([]byte, error) {
	conn, err := net.DialTimeout("unix", socket, askTimeout)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(askTimeout)); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, `{"prefix": %q, "format": "json"}`+"\x00", command); err != nil {
		return nil, err
	}
	var size uint32
	if err := binary.Read(conn, binary.BigEndian, &size); err != nil {
		return nil, err
	}
	const most = 16 << 20
	if size > most {
		return nil, fmt.Errorf("the answer of the OSD has %d bytes, but at most %d bytes are expected", size, most)
	}
	said := make([]byte, size)
	_, err = io.ReadFull(conn, said)
	return said, err
}

// prometheusPort is the port of the module prometheus of the manager.
const prometheusPort = 9283

// metrics requests the metrics of the manager, in the namespace of its host.
func (r *reports) metrics(ctx context.Context) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	words := r.In(bench.Manager, self, "get", fmt.Sprintf("http://%s:%d/metrics", r.Address(bench.Manager), prometheusPort))
	said, err := bench.Output(ctx, words[0], words[1:]...)
	if err == nil {
		r.unanswered = 0
		return said, nil
	}
	if r.unanswered++; r.unanswered > mostUnanswered || ctx.Err() != nil {
		return "", err
	}
	return "", fmt.Errorf("%w: %w", errNoAnswer, err)
}

// errNoAnswer is the error of the manager's module prometheus if it does not answer, for example because
// the connection is reset on a busy machine. The run goes on without this report.
var errNoAnswer = errors.New("the manager did not answer")

// mostUnanswered is how many requests in a row may have no answer of the manager.
const mostUnanswered = 2

// Get copies the answer of an address.
func Get(ctx context.Context, address string, to io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, getTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, answer.Status)
	}
	_, err = io.Copy(to, answer.Body)
	return err
}

// getTimeout is longer than the module takes with eight OSDs.
const getTimeout = 20 * time.Second
