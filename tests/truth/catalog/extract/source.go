package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	paths "path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Source is the checkout of one release.
type Source struct {
	root      string
	modules   []string // import paths that its own packages begin with
	files     *token.FileSet
	packages  map[string]*Package // by folder
	undecided []string
}

// Package is one folder's files, without tests.
type Package struct {
	folder  string
	files   []*ast.File
	types   map[string]*ast.TypeSpec
	values  map[string]ast.Expr // package-level constants and variables
	imports map[*ast.File]map[string]string
}

// NewSource opens a checkout.
func NewSource(root string) *Source {
	modules := []string{"k8s.io/cloud-provider-openstack", "git.openstack.org/openstack/openstack-cloud-controller-manager"}
	if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
		if found := regexp.MustCompile(`(?m)^module (\S+)`).FindSubmatch(text); found != nil {
			modules = append(modules, string(found[1]))
		}
	}
	return &Source{root: root, modules: modules, files: token.NewFileSet(), packages: map[string]*Package{}}
}

// gcfgVersion is the release of gcfg that is linked; empty where no file of the checkout says so.
func (s *Source) gcfgVersion() string {
	text, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	if err != nil {
		return ""
	}
	if found := regexp.MustCompile(`gopkg\.in/gcfg\.v1 (v\S+)`).FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

// load parses the package of a folder; nil where there is none.
func (s *Source) load(folder string) *Package {
	if found, ok := s.packages[folder]; ok {
		return found
	}
	s.packages[folder] = nil
	names, _ := filepath.Glob(filepath.Join(s.root, folder, "*.go"))
	sort.Strings(names)
	loaded := &Package{folder, nil, map[string]*ast.TypeSpec{}, map[string]ast.Expr{}, map[*ast.File]map[string]string{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			s.doubt("%s cannot be parsed: %v", name, err)
			continue
		}
		loaded.add(file)
	}
	if len(loaded.files) > 0 {
		s.packages[folder] = loaded
	}
	return s.packages[folder]
}

func (p *Package) add(file *ast.File) {
	p.files = append(p.files, file)
	p.imports[file] = map[string]string{}
	for _, one := range file.Imports {
		target := strings.Trim(one.Path.Value, `"`)
		name := paths.Base(target)
		if one.Name != nil {
			name = one.Name.Name
		}
		p.imports[file][name] = target
	}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.types[spec.Name.Name] = spec
			case *ast.ValueSpec:
				for index, name := range spec.Names {
					if index < len(spec.Values) {
						p.values[name.Name] = spec.Values[index]
					}
				}
			}
		}
	}
}

// imported is the package of this checkout that a file knows by a name; nil for others.
func (s *Source) imported(file *ast.File, in *Package, name string) *Package {
	target := in.imports[file][name]
	for _, module := range s.modules {
		if inside, found := strings.CutPrefix(target, module+"/"); found {
			return s.load(inside)
		}
	}
	return nil
}

// fileOf is the file of a package that holds a node.
func (s *Source) fileOf(in *Package, node ast.Node) *ast.File {
	for _, file := range in.files {
		if file.FileStart <= node.Pos() && node.Pos() < file.FileEnd {
			return file
		}
	}
	return nil
}

// at is where a node stands: file and line.
func (s *Source) at(node ast.Node) string {
	position := s.files.Position(node.Pos())
	name, err := filepath.Rel(s.root, position.Filename)
	if err != nil {
		name = position.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(name), position.Line)
}

func (s *Source) doubt(format string, values ...any) {
	s.undecided = append(s.undecided, fmt.Sprintf(format, values...))
}
