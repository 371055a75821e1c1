package site

import (
	"strings"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A table has columns under its header. Names are drawn as a tree, in ASCII on some terminals:
//
//	NAME            MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT
//	sda               8:0    0   20G  0 disk
//	├─sda1            8:1    0    1G  0 part /boot
//	└─sda2            8:2    0   19G  0 part
//	  └─centos-root 253:0    0   17G  0 lvm  /
//
// A value begins or ends under the name of its column. With -r there is one space between values,
// and \x20 stands for a space within a value.

// columnNames are names of columns. A header has NAME or KNAME, and at least one of them.
var columnNames = []string{"MAJ:MIN", "FSTYPE", "TYPE", "SIZE", "MODEL", "SERIAL", "WWN", "ROTA", "TRAN", "HCTL", "MOUNTPOINT", "MOUNTPOINTS", "ALIGNMENT", "KNAME", "VENDOR", "REV", "PKNAME"}

type column struct {
	name       string
	begin, end int // in runes
}

func readTable(t *Text, inv *Inventory) {
	var columns []column
	var stack []node
	for i, line := range t.All() {
		if c := header(line); c != nil {
			columns, stack = c, nil
			t.Claim(i, i)
			continue
		}
		if columns == nil {
			continue
		}
		f, depth, ok := cells(columns, line)
		if !ok {
			columns = nil
			continue
		}
		t.Claim(i, i)
		for len(stack) > 0 && stack[len(stack)-1].depth >= depth {
			stack = stack[:len(stack)-1]
		}
		parent := ""
		if len(stack) > 0 {
			parent = stack[len(stack)-1].name
		}
		d, ok := device(t.Host, t.At(i), f, parent)
		if !ok {
			continue
		}
		inv.Devices = append(inv.Devices, d)
		stack = append(stack, node{depth, d.Name})
	}
}

type node struct {
	depth int
	name  string
}

// header returns the columns of a header; nil: the line is no header.
func header(line string) []column {
	fields := strings.Fields(line)
	if len(fields) < 2 || fields[0] != "NAME" && fields[0] != "KNAME" || !anyOf(fields[1:], columnNames) || anyOf(fields, []string{"ALLOC", "HEALTH"}) { // ALLOC and HEALTH: zpool list
		return nil
	}
	var columns []column
	at := 0
	for _, name := range fields {
		begin := at + strings.Index(line[at:], name)
		columns = append(columns, column{name, begin, begin + len(name)})
		at = begin + len(name)
	}
	return columns
}

func anyOf(words, known []string) bool {
	for _, w := range words {
		for _, k := range known {
			if w == k {
				return true
			}
		}
	}
	return false
}

// A cell is a word of a line, with its place.
type cell struct {
	text       string
	begin, end int
}

// cells returns the values of a line by column. depth is the indentation of the name.
func cells(columns []column, line string) (f map[string]string, depth int, ok bool) {
	name, depth, rest := cutLsblkTree(line)
	if name == "" || strings.ContainsAny(name, "()[]'\"") || strings.HasSuffix(name, ":") && !strings.Contains(name, "-") {
		return nil, 0, false
	}
	if f := rawCells(columns, line); f != nil {
		return f, 0, isRow(columns, f, len(f)-1)
	}
	f = map[string]string{columns[0].name: name}
	words := split(line, rest)
	for _, w := range words {
		for k := 1; k < len(columns); k++ {
			c := columns[k]
			next := 1 << 30
			if k+1 < len(columns) {
				next = columns[k+1].begin
			}
			if w.begin < c.end && w.end > c.begin || w.begin >= c.begin && w.begin < next && (w.end < next || k+1 == len(columns)) {
				f[c.name] = strings.TrimSpace(f[c.name] + " " + w.text)
				break
			}
		}
	}
	return f, depth, isRow(columns, f, len(words))
}

// rawCells returns the values of a line of lsblk -r; nil: it is no such line. The header of lsblk
// -r has one space between names, and each line has as many values.
func rawCells(columns []column, line string) map[string]string {
	values := strings.Split(line, " ")
	if len(values) != len(columns) || columns[len(columns)-1].end != lengthOf(columns) {
		return nil
	}
	f := map[string]string{}
	for k, c := range columns {
		if values[k] != "" {
			f[c.name] = strings.TrimSpace(strings.ReplaceAll(values[k], `\x20`, " "))
		}
	}
	return f
}

// lengthOf returns the length of a header with one space between names.
func lengthOf(columns []column) int {
	n := len(columns) - 1
	for _, c := range columns {
		n += len(c.name)
	}
	return n
}

var blockName = lazyregexp.New(`^(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d|dm-\d|md\d|loop\d|sr\d|bcache\d|zram\d|mmcblk\d|rbd\d|nbd\d|fd\d)`)

// isRow reports whether a line describes a device. If there is a column MAJ:MIN, the line must have
// a device number there. Otherwise it must have another value, or the name of a block device.
func isRow(columns []column, f map[string]string, values int) bool {
	for _, c := range columns {
		if c.name == "MAJ:MIN" {
			return IsNumber(f["MAJ:MIN"])
		}
	}
	return values > 0 || blockName.MatchString(f[columns[0].name])
}

// cutLsblkTree removes the branches before a name. It returns how many runes the branches take, and
// the place at which the name ends.
func cutLsblkTree(line string) (name string, depth, end int) {
	at := 0
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		if !strings.ContainsRune(" |`├─└│-+\\", r) {
			break
		}
		at += size
		depth++
	}
	name = line[at:]
	if cut := strings.IndexAny(name, " \t"); cut >= 0 {
		name = name[:cut]
	}
	return name, depth, depth + utf8.RuneCountInString(name)
}

// split splits the text behind the name at spaces.
func split(line string, from int) []cell {
	var list []cell
	at := 0
	open := -1
	var text strings.Builder
	flush := func(end int) {
		if open >= 0 {
			list = append(list, cell{text.String(), open, end})
		}
		open = -1
		text.Reset()
	}
	for _, r := range line {
		switch {
		case at < from:
		case r == ' ' || r == '\t':
			flush(at)
		default:
			if open < 0 {
				open = at
			}
			text.WriteRune(r)
		}
		at++
	}
	flush(at)
	return list
}
