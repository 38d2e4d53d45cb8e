// Reads many cloud.conf files with the real code of one release of cloud-provider-openstack.
//
// One JSON request a line on standard input, one JSON answer a line on standard output, in the same order and written at
// once: whoever reads can tell by the number of answers which request ended the process.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	gcfg "gopkg.in/gcfg.v1"
)

// consumer is one program that reads cloud.conf.
type consumer struct {
	// read is the program's own function.
	read func(data []byte) (interface{}, error)
	// pass filters gcfg's errors as the program does; nil stands for gcfg.FatalOnly.
	pass func(err error) error
	// blank gives a pointer to the struct that the program reads into, without any defaults.
	blank func() interface{}
}

// consumers is filled by the files whose build tags are on.
var consumers = map[string]consumer{}

type request struct {
	ID       int    `json:"id"`
	Consumer string `json:"consumer"`
	Input    []byte `json:"input_b64"`
}

type answer struct {
	ID int `json:"id"`
	// Outcome is ok, fatal (the function returned an error) or panic.
	Outcome string `json:"outcome"`
	Error   string `json:"error"`
	// Values is the whole struct after reading; nil unless the outcome is ok.
	Values []section `json:"values"`
	// Ignored are gcfg's warnings, which gcfg.FatalOnly drops.
	Ignored []ignored `json:"ignored"`
	// Elsewhere is true where the file names a clouds.yaml, a cloud in it, or a Secret. The program would go on to read
	// that, so its function was not called: outcome, error and values are gcfg's own, over the program's defaults.
	Elsewhere bool `json:"elsewhere"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, "bad request:", err)
			os.Exit(3)
		}
		if err := out.Encode(respond(asked)); err != nil {
			fmt.Fprintln(os.Stderr, "cannot answer:", err)
			os.Exit(3)
		}
	}
}

func respond(asked request) (given answer) {
	given.ID = asked.ID
	defer func() {
		if reason := recover(); reason != nil {
			given.Outcome, given.Error, given.Values = "panic", fmt.Sprint(reason), nil
		}
	}()
	reader, known := consumers[asked.Consumer]
	if !known {
		panic("this program was built without " + asked.Consumer)
	}
	// The CCM leaves this behind when it reads a file with clouds-file.
	os.Unsetenv("OS_CLIENT_CONFIG_FILE")

	plain := reader.blank()
	warned := gcfg.ReadInto(plain, bytes.NewReader(asked.Input))
	given.Ignored = ignoredNames(warned)
	if given.Elsewhere = namesAnother(plain); given.Elsewhere {
		return elsewhere(given, reader, asked.Input)
	}
	config, err := reader.read(asked.Input)
	return report(given, config, err)
}

// elsewhere reads over the program's defaults without the step that follows.
func elsewhere(given answer, reader consumer, data []byte) answer {
	config, err := reader.read(nil)
	if err != nil {
		panic("an empty file is refused: " + err.Error())
	}
	pass := reader.pass
	if pass == nil {
		pass = gcfg.FatalOnly
	}
	into := addressable(config)
	return report(given, into, pass(gcfg.ReadInto(into, bytes.NewReader(data))))
}

func report(given answer, config interface{}, err error) answer {
	if err != nil {
		given.Outcome, given.Error = "fatal", err.Error()
		if !given.Elsewhere {
			return given
		}
	} else {
		given.Outcome = "ok"
	}
	given.Values = neutral(config)
	return given
}
