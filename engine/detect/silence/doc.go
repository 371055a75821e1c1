// Package silence finds servers that send nothing while others do.
//
// A server that is down takes its data with it: its components are not missing,
// they are not heard of (L13 §5.2.1). One that never sent anything may not have
// been asked, which is no finding, unless others serve its LUNs.
package silence
