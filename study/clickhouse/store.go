package clickhouse

import (
	"context"
	"errors"
	"fmt"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// A Store holds the connections to the records of a fleet in ClickHouse.
type Store struct {
	options  Options
	server   *driver.Options // server of the DSN
	layout   *layout
	shards   []*shard
	hours    map[int32]int64 // number of records, by hour
	rows     int64           // number of records with a time, a group and a drive
	faults   Faults
	fleet    *study.Fleet
	events   []study.Event
	warnings []source.Warning
}

// Open connects to the server at dsn, such as clickhouse://user:password@host:9000/db, and to
// the shards of a Distributed table. Then it reads which groups and drives have records.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Description == nil {
		o.Description = defaultDescription()
	}
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	s := &Store{options: o}
	var err error
	if s.server, err = parseDSN(dsn, o); err != nil {
		return nil, err
	}
	if s.shards, err = connectAll(ctx, s.server, o); err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// defaultDescription returns the description of the files that `limpet simulate fleet` writes.
func defaultDescription() *source.Description {
	d, err := source.ParseDescription("default", []byte("{}"))
	if err != nil {
		panic(err) // cannot happen: the description is empty
	}
	return d
}

func (s *Store) open(ctx context.Context) error {
	columns, err := s.shards[0].schema(ctx, s.shards[0].table)
	if err != nil {
		return err
	}
	if s.layout, err = newLayout(columns, s.options.Description); err != nil {
		return err
	}
	s.options.Progress.begin(source.Surveying, 1, 0)
	err = parallel(ctx, len(s.shards), func(ctx context.Context, i int) error {
		return s.shards[i].survey(ctx, s.layout, s.options.Progress)
	})
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	return s.list(ctx)
}

// check adds up the records of the shards. It returns an error if
//
//   - there are no records;
//   - the records are not hourly;
//   - a group has records on several shards.
func (s *Store) check() error {
	s.hours = make(map[int32]int64)
	offsets := make(map[int64]bool)
	home := make(map[string]*shard)
	for _, one := range s.shards {
		for hour, n := range one.names.hours {
			s.hours[hour] += n
		}
		for offset := range one.names.offsets {
			offsets[offset] = true
		}
		s.rows += one.names.rows
		s.faults.Rows += one.names.faults.Rows
		s.faults.Values += one.names.faults.Values
		for _, seen := range one.names.seen {
			if had, ok := home[seen.group]; ok && had != one {
				return fmt.Errorf("group %s has records at %s and at %s, but the median needs all records of a group on one server; shard the table by group, or use --gather",
					seen.group, had.address, one.address)
			}
			home[seen.group] = one
		}
	}
	switch {
	case s.rows == 0:
		return fmt.Errorf("table %s has no records with a time, a group and a drive; name another table", s.options.Table)
	case len(offsets) > 1:
		return fmt.Errorf("table %s has several records per hour; make a table with one record per hour, or study the files instead", s.options.Table)
	}
	return nil
}

// Fleet returns the groups and drives of the records. It does not change after Open.
func (s *Store) Fleet() *study.Fleet { return s.fleet }

// Events returns the events of the fleet's drives, in the order of time.
func (s *Store) Events() []study.Event { return s.events }

// Faults counts the invalid records and values, as source.Faults does. It has no places of the
// faults, because the rows of a table have no numbers.
type Faults struct {
	Rows   int64 // records that are left out: without time, group or drive
	Values int64 // values that are taken as missing: negative or infinite
}

// Faults returns the counts of invalid records and values.
func (s *Store) Faults() Faults { return s.faults }

// Address returns the DSN without its password and settings.
func (s *Store) Address() string { return addressOf(s.server) }

// Warnings returns the warnings about the tables as a whole: problems that make the results
// less reliable.
func (s *Store) Warnings() []source.Warning { return s.warnings }

// Close closes all connections.
func (s *Store) Close() error { return closeAll(s.shards) }
