// This file is the form of ceph osd perf, polled: again and again a line
// with the time, then what ceph prints, as text or as JSON (-f json,
// -f json-pretty).
//
//	while sleep 15; do date -u +%FT%TZ; ceph osd perf -f json; done > perf.txt
//
//	2026-11-15T23:12:20Z
//	osd  commit_latency(ms)  apply_latency(ms)
//	  2                   4                  4
//	  0                   3                  3
//
// JSON of recent versions has nanoseconds, which tell fast drives apart.

package tool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// cephPerfForm is that of ceph osd perf.
var cephPerfForm = TableForm{
	Name:    "ceph",
	Command: "ceph osd perf after date -u +%FT%TZ",
	Columns: []string{"time", "osd", "commit", "apply"}, // latencies in ms
	Open: func(src *bufio.Reader) Source {
		p := &poll{}
		return Lines(src, p.line)
	},
}

var errTime = errors.New("latencies without a time: print it before each, with date -u +%FT%TZ")

// maxObject bounds the JSON of one poll: 100,000 OSDs have less.
const maxObject = 64 << 20

// poll is where in the text the reader is.
type poll struct {
	time   string
	object []byte // JSON that has not ended yet
}

// line takes a line of text.
func (p *poll) line(line string, rows *Rows) error {
	if p.object != nil || strings.HasPrefix(strings.TrimSpace(line), "{") {
		return p.json(line, rows)
	}
	if time, ok := rows.Dates.Time(line); ok {
		p.time = time
		return nil
	}
	f := strings.Fields(line)
	if len(f) != 3 || f[0] == "osd" {
		return nil
	}
	if _, err := strconv.Atoi(f[0]); err != nil {
		return nil
	}
	return p.add(f[0], f[1], f[2], rows)
}

func (p *poll) add(osd, commit, apply string, rows *Rows) error {
	if p.time == "" {
		return errTime
	}
	rows.Add(p.time, "osd."+osd, commit, apply)
	return nil
}

// perf is the JSON of one poll. Releases before Nautilus have the list at the
// top.
type perf struct {
	Infos []info `json:"osd_perf_infos"`
	Stats struct {
		Infos []info `json:"osd_perf_infos"`
	} `json:"osdstats"`
}

type info struct {
	ID    int `json:"id"`
	Stats struct {
		CommitMs float64  `json:"commit_latency_ms"`
		ApplyMs  float64  `json:"apply_latency_ms"`
		CommitNs *float64 `json:"commit_latency_ns"`
		ApplyNs  *float64 `json:"apply_latency_ns"`
	} `json:"perf_stats"`
}

// json gathers lines until they are a whole object.
func (p *poll) json(line string, rows *Rows) error {
	p.object = append(append(p.object, line...), '\n')
	if len(p.object) > maxObject {
		return fmt.Errorf("JSON of more than %d MB", maxObject>>20)
	}
	if !strings.Contains(line, "}") || !json.Valid(p.object) {
		return nil
	}
	var o perf
	err := json.Unmarshal(p.object, &o)
	p.object = nil
	if err != nil {
		return err
	}
	for _, i := range append(o.Infos, o.Stats.Infos...) {
		if err := p.add(strconv.Itoa(i.ID), ms(i.Stats.CommitMs, i.Stats.CommitNs), ms(i.Stats.ApplyMs, i.Stats.ApplyNs), rows); err != nil {
			return err
		}
	}
	return nil
}

// ms takes nanoseconds where there are any.
func ms(ms float64, ns *float64) string {
	if ns != nil && *ns > 0 {
		ms = *ns / 1e6
	}
	return strconv.FormatFloat(ms, 'g', -1, 64)
}
