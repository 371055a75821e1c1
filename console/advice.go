package console

import "github.com/limpet-storage/limpet/finding"

// advice is what an operator does next, by the kind of an incident.
var advice = map[finding.Kind]string{
	finding.LostAttachment:    "Look at the cable, the port and the controller on this path. The storage is still reached by other paths; check that one of them is left.",
	finding.SilentServer:      "Log in to the server. If it is up, start its recorder again; if it is down, the storage behind it may have lost a path.",
	finding.DrawerError:       "Look at the drawer of this array: its expander, its power and its drives. Do not replace single drives first.",
	finding.SingleLUN:         "Ask the array for the drives of this LUN: one with errors or long response times is to be replaced. Check first that it is not rebuilding.",
	finding.SlowDrive:         "Read the drive's SMART data. Take the drive out of service and replace it once its data are safe elsewhere.",
	finding.SlowTail:          "Read the drive's SMART data and error log: pending and reallocated sectors, retries, commands that timed out.",
	finding.SharedSlowness:    "Look at what these components share before you replace any of them.",
	finding.WorkloadImbalance: "Replace nothing. Find out who sends the work, and spread it.",
	finding.StalledRequests:   "Read the logs of the server and of the array at that time: resets, failovers and retries.",
	finding.ServerIssued:      "Nothing has to be done.",
	finding.DiskHog:           "Find the process on this server that uses the drive: a scrub, a backup, a rebuild.",
	finding.DiskBusy:          "Read the drive's SMART data, and look for work on it that the server does not see.",
	finding.NetworkHog:        "Find the process on this server that uses the network.",
	finding.PacketLoss:        "Look at the server's link: cable, port, counters of errors on the switch.",
}
