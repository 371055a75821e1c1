package clickhouse

import (
	"fmt"
	"math"
	"strings"
)

// exact returns SQL for a float64 as a quotient of integers. Unlike a decimal number, which
// some parsers read with a wrong last bit, it always gives the same float64. v must be at least
// 2^-10.
func exact(v float64) string {
	fraction, exponent := math.Frexp(v)
	const digits = 53
	whole, shift := int64(fraction*(1<<digits)), digits-exponent
	for shift > 0 && whole%2 == 0 && whole != 0 {
		whole, shift = whole/2, shift-1
	}
	if shift <= 0 {
		return fmt.Sprintf("(toFloat64(%d) * %d)", whole, uint64(1)<<-shift)
	}
	return fmt.Sprintf("(toFloat64(%d) / %d)", whole, uint64(1)<<shift)
}

// identifier quotes any name of a column or table for SQL.
func identifier(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// text quotes any string for SQL.
func text(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// A table is the name of a table and its database; an empty Database is the database of the
// connection.
type table struct{ Database, Name string }

// parseTable reads the name of a table with or without its database: fleet.records. A name in
// backticks may contain dots: `my.fleet`.`records.2026`.
func parseTable(name string) table {
	first, rest, ok := cutAtDot(name)
	if !ok {
		return table{Name: first}
	}
	if last, _, more := cutAtDot(rest); !more {
		rest = last
	}
	return table{first, rest}
}

// cutAtDot splits a name at the first dot outside backticks, and removes the backticks.
func cutAtDot(name string) (first, rest string, ok bool) {
	if quoted, isQuoted := strings.CutPrefix(name, "`"); isQuoted {
		inside, after, closed := strings.Cut(quoted, "`")
		if rest, ok := strings.CutPrefix(after, "."); closed && (ok || after == "") {
			return inside, rest, ok
		}
	}
	return strings.Cut(name, ".")
}

// String returns the quoted name of the table for queries.
func (t table) String() string {
	if t.Database == "" {
		return identifier(t.Name)
	}
	return identifier(t.Database) + "." + identifier(t.Name)
}

// Engine returns the query for the engine clause of the table.
func (t table) Engine() string {
	return fmt.Sprintf("SELECT engine_full FROM system.tables WHERE database = %s AND name = %s", t.database(), text(t.Name))
}

// Columns returns the query for the names and types of the table's columns.
func (t table) Columns() string {
	return fmt.Sprintf("SELECT name, type FROM system.columns WHERE database = %s AND table = %s", t.database(), text(t.Name))
}

// database returns SQL for the name of the database, as a string.
func (t table) database() string {
	if t.Database == "" {
		return "currentDatabase()"
	}
	return text(t.Database)
}

// Cluster returns the query for the shards of a cluster and their replicas, in order.
func Cluster(name string) string {
	return fmt.Sprintf("SELECT shard_num, host_name, port FROM system.clusters WHERE cluster = %s ORDER BY shard_num, replica_num", text(name))
}
