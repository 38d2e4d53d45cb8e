package main

import (
	"go/ast"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// consumers are the programs by the folder of the call of gcfg.ReadInto.
var consumers = map[string]string{
	"pkg/openstack":                         "ccm",
	"pkg/cloudprovider/providers/openstack": "ccm",
	"pkg/csi/cinder/openstack":              "cinder-csi-plugin",
	"pkg/kms/server":                        "barbican-kms-plugin",
	"pkg/flexvolume":                        "cinder-flexvolume",
	"pkg/volume/cinder/volumeservice":       "cinder-provisioner",
	"openstack":                             "legacy-in-tree",
}

var order = []string{
	"ccm", "cinder-csi-plugin", "barbican-kms-plugin", "cinder-flexvolume", "cinder-provisioner", "legacy-in-tree",
}

// call is one call of gcfg.ReadInto.
type call struct {
	in     *Package
	file   *ast.File
	inside *ast.FuncDecl
	node   *ast.CallExpr
	strict bool
}

// readers finds every program that reads cloud.conf and what it reads.
func (s *Source) readers() []Reader {
	found := []Reader{}
	for _, folder := range s.foldersWith("ReadInto") {
		loaded := s.load(folder)
		if loaded == nil {
			continue
		}
		for _, one := range s.calls(loaded) {
			consumer, known := consumers[folder]
			if !known {
				s.doubt("%s: a program that ccmcheck does not know reads a file with gcfg", s.at(one.node))
				continue
			}
			if reader, ok := s.reader(consumer, one); ok {
				found = append(found, reader)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Reader) int {
		return slices.Index(order, a.Consumer) - slices.Index(order, b.Consumer)
	})
	return found
}

// foldersWith are the folders whose Go files contain a word, in order.
func (s *Source) foldersWith(word string) []string {
	found := []string{}
	_ = filepath.WalkDir(s.root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "vendor" || entry.Name() == "tests" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		folder, err := filepath.Rel(s.root, filepath.Dir(name))
		folder = filepath.ToSlash(folder)
		if err == nil && !slices.Contains(found, folder) && containsWord(name, word) {
			found = append(found, folder)
		}
		return err
	})
	slices.Sort(found)
	return found
}

func (s *Source) calls(in *Package) []call {
	found := []call{}
	for _, file := range in.files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			filtered := strings.Contains(s.text(function), "FatalOnly")
			ast.Inspect(function, func(node ast.Node) bool {
				if called, ok := node.(*ast.CallExpr); ok && selects(called.Fun, "gcfg", "ReadInto") {
					found = append(found, call{in, file, function, called, !filtered})
				}
				return true
			})
		}
	}
	return found
}

// reader resolves the struct that a call reads into.
func (s *Source) reader(consumer string, one call) (Reader, bool) {
	target := one.node.Args[0]
	if address, ok := target.(*ast.UnaryExpr); ok {
		target = address.X
	}
	variable, ok := target.(*ast.Ident)
	if !ok {
		s.doubt("%s: reads into %s, which is no variable", s.at(one.node), s.text(target))
		return Reader{}, false
	}
	declared := s.typeOfVariable(one, variable.Name)
	if declared == nil {
		s.doubt("%s: the type of %s is not known", s.at(one.node), variable.Name)
		return Reader{}, false
	}
	structure, in, file := s.structure(declared, one.in, one.file)
	if structure == nil {
		s.doubt("%s: %s is no struct", s.at(one.node), s.text(declared))
		return Reader{}, false
	}
	reader := Reader{Consumer: consumer, Strict: one.strict}
	s.addSections(&reader, structure, in, file)
	s.addDefaults(&reader, one)
	s.addDocumentation(&reader)
	return reader, true
}

// typeOfVariable is the declared type of a variable or parameter, or that of the function that it is the result of.
func (s *Source) typeOfVariable(one call, name string) ast.Expr {
	for _, parameter := range one.inside.Type.Params.List {
		for _, declared := range parameter.Names {
			if declared.Name == name {
				return parameter.Type
			}
		}
	}
	var found ast.Expr
	ast.Inspect(one.inside, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			for _, declared := range node.Names {
				if declared.Name == name {
					found = node.Type
				}
			}
		case *ast.AssignStmt:
			if left, ok := node.Lhs[0].(*ast.Ident); ok && left.Name == name && node.Tok.String() == ":=" {
				found = s.typeOfValue(one.in, node.Rhs[0])
			}
		}
		return true
	})
	return found
}

func (s *Source) typeOfValue(in *Package, value ast.Expr) ast.Expr {
	switch value := value.(type) {
	case *ast.CompositeLit:
		return value.Type
	case *ast.CallExpr:
		if name, ok := value.Fun.(*ast.Ident); ok {
			if function := in.function(name.Name); function != nil && function.Type.Results != nil {
				return function.Type.Results.List[0].Type
			}
		}
	}
	return nil
}
