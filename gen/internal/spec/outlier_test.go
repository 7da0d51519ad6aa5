package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// many are so many cases, of which # is the number.
func many(n int, line string, more ...string) []string {
	var lines []string
	for i := range n {
		lines = append(lines, strings.ReplaceAll(line, "#", string(rune('1'+i))))
	}
	return append(lines, more...)
}

// mixedMap is a case whose input has many keys, from the one of this number on, and
// values of two types.
func mixedMap(from int) string {
	var fields []string
	for i := range 60 {
		fields = append(fields, fmt.Sprintf(`"key%d": %d, "text%d": "x"`, from+i, i, from+i))
	}
	return fmt.Sprintf(`f {"n": %d, "m": {%s}} => 1`, from, strings.Join(fields, ", "))
}

func TestOutliers(t *testing.T) {
	for _, test := range []struct {
		name  string
		cases []string
		want  []string // the messages, without file, line and case
	}{
		{"a text among integers", many(9, `f {"n": #} => #`, `f {"n": 0} => "seven"`),
			[]string{`"seven" is a string, where 9 other cases have an int; the result's type becomes any`}},
		{"an integer among texts", many(4, `f {"s": "#"} => true`, `f {"s": 5} => true`),
			[]string{`5 is an int, where 4 other cases have a string; the type of parameter "s" becomes any`}},
		{"a bool as text among bools", many(8, `f {"n": #} => true`, `f {"n": 0} => "true"`),
			[]string{`"true" is a string, where 8 other cases have a bool; the result's type becomes any`}},
		{"a float as text", many(4, `f {"n": #.5} => 1`, `f {"n": "1.5"} => 1`),
			[]string{`"1.5" is a string, where 4 other cases have a float; the type of parameter "n" becomes any`}},
		{"a value in place of a list", many(4, `f {"n": [#]} => 1`, `f {"n": 1} => 1`),
			[]string{`1 is an int, where 4 other cases have a list; the type of parameter "n" becomes any`}},
		{"an item of a list", many(5, `f {"n": [#, 1]} => 1`, `f {"n": [1, "2", "3"]} => 1`),
			[]string{`"2" is a string, where 5 other cases have an int; the type of an item of parameter "n" becomes any`}},
		{"an item of a list of lists, in one case", []string{`f {} => [[1, 2], [3, true], [5, 6]]`},
			[]string{`true is a bool, where 5 other places have an int; the type of an item of an item of the result becomes any`}},
		{"a field", many(5, `f {"p": {"x": #, "s": ""}} => 1`, `f {"p": {"x": "1", "s": ""}} => 1`),
			[]string{`"1" is a string, where 5 other cases have an int; the type of key "x" becomes any`}},
		{"a value of a map", many(5, `f {"n": #} => {"a#": 1, "b": 2}`, `f {"n": 0} => {"c": 1, "d": [2]}`),
			[]string{`[2] is a list, where 5 other cases have an int; the type of a value of the result becomes any`}},
		{"a misspelt error", many(5, `f {"n": #} => #`, `f {"n": 0} => {"eror": "no"}`),
			[]string{`{"eror":"no"} is an object, where 5 other cases have an int; the result's type becomes any`}},
		{"a long value", many(5, `f {"n": #} => #`, `f {"n": 0} => "a text that is longer than a line has room for it"`),
			[]string{`this is a string, where 5 other cases have an int; the result's type becomes any`}},
		{"two of sixteen", append(many(9, `f {"n": #} => #`, many(5, `f {"m": #, "n": 1} => #`)...), `f {"n": 0} => "a"`, `f {"n": 10} => "b"`),
			[]string{`"a" is a string, where 14 other cases have an int; the result's type becomes any`,
				`"b" is a string, where 14 other cases have an int; the result's type becomes any`}},
		{"in two places", many(5, `f {"n": #} => #`, `f {"n": "0"} => 1`, `f {"n": 7} => "1"`),
			[]string{`"0" is a string, where 6 other cases have an int; the type of parameter "n" becomes any`,
				`"1" is a string, where 6 other cases have an int; the result's type becomes any`}},

		{"a misspelt parameter", many(5, `f {"number": #} => #`, `f {"nubmer": 0} => 0`),
			[]string{`key "nubmer" stands in place of "number", which 5 other cases have; did you mean number? both parameters become optional`}},
		{"a misspelt parameter among few", many(2, `f {"number": #, "by": 1} => #`, `f {"numbr": 0, "by": 1} => 0`),
			[]string{`key "numbr" stands in place of "number", which 2 other cases have; did you mean number? both parameters become optional`}},
		{"another name of a parameter", many(5, `f {"number": #} => #`, `f {"value": 0} => 0`),
			[]string{`key "number" is missing, which 5 other cases have; the parameter becomes optional`}},
		{"a missing parameter", many(5, `f {"a": #, "b": "x"} => #`, `f {"a": 0} => 0`),
			[]string{`key "b" is missing, which 5 other cases have; the parameter becomes optional`}},
		{"no parameter", many(5, `f {"a": #} => #`, `f {} => 0`),
			[]string{`key "a" is missing, which 5 other cases have; the parameter becomes optional`}},
		{"a misspelt key of a record", many(5, `f {"p": {"name": "#", "age": 1}} => #`, `f {"p": {"nmae": "a", "age": 1}} => 0`),
			[]string{`key "nmae" stands in place of "name", which 5 other cases have; did you mean name? both keys become optional`}},
		{"a misspelt key of values of one type", many(5, `f {"p": {"name": "#", "city": "x"}} => #`, `f {"p": {"nmae": "a", "city": "x"}} => 0`),
			[]string{`key "nmae" stands in place of "name", which 5 other cases have; did you mean name? both keys become optional`}},
		{"a missing key in a list of records", []string{`f {"p": [{"a": 1, "b": "x"}, {"a": 1, "b": "x"}, {"a": 1}, {"a": 1, "b": "x"}, {"a": 1, "b": "x"}]} => 1`},
			[]string{`key "b" is missing, which 4 other places have; the key becomes optional`}},
		{"a misspelt property", many(5, `double {"n": #} => #`, `dobule {"n": 0} => 0`),
			[]string{`property "dobule" stands beside "double", which 5 other cases have; did you mean double? it becomes a function of its own`}},
		{"a property with a letter twice", many(4, `f {"n": #} => #`, `ff {"n": 0} => 0`),
			[]string{`property "ff" stands beside "f", which 4 other cases have; did you mean f? it becomes a function of its own`}},
		{"a property with a capital", many(2, `f {"n": #} => #`, `F {"n": 0} => 0`),
			[]string{`property "F" stands beside "f", which 2 other cases have; did you mean f? it becomes a function of its own`}},
		{"a property with a hyphen, as often", []string{`isEven {"n": 1} => 1`, `is_even {"n": 2} => 2`},
			[]string{`property "is_even" stands beside "isEven", which 1 other case has; did you mean isEven? it becomes a function of its own`}},
		{"a parameter with a capital", many(4, `f {"n": #} => #`, `f {"N": 0} => 0`),
			[]string{`key "N" stands in place of "n", which 4 other cases have; did you mean n? both parameters become optional`}},
		{"a parameter with a letter twice", many(4, `f {"n": #} => #`, `f {"nn": 0} => 0`),
			[]string{`key "nn" stands in place of "n", which 4 other cases have; did you mean n? both parameters become optional`}},
		{"a parameter of one case", many(4, `f {"n": #} => #`, `f {"n": 5, "m": 1} => 5`),
			[]string{`key "m" is there, which 4 other cases lack; the parameter becomes optional`}},
		{"a key of one record", many(4, `f {"p": {"name": "#", "age": 1}} => #`, `f {"p": {"name": "a", "age": 1, "city": "x"}} => 0`),
			[]string{`key "city" is there, which 4 other cases lack; the key becomes optional`}},
		{"a result of three", []string{`f {"n": 1} => 1`, `f {"n": 2} => 2`, `f {"n": 3} => "3"`},
			[]string{`"3" is a string, where 2 other cases have an int; the result's type becomes any`}},
		{"an argument of three", []string{`f {"n": "1"} => 1`, `f {"n": 2} => 2`, `f {"n": 3} => 3`},
			[]string{`"1" is a string, where 2 other cases have an int; the type of parameter "n" becomes any`}},

		{"null", many(9, `f {"n": #} => #`, `f {"n": null} => null`), nil},
		{"integers among floats", many(9, `f {"n": #.5} => #`, `f {"n": 1} => 1`), nil},
		{"an empty list", many(9, `f {"n": [#]} => []`, `f {"n": []} => [1]`), nil},
		{"errors", many(9, `f {"n": #} => #`, `f {"n": 0} => {"error": "no"}`), nil},
		{"few cases", []string{`f {"n": 1} => 1`, `f {"n": 0} => "seven"`}, nil},
		{"few items", many(3, `f {"n": [#]} => #`, `f {"n": ["#"]} => 1`), nil},
		{"two properties", many(4, `f {"n": #} => #`, `g {"n": 0} => 0`), nil},
		{"as many of each", many(4, `f {"n": #} => #`, many(4, `f {"n": #0} => "#"`)...), nil},
		{"a parameter of two cases of five", many(3, `f {"n": #} => #`, `f {"n": 0, "limit": 3} => 0`, `f {"n": 0, "limit": 4} => 0`), nil},
		{"many optional parameters", many(4, `f {"n": #} => #`, `f {"n": 0, "from": 3} => 0`, `f {"n": 0, "to": 4} => 0`), nil},
		{"near keys of one object", many(5, `f {"start": #, "starts": 1} => #`, `f {"start": 1, "starts": 2} => 0`), nil},
		{"maps", many(9, `f {"n": #} => {"a#": 1}`, `f {"n": 0} => {"a": 2, "c": 3}`), nil},
		{"a map of mixed values", []string{mixedMap(0), mixedMap(40), mixedMap(80)}, nil},
		{"an object of another kind", many(5, `f {"p": {"name": "#", "age": 1}} => #`, `f {"p": {"id": 1}} => 0`, `f {"p": {}} => 0`), nil},
		{"a tree", many(5, `f {"t": {"v": #, "left": {"v": 1}, "right": {"v": 3, "left": {"v": 2}}}} => #`), nil},
		{"by design in several functions",
			append(append(many(4, `f {"z": [#]} => #`, `f {"z": 1} => 1`), many(4, `g {"z": [#]} => #`, `g {"z": 1} => 1`)...), many(4, `h {"z": [#]} => #`, `h {"z": 1} => 1`)...), nil},
		{"by design in another place", append(many(4, `f {"z": #} => [#]`, `f {"z": "a"} => [1]`, `f {"z": "b"} => [1]`, `f {"z": "c"} => [1]`), `f {"z": "d"} => ["e"]`), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, outlier := range suite(t, test.cases...).Outliers() {
				message, _, _ := strings.Cut(outlier.Msg, " (case ")
				got = append(got, message)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// An outlier is at its own place, and names its case.
func TestOutlierPlace(t *testing.T) {
	var got []string
	for _, outlier := range suite(t, many(4, `f {"number": #} => #`, `f {"number": 5} => "five"`, `f {"nubmer": 6} => 6`)...).Outliers() {
		got = append(got, outlier.Error())
	}
	want := []string{
		`data.json:5:80: "five" is a string, where 5 other cases have an int; the result's type becomes any (case "case 5")`,
		`data.json:6:54: key "nubmer" stands in place of "number", which 5 other cases have; did you mean number? both parameters become optional (case "case 6")`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
