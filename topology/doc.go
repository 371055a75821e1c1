// Package topology describes the components of a storage system, how they are connected,
// and which of them are peers: components that ought to behave alike.
//
// In: the text of a topology file ([Parse]), or the names of the devices that sources of
// rows have seen ([Discover]). Out: a [System]. The package opens no files, reads no
// samples and has no clock. Package topology/site reads the output of a site's own tools,
// and topology/site/draft writes a topology file from it.
//
// Peers are stated, not guessed from behaviour: the operator of a system knows which
// attachments are primaries and which LUNs came with the last upgrade, and a comparison
// is worth no more than the likeness of the compared components (L13 §3.3). A site
// states it once, in a file that fits on a page. Without a file, [Discover] takes the
// like devices of a server, or of all servers, as peers, and warns of those that it left
// out.
//
// Sources of rows find the component of a sample by [System.Find], detectors compare the
// members of [System.Groups], reports print [System.Label], and localisation groups
// components by the strings of [Component].
//
// Read first: topology.go (System and Component), format.go (the topology file),
// discover.go (peers without a file).
package topology
