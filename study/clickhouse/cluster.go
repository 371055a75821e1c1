package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	driver "github.com/ClickHouse/clickhouse-go/v2"
)

// connectAll connects to the server of the DSN; or to all shards of its table, if the table is
// Distributed and Options.Gather is not set.
func connectAll(ctx context.Context, to *driver.Options, o Options) ([]*shard, error) {
	first, err := connect(ctx, to, parseTable(o.Table))
	if err != nil {
		return nil, err
	}
	engine, err := first.engine(ctx)
	if err == nil && (o.Gather || !strings.HasPrefix(engine, "Distributed(")) {
		return []*shard{first}, nil
	}
	defer first.conn.Close()
	if err != nil {
		return nil, err
	}
	return first.spread(ctx, engine, to)
}

// engine returns the engine clause of the table, with its arguments.
func (s *shard) engine(ctx context.Context) (engine string, err error) {
	found := false
	err = s.query(ctx, s.table.Engine(), func(scan func(...any) error) error { found = true; return scan(&engine) })
	if err == nil && !found {
		err = s.noTable(s.table)
	}
	return engine, err
}

// spread connects to the shards of a Distributed table. If a replica of a shard does not
// answer, the driver uses another.
func (s *shard) spread(ctx context.Context, engine string, o *driver.Options) ([]*shard, error) {
	arguments := engineArguments(engine)
	if len(arguments) < 3 {
		return nil, fmt.Errorf("%s: table %s has the engine %s, and limpet cannot reach its shards from here; study the shards one by one, or use --gather", s.address, s.table, engine)
	}
	replicas, err := s.replicas(ctx, arguments[0])
	if err != nil {
		return nil, err
	}
	var shards []*shard
	for _, addresses := range replicas {
		own := *o
		own.Addr = addresses
		one, err := connect(ctx, &own, table{Database: arguments[1], Name: arguments[2]})
		if err != nil {
			err = errors.Join(err, closeAll(shards))
			return nil, fmt.Errorf("shard %d of table %s: %w; if limpet cannot reach this shard, use --gather", len(shards)+1, s.table, err)
		}
		shards = append(shards, one)
	}
	return shards, nil
}

// replicas returns the addresses of the replicas of each shard of a cluster.
func (s *shard) replicas(ctx context.Context, cluster string) ([][]string, error) {
	var out [][]string
	last := uint32(0)
	err := s.query(ctx, Cluster(cluster), func(scan func(...any) error) error {
		var shard uint32
		var host string
		var port uint16
		if err := scan(&shard, &host, &port); err != nil {
			return err
		}
		if shard != last || len(out) == 0 {
			out, last = append(out, nil), shard
		}
		at := &out[len(out)-1]
		*at = append(*at, net.JoinHostPort(host, strconv.Itoa(int(port))))
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: the user of ClickHouse cannot see cluster %s; use --gather", s.address, cluster)
	}
	return out, err
}

// engineArguments returns the arguments of an engine up to the first that is not a name. For
//
//	Distributed(two, 'fleet', `records`, cityHash64(group))
//
// they are two, fleet and records.
func engineArguments(engine string) []string {
	_, rest, _ := strings.Cut(engine, "(")
	var out []string
	for {
		rest = strings.TrimLeft(rest, " ")
		name, after := cutName(rest)
		after = strings.TrimLeft(after, " ")
		if name == "" || after == "" || after[0] != ',' && after[0] != ')' {
			return out
		}
		out = append(out, name)
		if after[0] == ')' {
			return out
		}
		rest = after[1:]
	}
}

// cutName splits a text after its first name, which may be quoted.
func cutName(s string) (name, rest string) {
	if s == "" || s[0] != '\'' && s[0] != '`' && s[0] != '"' {
		end := strings.IndexAny(s, " ,()")
		if end < 0 {
			return "", ""
		}
		return s[:end], s[end:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == s[0]:
			return b.String(), s[i+1:]
		default:
			b.WriteByte(s[i])
		}
	}
	return "", ""
}

func closeAll(shards []*shard) error {
	var errs []error
	for _, s := range shards {
		errs = append(errs, s.conn.Close())
	}
	return errors.Join(errs...)
}
