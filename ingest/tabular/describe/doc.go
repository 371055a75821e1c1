// Package describe reads the parts that all descriptions of tables have in
// common, which people write as YAML:
//
//	files: "{cluster}/{host}/*.csv"    # the ends of the paths to read; or a list of such
//	                                   #   {host} takes a field from the path, * is anything without a /
//	                                   #   .gz, .zst or .xz may follow; default: *.csv and *.parquet
//	separator: ","                     # or ";" or tab; default: what the header has most of
//	time:                              # or the column alone
//	  column: ts
//	  format: unix                     # unix, unix_ms, unix_us, unix_ns, rfc3339, or a layout,
//	                                   #   "2006-01-02 15:04:05" or "%Y-%m-%d %H:%M:%S";
//	                                   #   default: Unix seconds, RFC 3339 or a day
//	  zone: Europe/Berlin              # of times that name none; default: UTC
//	  marks: end                       # of what the row tells, or begin
//	group: host                        # a word is a field: of the path, or else a column
//	group: "{cluster}/{host}"          # text with fields in it
//	group: {text: all}                 # text that is the same for all rows
//
// Every mistake is named with its line. It stands between tabular and the
// descriptions of collect/tables and study/source, and knows neither.
package describe
