package kernel

import (
	"context"
	"os/exec"
	"path"
	"strings"
	"time"
)

// scan is what a ZFS pool does to itself.
type scan struct {
	pool  string
	doing string // scrub, resilver; "" where it does nothing
}

// zpoolPatience is how long the command may take: pools that hang keep it waiting.
const zpoolPatience = 10 * time.Second

// zpoolStatus is what the command says of all pools, "" where there is none.
func zpoolStatus() string {
	ctx, cancel := context.WithTimeout(context.Background(), zpoolPatience)
	defer cancel()
	c := exec.CommandContext(ctx, "zpool", "status", "-LP")
	c.Env, c.WaitDelay = []string{"PATH=/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin", "LC_ALL=C"}, time.Second
	out, _ := c.Output()
	return string(out)
}

// scansOf reads what zpool status says, by the name of a member as the kernel
// calls it:
//
//	  pool: tank
//	  scan: resilver in progress since Mon Nov 16 04:00:01 2026
//	config:
//		NAME           STATE     READ WRITE CKSUM
//		tank           ONLINE       0     0     0
//		  /dev/sda1    ONLINE       0     0     0
func scansOf(status string) map[string]scan {
	scans := map[string]scan{}
	var now scan
	for line := range strings.Lines(status) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "pool:":
			now = scan{pool: words[1]}
		case "scan:":
			if strings.Contains(line, " in progress ") {
				now.doing = words[1]
			}
		default:
			if strings.HasPrefix(words[0], "/dev/") && now.pool != "" {
				scans[path.Base(words[0])] = now
			}
		}
	}
	return scans
}
