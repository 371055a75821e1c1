package clickhouse

import (
	"context"
	"errors"
	"fmt"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// A Store is the records of a fleet in ClickHouse, ready to be reduced.
type Store struct {
	options  Options
	server   *driver.Options // of the DSN
	layout   *layout
	shards   []*shard
	hours    map[int32]int64 // records
	rows     int64
	faults   Faults
	fleet    *study.Fleet
	events   []study.Event
	warnings []source.Warning
}

// Open connects with the server at dsn, clickhouse://user:password@host:9000/db,
// and with the shards of a Distributed table; then it asks who the records are
// about.
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

// defaultDescription is that of what `limpet simulate fleet` writes.
func defaultDescription() *source.Description {
	d, err := source.ParseDescription("default", []byte("{}"))
	if err != nil {
		panic(err) // it says nothing
	}
	return d
}

func (s *Store) open(ctx context.Context) error {
	columns, err := s.shards[0].schema(ctx, s.shards[0].table)
	if err != nil {
		return err
	}
	if s.layout, err = newQuery(columns, s.options.Description); err != nil {
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

// check adds up what the shards have, and sees to it that it can be reduced:
// some records, hourly, all of a group on one shard.
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

// Fleet is who the records are about; it does not change any more.
func (s *Store) Fleet() *study.Fleet { return s.fleet }

// Events are those of the fleet's drives, in the order of time.
func (s *Store) Events() []study.Event { return s.events }

// Faults is what is wrong with records, as source.Faults counts it. Where they
// stand in a table is not told: its rows have no numbers.
type Faults struct {
	Rows   int64 // left out: no time, no group, no drive
	Values int64 // taken as missing: negative, infinite
}

// Faults tells what is wrong with the records.
func (s *Store) Faults() Faults { return s.faults }

// Address is the DSN without its password.
func (s *Store) Address() string { return addressOf(s.server) }

// Warnings lists what the tables as a whole are weaker for.
func (s *Store) Warnings() []source.Warning { return s.warnings }

// Close closes all connections.
func (s *Store) Close() error { return closeAll(s.shards) }
