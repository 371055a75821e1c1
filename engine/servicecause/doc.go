// Package servicecause finds out why a service is slow: because of its device, its network, its
// server, or the service itself. It uses the measurements of the host on which the service runs.
//
// A service, such as an OSD of Ceph, reports how long its own requests take. This time includes the
// time in its device. The kernel of its host reports how long requests to the device take. So a
// diagnosis of the services and a diagnosis of the hosts can be compared. If a service is slow, and
// its device is as fast as the peers of the device, the service itself is the cause.
//
// In a live diagnosis, services and hosts are components of one system
// (topology.System.WithServices). One [Hosts] then holds the data of this system.
//
// The input has two parts: the rows that measure the hosts, and the incidents that the diagnosis of
// the hosts found. For each slow service, the output is an [Explanation]. Read hosts.go.
package servicecause
