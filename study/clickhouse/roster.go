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

// list makes the fleet with study/source, so that names, roles, kinds and warnings are the same
// as in a study of files. It writes temporary files for study/source: a file of records with
// one record for each drive, group and role, and copies of the tables of inventory and events.
func (s *Store) list(ctx context.Context) error {
	dir, err := os.MkdirTemp(s.options.TempDir, "limpet-clickhouse-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o := source.DefaultOptions()
	o.TempDir, o.Workers, o.Description = dir, 1, s.rosterDescription()
	o.Inventory, o.Events = slices.Clone(s.options.InventoryFiles), slices.Clone(s.options.EventFiles)
	b := tableFiles{ctx: ctx, dir: dir, separator: o.Description.Separator}
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

// rosterDescription returns the description of the files that list writes. It differs from the
// user's description only in the columns of records, and in the times of events if there are
// tables of inventory or events.
func (s *Store) rosterDescription() *source.Description {
	d, usual := *s.options.Description, defaultDescription()
	d.Time = usual.Time
	d.Group, d.Drive, d.Measures = usual.Group, usual.Drive, usual.Measures
	if s.options.Inventory != "" || s.options.Events != "" {
		d.Events.Clock = usual.Events.Clock
	}
	return &d
}

// tableFiles writes temporary files with the contents of tables.
type tableFiles struct {
	ctx       context.Context
	dir       string
	separator byte
	named     []string // paths of files, each followed by the name of its table
}

// A tableError is an error about temporary files of tables. Its text names the tables instead
// of the files, because the files are removed before the user reads the text.
type tableError struct {
	error
	named []string
}

func (e *tableError) Error() string { return strings.NewReplacer(e.named...).Replace(e.error.Error()) }

func (e *tableError) Unwrap() error { return e.error }

// write writes a CSV file with the contents of a table. The first line must have the names of
// the columns.
func (b *tableFiles) write(name, table string, lines func(write func(...string) error) error) (path string, err error) {
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

// writeSightings writes a file with a record for each drive, group and role.
func (b *tableFiles) writeSightings(s *Store) (string, error) {
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

// tables writes files with the tables of inventory and events, if there are any, and adds the
// files to the options.
func (b *tableFiles) tables(s *Store, o *source.Options) error {
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

// table writes a file with some columns of a table on the server of the DSN. Columns in assumed
// come from the defaults of the description, and may be missing in the table.
func (b *tableFiles) table(server *driver.Options, name, file string, columns []string, assumed map[string]bool) (string, error) {
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

// number makes the external tables of all shards, with the numbers of groups and drives.
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
				return fmt.Errorf("drive %q has a name that cannot be read back from one line of a CSV file; choose a name without line breaks", seen.drive)
			}
			if _, ok := groups[seen.group]; !ok {
				return fmt.Errorf("group %q has a name that cannot be read back from one line of a CSV file; choose a name without line breaks", seen.group)
			}
		}
		if err := one.names.number(s.layout, groups, drives, s.fleet); err != nil {
			return err
		}
	}
	return nil
}
