// Package silence finds servers that send no data while other servers send data.
//
// A server that is down sends no data about its components. So the data do not show whether these
// components are gone (L13 §5.2.1). Detector.Row returns a finding as soon as
// window.DataTimes.IsSilent reports that a server is silent. A server that never sent data may be
// healthy and have no recorder. So Findings returns a finding about such a server only if other
// servers serve most of its LUNs in k consecutive windows. Light requests do not count, because they
// may be own work of the other servers. There is no statistical test.
//
// All code is in silence.go.
package silence
