package tables

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// withRoom describes tables that have the room of file systems.
const withRoom = perDrive + "room: {bytes: size, free: avail, files: inodes, free_files: ifree, unit: kB}\n"

// roomsOf reads all rows, and returns a line for each room.
func roomsOf(t *testing.T, src *Source) (lines []string) {
	t.Helper()
	for {
		row, err := src.Next(t.Context())
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		for s := range row.Gauges {
			x := &row.Gauges[s]
			if x.Known != row.Heard[s] || x.Seconds() > 0 {
				t.Errorf("the row at %d has %+v of server %d", row.End, x, s)
			}
			for _, r := range x.Drives {
				if !math.IsNaN(r.Hot) || r.Alarm {
					t.Errorf("%+v", r)
				}
				lines = append(lines, fmt.Sprintf("%d %s %g/%g %g/%g", row.End, src.System().Components[r.Component].Name, r.Free, r.Bytes, r.FreeFiles, r.Files))
			}
		}
	}
}

// TestRoom: columns of room become the room of components, beside the metrics.
func TestRoom(t *testing.T) {
	dir := write(t, map[string]string{
		"a/1.csv": "ts,disk,latency,load,size,avail,inodes,ifree\n60,sda,100,5,1000,400,50,20\n60,sdb,110,5,,,,\n120,sda,100,5,1000,390,,\n",
		"b/1.csv": "ts,disk,latency,load,size,avail,inodes,ifree\n60,sda,100,5,0,0,0,0\n120,sda,,,2000,10,0,0\n",
	})
	src := open(t, described(t, withRoom), 60, dir)
	if got := len(src.Schema().Metrics); got != 2 || src.Schema().Servers != 2 {
		t.Errorf("rows have %d metrics and %d servers", got, src.Schema().Servers)
	}
	want := "60 a/sda 400000/1e+06 20/50, 120 a/sda 390000/1e+06 0/0, 120 b/sda 10000/2e+06 0/0"
	if got := strings.Join(roomsOf(t, src), ", "); got != want {
		t.Errorf("room\n%s, want\n%s", got, want)
	}
}

// TestRoomTidy: a tidy table has the room as metrics of their own names.
func TestRoomTidy(t *testing.T) {
	dir := write(t, map[string]string{"a/1.csv": "ts,disk,name,value\n60,sda,latency,100\n60,sda,size,1000\n60,sda,avail,30\n60,sda,other,7\n"})
	src := open(t, described(t, perDrive+"tidy: {metric: name, value: value}\nroom: {bytes: size, free: avail}\n"), 60, dir)
	if got := strings.Join(roomsOf(t, src), ", "); got != "60 a/sda 30/1000 0/0" {
		t.Errorf("room %s", got)
	}
}

// TestNoRoom: rows of a table without room are as before.
func TestNoRoom(t *testing.T) {
	dir := write(t, map[string]string{"a/1.csv": "ts,disk,latency,load\n60,sda,100,5\n"})
	src := open(t, described(t, perDrive), 60, dir)
	row, err := src.Next(t.Context())
	if err != nil || row.Gauges != nil || row.Heard != nil || src.Schema().Servers != 0 || table.IsMissing(row.Values[0][0]) {
		t.Errorf("%+v, %v", row, err)
	}
}

// TestRoomMistakes: what is wrong with room is said with its line.
func TestRoomMistakes(t *testing.T) {
	for text, want := range map[string]string{
		perDrive + "room: {bytes: size}\n":                                                                              "free",
		perDrive + "room: {bytes: size, free: avail, unit: kb}\n":                                                       `the unit "kb" is unknown`,
		perDrive + "room: {bytes: size, free: avail, files: inodes}\n":                                                  "needs both",
		perDrive + "room: {bytes: size, free: latency}\n":                                                               `the column "latency" is given for two values`,
		strings.Replace(perDrive, "server: \"{host}\"\n", "", 1) + "room: {bytes: size, free: avail}\n":                 "must know the server of each component",
		strings.Replace(perDrive, "server: \"{host}\"\n", "", 1) + "room: {bytes: size, free: avail, share: percent}\n": "share",
	} {
		_, err := ParseDescription("test.yaml", []byte(text))
		if err == nil || !strings.Contains(yamlfile.Explain(err), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
