package draft_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
	"github.com/limpet-storage/limpet/topology/site/draft"
)

const (
	firstArray, lastArray = 6, 21
	lunsPerArray          = 72
	oldLUNs               = 48
	serversPerArray       = 8
)

func intrepidWWN(array, lun int) string { return fmt.Sprintf("60001ff07%03d%020x", array, 1+lun) }

// mmlsnsd prints a line for every server of every NSD, the primary first. NSDs
// beyond oldLUNs were made two years later.
func mmlsnsd() string {
	var b strings.Builder
	b.WriteString("\n Disk name    NSD volume ID      Device         Devtype  Node name                Remarks\n" + strings.Repeat("-", 99) + "\n")
	made := time.Date(2008, 3, 3, 0, 0, 0, 0, time.UTC)
	for array := firstArray; array <= lastArray; array++ {
		for lun := range lunsPerArray {
			at := made.Add(time.Duration(array*100+lun) * time.Minute)
			if lun >= oldLUNs {
				at = at.AddDate(2, 0, 0)
			}
			for k := range serversPerArray {
				server := (array-firstArray)*serversPerArray + 1 + (lun+k)%serversPerArray
				fmt.Fprintf(&b, " ddn%d_lun%02d  AC1100%02X%08X   /dev/dm-%d   dmm  fs%d.alcf.example   server node\n", array, lun, array, at.Unix(), lun, server)
			}
		}
	}
	return b.String()
}

// multipath prints what a server sees of its array: two paths to each LUN.
func multipath(server int) string {
	var b strings.Builder
	array := firstArray + (server-1)/serversPerArray
	fmt.Fprintf(&b, "[root@fs%d ~]# multipath -ll\n", server)
	for lun := range lunsPerArray {
		fmt.Fprintf(&b, "ddn%d_lun%02d (3%s) dm-%d DDN     ,S2A 9900\n", array, lun, intrepidWWN(array, lun), lun)
		b.WriteString("size=7.2T features='0' hwhandler='0' wp=rw\n`-+- policy='round-robin 0' prio=1 status=active\n")
		fmt.Fprintf(&b, "  |- 4:0:0:%d sd%s 8:%d active ready running\n", lun, letters(2*lun), 16*(2*lun))
		fmt.Fprintf(&b, "  `- 5:0:0:%d sd%s 8:%d active ready running\n", lun, letters(2*lun+1), 16*(2*lun+1))
	}
	return b.String()
}

func letters(index int) string {
	text := ""
	for index++; index > 0; index = (index - 1) / 26 {
		text = string(rune('a'+(index-1)%26)) + text
	}
	return text
}

// TestIntrepid drafts L13's system from what its 128 servers would print, and
// holds the peer groups against the example that people wrote.
func TestIntrepid(t *testing.T) {
	var inv site.Inventory
	read := func(file, text string) {
		r := site.ReadText(file, []byte(text), nil)
		if r.Refused != "" || len(r.Notes) > 0 {
			t.Fatalf("%s: %s %v", file, r.Refused, r.Notes)
		}
		inv.Add(r.Inventory)
	}
	read("mmlsnsd-X.txt", mmlsnsd())
	for server := 1; server <= (lastArray-firstArray+1)*serversPerArray; server++ {
		read(fmt.Sprintf("fs%d.txt", server), multipath(server))
	}
	want := parseExample(t)
	for _, names := range []bool{false, true} {
		text, err := draft.Topology(site.Join(inv), draft.Options{Name: "intrepid", Source: "129 files", Names: names})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := topology.Parse("draft.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(groups(got), groups(want)) {
			t.Errorf("peer groups differ (names %t): %d groups, want %d; the draft begins\n%.1500s", names, len(got.Groups), len(want.Groups), text)
		}
		if names && strings.Count(string(text), "\n") > 40 {
			t.Errorf("a draft by names does not fit on a page:\n%s", text)
		}
	}
}

func parseExample(t *testing.T) *topology.System {
	data, err := os.ReadFile(checkout.Path(t, "examples/intrepid.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := topology.Parse("intrepid.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// groups writes each group as the sorted names of its members.
func groups(s *topology.System) []string {
	var list []string
	for _, g := range s.Groups {
		var names []string
		for _, m := range g.Members {
			names = append(names, s.Components[m].Name)
		}
		slices.Sort(names)
		list = append(list, strings.Join(names, " "))
	}
	slices.Sort(list)
	return list
}
