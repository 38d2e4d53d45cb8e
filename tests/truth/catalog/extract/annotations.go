package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

const (
	prefix   = "loadbalancer.openstack.org/"
	internal = "service.beta.kubernetes.io/openstack-internal-load-balancer"
)

var getter = regexp.MustCompile(`^get(String|Int|Bool|KeyValue|ProxyProtocol)FromServiceAnnotation$`)

var getterTypes = map[string]string{"String": "string", "Int": "int", "Bool": "bool", "KeyValue": "key=value list"}

// annotations lists the constants that name annotations of a Service, with the type of the functions that read each.
func (s *Source) annotations() []Annotation {
	found := []Annotation{}
	var in *Package
	for _, folder := range []string{"pkg/openstack", "pkg/cloudprovider/providers/openstack"} {
		if in = s.load(folder); in != nil {
			break
		}
	}
	if in == nil {
		return found
	}
	constants := map[string]string{}
	for _, file := range in.files {
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok || len(value.Values) != 1 {
					continue
				}
				text, ok := s.value(value.Values[0], in, file)
				name, isText := text.(string)
				if !ok || !isText || (name != internal && (!strings.HasPrefix(name, prefix) || name == prefix)) {
					continue
				}
				constants[value.Names[0].Name] = name
				found = append(found, Annotation{Name: name, At: s.at(value)})
			}
		}
	}
	types := s.annotationTypes(in, constants)
	for index := range found {
		found[index].Type = types[found[index].Name]
	}
	s.addAnnotationDocumentation(found)
	return found
}

// annotationTypes are the types by annotation; what is only written has "string (output)".
func (s *Source) annotationTypes(in *Package, constants map[string]string) map[string]string {
	read := map[string][]string{}
	for _, file := range in.files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(node ast.Node) bool {
				called, ok := node.(*ast.CallExpr)
				if !ok || len(called.Args) < 2 {
					return true
				}
				name, isName := called.Fun.(*ast.Ident)
				constant, isConstant := called.Args[1].(*ast.Ident)
				if !isName || !isConstant || constants[constant.Name] == "" {
					return true
				}
				if match := getter.FindStringSubmatch(name.Name); match != nil {
					kind := getterTypes[match[1]]
					if strings.Contains(function.Name.Name, "ProxyProtocol") {
						kind = "enum"
					}
					read[constants[constant.Name]] = append(read[constants[constant.Name]], kind)
				}
				return true
			})
		}
	}
	types := map[string]string{}
	for _, name := range constants {
		kinds := read[name]
		slices.Sort(kinds)
		kinds = slices.Compact(kinds)
		switch len(kinds) {
		case 0:
			types[name] = "" // used in another way: a person looks
		case 1:
			types[name] = kinds[0]
		default:
			types[name] = kinds[0]
			s.doubt("annotation %s is read as %s", name, strings.Join(kinds, " and as "))
		}
	}
	return types
}
