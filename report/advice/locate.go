package advice

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
)

// Path is how a server's shell names a device; empty where it has no name.
func Path(c *topology.Component) string {
	_, device := c.RunsOn()
	switch {
	case strings.HasPrefix(device, "dev") && strings.Contains(device, "-"):
		return "/dev/block/" + strings.Replace(strings.TrimPrefix(device, "dev"), "-", ":", 1)
	case kernelName.MatchString(device):
		return "/dev/" + device
	case device != "":
		return "/dev/mapper/" + device
	case c.WWN != "":
		return "/dev/disk/by-id/wwn-0x" + c.WWN
	}
	return ""
}

var (
	kernelName  = lazyregexp.New(`^(?:(?:sd|hd|vd|xvd|dasd)[a-z]+|nvme\d+n\d+|(?:mmcblk|md|dm-|loop|nbd|rbd|drbd|bcache|pmem|zd)\d+|cciss/c\d+d\d+)$`)
	noSMART     = lazyregexp.New(`^/dev/(?:(?:loop|nbd|rbd|drbd|bcache|md|zd)\d|(?:vd|xvd)[a-z])`) // made of files, networks or other devices
	noLamp      = lazyregexp.New(noSMART.String() + `|^/dev/(?:dm-|mapper/|pmem)`)
	sesLogical  = lazyregexp.New(`^(?:0x)?([0-9a-f]{16})$`)    // as site/ses and sysfs do
	shellUnsafe = lazyregexp.New(`[^A-Za-z0-9_./:@%+=,\[\]-]`) // what a shell would read otherwise
)

// quote makes a name safe to be pasted into a shell.
func quote(name string) string {
	if name == "" || !shellUnsafe.MatchString(name) && !strings.HasPrefix(name, "-") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// locate is where a part is, and the command that lights its lamp. LUNs have none.
func (a *adviser) locate(c int) Step {
	s := Step{Purpose: Locate, Component: c}
	if part := a.of(c); part.LUN == "" {
		s.Command = on(part, lamp(part))
	}
	return s
}

// lamp is the command of the tool that knows the slot: the controller's, else
// ledctl, else the enclosure's.
func lamp(c *topology.Component) string {
	if tool := controllerOf(c); tool != nil {
		return tool.lamp
	}
	if path := Path(c); path != "" && !noLamp.MatchString(path) {
		return "ledctl --listed-only locate=" + quote(path)
	}
	if slot := slotOf(c); sesLogical.MatchString(c.Enclosure) && slot != "" {
		return fmt.Sprintf("sg_ses --index=%s --set=locate /dev/sgN", quote(slot))
	}
	return ""
}

// slotOf is the slot within the enclosure.
func slotOf(c *topology.Component) string { return c.Slot[strings.LastIndex(c.Slot, "/")+1:] }

// on is a command for a server: one argument of ssh, so that the shell there reads
// it as it is written here.
func on(c *topology.Component, command string) string {
	server, _ := c.RunsOn()
	switch {
	case command == "" || server == "":
		return command
	case strings.HasPrefix(server, "-"): // no option of ssh
		return "ssh -- " + quote(server) + " " + quote(command)
	}
	return "ssh " + quote(server) + " " + quote(command)
}

// check is what to look at first: what tells the explanations of a kind apart.
func (a *adviser) check() Step {
	s := Step{Purpose: Check, Component: -1}
	if len(a.Members) == 0 {
		s.Command = a.checkServer()
		return s
	}
	s.Component = a.Members[0]
	c := a.of(s.Component)
	switch a.Kind {
	case finding.LostAttachment:
		s.Command = on(c, "multipath -ll")
	case finding.SilentServer:
		s.Command = a.checkServer()
	case finding.StalledRequests:
		s.Command = on(c, "journalctl -k --since=-1d")
	case finding.DiskHog:
		s.Command = on(c, "pidstat -d 5 3")
	case finding.NetworkHog:
		s.Command = on(c, "ss -tinp")
	case finding.Pauses:
		s.Command = on(c, a.checkPauses())
	case finding.FullFileSystem:
		s.Command = on(c, "df -h; df -i")
	case finding.Throttled:
		s.Command = on(c, "iostat -x 5 3")
	case finding.Overheated:
		s.Command = on(c, "nvme smart-log "+Path(c))
	case finding.PacketLoss:
		s.Command = on(c, "ip -s -s link")
	case finding.SharedSlowness:
		s.Command = a.checkShared(c)
	case finding.SlowDrive, finding.SlowTail, finding.DiskBusy, finding.SlowerThanBefore:
		s.Command = a.checkDrive(c)
	}
	return s
}

// checkPauses looks for what a server waits for.
func (a *adviser) checkPauses() string {
	switch a.Stood {
	case table.ByDisk:
		return "journalctl -k --since=-15min; iostat -x 5 3"
	case table.ByCPU:
		return "cat /proc/pressure/cpu; mpstat 5 3"
	case table.ByMemory:
		return "cat /proc/pressure/memory; vmstat 5 3"
	case table.ByNetwork:
		return "ip -s -s link"
	}
	return "journalctl --since=-15min; cat /proc/pressure/*; ps -eo state,wchan:32,comm | grep '^[DT]'"
}

// checkServer asks a server whether it lives.
func (a *adviser) checkServer() string {
	if a.Place.Tier != blame.Server {
		return ""
	}
	return "ping -c 3 -- " + quote(a.Place.Name) + "; " + on(&topology.Component{Server: a.Place.Name}, "systemctl status limpet-record")
}

// checkDrive asks a drive for its errors. A drive behind a RAID controller answers
// through it alone.
func (a *adviser) checkDrive(c *topology.Component) string {
	if tool := controllerOf(c); tool != nil && c.Storage == "raid" {
		return on(c, tool.show)
	}
	path := Path(c)
	switch {
	case path == "" || c.LUN != "":
		return ""
	case strings.HasPrefix(path, "/dev/loop"):
		return on(c, "losetup --list "+quote(path)) // the file below
	case MadeOfOthers(c):
		return on(c, "lsblk --inverse "+quote(path)) // the devices below
	}
	return on(c, "smartctl -x "+quote(path))
}

// MadeOfOthers says whether a device is made of files, of a network or of other devices:
// it has no SMART values, and what is slow lies below it.
func MadeOfOthers(c *topology.Component) bool { return noSMART.MatchString(Path(c)) }

// checkShared asks for what an attribute does to a part.
func (a *adviser) checkShared(c *topology.Component) string {
	path := quote(Path(c))
	switch a.Place.Tier {
	case blame.Kernel:
		return on(c, "uname -r")
	case blame.Slot, blame.Position, blame.Rack, blame.Enclosure, blame.Drawer:
		if path != "" {
			return on(c, "smartctl -A "+path) // temperature, and errors of the link
		}
	case blame.Link, blame.Expander:
		if path != "" {
			return on(c, "smartctl -l sasphy -l sataphy -i "+path)
		}
	case blame.Server:
		return on(c, "sar -u -r -B 5 3")
	}
	return a.checkDrive(c)
}
