package main

import "os"

// throughFile serves a function that wants a path.
func throughFile(read func(path string) (interface{}, error)) func(data []byte) (interface{}, error) {
	return func(data []byte) (interface{}, error) {
		file, err := os.CreateTemp("", "cloud-conf-")
		if err != nil {
			panic(err)
		}
		defer os.Remove(file.Name())
		if _, err := file.Write(data); err != nil {
			panic(err)
		}
		if err := file.Close(); err != nil {
			panic(err)
		}
		return read(file.Name())
	}
}
