// Package described makes tables of the series of exporters that are not node_exporter,
// by a description that people write, as tables have one:
//
//	name: ceph
//	split: instance                    # ask for one value of this label at a time; default: all at once
//	match: {cluster: a}                # labels that all series have
//	component: "{ceph_daemon}"         # its name, of labels; a word is a label
//	group: {text: OSDs}                # its peer group, likewise
//	server: "{hostname}"               # what it hangs on, where known; device, array, controller, drawer and model, too
//	metrics:
//	  latency:
//	    of: [ceph_osd_op_r_latency_sum, ceph_osd_op_w_latency_sum]     # counters, differenced and added up,
//	    per: [ceph_osd_op_r_latency_count, ceph_osd_op_w_latency_count] #   divided by the same of these; default: by seconds
//	    times: 1000                    # into the unit; default: 1
//	    unit: ms                       # unit, worse, noise, load and mean as tables have them
//	    worse: higher
//	  queue: {gauge: [some_gauge{kind="read"}], unit: requests, worse: higher}  # as it is; labels choose among series
//	absence: ignore
//
// Series of a component are joined by time: those of one scrape have the same. A
// counter that fell, or that is more than five minutes from the one before, makes no
// difference. Where nothing was done a quotient is 0, as it is for drives.
//
// The package is pure: it opens nothing and asks nobody.
package described
