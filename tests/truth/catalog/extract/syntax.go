package main

import (
	"bytes"
	"go/ast"
	"go/printer"
	"os"
	"strconv"
)

func containsWord(name, word string) bool {
	text, err := os.ReadFile(name)
	return err == nil && bytes.Contains(text, []byte(word))
}

// text is a node as source code.
func (s *Source) text(node ast.Node) string {
	var written bytes.Buffer
	if err := printer.Fprint(&written, s.files, node); err != nil {
		return err.Error()
	}
	return written.String()
}

// selects tells whether an expression is package.name.
func selects(expression ast.Expr, of, name string) bool {
	selector, ok := expression.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	left, ok := selector.X.(*ast.Ident)
	return ok && left.Name == of
}

// path takes cfg.Section.Field apart, also cfg.Embedded.Section.Field; empty for anything else.
func path(expression ast.Expr) (section, field string) {
	outer, ok := expression.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	inner, ok := outer.X.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	return inner.Sel.Name, outer.Sel.Name
}

// function is a function of a package by its name, without methods; nil for none.
func (p *Package) function(name string) *ast.FuncDecl {
	for _, file := range p.files {
		for _, declaration := range file.Decls {
			if found, ok := declaration.(*ast.FuncDecl); ok && found.Name.Name == name && found.Recv == nil {
				return found
			}
		}
	}
	return nil
}

func unquoted(literal *ast.BasicLit) string {
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		return literal.Value
	}
	return text
}
