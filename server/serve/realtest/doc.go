// Package realtest runs limpet serve among the programs that sites have: fio reads real
// block devices, node_exporter counts, Prometheus and vmagent push, Alertmanager is told,
// and a browser looks at the console. Nothing is made up but the fault: the kernel
// throttles one of the devices.
//
// It holds tests alone. They need root, Linux and half an hour: make real-serve. What is
// not installed is skipped by its name.
package realtest
