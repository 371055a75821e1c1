package sysstat

import "fmt"

// known holds sysstat's knowledge of an activity: the present magic, the structure that belongs to
// this magic, and the largest number of items.
type known struct {
	magic uint32
	types triple
	items int
}

const (
	perCPU     = 8192 + 1 // "all" and the largest number of CPUs of a kernel
	perSensor  = 4096
	perDevice  = 65536
	unlimited  = maxItems
	lastActive = 43
)

var activities = [lastActive + 1]known{
	1:  {0x8b, triple{10, 0, 0}, perCPU},   // CPU
	2:  {0x8b, triple{1, 1, 0}, 1},         // task creation and switching
	3:  {0x8c, triple{0, 0, 1}, perCPU},    // interrupts
	4:  {0x8a, triple{0, 2, 0}, 1},         // swapping
	5:  {0x8a, triple{0, 8, 0}, 1},         // paging
	6:  {0x8b, triple{7, 0, 0}, 1},         // I/O
	7:  {0x8b, triple{17, 0, 0}, 1},        // memory
	8:  {0x8b, triple{4, 0, 0}, 1},         // kernel tables
	9:  {0x8c, triple{3, 0, 3}, 1},         // queue and load
	10: {0x8b, triple{0, 0, 7}, perDevice}, // serial lines
	11: {0x8c, triple{3, 3, 8}, unlimited}, // disks
	12: {0x8d, triple{7, 0, 1}, perDevice}, // interfaces
	13: {0x8c, triple{9, 0, 0}, perDevice}, // interface errors
	14: {0x8a, triple{0, 0, 6}, 1},         // NFS client
	15: {0x8a, triple{0, 0, 11}, 1},        // NFS server
	16: {0x8a, triple{0, 0, 6}, 1},         // sockets
	17: {0x8c, triple{8, 0, 0}, 1},         // IP
	18: {0x8c, triple{8, 0, 0}, 1},         // IP errors
	19: {0x8a, triple{0, 14, 0}, 1},        // ICMP
	20: {0x8a, triple{0, 12, 0}, 1},        // ICMP errors
	21: {0x8a, triple{0, 4, 0}, 1},         // TCP
	22: {0x8a, triple{0, 5, 0}, 1},         // TCP errors
	23: {0x8a, triple{0, 4, 0}, 1},         // UDP
	24: {0x8a, triple{0, 0, 4}, 1},         // sockets, IPv6
	25: {0x8c, triple{10, 0, 0}, 1},        // IPv6
	26: {0x8c, triple{11, 0, 0}, 1},        // IPv6 errors
	27: {0x8a, triple{0, 17, 0}, 1},        // ICMPv6
	28: {0x8a, triple{0, 11, 0}, 1},        // ICMPv6 errors
	29: {0x8a, triple{0, 4, 0}, 1},         // UDPv6
	30: {0x8a, triple{0, 1, 0}, perCPU},    // CPU clock
	31: {0x8a, triple{2, 0, 0}, perSensor}, // fans
	32: {0x8a, triple{3, 0, 0}, perSensor}, // temperatures
	33: {0x8a, triple{3, 0, 0}, perSensor}, // voltages
	34: {0x8b, triple{4, 0, 0}, 1},         // huge pages
	35: {items: unlimited},                 // CPU clock, weighted
	36: {0x8a, triple{0, 0, 4}, perDevice}, // USB
	37: {0x8b, triple{5, 0, 0}, unlimited}, // filesystems
	38: {items: perDevice},                 // Fibre Channel
	39: {0x8a, triple{0, 0, 5}, perCPU},    // network by CPU
	40: {0x8a, triple{1, 3, 0}, 1},         // pressure: CPU
	41: {0x8a, triple{2, 6, 0}, 1},         // pressure: I/O
	42: {0x8a, triple{2, 6, 0}, 1},         // pressure: memory
	43: {items: unlimited},                 // batteries
}

// maxItemsOf returns the largest number of items of an activity.
func maxItemsOf(id uint32) int {
	if id == 0 || id > lastActive {
		return maxItems
	}
	return activities[id].items
}

// checkActivity returns the fault of an activity's description; "": none.
func checkActivity(format uint16, a *Activity) string {
	switch {
	case a.Size < 1 || a.Size > maxItemSize:
		return fmt.Sprintf("an item has %d bytes, which is impossible", a.Size)
	case a.Count < 1 || a.Count > maxItemsOf(a.ID):
		return fmt.Sprintf("the number of items is %d, which is impossible", a.Count)
	case a.SubCount < 1 || a.SubCount > maxSubItems:
		return fmt.Sprintf("the number of parts of an item is %d, which is impossible", a.SubCount)
	case int64(a.Size)*int64(a.Count)*int64(a.SubCount) > maxRecordSize:
		return fmt.Sprintf("%d × %d items of %d bytes are more than a record can hold", a.Count, a.SubCount, a.Size)
	case format == format2175 && a.types.size() > uint64(a.Size):
		return fmt.Sprintf("an item has %d bytes, but its fields need %d bytes", a.Size, a.types.size())
	}
	if format != format2175 || a.ID == 0 || a.ID > lastActive {
		return ""
	}
	if k := activities[a.ID]; k.magic == a.Magic && !k.types.comparable(a.types) {
		return fmt.Sprintf("the fields of an item (numbers of long long, long and int fields: %v) do not match the format %#x of this activity", a.types, a.Magic)
	}
	return ""
}
