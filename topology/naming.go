package topology

// nameAttachments names attachments controller.lun.server, as L13 does. If all arrays have one
// prefix, and all servers have one prefix, the names have the numbers of array and server;
// otherwise their full names. An attachment that has a name keeps it.
func nameAttachments(components []Component) {
	var arrays, servers []string
	for i := range components {
		if c := &components[i]; c.Array != "" && c.Name == "" {
			arrays, servers = append(arrays, c.Array), append(servers, c.Server)
		}
	}
	short := onePrefix(arrays) && onePrefix(servers)
	for i := range components {
		c := &components[i]
		if c.Array == "" || c.Name != "" {
			continue
		}
		array, server := c.Array, c.Server
		if short {
			_, array = splitNumber(array)
			_, server = splitNumber(server)
		}
		c.LUN = array + "." + c.LUN
		c.Name = c.LUN + "." + server
	}
}

// onePrefix reports whether all names are the same prefix with a number.
func onePrefix(names []string) bool {
	for _, name := range names {
		prefix, number := splitNumber(name)
		if first, _ := splitNumber(names[0]); number == "" || prefix != first {
			return false
		}
	}
	return true
}
