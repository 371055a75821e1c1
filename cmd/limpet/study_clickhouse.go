package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/study/clickhouse"
	"github.com/limpet-storage/limpet/study/render"
)

// studyClickHouseFlags choose the server and the tables of the study.
type studyClickHouseFlags struct {
	dsn     string
	options clickhouse.Options
}

// mostQueryRows is the largest --query-rows: so many rows need 150 TB of the server's memory.
const mostQueryRows = 1_000_000_000_000

// passwordVariable is the environment variable with the password; clickhouse-client reads it, too.
// A flag is not safe: all users of a machine can see command lines.
const passwordVariable = "CLICKHOUSE_PASSWORD"

func (f *studyClickHouseFlags) bind(fs *pflag.FlagSet) {
	f.options = clickhouse.DefaultOptions()
	fs.StringVar(&f.dsn, "clickhouse", "", "read the records from ClickHouse at `DSN`, such as clickhouse://user@host:9000/database. The password can be given in the variable "+passwordVariable)
	fs.StringVar(&f.options.Table, "table", "", "ClickHouse: `TABLE` with the records; the table has the same columns as a file of records (required)")
	fs.StringVar(&f.options.Inventory, "inventory-table", "", "ClickHouse: `TABLE` with the inventory of the drives, if the inventory is not in a file")
	fs.StringVar(&f.options.Events, "events-table", "", "ClickHouse: `TABLE` with the events of the drives, if the events are not in a file")
	fs.Var(bounded.Int64(&f.options.RangeRows, 1, mostQueryRows, "records"), "query-rows", "ClickHouse: read about `n` records in one query; each record takes 150 bytes of the server's memory")
	fs.BoolVar(&f.options.Gather, "gather", false, "ClickHouse: send the records of all servers to one server. A Distributed table that is not sharded by group needs this")
}

// wanted reports whether tables of ClickHouse are studied, and not files.
func (f *studyClickHouseFlags) wanted() bool { return f.dsn != "" }

// check returns an error if flags cannot be used together.
func (f *studyClickHouseFlags) check(cmd *cobra.Command) error {
	refused, reason := []string{"table", "inventory-table", "events-table", "query-rows", "gather"}, "is only for data in ClickHouse: add --clickhouse DSN"
	if f.wanted() {
		refused, reason = []string{"activity", "topology", "tables"}, "is for data in files and cannot be used with --clickhouse: remove one of the two flags"
	}
	for _, name := range refused {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s %s", name, reason)
		}
	}
	if !f.wanted() {
		return nil
	}
	if f.options.Table == "" {
		return errors.New("name the table with the records, such as --table fleet.records")
	}
	return f.options.Validate()
}

// readClickHouse reduces tables of ClickHouse with queries.
func (f *studyFlags) readClickHouse(cmd *cobra.Command, _ []string) (*studied, error) {
	if err := f.readDescription(); err != nil {
		return nil, err
	}
	o := f.clickhouseOptions(cmd)
	defer showRows(cmd, o.Progress)()
	store, err := clickhouse.Open(cmd.Context(), f.clickhouse.dsn, o)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	s := &studied{fleet: store.Fleet(), events: store.Events()}
	if s.reduction, err = store.Reduce(cmd.Context(), f.study); err != nil {
		return nil, err
	}
	wrong := store.Faults()
	s.input = render.Input{Paths: []string{store.Address(), o.Table}, WrongRows: wrong.Rows, WrongValues: wrong.Values}
	for _, w := range store.Warnings() {
		s.warnings = append(s.warnings, w.String())
	}
	return s, nil
}

// clickhouseOptions returns the options of ClickHouse, with the options that files and tables of
// records share.
func (f *studyFlags) clickhouseOptions(cmd *cobra.Command) clickhouse.Options {
	o := f.clickhouse.options
	o.Description, o.TempDir = f.source.Description, f.source.TempDir
	o.InventoryFiles, o.EventFiles = f.source.Inventory, f.source.Events
	o.Password, o.Progress = os.Getenv(passwordVariable), &clickhouse.Progress{}
	if cmd.Flags().Changed("workers") {
		o.Queries = f.source.Workers
	}
	return o
}
