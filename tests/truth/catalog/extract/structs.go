package main

import (
	"go/ast"
	"reflect"
	"strings"
	"unicode"
)

// structure resolves a type to a struct, through pointers, names, aliases and packages of this checkout.
func (s *Source) structure(expression ast.Expr, in *Package, file *ast.File) (*ast.StructType, *Package, *ast.File) {
	switch expression := expression.(type) {
	case *ast.StructType:
		return expression, in, file
	case *ast.StarExpr:
		return s.structure(expression.X, in, file)
	case *ast.Ident:
		if spec := in.types[expression.Name]; spec != nil {
			return s.structure(spec.Type, in, s.fileOf(in, spec))
		}
	case *ast.SelectorExpr:
		if left, ok := expression.X.(*ast.Ident); ok {
			if other := s.imported(file, in, left.Name); other != nil {
				return s.structure(expression.Sel, other, nil)
			}
		}
	}
	return nil, nil, nil
}

// addSections lists the fields of the struct that a file is read into, those of embedded structs after its own.
func (s *Source) addSections(reader *Reader, structure *ast.StructType, in *Package, file *ast.File) {
	known := map[string]bool{}
	for _, section := range reader.Sections {
		known[section.Name] = true
	}
	embedded := []ast.Expr{}
	for _, field := range structure.Fields.List {
		if len(field.Names) == 0 {
			embedded = append(embedded, field.Type)
			continue
		}
		for _, name := range field.Names {
			if !name.IsExported() || known[name.Name] {
				continue
			}
			inner, subsections := field.Type, false
			if mapped, ok := field.Type.(*ast.MapType); ok {
				inner, subsections = mapped.Value, true
			}
			fields, of, where := s.structure(inner, in, file)
			if fields == nil {
				s.doubt("%s: section %s is no struct", s.at(field), name.Name)
				continue
			}
			section := Section{Name: sectionName(name.Name, field.Tag), Subsections: subsections, Keys: []Key{}}
			s.addKeys(&section, fields, of, where)
			reader.Sections = append(reader.Sections, section)
		}
	}
	for _, one := range embedded {
		reader.Embeds = typeName(one)
		if fields, of, where := s.structure(one, in, file); fields != nil {
			s.addSections(reader, fields, of, where)
		} else {
			s.doubt("%s: the embedded %s is no struct", s.at(one), s.text(one))
		}
	}
}

func (s *Source) addKeys(section *Section, structure *ast.StructType, in *Package, file *ast.File) {
	for _, field := range structure.Fields.List {
		if len(field.Names) == 0 {
			if fields, of, where := s.structure(field.Type, in, file); fields != nil {
				s.addKeys(section, fields, of, where)
			} else {
				s.doubt("%s: the embedded %s is no struct", s.at(field), s.text(field.Type))
			}
			continue
		}
		for _, name := range field.Names {
			tagged := tag(field.Tag)
			if !name.IsExported() || tagged == "-" {
				continue
			}
			key := Key{Name: tagged, Field: name.Name, Type: s.keyType(field.Type, in, file), Set: "zero", At: s.at(field)}
			if key.Name == "" {
				key.Name = strings.ToLower(name.Name)
			}
			key.Default = zero(key.Type)
			section.Keys = append(section.Keys, key)
		}
	}
}

// sectionName is the Go field's name, unless a tag gives another; gcfg compares either in any case.
func sectionName(field string, literal *ast.BasicLit) string {
	if tagged := tag(literal); tagged != "" {
		return tagged
	}
	return field
}

// tag is the name in a field's gcfg tag; empty for none.
func tag(literal *ast.BasicLit) string {
	if literal == nil {
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(unquoted(literal)).Get("gcfg"), ",")
	return name
}

func typeName(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.Ident:
		return expression.Name
	case *ast.SelectorExpr:
		return expression.Sel.Name
	case *ast.StarExpr:
		return typeName(expression.X)
	}
	return ""
}

// keyType names a Go type as the catalogue does.
func (s *Source) keyType(expression ast.Expr, in *Package, file *ast.File) string {
	switch expression := expression.(type) {
	case *ast.MapType:
		return "reserved"
	case *ast.ArrayType:
		if s.keyType(expression.Elt, in, file) == "string" {
			return "list"
		}
	case *ast.Ident:
		switch expression.Name {
		case "string", "bool", "int", "uint", "int64":
			return expression.Name
		}
		if unicode.IsUpper(rune(expression.Name[0])) && s.isDuration(expression, in, file) {
			return "duration"
		}
		if spec := in.types[expression.Name]; spec != nil {
			if s.keyType(spec.Type, in, s.fileOf(in, spec)) == "string" {
				return "word"
			}
		}
	case *ast.SelectorExpr:
		if s.isDuration(expression, in, file) {
			return "duration"
		}
		// the one named string of another module: gcfg reads one word into it, for it is no plain string
		if selects(expression, "gophercloud", "Availability") {
			return "word"
		}
	}
	s.doubt("%s: what gcfg stores in a field of the type %s", s.at(expression), s.text(expression))
	return s.text(expression)
}

// isDuration recognizes the struct around time.Duration that reads a Go duration.
func (s *Source) isDuration(expression ast.Expr, in *Package, file *ast.File) bool {
	structure, _, _ := s.structure(expression, in, file)
	if structure == nil || len(structure.Fields.List) != 1 {
		return false
	}
	only := structure.Fields.List[0]
	return len(only.Names) == 0 && selects(only.Type, "time", "Duration")
}

// zero is the value of a key that nothing sets.
func zero(kind string) any {
	switch kind {
	case "bool":
		return false
	case "int", "uint", "int64":
		return 0
	case "duration":
		return "0s"
	case "list":
		return []string{}
	case "reserved":
		return nil
	}
	return ""
}
