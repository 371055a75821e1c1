package source

import (
	"cmp"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/study"
)

// A log holds the events of files.
type log struct {
	Events []study.Event // in the order of time
	Nobody []string      // names of unknown drives, one for each event
	Faults tabular.Faults
}

// readLogs reads the events of the drives in index.
func readLogs(paths []string, d *Description, index map[string]int32) (*log, error) {
	l := &log{}
	for _, path := range paths {
		file, err := tabular.Open(path, tabular.Options{Separator: d.Separator, Comma: d.Comma})
		if err != nil {
			return nil, err
		}
		t := smallTable{drive: d.Events.Drive, texts: []string{d.Events.Event}, time: d.Events.Time, timed: true, watch: d.Events.Clock}
		err = t.read(path, file, &l.Faults, func(name string, ns int64, texts []string) { l.add(name, ns, texts[0], d, index) })
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(l.Events, func(a, b study.Event) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Drive, b.Drive))
	})
	return l, nil
}

func (l *log) add(name string, ns int64, text string, d *Description, index map[string]int32) {
	drive, ok := index[name]
	if !ok {
		l.Nobody = append(l.Nobody, name)
		return
	}
	l.Events = append(l.Events, study.Event{Time: time.Unix(0, ns).UTC(), Drive: drive, What: d.Events.What(text)})
}
