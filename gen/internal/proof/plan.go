package proof

import (
	"slices"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// plan holds the answers that an oracle can give to the cases of a unit.
type plan struct {
	unit     *lang.Unit
	right    lang.Answers
	wrong    []lang.RawJSON // a wrong result for each case
	constant []lang.RawJSON // for each case the commonest result of its property
	fits     []bool         // the constant is right for the case
	groups   []int          // cases with equal input share a number
}

// oracleRun is one run of the oracle: its answers, and which cases pass.
type oracleRun struct {
	name, claim string
	answers     lang.Answers
	passes      []bool
}

func newPlan(u *lang.Unit) (*plan, error) {
	p := &plan{unit: u}
	numbers := map[string]int{}
	for _, f := range u.Suite.Functions {
		how := u.Comparison(f)
		common := commonest(f, how)
		for _, c := range f.Cases {
			wrong, err := f.Wrong(c.Expected, how)
			if err != nil {
				return nil, err
			}
			p.right = append(p.right, lang.Answer{Property: f.Property, Input: c.RawInput, Result: c.RawExpected})
			p.wrong = append(p.wrong, lang.RawJSON(wrong.JSON()))
			p.constant = append(p.constant, common.RawExpected)
			p.fits = append(p.fits, f.Equal(c.Expected, common.Expected, how))
			key := f.Property + " " + f.InputKey(c, how)
			if _, seen := numbers[key]; !seen {
				numbers[key] = len(numbers)
			}
			p.groups = append(p.groups, numbers[key])
		}
	}
	return p, nil
}

// commonest returns a case whose result is the commonest of its function. If any error
// passes, all errors count as one result.
func commonest(f *spec.Function, how spec.Comparison) *spec.Case {
	counts := map[string]int{}
	key := func(c *spec.Case) string {
		if _, failed := c.Expected.ErrorText(); failed && how.AnyError {
			return "error"
		}
		return spec.Key(c.Expected)
	}
	for _, c := range f.Cases {
		counts[key(c)]++
	}
	return slices.MaxFunc(f.Cases, func(a, b *spec.Case) int { return counts[key(a)] - counts[key(b)] })
}

// runs lists the four runs of the oracle. Cases with equal input are one unit:
// the oracle cannot tell them apart.
func (p *plan) runs() []oracleRun {
	run := func(name, claim string, result func(i int) (lang.RawJSON, bool)) oracleRun {
		r := oracleRun{name: name, claim: claim}
		for i, answer := range p.right {
			var passes bool
			answer.Result, passes = result(i)
			r.answers = append(r.answers, answer)
			r.passes = append(r.passes, passes)
		}
		return r
	}
	wrongWhere := func(rest int) func(i int) (lang.RawJSON, bool) {
		return func(i int) (lang.RawJSON, bool) {
			if p.groups[i]%2 == rest {
				return p.wrong[i], false
			}
			return p.right[i].Result, true
		}
	}
	return []oracleRun{
		run("oracle", "passes every case", func(i int) (lang.RawJSON, bool) { return p.right[i].Result, true }),
		run("wrong-even", "fails exactly the even cases", wrongWhere(0)),
		run("wrong-odd", "fails exactly the odd cases", wrongWhere(1)),
		run("constant", "passes only the commonest result", func(i int) (lang.RawJSON, bool) { return p.constant[i], p.fits[i] }),
	}
}
