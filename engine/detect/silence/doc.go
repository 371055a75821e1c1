// Package silence finds servers that send no data while other servers send data.
//
// A server that is down sends no data about its components: they are not gone, they are
// only not reported (L13 §5.2.1). Detector.Row finds a server as soon as
// window.Facts.Silent counts it as silent. A server that never sent data may not be
// recorded at all. It is a finding only if other servers serve most of its LUNs in k
// windows (Findings). There is no statistical test.
//
// All of it is in silence.go.
package silence
