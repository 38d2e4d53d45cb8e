package main

import (
	"encoding"
	"reflect"
	"sort"
	"strings"

	warnings "gopkg.in/warnings.v0"
)

// section is one section, or one subsection of a map section, with every key the struct has.
type section struct {
	Section    string                 `json:"section"`
	Subsection *string                `json:"subsection"`
	Keys       map[string]interface{} `json:"keys"`
}

// ignored is one of gcfg's warnings: it names a section that the struct has not, or a key.
type ignored struct {
	Section    string  `json:"section"`
	Subsection *string `json:"subsection,omitempty"`
	Key        *string `json:"key,omitempty"`
}

// addressable gives a pointer to a copy of a struct.
func addressable(config interface{}) interface{} {
	into := reflect.New(reflect.TypeOf(config))
	into.Elem().Set(reflect.ValueOf(config))
	return into.Interface()
}

// neutral writes a config struct down under the names that a cloud.conf uses.
func neutral(config interface{}) []section {
	root := reflect.Indirect(reflect.ValueOf(config))
	var all []section
	for _, field := range reflect.VisibleFields(root.Type()) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		value := root.FieldByIndex(field.Index)
		switch value.Kind() {
		case reflect.Struct:
			all = append(all, section{field.Name, nil, keys(value)})
		case reflect.Map:
			names := value.MapKeys()
			sort.Slice(names, func(i, j int) bool { return names[i].String() < names[j].String() })
			for _, name := range names {
				subsection := name.String()
				all = append(all, section{field.Name, &subsection, keys(value.MapIndex(name).Elem())})
			}
		default:
			panic("a section is neither struct nor map: " + field.Name)
		}
	}
	return all
}

func keys(value reflect.Value) map[string]interface{} {
	all := map[string]interface{}{}
	for _, field := range reflect.VisibleFields(value.Type()) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		if known := value.FieldByIndex(field.Index); known.Kind() != reflect.Map {
			all[keyName(field)] = scalar(known)
		}
	}
	return all
}

// keyName is the name that gcfg gives a field: the tag up to its first comma, else the field's own.
func keyName(field reflect.StructField) string {
	if name := strings.Split(field.Tag.Get("gcfg"), ",")[0]; name != "" {
		return name
	}
	return strings.ToLower(field.Name)
}

func scalar(value reflect.Value) interface{} {
	switch value.Kind() {
	case reflect.String:
		return value.String()
	case reflect.Bool:
		return value.Bool()
	case reflect.Int, reflect.Int64:
		return value.Int()
	case reflect.Uint, reflect.Uint64:
		return value.Uint()
	case reflect.Slice:
		list := []string{}
		for i := 0; i < value.Len(); i++ {
			list = append(list, value.Index(i).String())
		}
		return list
	case reflect.Struct:
		if _, reads := reflect.New(value.Type()).Interface().(encoding.TextUnmarshaler); reads {
			return map[string]int64{"ns": value.FieldByName("Duration").Int()}
		}
	}
	panic("no notation for " + value.Type().String())
}

// namesAnother tells whether reading goes on in a clouds.yaml or a Secret that the file names.
func namesAnother(config interface{}) bool {
	for _, part := range neutral(config) {
		if part.Section != "Global" {
			continue
		}
		says := func(key string) bool { return part.Keys[key] != nil && part.Keys[key] != "" }
		if part.Keys["use-clouds"] == true && (says("clouds-file") || says("cloud")) {
			return true
		}
		if says("secret-name") && says("secret-namespace") {
			return true
		}
	}
	return false
}

// ignoredNames takes gcfg's warnings apart, each once; gcfg reads a file twice and repeats itself.
func ignoredNames(err error) []ignored {
	all := []ignored{}
	list, ok := err.(warnings.List)
	if !ok {
		return all
	}
	seen := map[string]bool{}
	for _, warning := range list.Warnings {
		if seen[warning.Error()] {
			continue
		}
		seen[warning.Error()] = true
		data := reflect.ValueOf(warning)
		name := ignored{Section: data.FieldByName("section").String()}
		if at := data.FieldByName("subsection"); !at.IsNil() {
			subsection := at.Elem().String()
			name.Subsection = &subsection
		}
		if at := data.FieldByName("variable"); !at.IsNil() {
			key := at.Elem().String()
			name.Key = &key
		}
		all = append(all, name)
	}
	return all
}
