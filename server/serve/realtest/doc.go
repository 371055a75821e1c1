// Package realtest runs limpet serve among the programs of a real site: fio reads block
// devices, node_exporter counts, Prometheus and vmagent push, Alertmanager receives alerts,
// and a browser opens the console. Only the fault is artificial: the kernel throttles one of
// the devices. The package has only tests.
//
// They need root, Linux and half an hour: make real-serve. A program that is not installed
// is skipped by its name.
//
// Read first: throttled_linux_test.go, watcher_linux_test.go, programs_linux_test.go.
package realtest
