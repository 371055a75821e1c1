package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// TablesFile is the name of the file that describes the tables. The file has the format of package
// ingest/tables.
const TablesFile = "tables.yaml"

// Tables reads the series that a description names into tables. It divides the series
// into parts, one for each value of the label Description.Split. It writes one file for
// each part and span of time.
func Tables(ctx context.Context, s *Store, d *Description, o FetchOptions) (Result, error) {
	if err := o.Validate(); err != nil {
		return Result{}, err
	}
	t := &tabler{fetcher{store: s, o: o, from: o.From.Add(-leadSeconds * time.Second).UnixMilli(), to: o.To.UnixMilli()}, d}
	t.result.Kind = s.Kind
	parts, err := t.parts(ctx)
	if err != nil {
		return t.result, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return t.result, err
	}
	if err := claim(ctx, o.Dir, s.Options.Post.URL+" "+d.Name, t.from); err != nil {
		return t.result, err
	}
	err = outfile.Write(ctx, filepath.Join(o.Dir, TablesFile), func(w io.Writer) error { _, err := w.Write(d.Tables()); return err })
	if err != nil {
		return t.result, err
	}
	err = t.readServers(ctx, parts, t.readPart)
	t.result.Servers, t.result.Bytes = len(parts), bytesOf(o.Dir)
	if err == nil && t.result.Records == 0 && !hasTables(o.Dir) {
		return t.result, t.noTableError()
	}
	return t.result, err
}

// hasTables reports whether a directory has tables of an earlier fetch.
func hasTables(dir string) bool {
	entries, _ := os.ReadDir(dir) // the error is ignored, because the next read of the directory reports it
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".csv" })
}

// noTableError returns an error with the reason why no table was written although the store
// has series.
func (t *tabler) noTableError() error {
	if t.result.Samples == 0 {
		return fmt.Errorf("the store has the series of the description file, but these series have no samples from %s to %s: the store may not show the newest samples yet; try again, or choose another time", clock(t.from), clock(t.to))
	}
	return fmt.Errorf("limpet cannot use the %d samples from %s to %s: a counter needs two samples of the same series within five minutes, and a ratio needs both of its series; check the names and labels in the description file", t.result.Samples, clock(t.from), clock(t.to))
}

// A tabler reads the series that a Description names from a store into tables.
type tabler struct {
	fetcher
	described *Description
}

// parts returns the parts into which the queries to the store are divided, one part for each value
// of the label in Description.Split. If no label is set, one part has all series.
func (t *tabler) parts(ctx context.Context) (list []server, err error) {
	found := 0
	values := map[string]bool{}
	warnings, err := t.store.List(ctx, Request{Matches: t.described.First(), From: t.from, To: t.to}, func(labels map[string]string) {
		found++
		values[labels[t.described.Split]] = true
	})
	if err != nil {
		return nil, err
	}
	t.warn(warnings...)
	if found == 0 {
		a := Request{Matches: t.described.First()}
		return nil, fmt.Errorf("the store has no series %s from %s to %s: check the time, and the names and labels in the description file", a.Selector(), clock(t.from), clock(t.to))
	}
	if t.described.Split == "" {
		return []server{{host: t.described.Name}}, nil
	}
	for v := range values {
		if v != "" && (t.o.Choose == nil || t.o.Choose(v)) {
			list = append(list, server{host: v, instances: []string{v}})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the store has %d series, but the label %q of none of these series has a name that you selected: check the names that you gave with --server", found, t.described.Split)
	}
	slices.SortFunc(list, func(a, b server) int { return strings.Compare(a.host, b.host) })
	return list, nil
}

// readPart reads the series of one part (see parts), until the end of the period or until the store
// fails.
func (t *tabler) readPart(ctx context.Context, sv server, s *span) error {
	at, err := t.partStart(sv)
	if err != nil {
		return err
	}
	ask := func(from, to int64) Request {
		matches := t.described.Matches()
		if sv.instances != nil {
			matches = append(matches, Instances(t.described.Split, sv.instances))
		}
		return Request{Matches: matches, From: from - leadSeconds*1000, To: to}
	}
	return t.readSpans(ctx, sv, s, at, ask, func(from, to int64) error {
		lines := t.described.Lines(s.joinedSeries(), from, to)
		if len(lines) == 0 {
			return nil
		}
		t.result.Records += uint64(len(lines))
		return outfile.Write(ctx, t.tablePath(sv, from, to), func(w io.Writer) error { return t.described.Write(w, lines) })
	})
}

// tablePath returns the path of the table with the values of a part in a span of time.
func (t *tabler) tablePath(sv server, from, to int64) string {
	return filepath.Join(t.o.Dir, fmt.Sprintf("%s-%x-%x.csv", stem(sv.host), from, to))
}

func stem(name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash never returns an error
	return fmt.Sprintf("part%016x", h.Sum64())
}

// partStart returns the time from which a part is read, in ms since 1970. If there are tables of
// the part, this is the end of the time that they cover. Otherwise it is the start of the period.
func (t *tabler) partStart(sv server) (int64, error) {
	paths, err := filepath.Glob(filepath.Join(t.o.Dir, stem(sv.host)+"-*.csv"))
	at := t.from
	for _, path := range paths {
		var from, to int64
		if _, err := fmt.Sscanf(strings.TrimPrefix(filepath.Base(path), stem(sv.host)), "-%x-%x.csv", &from, &to); err == nil {
			at = max(at, to)
		}
	}
	return min(at, t.to), err
}

// joinedSeries returns the series of a span. A store may return a series in several pieces.
// joinedSeries joins the pieces of each series.
func (s *span) joinedSeries() []Series {
	byKey := map[string]int{}
	var list []Series
	for i := range s.pieces {
		p := &s.pieces[i]
		at, ok := byKey[string(p.key)]
		if !ok {
			at = len(list)
			byKey[string(p.key)] = at
			list = append(list, Series{Labels: p.labels})
		}
		list[at].Samples = append(list[at].Samples, p.samples...)
	}
	return list
}
