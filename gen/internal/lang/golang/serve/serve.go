//go:build go1.24

// Package serve calls a solution's functions for the harness: it reads questions
// from one descriptor and writes what the solution makes of them to another.
//
// It is compiled into drivers, and runs in the solution's process. The harness
// itself does not import it. What it knows of an exercise a driver's main tells
// it.
//
// The constraint gives the file a version of the language of its own: that of the
// solution may be older.
package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Input is the input of a case, as data.
type Input struct{ text []byte }

// Reply is what came of a call. The zero value says that nothing came.
type Reply struct {
	Ready  bool            `json:"ready,omitempty"`
	ID     string          `json:"id,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Other  string          `json:"other,omitempty"`
	Error  *ReplyError     `json:"error,omitempty"`
	Panic  string          `json:"panic,omitempty"`
	Trace  []string        `json:"trace,omitempty"`
}

// ReplyError is an error that a function returned.
type ReplyError struct {
	Message    string `json:"message"`
	HasMessage bool   `json:"has_message"`
}

type question struct {
	ID       string          `json:"id"`
	Property string          `json:"property"`
	Input    json.RawMessage `json:"input"`
	Deep     bool            `json:"deep"`
}

// record is a type of the solution whose values are objects in the data.
type record struct {
	keys   []string
	fields func(pointer any) []any // pointers to the fields, in the order of the keys
}

var records = map[reflect.Type]record{}

// Record says that a type is a record, which fields it has, and their keys in the
// data, in the same order.
func Record[T any](fields func(*T) []any, keys ...string) {
	records[reflect.TypeFor[T]()] = record{keys, func(pointer any) []any { return fields(pointer.(*T)) }}
}

// maxStack is how large a stack may get, in bytes, unless a question asks for a
// deep one: it takes seconds to grow to Go's own limit, and to crash there.
const maxStack = 16 << 20

// deepen lets the stack grow at once to the largest size below Go's own limit, and
// prepare to the largest below maxStack. Growing step by step moves all the frames in
// it again and again, which takes three times as long as the rest of an overflow. The
// stack has room for a call that is never made; memory is taken once it is used.
//
//go:noinline
func deepen() {
	if room != nil {
		fillRoom(room.deep)
	}
}

//go:noinline
func prepare() {
	if room != nil {
		fillSmallRoom(room.small)
	}
}

// room is always nil. A call has its argument twice on the stack.
var room *struct {
	deep  [200 << 20]byte
	small [5 << 20]byte
}

//go:noinline
func fillRoom([200 << 20]byte) {}

//go:noinline
func fillSmallRoom([5 << 20]byte) {}

// Run answers questions with the function of each property until there are no
// more.
func Run(functions map[string]func(Input) Reply) {
	deepest := debug.SetMaxStack(maxStack)
	in := bufio.NewReader(os.NewFile(3, "questions"))
	out := os.NewFile(4, "replies")
	say := func(r Reply) {
		out.Write(append(compact(r), '\n'))
	}
	say(Reply{Ready: true})
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			os.Exit(1)
		}
		if q.Deep {
			debug.SetMaxStack(deepest)
			deepen()
		}
		prepare()
		r := answer(functions[q.Property], q.Input)
		r.ID = q.ID
		say(r)
	}
}

// compact writes a value as JSON in no more bytes than it takes: a reply that is
// too long is wrong.
func compact(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return []byte("{}")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func answer(function func(Input) Reply, input []byte) (r Reply) {
	returned := false
	defer func() {
		switch problem := recover(); {
		case problem != nil:
			r = Reply{Panic: fmt.Sprint("panic: ", problem), Trace: trace()}
		case !returned:
			// The goroutine ends, and it is the one that answers.
			fmt.Fprintln(os.Stderr, strings.Join(append([]string{"runtime.Goexit was called in place of a return"}, trace()...), "\n    "))
			os.Exit(1)
		}
	}()
	r = function(Input{input})
	returned = true
	return r
}

// Failure is the reply for an error that a function returned.
func Failure(err error) Reply {
	return Reply{Error: &ReplyError{Message: err.Error(), HasMessage: true}}
}

// Nothing is the reply of a function that has no result beside an error.
func Nothing() Reply { return Reply{Result: json.RawMessage("null")} }

// Result is the reply for a result, which result points to. It is encoded by what
// it is: no method of the solution's is called.
func Result(result any) Reply {
	var b bytes.Buffer
	if other := encode(&b, reflect.ValueOf(result).Elem(), 0); other != "" {
		return Reply{Other: other}
	}
	return Reply{Result: b.Bytes()}
}

// As takes a result for one of type T, as == compares the two: what an interface
// holds must be of that very type. Other describes a result of another type.
func As[T any](result any) (value T, other string) {
	value, ok := result.(T)
	if !ok {
		return value, typed(reflect.ValueOf(result))
	}
	return value, ""
}

// typed describes a value that is no data of the type wanted.
func typed(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return "a value of type " + v.Type().String()
}

// Constant is the reply for a result that result points to, of a type with named
// constants. Each of them stands for a text, in the same order; no other value of
// the type does.
func Constant[T comparable](result *T, constants []T, texts ...string) Reply {
	if i := slices.Index(constants, *result); i >= 0 {
		return Result(&texts[i])
	}
	r := Result(result)
	var text string
	if json.Unmarshal(r.Result, &text) == nil && slices.Contains(texts, text) {
		return Reply{Other: strconv.Quote(text) + ", which is not the constant of that text"}
	}
	return r
}

// trace lists the lines of the solution that led to a panic, innermost first.
func trace() []string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	var lines []string
	for more := true; more && len(lines) < 8; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if strings.HasPrefix(frame.Function, "driver/solution.") {
			lines = append(lines, filepath.Base(frame.File)+":"+strconv.Itoa(frame.Line))
		}
	}
	return lines
}

// Read puts a case's input into the arguments of a call: the fields of a struct
// that arguments points to, by the data's key in each field's tag.
func (i Input) Read(arguments any) {
	decoder := json.NewDecoder(bytes.NewReader(i.text))
	decoder.UseNumber()
	var input map[string]any
	if err := decoder.Decode(&input); err != nil {
		panic(err)
	}
	fields := reflect.ValueOf(arguments).Elem()
	for i := range fields.NumField() {
		fill(fields.Field(i), input[fields.Type().Field(i).Tag.Get("key")])
	}
}

func fill(v reflect.Value, data any) {
	if data == nil {
		return
	}
	if v.Type() == reflect.TypeFor[*big.Int]() {
		n, _ := new(big.Int).SetString(string(data.(json.Number)), 10)
		v.Set(reflect.ValueOf(n))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), data)
	case reflect.Interface:
		v.Set(reflect.ValueOf(loose(data)))
	case reflect.Slice:
		items := data.([]any)
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			fill(v.Index(i), item)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for key, item := range data.(map[string]any) {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(value, item)
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
		}
	case reflect.Struct:
		members := data.(map[string]any)
		r := records[v.Type()]
		for i, field := range r.fields(v.Addr().Interface()) {
			fill(reflect.ValueOf(field).Elem(), members[r.keys[i]])
		}
	case reflect.String:
		v.SetString(data.(string))
	case reflect.Bool:
		v.SetBool(data.(bool))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, _ := data.(json.Number).Int64()
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, _ := strconv.ParseUint(string(data.(json.Number)), 10, 64)
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		x, _ := data.(json.Number).Float64()
		v.SetFloat(x)
	}
}

// loose is data at a place of no fixed type.
func loose(data any) any {
	switch data := data.(type) {
	case json.Number:
		if n, err := data.Int64(); err == nil {
			return int(n)
		}
		if !strings.ContainsAny(string(data), ".eE") {
			n, _ := new(big.Int).SetString(string(data), 10)
			return n
		}
		x, _ := data.Float64()
		return x
	case []any:
		for i := range data {
			data[i] = loose(data[i])
		}
	case map[string]any:
		for key := range data {
			data[key] = loose(data[key])
		}
	}
	return data
}

// isLoose reports whether values of a type can be right at a place of no fixed
// type. The tests compare numbers by value there, lists and maps by what they hold,
// and all else with its type.
func isLoose(t reflect.Type, depth int) bool {
	const deepest = 100 // a type may hold itself
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	case reflect.Interface: // what it holds is looked at by itself
		return true
	case reflect.Slice:
		return depth < deepest && isLoose(t.Elem(), depth+1)
	case reflect.Map:
		return depth < deepest && t.Key() == reflect.TypeFor[string]() && isLoose(t.Elem(), depth+1)
	}
	return t == reflect.TypeFor[string]() || t == reflect.TypeFor[bool]() || t == reflect.TypeFor[*big.Int]()
}

// encode returns what a value is that is no data.
func encode(b *bytes.Buffer, v reflect.Value, depth int) (other string) {
	const tooDeep = 1000
	if depth > tooDeep {
		return "a value that holds itself"
	}
	if v.IsValid() && v.Type() == reflect.TypeFor[*big.Int]() {
		if v.IsNil() {
			b.WriteString("null")
		} else {
			b.WriteString(v.Interface().(*big.Int).String())
		}
		return ""
	}
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("null")
	case reflect.Interface:
		if v.IsNil() {
			b.WriteString("null")
			return ""
		}
		if n, isBig := v.Interface().(*big.Int); isBig && n == nil || !isLoose(v.Elem().Type(), 0) {
			return typed(v.Elem())
		}
		return encode(b, v.Elem(), depth+1)
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("null")
			return ""
		}
		return encode(b, v.Elem(), depth+1)
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		x := v.Float()
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return "a string of invalid UTF-8: " + strconv.QuoteToASCII(v.String())
		}
		b.Write(compact(v.String()))
	case reflect.Slice, reflect.Array:
		return encodeList(b, v, depth)
	case reflect.Map:
		return encodeMap(b, v, depth)
	case reflect.Struct:
		return encodeRecord(b, v, depth)
	default:
		return "a value of type " + v.Type().String()
	}
	return ""
}

func encodeList(b *bytes.Buffer, v reflect.Value, depth int) (other string) {
	b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		if other := encode(b, v.Index(i), depth+1); other != "" {
			return other
		}
	}
	b.WriteByte(']')
	return ""
}

func encodeMap(b *bytes.Buffer, v reflect.Value, depth int) (other string) {
	if v.Type().Key().Kind() != reflect.String {
		return "a value of type " + v.Type().String()
	}
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		if other := encode(b, name, depth+1); other != "" {
			return other
		}
		b.WriteByte(':')
		if other := encode(b, v.MapIndex(name), depth+1); other != "" {
			return other
		}
	}
	b.WriteByte('}')
	return ""
}

func encodeRecord(b *bytes.Buffer, v reflect.Value, depth int) (other string) {
	r, known := records[v.Type()]
	if !known {
		return "a value of type " + v.Type().String()
	}
	copied := reflect.New(v.Type())
	copied.Elem().Set(v)
	b.WriteByte('{')
	for i, field := range r.fields(copied.Interface()) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(compact(r.keys[i]))
		b.WriteByte(':')
		if other := encode(b, reflect.ValueOf(field).Elem(), depth+1); other != "" {
			return other
		}
	}
	b.WriteByte('}')
	return ""
}
