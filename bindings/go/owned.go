//go:build cgo

package robots

import "runtime"

// An owned is an object of the library, with what ends it. What is made of one (a Crawler, an Outcome) holds a pointer to it, as an
// os.File does to its own: whoever copies that shares the object, and it ends when nobody holds it.
type owned[H any] struct {
	handle  H
	free    func(H)
	cleanup runtime.Cleanup
	// As much memory of Go's as the object takes of the library's, so that the garbage collector comes when it should.
	weight []byte
}

// own takes an object over that takes size bytes, or 0 for few.
func own[H any](handle H, free func(H), size int) *owned[H] {
	o := &owned[H]{handle: handle, free: free, weight: make([]byte, size)}
	o.cleanup = runtime.AddCleanup(o, free, handle)
	return o
}

// get gives the handle; the zero one, which the library refuses, if the object was never made or is ended. Keep alive what
// holds the object while it is used.
func (o *owned[H]) get() (handle H) {
	if o != nil {
		handle = o.handle
	}
	return handle
}

// end ends the object now.
func (o *owned[H]) end() {
	var none H
	o.cleanup.Stop()
	o.free(o.handle)
	o.handle, o.weight = none, nil
}
