// Package parts is what a shared storage system is made of: LUNs that answer
// requests, attachments that count them, servers that are recorded, cells of
// those that are connected. It knows how each part works when it is well and
// what may be wrong with it, and nothing of what happens when: a simulation
// sets conditions and lets time pass.
package parts
