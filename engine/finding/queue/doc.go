// Package queue tells what waiting in a queue explains.
//
// A component with more load than its peers waits longer, and is healthy. The M/M/1
// queue says by how much (docs/method.md, Queues): it is crude, and asks for nothing
// but latencies that are measured anyway.
package queue
