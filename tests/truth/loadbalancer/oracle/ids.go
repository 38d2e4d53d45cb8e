package main

import (
	"crypto/sha1"
	"fmt"
)

// identify gives the ID of a name: a UUID of version 5, so that a test can tell the name from it.
func identify(name string) string {
	sum := sha1.New()
	sum.Write([]byte{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8})
	sum.Write([]byte(name))
	id := sum.Sum(nil)[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
