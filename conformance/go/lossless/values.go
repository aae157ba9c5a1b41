package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/go-amqp"
)

// value is a value as the lossless test writes it: [type, content].
type value struct {
	Type    string
	Text    string
	Content []value
}

func (v *value) UnmarshalJSON(data []byte) error {
	var parts [2]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if err := json.Unmarshal(parts[0], &v.Type); err != nil {
		return err
	}
	if parts[1][0] == '[' {
		return json.Unmarshal(parts[1], &v.Content)
	}
	return json.Unmarshal(parts[1], &v.Text)
}

func (v value) MarshalJSON() ([]byte, error) {
	if v.Type == "list" || v.Type == "map" || v.Type == "array" {
		content := v.Content
		if content == nil {
			content = []value{}
		}
		return json.Marshal([2]any{v.Type, content})
	}
	return json.Marshal([2]any{v.Type, v.Text})
}

func signed[T int8 | int16 | int32 | int64](text string, bits int) T {
	number, err := strconv.ParseInt(text, 10, bits)
	must(err)
	return T(number)
}

func unsigned[T uint8 | uint16 | uint32 | uint64](text string, bits int) T {
	number, err := strconv.ParseUint(text, 10, bits)
	must(err)
	return T(number)
}

func bits(text string, size int) uint64 {
	number, err := strconv.ParseUint(text, 16, size)
	must(err)
	return number
}

func octets(text string) []byte {
	bytes, err := hex.DecodeString(text)
	must(err)
	return bytes
}

func moment(text string) time.Time {
	return time.UnixMilli(signed[int64](text, 64)).UTC()
}

func uuid(text string) (id amqp.UUID) {
	copy(id[:], octets(strings.ReplaceAll(text, "-", "")))
	return id
}

// native is what a user hands to the client.
func (v value) native() any {
	switch v.Type {
	case "null":
		return nil
	case "boolean":
		return v.Text == "true"
	case "ubyte":
		return unsigned[uint8](v.Text, 8)
	case "ushort":
		return unsigned[uint16](v.Text, 16)
	case "uint":
		return unsigned[uint32](v.Text, 32)
	case "ulong":
		return unsigned[uint64](v.Text, 64)
	case "byte":
		return signed[int8](v.Text, 8)
	case "short":
		return signed[int16](v.Text, 16)
	case "int":
		return signed[int32](v.Text, 32)
	case "long":
		return signed[int64](v.Text, 64)
	case "float":
		return math.Float32frombits(uint32(bits(v.Text, 32)))
	case "double":
		return math.Float64frombits(bits(v.Text, 64))
	case "timestamp":
		return moment(v.Text)
	case "uuid":
		return uuid(v.Text)
	case "binary":
		return octets(v.Text)
	case "string":
		return v.Text
	case "symbol":
		return amqp.Symbol(v.Text)
	case "list":
		return v.list()
	case "map":
		return v.pairs()
	case "array":
		return v.array()
	}
	panic("no Go type for " + v.Type)
}

func (v value) list() []any {
	list := make([]any, 0, len(v.Content))
	for _, each := range v.Content {
		list = append(list, each.native())
	}
	return list
}

func (v value) pairs() map[any]any {
	pairs := map[any]any{}
	for i := 0; i < len(v.Content); i += 2 {
		pairs[v.Content[i].native()] = v.Content[i+1].native()
	}
	return pairs
}

// array is of the types of which the generator makes arrays.
func (v value) array() any {
	switch v.Content[0].Type {
	case "int":
		return each[int32](v.Content)
	case "long":
		return each[int64](v.Content)
	case "uuid":
		return each[amqp.UUID](v.Content)
	case "symbol":
		return each[amqp.Symbol](v.Content)
	default:
		return each[string](v.Content)
	}
}

func each[T any](content []value) []T {
	all := make([]T, 0, len(content))
	for _, one := range content {
		all = append(all, one.native().(T))
	}
	return all
}

// section is a map by name.
func (v value) section() map[string]any {
	section := map[string]any{}
	for i := 0; i < len(v.Content); i += 2 {
		section[v.Content[i].Text] = v.Content[i+1].native()
	}
	return section
}

// annotations is a map by name, for a section whose keys are symbols.
func (v value) annotations() map[any]any {
	annotations := map[any]any{}
	for name, inner := range v.section() {
		annotations[name] = inner
	}
	return annotations
}

func text(kind string, what any) value {
	return value{Type: kind, Text: fmt.Sprint(what)}
}

// seen is what the client shows.
func seen(shown any) value {
	switch it := shown.(type) {
	case nil:
		return value{Type: "null"}
	case bool:
		return text("boolean", it)
	case uint8:
		return text("ubyte", it)
	case uint16:
		return text("ushort", it)
	case uint32:
		return text("uint", it)
	case uint64:
		return text("ulong", it)
	case int8:
		return text("byte", it)
	case int16:
		return text("short", it)
	case int32:
		return text("int", it)
	case int64:
		return text("long", it)
	case float32:
		return text("float", fmt.Sprintf("%08x", math.Float32bits(it)))
	case float64:
		return text("double", fmt.Sprintf("%016x", math.Float64bits(it)))
	case time.Time:
		return text("timestamp", it.UnixMilli())
	case amqp.UUID:
		return text("uuid", it.String())
	case []byte:
		return text("binary", hex.EncodeToString(it))
	case string:
		return text("string", it)
	case amqp.Symbol:
		return text("symbol", string(it))
	case []any:
		return all("list", it)
	case []int32:
		return all("array", it)
	case []int64:
		return all("array", it)
	case []amqp.UUID:
		return all("array", it)
	case []amqp.Symbol:
		return all("array", it)
	case []string:
		return all("array", it)
	case map[string]any:
		return entries(it)
	case map[any]any:
		return entries(it)
	}
	panic(fmt.Sprintf("%T: %v", shown, shown))
}

func all[T any](kind string, shown []T) value {
	list := value{Type: kind}
	for _, one := range shown {
		list.Content = append(list.Content, seen(one))
	}
	return list
}

func entries[K comparable](shown map[K]any) value {
	pairs := value{Type: "map"}
	for key, inner := range shown {
		pairs.Content = append(pairs.Content, seen(key), seen(inner))
	}
	return pairs
}
