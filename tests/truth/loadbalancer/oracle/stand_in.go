package main

import (
	"encoding/json"
	"io/ioutil"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// standIn is one HTTP server for all services of OpenStack; each is a path below it.
type standIn struct {
	url    string
	server *httptest.Server
	lock   sync.Mutex
	cloud  *cloud
}

func start() *standIn {
	made := &standIn{}
	made.server = httptest.NewUnstartedServer(http.HandlerFunc(made.handle))
	made.server.Config.ErrorLog = log.New(ioutil.Discard, "", 0)
	made.server.Start()
	made.url = made.server.URL
	return made
}

// serve makes this the cloud that is talked to.
func (s *standIn) serve(cloud *cloud) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.cloud = cloud
	cloud.url = s.url
}

// rest hangs up: each Service has an HTTP client of its own.
func (s *standIn) rest() {
	s.server.CloseClientConnections()
}

// asked is one request, as it came in.
type asked struct {
	Service string          `json:"service"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Query   string          `json:"query,omitempty"`
	Body    json.RawMessage `json:"body,omitempty"`
	// Made is the ID that was given to what a POST asks for.
	Made string `json:"made,omitempty"`
}

func noRequests() []asked {
	return []asked{}
}

// object is anything that has an id.
type object = map[string]interface{}

// reply is what a service answers.
type reply struct {
	status int
	body   object
}

func (s *standIn) handle(out http.ResponseWriter, in *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	raw, _ := ioutil.ReadAll(in.Body)
	parts := strings.SplitN(strings.Trim(in.URL.Path, "/"), "/", 2)
	path := ""
	if len(parts) > 1 {
		path = strings.Trim(parts[1], "/")
	}
	if parts[0] == "identity" {
		s.login(out)
		return
	}
	if version, discovers := majors[parts[0]]; discovers && path == "" {
		send(out, reply{200, object{"versions": []object{{"id": version, "status": "CURRENT"}}}})
		return
	}
	noted := asked{Service: parts[0], Method: in.Method, Path: "/" + path, Query: in.URL.RawQuery}
	if len(raw) > 0 {
		noted.Body = raw
	}
	s.cloud.asked = append(s.cloud.asked, noted)
	last := &s.cloud.asked[len(s.cloud.asked)-1]
	var body object
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &body); err != nil {
			send(out, reply{400, object{"error": err.Error()}})
			return
		}
	}
	given := s.cloud.answer(parts[0], in.Method, path, in.URL.Query(), body)
	if in.Method == "POST" {
		for _, made := range given.body {
			if one, ok := made.(object); ok {
				last.Made = text(one, "id")
			}
		}
	}
	send(out, given)
}

// majors are the versions of the services that later releases look for at start; Octavia tells its own.
var majors = map[string]string{"network": "v2.0", "key-manager": "v1"}

// login answers as Keystone does, to anybody.
func (s *standIn) login(out http.ResponseWriter) {
	catalog := []object{}
	for name, path := range map[string]string{
		"network": "network", "load-balancer": "load-balancer", "compute": "compute/v2.1", "key-manager": "key-manager",
	} {
		if s.cloud.absent[name] {
			continue
		}
		endpoints := []object{}
		for _, kind := range []string{"public", "internal", "admin"} {
			endpoints = append(endpoints, object{
				"id": name + kind, "interface": kind, "region": "RegionOne", "region_id": "RegionOne", "url": s.url + "/" + path,
			})
		}
		catalog = append(catalog, object{"id": name, "type": name, "name": name, "endpoints": endpoints})
	}
	out.Header().Set("X-Subject-Token", "token")
	send(out, reply{201, object{"token": object{
		"expires_at": "2099-01-01T00:00:00.000000Z", "issued_at": "2020-01-01T00:00:00.000000Z", "methods": []string{"password"},
		"user": object{"id": "user", "name": "user"}, "project": object{"id": "project", "name": "project"}, "catalog": catalog,
	}}})
}

func send(out http.ResponseWriter, answer reply) {
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(answer.status)
	if answer.body != nil {
		_ = json.NewEncoder(out).Encode(answer.body)
	}
}
