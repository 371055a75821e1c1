package site

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// zpool status, zpool list -v and zpool iostat -v print a tree below a header with NAME or
// pool. Each level is indented by two more spaces:
//
//	  pool: tank
//	 state: ONLINE
//	config:
//
//		NAME        STATE     READ WRITE CKSUM
//		tank        ONLINE       0     0     0
//		  mirror-0  ONLINE       0     0     0
//		    sdh     ONLINE       0     0     0
//		logs
//		  sdf       ONLINE       0     0     0
//
//	errors: No known data errors
var (
	treeHead   = lazyregexp.New(`^\s*NAME\s+(?:STATE\s+READ|SIZE\s+ALLOC)|^\s*pool\s+alloc\s+free\b`)
	overHead   = lazyregexp.New(`^\s*capacity\s+operations`)
	poolLine   = lazyregexp.New(`^\s*pool: \S+\s*$`)
	statusLine = lazyregexp.New(`^\s*(?:state|status|action|see|scan|scrub|config|errors|remove|checkpoint|id|comment|dedup): ?`)
	states     = lazyregexp.New(`^(ONLINE|DEGRADED|FAULTED|OFFLINE|UNAVAIL|REMOVED|AVAIL|INUSE|HEALTHY|-|[\d.]+[KMGTPE]?|\d+)$`)
)

func readTrees(t *Text, inv *Inventory) {
	var w *walk
	begun := false
	said := false // the line before was a status line, which may continue on this line
	for i, line := range t.All() {
		words := strings.Fields(line)
		switch {
		case treeHead.MatchString(line):
			w = &walk{t: t, inv: inv}
		case overHead.MatchString(line):
		case poolLine.MatchString(line), begun && statusLine.MatchString(line):
			begun, w, said = true, nil, true
			t.Claim(i, i)
			continue
		case w != nil && w.take(i, line, words):
		case len(words) == 0:
			said = false
			continue
		case said && (strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "        ")): // continues the status line
		case w != nil && strings.Trim(line, "- \t") == "":
		default:
			said, w = false, nil
			continue
		}
		t.Claim(i, i)
	}
}

// walk holds the position in a tree.
type walk struct {
	t     *Text
	inv   *Inventory
	pool  string // last pool in the tree; its log vdevs are at the level of the pool
	stack []level
}

type level struct {
	indent int
	name   string
}

// take reads a line of the tree. It reports whether the line belongs to the tree.
func (w *walk) take(i int, line string, words []string) bool {
	if len(words) == 0 || len(words) > 1 && !states.MatchString(words[1]) || len(words) == 1 && !slices.Contains(classes, words[0]) && len(w.stack) == 0 {
		return false
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	for len(w.stack) > 0 && w.stack[len(w.stack)-1].indent >= indent {
		w.stack = w.stack[:len(w.stack)-1]
	}
	name := words[0]
	if len(w.stack) == 0 && slices.Contains(classes, name) { // a class is at the level of its pool
		w.stack = append(w.stack, level{indent, "#" + name})
		return true
	}
	w.stack = append(w.stack, level{indent, name})
	switch {
	case len(w.stack) == 1:
		w.pool = name
	case !vdevName.MatchString(name):
		w.leaf(i, name, line)
	}
	return true
}

// leaf adds a drive. If only the GUID of the drive is left, the drive is lost: leaf adds a
// note instead.
func (w *walk) leaf(i int, name, line string) {
	if guid.MatchString(name) {
		was := name
		if _, path, ok := strings.Cut(line, " was "); ok {
			was = strings.TrimSpace(path)
		}
		w.inv.Notef(w.t.At(i), "pool %s has lost the drive %s; replace or detach this drive", w.pool, was)
		return
	}
	role, vdev := "", ""
	for _, l := range w.stack[:len(w.stack)-1] {
		if class, ok := strings.CutPrefix(l.name, "#"); ok {
			role = roleOf(class)
		} else if vdev == "" && l.name != w.pool {
			vdev = l.name
		}
	}
	pool := w.pool
	if vdev != "" {
		pool += "/" + vdev
	}
	w.inv.Devices = append(w.inv.Devices, leaf(w.t, i, name, pool, role))
}
