// Package symptom finds servers with a faulty resource: a disk, a network interface or
// network connections. It uses the metrics of all three resources together.
//
// The paper F10 compares one metric at a time. So its method blames a server that only gets more
// requests than its peers. In this package the metrics of a server must agree with each other. Load
// on a disk is a symptom only if no requests from the network caused the load. Traffic is a symptom
// only if no disk read or wrote the data, and if the frames are too large to be requests. A long
// wait for a disk is a symptom if the disk needs more time for its work than its peers would need,
// or if the wait is far longer than the wait of the peers. Lost TCP segments are a symptom if they
// are lost one by one and not in bursts. Steps in which no segment arrives are a symptom, too. No
// workload causes these symptoms, however uneven the workload is. So the package needs no training
// on fault-free data. If a server only gets more requests than its peers, the package returns a
// harmless finding.
//
// The input is rows. The output is findings, at the end of each window. Detector.Push works in four
// stages. First, window.go compares components with their peers. Second, disk.go, network.go and
// loss.go note signs. A sign is one symptom of one component in one window. It is anomalous if its
// score reaches its threshold and nothing shows that the component may be healthy (finding.Doubt).
// Third, examiner.go rules out symptoms that half of the servers show. Then a sign is suspect if it
// was anomalous in at least k of the last 2k−1 windows. Fourth, episode.go collects the signs of
// each server in episodes. An episode begins with the first window in which the server has an
// anomalous sign. It ends when the server has had no anomalous sign for 2k−1 windows. The strongest
// symptom of an episode determines the kind of fault (episode.fault). All bounds are fixed numbers
// (Options). No bound comes from a false-alarm rate.
//
// Read detector.go first, then examiner.go and disk.go.
package symptom
