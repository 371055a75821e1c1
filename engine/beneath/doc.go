// Package beneath explains a slow service by what its host measured: the device, the network, the
// server, or the service itself.
//
// A service, such as an OSD of Ceph, reports how long its own requests take. This time includes its
// device. The kernel of its host reports how long requests to the device take. Two diagnoses, one of
// the services and one of the hosts, therefore say more than each of them: a service that is slow on a
// device that is as fast as its peers is slow by itself.
//
// The package takes the rows and the incidents of the diagnosis of the hosts, and answers questions
// about services. Read beneath.go.
package beneath
