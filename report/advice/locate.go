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

// Path returns the path of a device for a shell on its server; empty: unknown. A name of a table, or
// a name without a server, is a device only if the kernel gives such names: sdb is one, and disk11 is
// not.
func Path(c *topology.Component) string {
	server, device := c.RunsOn()
	number := deviceNumber.FindStringSubmatch(device)
	if server == "" && !kernelName.MatchString(device) || c.DeviceLabel && number == nil && !kernelName.MatchString(device) {
		device, number = "", nil
	}
	switch {
	case number != nil:
		return "/dev/block/" + number[1] + ":" + number[2]
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
	kernelName   = lazyregexp.New(`^(?:(?:sd|hd|vd|xvd|dasd)[a-z]+|nvme\d+n\d+|(?:mmcblk|md|dm-|loop|nbd|rbd|drbd|bcache|pmem|zd)\d+|cciss/c\d+d\d+)$`)
	deviceNumber = lazyregexp.New(`^dev(\d+)-(\d+)$`)                                               // name that sysstat makes of major and minor
	noSMART      = lazyregexp.New(`^/dev/(?:(?:loop|nbd|rbd|drbd|bcache|md|zd)\d|(?:vd|xvd)[a-z])`) // devices made of files, networks or other devices
	noLamp       = lazyregexp.New(noSMART.String() + `|^/dev/(?:dm-|mapper/|pmem)`)
	sesLogical   = lazyregexp.New(`^(?:0x)?([0-9a-f]{16})$`)    // enclosure in the form of site/ses and sysfs
	shellUnsafe  = lazyregexp.New(`[^A-Za-z0-9_./:@%+=,\[\]-]`) // character with a special meaning for a shell
)

// quote returns a name that can be pasted into a shell.
func quote(name string) string {
	if name == "" || !shellUnsafe.MatchString(name) && !strings.HasPrefix(name, "-") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// locate returns the step that finds a part, with the command for its lamp. LUNs have no lamp.
func (a *adviser) locate(c int) Step {
	s := Step{Purpose: Locate, Component: c}
	if part := a.of(c); part.LUN == "" {
		s.Command = on(part, lamp(part))
	}
	return s
}

// lamp returns the command that lights the lamp of a drive, of the first tool that knows the
// drive's slot: the controller's tool, ledctl, or the enclosure's tool.
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

// slotOf returns the slot within the enclosure.
func slotOf(c *topology.Component) string { return c.Slot[strings.LastIndex(c.Slot, "/")+1:] }

// on returns a command that runs on a component's server. The command is one argument of ssh, so
// that only the remote shell interprets it.
func on(c *topology.Component, command string) string {
	server, _ := c.RunsOn()
	switch {
	case command == "" || server == "":
		return command
	case strings.HasPrefix(server, "-"): // the name must not become an option of ssh
		return "ssh -- " + quote(server) + " " + quote(command)
	}
	return "ssh " + quote(server) + " " + quote(command)
}

// check returns the first step: a command that shows which explanation of this kind of problem is
// right.
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
		if path := Path(c); path != "" {
			s.Command = on(c, "nvme smart-log "+quote(path))
		}
	case finding.PacketLoss:
		s.Command = on(c, "ip -s -s link")
	case finding.SharedSlowness:
		s.Command = a.checkShared(c)
	case finding.SlowDrive, finding.SlowTail, finding.DiskBusy, finding.SlowerThanBefore:
		s.Command = a.checkDrive(c)
	}
	return s
}

// checkPauses returns a command that shows what a server waits for.
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

// checkServer returns a command that tests whether a server answers.
func (a *adviser) checkServer() string {
	if a.Place.Tier != blame.Server {
		return ""
	}
	return "ping -c 3 -- " + quote(a.Place.Name) + "; " + on(&topology.Component{Server: a.Place.Name}, "systemctl status limpet-record")
}

// checkDrive returns a command that shows the errors of a drive. Only the tool of the controller
// can show them for a drive behind a RAID controller.
func (a *adviser) checkDrive(c *topology.Component) string {
	if tool := controllerOf(c); tool != nil && c.Storage == "raid" {
		return on(c, tool.show)
	}
	path := Path(c)
	switch {
	case path == "" || c.LUN != "":
		return ""
	case strings.HasPrefix(path, "/dev/loop"):
		return on(c, "losetup --list "+quote(path)) // shows the file of the device
	case MadeOfOthers(c):
		return on(c, "lsblk --inverse "+quote(path)) // shows the devices below
	}
	return on(c, "smartctl -x "+quote(path))
}

// find returns the step before the check of a drive if the data do not name the device of the drive.
// ok is false if the device is known, or if no command finds it.
func (a *adviser) find() (s Step, ok bool) {
	if len(a.Members) == 0 || !ofDrive(a.Kind) {
		return s, false
	}
	s = Step{Purpose: Find, Component: a.Members[0]}
	switch c := a.of(s.Component); {
	case c.LUN != "" || Path(c) != "" || controllerOf(c) != nil:
	case isOSD(c):
		s.Command = "ceph osd find " + quote(strings.TrimPrefix(osd(c), "osd.")) + " && ceph device ls-by-daemon " + quote(osd(c))
	case c.DeviceLabel && c.Server != "":
		s.Command = on(c, "lsblk -o NAME,SIZE,MODEL,SERIAL")
	}
	return s, s.Command != ""
}

// ofDrive reports whether the check of a kind of problem reads the SMART values of a drive.
func ofDrive(k finding.Kind) bool {
	return k == finding.SlowDrive || k == finding.SlowTail || k == finding.DiskBusy
}

// isOSD reports whether a component is an OSD of Ceph with a known name.
func isOSD(c *topology.Component) bool { return c.Storage == "ceph" && c.Volume != "" }

// found returns the command that reads the SMART values of the device that the step before finds.
// The server of an OSD is found with the device.
func found(c *topology.Component) string {
	if server, _ := c.RunsOn(); server != "" {
		return on(c, "smartctl -x /dev/DEVICE")
	}
	return "ssh HOST 'smartctl -x /dev/DEVICE'"
}

// load returns the step that compares the load of an OSD with the load of the others.
func (a *adviser) load(c int) Step {
	return Step{Purpose: CheckLoad, Component: c, Command: "ceph osd df; ceph tell " + quote(osd(a.of(c))) + " perf dump"}
}

// MadeOfOthers reports whether a device is made of files, of a network or of other devices. It has
// no SMART values, and the slow part lies below it.
func MadeOfOthers(c *topology.Component) bool { return noSMART.MatchString(Path(c)) }

// checkShared returns a command for a part of a shared place or attribute, such as a server, a slot
// or a kernel version.
func (a *adviser) checkShared(c *topology.Component) string {
	path := quote(Path(c))
	switch a.Place.Tier {
	case blame.Kernel:
		return on(c, "uname -r")
	case blame.Slot, blame.Position, blame.Rack, blame.Enclosure, blame.Drawer:
		if path != "" {
			return on(c, "smartctl -A "+path) // shows the temperature, and errors of the link
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
