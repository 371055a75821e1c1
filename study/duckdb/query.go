package duckdb

import (
	"database/sql"
	"fmt"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

// Counts are the core quantities of a study: what its first pass is for.
type Counts struct {
	DriveHours, Slow15, Slow2   int64
	GroupHours                  int64
	Tail15, Tail1, Tail2, Tail3 int64 // group hours with T1 of 1.5, with T1, T2, T3 of 2
	Busy, Large                 int64 // drive hours with twice the I/Os of the peers, or larger ones
	Bins                        int64 // of the distribution of S that are not empty
	SlowDrives                  int64 // that were ever 2× slow
}

// ratios makes a table of every drive hour's slowdown and imbalance: members
// are data drives with I/O, and an hour of a group has at least three.
const ratios = `
CREATE OR REPLACE TEMP TABLE ratio AS
WITH member AS (
  SELECT time, "group", drive, ios, latency_us, size_bytes
  FROM read_parquet('%s/records/*.parquet')
  WHERE role = 'data' AND ios > 0 AND latency_us > 0
), peers AS (
  SELECT time, "group", median(latency_us) AS latency, median(ios) AS ios, median(size_bytes) AS size
  FROM member GROUP BY time, "group" HAVING count(*) >= 3
)
SELECT kind, m.time, m."group", m.drive,
  m.latency_us / p.latency AS s, m.ios / p.ios AS ri, m.size_bytes / p.size AS zi
FROM member m JOIN peers p USING (time, "group") JOIN read_parquet('%s/inventory.parquet') i USING (drive)`

// aggregates counts them by kind.
const aggregates = `
WITH hours AS (
  SELECT kind, max(s) AS t1, count(*) FILTER (s >= 2) AS slow FROM ratio GROUP BY kind, time, "group"
), tails AS (
  SELECT kind, count(*) AS hours, count(*) FILTER (t1 >= 1.5) AS t15,
    count(*) FILTER (slow >= 1) AS t1, count(*) FILTER (slow >= 2) AS t2, count(*) FILTER (slow >= 3) AS t3
  FROM hours GROUP BY kind
), drives AS (
  SELECT kind, count(*) AS hours, count(*) FILTER (s >= 1.5) AS s15, count(*) FILTER (s >= 2) AS s2,
    count(*) FILTER (ri >= 2) AS busy, count(*) FILTER (zi >= 2) AS large, count(DISTINCT drive) FILTER (s >= 2) AS slow
  FROM ratio GROUP BY kind
), bins AS (
  SELECT kind, count(*) AS n FROM (SELECT kind, floor(128 * log2(s)) AS bin, count(*) FROM ratio GROUP BY ALL) GROUP BY kind
)
SELECT kind, d.hours, s15, s2, t.hours, t15, t1, t2, t3, busy, large, n, d.slow
FROM drives d JOIN tails t USING (kind) JOIN bins USING (kind)`

// Query has DuckDB count the fleet in a directory by kind, with some threads.
func Query(dir string, threads int) (map[string]Counts, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // temporary tables belong to a connection
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for _, text := range []string{fmt.Sprintf("SET threads = %d", threads), fmt.Sprintf(ratios, abs, abs)} {
		if _, err := db.Exec(text); err != nil {
			return nil, err
		}
	}
	rows, err := db.Query(aggregates)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]Counts{}
	for rows.Next() {
		var kind string
		var c Counts
		if err := rows.Scan(&kind, &c.DriveHours, &c.Slow15, &c.Slow2, &c.GroupHours, &c.Tail15, &c.Tail1, &c.Tail2, &c.Tail3,
			&c.Busy, &c.Large, &c.Bins, &c.SlowDrives); err != nil {
			return nil, err
		}
		all[kind] = c
	}
	return all, rows.Err()
}
