package tables

import (
	"strings"
	"testing"
)

// TestGroupOfAnEarlierVersionIsReadWithAHint: group: all was the text all. It is read so if no
// file has such a column, with a warning that shows how to write it.
func TestGroupOfAnEarlierVersionIsReadWithAHint(t *testing.T) {
	files := map[string]string{"h1/a.csv": tableHeader + "15,d1,7,100\n", "h2/a.csv": tableHeader + "15,d1,8,50\n"}
	d := described(t, strings.Replace(perDrive, `group: "{host}"`, "group: all", 1))
	tables := open(t, d, 15, write(t, files))
	if groups := tables.System().Groups; len(groups) != 1 || groups[0].Name != "all" {
		t.Errorf("groups %+v", groups)
	}
	warned(t, tables, "setting \"group\": the files have no column all, so limpet uses this word as the text for all lines; write group: {text: all}")

	files["h3/a.csv"] = "ts,disk,latency,load,all\n15,d1,8,50,x\n" // one file has the column: the others lack it
	tables = open(t, d, 15, write(t, files))
	if groups := tables.System().Groups; len(groups) != 1 || groups[0].Name != "x" {
		t.Errorf("groups %+v", groups)
	}
}

// TestDecimalCommas: with decimal: "," the numbers 3,5 and 1,25 are read, and 1.234,5 is not.
func TestDecimalCommas(t *testing.T) {
	d := described(t, "decimal: \",\"\n"+perDrive)
	tables := open(t, d, 15, write(t, map[string]string{"h1/a.csv": "ts;disk;latency;load\n15;d1;3,5;100\n30;d1;1,25;100\n45;d1;1.234,5;7\n60;d1;1.5;8\n"}))
	if got, want := rows(t, tables), "15 h1/d1 3.5 100\n30 h1/d1 1.25 100\n45 h1/d1 - 7\n60 h1/d1 - 8\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if _, err := ParseDescription("t.yaml", []byte("decimal: \",\"\nseparator: \",\"\n"+perDrive)); err == nil || !strings.Contains(err.Error(), "both a comma") {
		t.Errorf("error %v", err)
	}
}

// TestTimesWithAndWithoutZone: the times of one server name +01:00 and the times of the others
// name no zone, in one file or in two.
func TestTimesWithAndWithoutZone(t *testing.T) {
	d := described(t, strings.Replace(perDrive, "format: unix", "", 1))
	const zoned, plain = "2026-05-09T01:00:15+01:00,d1,7,100\n", "2026-05-09 00:00:15,d2,8,50\n"
	for name, files := range map[string]map[string]string{
		"one file":  {"h1/a.csv": tableHeader + zoned + plain},
		"two files": {"h1/a.csv": tableHeader + zoned, "h2/a.csv": tableHeader + plain},
		"a space":   {"h1/a.csv": tableHeader + strings.Replace(zoned, "T", " ", 1) + plain},
	} {
		tables := open(t, d, 15, write(t, files))
		if got := rows(t, tables); strings.Count(got, "1778284815 ") != 2 {
			t.Errorf("%s: %s", name, got)
		}
		warned(t, tables, "times without a time zone are read as UTC, but other times have a time zone, such as 2026-05-09")
	}
}

// TestOnlyLoads: a description without a latency has a warning, because limpet then compares only loads.
func TestOnlyLoads(t *testing.T) {
	const only = "time: ts\ncomponent: disk\ngroup: {text: all}\nmetrics: {tps: {unit: 1/s, worse: either, load: true}}\n"
	files := map[string]string{"a.csv": "ts,disk,tps\n15,d1,3\n30,d1,4\n"}
	warned(t, open(t, described(t, only), 15, write(t, files)), "the description file has no latency. limpet compares only tps, so it cannot see that requests take longer")
}
