package clickhouse

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/limpet-storage/limpet/study/source"
)

// list has study/source make the fleet, as it does of files: who has records
// is written down as a file of records, and so are tables of inventory and
// events. All names, roles, kinds and warnings then are those of a study of
// files.
func (s *Store) list(ctx context.Context) error {
	dir, err := os.MkdirTemp(s.options.TempDir, "limpet-clickhouse-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o := source.DefaultOptions()
	o.TempDir, o.Workers, o.Description = dir, 1, s.rosterDescription()
	o.Inventory, o.Events = slices.Clone(s.options.InventoryFiles), slices.Clone(s.options.EventFiles)
	b := beside{ctx: ctx, dir: dir, separator: o.Description.Separator}
	records, err := b.writeSightings(s)
	if err != nil {
		return err
	}
	if err := b.tables(s, &o); err != nil {
		return err
	}
	listed, err := source.Open(ctx, []string{records}, o)
	if err != nil {
		return &tableError{err, b.named}
	}
	defer listed.Close()
	s.fleet, s.events, s.warnings = listed.Fleet(), listed.Events(), listed.Warnings()
	return s.number()
}

// rosterDescription describes the file of records that list writes; the rest
// is as the user said.
func (s *Store) rosterDescription() *source.Description {
	d, usual := *s.options.Description, defaultDescription()
	d.Time = usual.Time
	d.Group, d.Drive, d.Measures = usual.Group, usual.Drive, usual.Measures
	if s.options.Inventory != "" || s.options.Events != "" {
		d.Events.Clock = usual.Events.Clock
	}
	return &d
}

// beside writes the files that stand in for tables.
type beside struct {
	ctx       context.Context
	dir       string
	separator byte
	named     []string // paths of files, each followed by the table that it stands for
}

// A tableError is about files that stand in for tables, and names the tables:
// the files are gone when anyone reads it.
type tableError struct {
	error
	named []string
}

func (e *tableError) Error() string { return strings.NewReplacer(e.named...).Replace(e.error.Error()) }

func (e *tableError) Unwrap() error { return e.error }

// write writes a file of lines that stands for a table, the first with names of
// columns.
func (b *beside) write(name, table string, lines func(write func(...string) error) error) (path string, err error) {
	path = filepath.Join(b.dir, name)
	b.named = append(b.named, path, "table "+table)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	w := csv.NewWriter(file)
	if b.separator != 0 {
		w.Comma = rune(b.separator)
	}
	err = lines(func(fields ...string) error { return w.Write(fields) })
	w.Flush()
	return path, errors.Join(err, w.Error(), file.Close())
}

// writeSightings writes a record for each drive, group and role.
func (b *beside) writeSightings(s *Store) (string, error) {
	return b.write("records.csv", s.options.Table, func(write func(...string) error) error {
		role := s.layout.Role
		header := []string{"time", "group", "drive", "latency_us"}
		if role != "" {
			header = append(header, role)
		}
		if err := write(header...); err != nil {
			return err
		}
		for _, one := range s.shards {
			for _, seen := range one.names.seen {
				line := []string{"0", seen.group, seen.drive, "1", seen.role}
				if err := write(line[:len(header)]...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// tables writes those of inventory and events, where there are any.
func (b *beside) tables(s *Store, o *source.Options) error {
	d := s.options.Description
	if name := s.options.Inventory; name != "" {
		columns := d.Inventory.Drive.Fields()
		assumed := make(map[string]bool)
		for _, t := range d.Inventory.Traits {
			columns = append(columns, t.Column)
			assumed[t.Column] = t.Assumed
		}
		path, err := b.table(s.server, name, "inventory.csv", columns, assumed)
		if err != nil {
			return err
		}
		o.Inventory = append(o.Inventory, path)
	}
	if name := s.options.Events; name != "" {
		path, err := b.table(s.server, name, "events.csv", append(d.Events.Drive.Fields(), d.Events.Time, d.Events.Event), nil)
		if err != nil {
			return err
		}
		o.Events = append(o.Events, path)
	}
	return nil
}

// table writes some columns of a table at the server of the DSN; those that are
// only assumed need not be there.
func (b *beside) table(server *driver.Options, name, file string, columns []string, assumed map[string]bool) (string, error) {
	one, err := connect(b.ctx, server, parseTable(name))
	if err != nil {
		return "", err
	}
	defer one.conn.Close()
	known, err := one.schema(b.ctx, one.table)
	if err != nil {
		return "", err
	}
	var there []string
	for _, c := range columns {
		if !slices.Contains(there, c) && (known.Has(c) || !assumed[c]) {
			there = append(there, c)
		}
	}
	sql, err := known.Texts(there)
	if err != nil {
		return "", err
	}
	return b.write(file, name, func(write func(...string) error) error {
		if err := write(there...); err != nil {
			return err
		}
		return one.query(b.ctx, sql, func(scan func(...any) error) error {
			line, room := make([]string, len(there)), make([]any, len(there))
			for i := range line {
				room[i] = &line[i]
			}
			if err := scan(room...); err != nil {
				return err
			}
			return write(line...)
		})
	})
}

// number tells all shards the numbers of their groups and drives.
func (s *Store) number() error {
	groups, drives := make(map[string]int32), make(map[string]int32)
	for i, name := range s.fleet.Groups {
		groups[name] = int32(i)
	}
	for i := range s.fleet.Drives {
		drives[s.fleet.Drives[i].Name] = int32(i)
	}
	for _, one := range s.shards {
		for _, seen := range one.names.seen {
			if _, ok := drives[seen.drive]; !ok {
				return fmt.Errorf("drive %q has a name that does not fit on one line of a file; choose another name", seen.drive)
			}
			if _, ok := groups[seen.group]; !ok {
				return fmt.Errorf("group %q has a name that does not fit on one line of a file; choose another name", seen.group)
			}
		}
		if err := one.names.number(s.layout, groups, drives, s.fleet); err != nil {
			return err
		}
	}
	return nil
}
