package storetest

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
)

// sample is one line of a table of the PERSEUS dataset.
type sample struct {
	time       int64 // Unix seconds
	host, disk string
	values     [2]string // throughput and latency
}

// LoadTables sends the samples of tables of the PERSEUS dataset in time order. The tables have the
// columns ts, disk_id, throughput and latency. The name of the table's directory is the name of the
// host. LoadTables returns the times of the first and the last sample in Unix seconds.
func (l *Loader) LoadTables(ctx context.Context, paths []string) (first, last int64, err error) {
	var all []sample
	for _, path := range paths {
		if all, err = appendTable(all, path); err != nil {
			return 0, 0, err
		}
	}
	slices.SortStableFunc(all, func(a, b sample) int { return cmp.Compare(a.time, b.time) })
	for _, x := range all {
		for i, name := range []string{"perseus_throughput", "perseus_latency"} {
			v, err := strconv.ParseFloat(x.values[i], 64)
			if err != nil {
				continue // the value is missing (NA)
			}
			labels := []remotewrite.Label{{Name: "__name__", Value: name}, {Name: "host", Value: x.host}, {Name: "disk_id", Value: x.disk}}
			if err := l.Add(ctx, remotewrite.Series{Labels: labels, Samples: []exporter.Sample{{Time: x.time * 1000, Value: v}}}); err != nil {
				return 0, 0, err
			}
		}
	}
	return all[0].time, all[len(all)-1].time, l.Flush(ctx)
}

func appendTable(all []sample, path string) ([]sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return all, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return all, err
	}
	host := filepath.Base(filepath.Dir(path))
	for _, r := range records[1:] {
		t, err := strconv.ParseInt(r[0], 10, 64)
		if err != nil {
			return all, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, sample{t, host, r[1], [2]string{r[2], r[3]}})
	}
	return all, nil
}
