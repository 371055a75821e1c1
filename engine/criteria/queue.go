package criteria

// QueueTimes returns the ratio of a component's latency to its peers' latency that the M/M/1 queue
// predicts: (1−ρ)/(1−lρ). The parameter `load` is l, the ratio of the component's load to its
// peers' load. The parameter `busy` is ρ, the utilisation of the peers. The utilisation of the
// component is lρ. The parameter `most` is an upper bound of lρ: if lρ is larger, `most` is used
// instead.
func QueueTimes(load, busy, most float64) float64 {
	if load <= 1 {
		return 1
	}
	return (1 - busy) / max(1-load*busy, 1-most)
}

// MaxQueueTimes returns the largest value of QueueTimes over all utilisations of the peers.
func MaxQueueTimes(load, most float64) float64 {
	return QueueTimes(load, most/max(load, 1), most)
}

// SaturatedShare is the utilisation of a component that serves nearly as many requests as it can.
// OSDs of Ceph have unequal loads, because placement groups are spread at random. The OSD with the
// largest load may be saturated while requests to the other OSDs hardly wait.
const SaturatedShare = 0.99
