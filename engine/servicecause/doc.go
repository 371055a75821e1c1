// Package servicecause finds the cause of a slow service from the measurements of its host: the device, the
// network, the server, or the service itself.
//
// A service, such as an OSD of Ceph, reports how long its own requests take. This time includes the
// time in its device. The kernel of its host reports how long requests to the device take. So a
// diagnosis of the services and a diagnosis of the hosts can be compared. If a service is slow, and
// its device is as fast as the peers of the device, the service itself is the cause.
//
// In a diagnosis that never stops, services and hosts are components of one system
// (topology.System.WithServices), and one record holds both.
//
// The input is the rows and the incidents of the diagnosis of the hosts. For each slow service, the
// output is an [Explanation]. Read hosts.go.
package servicecause
