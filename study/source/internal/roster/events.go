package roster

import (
	"cmp"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/ingest/tabular/column"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source/internal/layout"
)

// A Log is what files tell of events.
type Log struct {
	Events []study.Event // in the order of time
	Nobody []string      // drives that no one knows
	Faults column.Faults
}

// ReadLogs reads the events of the drives in index.
func ReadLogs(paths []string, d *layout.Description, index map[string]int32) (*Log, error) {
	l := &Log{}
	for _, path := range paths {
		file, err := tabular.Open(path, tabular.Options{Separator: d.Separator})
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

func (l *Log) add(name string, ns int64, text string, d *layout.Description, index map[string]int32) {
	drive, ok := index[name]
	if !ok {
		l.Nobody = append(l.Nobody, name)
		return
	}
	l.Events = append(l.Events, study.Event{Time: time.Unix(0, ns).UTC(), Drive: drive, What: d.Events.What(text)})
}
