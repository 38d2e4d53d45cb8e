package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// pages are where the keys of a program are described, newest layout first; the first that exists counts.
var pages = map[string][]string{
	"ccm": {
		"docs/openstack-cloud-controller-manager/using-openstack-cloud-controller-manager.md",
		"docs/using-openstack-cloud-controller-manager.md",
	},
	"cinder-csi-plugin": {
		"docs/cinder-csi-plugin/using-cinder-csi-plugin.md",
		"docs/using-cinder-csi-plugin.md",
	},
	"barbican-kms-plugin": {
		"docs/barbican-kms-plugin/using-barbican-kms-plugin.md",
		"docs/using-barbican-kms-plugin.md",
	},
}

var annotationPages = []string{
	"docs/openstack-cloud-controller-manager/expose-applications-using-loadbalancer-type-service.md",
	"docs/expose-applications-using-loadbalancer-type-service.md",
}

var (
	heading = regexp.MustCompile(`^#+\s+(.*?)\s*$`)
	bullet  = regexp.MustCompile("^(\\s*)[*-] `?([A-Za-z-]+)")
	setting = regexp.MustCompile(`^\s*([A-Za-z-]+)\s*=`)
	header  = regexp.MustCompile(`^\[(\w+)`)
)

func (s *Source) page(names []string) string {
	for _, name := range names {
		if text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name))); err == nil {
			return string(text)
		}
	}
	return ""
}

// addDocumentation marks the keys that the program's page describes, in a list or in a sample of a section.
func (s *Source) addDocumentation(reader *Reader) {
	text := s.page(pages[reader.Consumer])
	section, nested, indent := "", "", 0
	sample := ""
	for _, line := range strings.Split(text, "\n") {
		if found := header.FindStringSubmatch(line); found != nil {
			sample = found[1]
		}
		if strings.HasPrefix(line, "```") {
			sample = ""
		}
		if found := heading.FindStringSubmatch(line); found != nil {
			section, nested = strings.ReplaceAll(found[1], " ", ""), ""
			continue
		}
		if found := setting.FindStringSubmatch(line); found != nil && sample != "" && reader.Consumer == "barbican-kms-plugin" {
			reader.documented(sample, found[1])
		}
		found := bullet.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		if nested != "" && len(found[1]) <= indent {
			nested = ""
		}
		name := found[2]
		if reader.hasSection(name) {
			nested, indent = name, len(found[1])
			continue
		}
		if nested != "" {
			reader.documented(nested, name)
		} else {
			reader.documented(section, name)
		}
		if reader.Consumer == "cinder-csi-plugin" {
			for _, one := range reader.Sections {
				reader.documented(one.Name, name)
			}
		}
	}
}

func (r *Reader) hasSection(name string) bool {
	for _, section := range r.Sections {
		if strings.EqualFold(section.Name, name) {
			return true
		}
	}
	return false
}

func (r *Reader) documented(section, key string) {
	for number := range r.Sections {
		if !strings.EqualFold(r.Sections[number].Name, section) {
			continue
		}
		for index := range r.Sections[number].Keys {
			if strings.EqualFold(r.Sections[number].Keys[index].Name, key) {
				r.Sections[number].Keys[index].Documented = true
			}
		}
	}
}

func (s *Source) addAnnotationDocumentation(found []Annotation) {
	text := s.page(annotationPages)
	for index := range found {
		whole := regexp.MustCompile(regexp.QuoteMeta(found[index].Name) + `(?:[^\w-]|$)`)
		found[index].Documented = whole.MatchString(text)
	}
}
