package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"time"
)

// addDefaults evaluates what the code assigns to keys before the file is read, and afterwards where one is still empty.
func (s *Source) addDefaults(reader *Reader, one call) {
	s.assigned(reader, one.in, one.inside.Body, one.node.Pos(), map[string]bool{})
	for _, file := range one.in.files {
		ast.Inspect(file, func(node ast.Node) bool {
			if branch, ok := node.(*ast.IfStmt); ok {
				s.assignedWhereEmpty(reader, one.in, branch)
			}
			return true
		})
	}
}

// assigned follows assignments up to a position, into functions whose result starts the configuration.
func (s *Source) assigned(reader *Reader, in *Package, body *ast.BlockStmt, until token.Pos, seen map[string]bool) {
	ast.Inspect(body, func(node ast.Node) bool {
		assignment, ok := node.(*ast.AssignStmt)
		if !ok || assignment.Pos() >= until {
			return true
		}
		if called, ok := assignment.Rhs[0].(*ast.CallExpr); ok && len(called.Args) == 0 {
			if name, ok := called.Fun.(*ast.Ident); ok && !seen[name.Name] {
				if function := in.function(name.Name); function != nil && s.returnsConfig(function) {
					seen[name.Name] = true
					s.assigned(reader, in, function.Body, function.End(), seen)
				}
			}
		}
		for index, left := range assignment.Lhs {
			section, field := path(left)
			key := reader.key(section, field)
			if key == nil || index >= len(assignment.Rhs) {
				continue
			}
			if fromEnvironment(assignment.Rhs[index]) {
				continue // what holds without the variable is the zero value
			}
			s.set(key, "before", assignment.Rhs[index], in)
		}
		return true
	})
}

func (s *Source) returnsConfig(function *ast.FuncDecl) bool {
	results := function.Type.Results
	return results != nil && len(results.List) > 0 && typeName(results.List[0].Type) == "Config"
}

func fromEnvironment(value ast.Expr) bool {
	called, ok := value.(*ast.CallExpr)
	return ok && selects(called.Fun, "os", "Getenv")
}

// assignedWhereEmpty reads `if cfg.Section.Key == "" { cfg.Section.Key = … }` and its variants.
func (s *Source) assignedWhereEmpty(reader *Reader, in *Package, branch *ast.IfStmt) {
	condition, ok := branch.Cond.(*ast.BinaryExpr)
	if !ok || condition.Op != token.EQL {
		return
	}
	asked := condition.X
	if length, ok := asked.(*ast.CallExpr); ok && len(length.Args) == 1 {
		asked = length.Args[0]
	}
	section, field := path(asked)
	key := reader.key(section, field)
	if key == nil {
		return
	}
	for _, statement := range branch.Body.List {
		assignment, ok := statement.(*ast.AssignStmt)
		if !ok {
			continue
		}
		left := assignment.Lhs[0]
		if inner, ok := left.(*ast.SelectorExpr); ok && inner.Sel.Name == "Duration" {
			left = inner.X
		}
		if otherSection, other := path(left); otherSection != section || other != field {
			continue
		}
		if !fromEnvironment(assignment.Rhs[0]) {
			s.set(key, "empty", assignment.Rhs[0], in)
		}
	}
}

func (s *Source) set(key *Key, when string, value ast.Expr, in *Package) {
	found, ok := s.value(value, in, s.fileOf(in, value))
	if !ok {
		s.doubt("%s: the default of %s, %s", s.at(value), key.Name, s.text(value))
		return
	}
	if key.Type == "duration" {
		found = duration(found)
	}
	key.Default, key.Set = found, when
}

func (r *Reader) key(section, field string) *Key {
	for number := range r.Sections {
		for index := range r.Sections[number].Keys {
			if key := &r.Sections[number].Keys[index]; r.Sections[number].Name == section && key.Field == field {
				return key
			}
		}
	}
	return nil
}

// value evaluates an expression of literals and constants.
func (s *Source) value(expression ast.Expr, in *Package, file *ast.File) (any, bool) {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		if expression.Kind == token.STRING {
			return unquoted(expression), true
		}
		number, err := strconv.Atoi(expression.Value)
		return number, err == nil
	case *ast.Ident:
		if expression.Name == "true" || expression.Name == "false" {
			return expression.Name == "true", true
		}
		if declared := in.values[expression.Name]; declared != nil {
			return s.value(declared, in, s.fileOf(in, declared))
		}
	case *ast.SelectorExpr:
		left, ok := expression.X.(*ast.Ident)
		if !ok {
			return nil, false
		}
		if unit, ok := units[left.Name+"."+expression.Sel.Name]; ok {
			return int(unit), true
		}
		if other := s.imported(file, in, left.Name); other != nil {
			if declared := other.values[expression.Sel.Name]; declared != nil {
				return s.value(declared, other, s.fileOf(other, declared))
			}
		}
	case *ast.BinaryExpr:
		left, leftOK := s.value(expression.X, in, file)
		right, rightOK := s.value(expression.Y, in, file)
		first, isNumber := left.(int)
		second, areNumbers := right.(int)
		return first * second, leftOK && rightOK && isNumber && areNumbers && expression.Op == token.MUL
	case *ast.CompositeLit:
		if len(expression.Elts) == 1 && typeName(expression.Type) == "MyDuration" {
			if pair, ok := expression.Elts[0].(*ast.KeyValueExpr); ok {
				return s.value(pair.Value, in, file)
			}
			return s.value(expression.Elts[0], in, file)
		}
	case *ast.CallExpr:
		return s.result(expression, in, file)
	}
	return nil, false
}

// result evaluates time.Duration(x) and fmt.Sprintf of constants.
func (s *Source) result(called *ast.CallExpr, in *Package, file *ast.File) (any, bool) {
	values := []any{}
	for _, argument := range called.Args {
		value, ok := s.value(argument, in, file)
		if !ok {
			return nil, false
		}
		values = append(values, value)
	}
	switch {
	case selects(called.Fun, "time", "Duration") && len(values) == 1:
		return values[0], true
	case selects(called.Fun, "fmt", "Sprintf"):
		format, ok := values[0].(string)
		return fmt.Sprintf(format, values[1:]...), ok
	}
	return nil, false
}

var units = map[string]time.Duration{
	"time.Millisecond": time.Millisecond,
	"time.Second":      time.Second,
	"time.Minute":      time.Minute,
	"time.Hour":        time.Hour,
}

// duration writes nanoseconds as the catalogue does: 5s, 60s, 1500ms.
func duration(value any) any {
	nanoseconds, ok := value.(int)
	if !ok {
		return value
	}
	if nanoseconds%int(time.Second) == 0 {
		return strconv.Itoa(nanoseconds/int(time.Second)) + "s"
	}
	return strings.TrimSuffix(time.Duration(nanoseconds).String(), "0s")
}
