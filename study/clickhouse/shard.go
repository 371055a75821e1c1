package clickhouse

import (
	"context"
	"errors"
	"fmt"

	driver "github.com/ClickHouse/clickhouse-go/v2"
)

// A shard is a server, or several replicas, with all records of its groups.
type shard struct {
	address string
	conn    driver.Conn
	table   table
	names   *names
}

// connect opens a connection and checks that the server answers.
func connect(ctx context.Context, o *driver.Options, table table) (*shard, error) {
	conn, err := driver.Open(o)
	if err != nil {
		return nil, err
	}
	s := &shard{address: addressOf(o), conn: conn, table: table}
	if err := conn.Ping(ctx); err != nil {
		conn.Close()
		return nil, s.explain(err)
	}
	return s, nil
}

// query calls row for every row of an answer. The context may carry external tables and a
// listener for progress.
func (s *shard) query(ctx context.Context, sql string, row func(scan func(...any) error) error) error {
	rows, err := s.conn.Query(ctx, sql)
	if err != nil {
		return s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return s.explain(err)
		}
	}
	if err := rows.Err(); err != nil {
		return s.explain(err)
	}
	return ctx.Err()
}

// schema reads the columns of a table.
func (s *shard) schema(ctx context.Context, table table) (*schema, error) {
	out := &schema{Table: table, Types: make(map[string]string)}
	err := s.query(ctx, table.Columns(), func(scan func(...any) error) error {
		var name, kind string
		err := scan(&name, &kind)
		out.Types[name] = kind
		return err
	})
	if err == nil && len(out.Types) == 0 {
		err = s.noTable(table)
	}
	return out, err
}

func (s *shard) noTable(table table) error {
	return fmt.Errorf("%s: the user of ClickHouse cannot see table %s; allow the user to read the table, or name another table with its database", s.address, table)
}

// Codes of errors for which explain has a specific hint.
const (
	unknownDatabase = 81
	unknownUser     = 192
	wrongPassword   = 193
	memoryLimit     = 241
	accessDenied    = 497
	authentication  = 516
)

// explain adds the server and a hint to an error.
func (s *shard) explain(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	hint := "check that ClickHouse runs there and that its native port, usually 9000, can be reached from here"
	if e, ok := errors.AsType[*driver.Exception](err); ok {
		switch e.Code {
		case unknownDatabase:
			hint = "name a column or table that exists"
		case memoryLimit:
			hint = "let a query read fewer records (--query-rows), or raise max_memory_usage of ClickHouse"
		case authentication, wrongPassword, unknownUser, accessDenied:
			hint = "give the name and the password of a user who may read the table"
		default:
			hint = "read the log of ClickHouse"
		}
	}
	return fmt.Errorf("%s: %w; %s", s.address, err, hint)
}
