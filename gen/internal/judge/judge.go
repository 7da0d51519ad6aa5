package judge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/runner"
	"stateoftictactoe/gen/internal/spec"
)

// Status is what a test or a whole submission came to.
type Status string

// The three statuses. An error says that there is no verdict: what ended the
// case, or kept it from being tried.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Error Status = "error"
)

// Job is a submission to judge.
type Job struct {
	Language lang.Language
	Unit     *lang.Unit
	// Solution holds the submitted files, by slash-separated name.
	Solution map[string][]byte
	// Time is how long all of it may take.
	Time time.Duration
	// Memory is how many bytes of data the solution may have; 0 is the default.
	Memory    uint64
	Isolation runner.Isolation
	// Done, if set, is called with each row that is final, in no set order.
	Done func(Row)
}

// Defaults. The host of a test runner gives 20 seconds and 3 GB.
const (
	DefaultTime   = 18 * time.Second
	DefaultMemory = 2 << 30
)

// Row is the verdict on one case.
type Row struct {
	Name     string
	Status   Status
	Message  string // why it did not pass
	Output   string // what the solution printed
	TestCode string
}

// Verdict is the verdict on a submission.
type Verdict struct {
	Status Status
	// Message says why there are no rows: the compiler's words, or what the
	// solution did instead of loading.
	Message string
	Rows    []Row
	// Missing lists layers of isolation that were not in force.
	Missing []string
}

// Judge judges a submission. An error means that it could not be tried, through
// no fault of the submission's.
func Judge(ctx context.Context, job Job) (*Verdict, error) {
	for _, need := range job.Language.Needs() {
		if _, err := exec.LookPath(need.Program); err != nil {
			return nil, fmt.Errorf("%s is not installed; %s", need.Program, need.Hint)
		}
	}
	if len(job.Unit.Names) == 0 {
		return nil, fmt.Errorf("%s: no case can be judged; each needs a template", job.Unit.Suite.Slug)
	}
	if job.Time == 0 {
		job.Time = DefaultTime
	}
	if job.Memory == 0 {
		job.Memory = DefaultMemory
	}
	dir, err := runner.NewWorkDir()
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	s := &session{Job: job, dir: dir, deadline: time.Now().Add(job.Time)}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	defer s.stop()
	verdict, err := s.judge(ctx)
	if err != nil {
		return nil, err
	}
	verdict.Missing = s.run.Missing()
	return verdict, nil
}

// session is one submission being judged.
type session struct {
	Job
	dir      *runner.WorkDir
	program  lang.Program
	deadline time.Time
	compile  *runner.Box
	run      *runner.Box
	resolved string // the real program that runs drivers, if it is another
	process  *runner.Process
	rows     []Row
	outputs  []capture
}

// programFolder is where in the work dir the solution and its driver lie.
const programFolder = "program"

// prepare lays out the solution beside its driver.
func (s *session) prepare() error {
	s.program = lang.Program{Dir: programFolder, Unit: s.Unit}
	driver, err := s.Language.Driver(s.Unit)
	if err != nil {
		return fmt.Errorf("%s: write the driver: %w", s.Unit.Suite.Slug, err)
	}
	for name, text := range s.Solution {
		if _, err := s.dir.Write(path.Join(programFolder, s.Language.SolutionFolder(), name), text); err != nil {
			return err
		}
	}
	// The driver comes last: no file of the submission takes its place.
	for name, text := range driver {
		if _, err := s.dir.Write(path.Join(programFolder, name), text); err != nil {
			return err
		}
	}
	s.rows = make([]Row, len(s.Unit.Names))
	s.outputs = make([]capture, len(s.Unit.Names))
	for i, name := range s.Unit.Names {
		code, err := s.Language.Code(s.Unit, i)
		if err != nil {
			return fmt.Errorf("%s: code of case %q: %w", s.Unit.Suite.Slug, name, err)
		}
		s.rows[i] = Row{Name: name, TestCode: code}
	}
	read, err := s.tools()
	if err != nil {
		return err
	}
	s.run = &runner.Box{Isolation: s.Isolation, Work: s.dir.Path, Read: read, Memory: s.Memory, Scratch: true}
	s.compile = &runner.Box{Isolation: s.Isolation, Work: s.dir.Path, Read: read, Memory: s.Memory}
	return nil
}

// tools finds the folders that the language's programs lie in.
func (s *session) tools() (read []string, err error) {
	for _, need := range s.Language.Needs() {
		found, err := exec.LookPath(need.Program)
		if err != nil {
			return nil, err
		}
		real, err := filepath.EvalSymlinks(found)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", need.Program, err)
		}
		if resolve := s.Language.Resolve(); resolve != nil && isScript(real) {
			program, folder, err := ask(resolve.Args)
			if err != nil {
				return nil, err
			}
			s.resolved = program
			real = program
			read = append(read, folder)
		}
		read = append(read, filepath.Dir(filepath.Dir(real)))
	}
	return read, nil
}

// isScript reports whether a program is a script that finds the real one.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [2]byte
	f.Read(head[:])
	return string(head[:]) == "#!"
}

func ask(args []string) (program, folder string, err error) {
	text, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		return "", "", fmt.Errorf("ask %s where it is installed: %w", args[0], err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[0]), strings.TrimSpace(lines[len(lines)-1]), nil
}

func (s *session) judge(ctx context.Context) (*Verdict, error) {
	if message, err := s.build(ctx); err != nil || message != "" {
		return &Verdict{Status: Error, Message: message}, err
	}
	if message, err := s.start(); err != nil || message != "" {
		return &Verdict{Status: Error, Message: message}, err
	}
	// Each case first gets a short time, so that one that hangs takes nothing from
	// the others; what did not end then is tried again with what is left.
	again, err := s.pass(ctx, s.all(), func(int) time.Duration {
		return s.Time / time.Duration(2*len(s.rows))
	}, false)
	if err == nil {
		_, err = s.pass(ctx, again, func(left int) time.Duration {
			return time.Until(s.deadline) / time.Duration(left)
		}, true)
	}
	if err != nil {
		return nil, err
	}
	v := &Verdict{Status: Pass, Rows: s.rows}
	errors := 0
	for i := range v.Rows {
		v.Rows[i].Output = s.outputs[i].String()
		switch v.Rows[i].Status {
		case Pass:
		case Error:
			errors++
			fallthrough
		default:
			v.Status = Fail
		}
	}
	if errors == len(v.Rows) {
		v.Status, v.Message = Error, "no case could be judged; the first: "+v.Rows[0].Message
	}
	return v, nil
}

// build compiles the driver with the solution. A message is the compiler's.
func (s *session) build(ctx context.Context) (message string, err error) {
	command := s.Language.Compile(s.program)
	if command == nil {
		return "", nil
	}
	cache, err := compilerCache()
	if err != nil {
		return "", err
	}
	s.compile.Write = []string{s.dir.Path, cache}
	command.Env = append(command.Env, lang.CacheVariable+"="+cache)
	process, err := s.compile.Start(*command, false)
	if err != nil {
		return "", err
	}
	defer process.Kill()
	stop := context.AfterFunc(ctx, process.Kill)
	defer stop()
	printed := capture{most: maxCompilerOutput}
	code, how, err := process.Wait(s.deadline, &printed)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, runner.ErrDeadline):
		return fmt.Sprintf("the solution did not compile within %v", s.Time), nil
	case err != nil:
		return "", err
	case code == 0:
		return "", nil
	}
	text := s.shorten(printed.String())
	if text == "" {
		text = "the compiler " + how
	}
	return text, nil
}

const maxCompilerOutput = 60_000

// shorten makes the paths in a tool's words relative to the solution, and drops
// the lines that name packages.
func (s *session) shorten(text string) string {
	folder := path.Join(programFolder, s.Language.SolutionFolder())
	for _, prefix := range []string{
		filepath.Join(s.dir.Path, filepath.FromSlash(folder)) + string(filepath.Separator),
		filepath.Join(s.dir.Path, programFolder) + string(filepath.Separator),
	} {
		text = strings.ReplaceAll(text, prefix, "")
	}
	if own := s.Language.SolutionFolder(); own != "" {
		text = strings.ReplaceAll(text, own+"/", "")
	}
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(strings.Join(lines, ""), "\uFFFD"))
}

// compilerCache is a folder that a compiler may keep its work in: the user's own,
// if it can be written to, else one in the temporary folder.
func compilerCache() (string, error) {
	candidates := []string{os.Getenv(lang.CacheVariable)}
	if user, err := os.UserCacheDir(); err == nil {
		candidates = append(candidates, filepath.Join(user, "go-build"))
	}
	candidates = append(candidates, filepath.Join(os.TempDir(), "gen-cache"))
	var err error
	for _, dir := range candidates {
		if dir == "" || !filepath.IsAbs(dir) {
			continue
		}
		if err = os.MkdirAll(dir, 0o755); err != nil {
			continue
		}
		var f *os.File
		if f, err = os.CreateTemp(dir, "writable"); err == nil {
			f.Close()
			os.Remove(f.Name())
			return dir, nil
		}
	}
	return "", fmt.Errorf("no folder for the compiler's cache: %w", err)
}

// loadShare is which part of the time a solution may take to load.
const loadShare = 3

// start starts the driver and waits until the solution is loaded. A message says
// what the solution did instead.
func (s *session) start() (message string, err error) {
	command := s.Language.Drive(s.program)
	if s.resolved != "" && command.Args[0] == s.Language.Needs()[0].Program {
		command.Args = append([]string{s.resolved}, command.Args[1:]...)
	}
	if s.process, err = s.run.Start(command, true); err != nil {
		return "", err
	}
	limit := min(s.Time/loadShare, time.Until(s.deadline))
	printed := capture{most: maxCompilerOutput}
	line, err := s.process.Hear(time.Now().Add(limit), &printed)
	var r lang.Reply
	if err == nil && json.Unmarshal(line, &r) == nil && r.Ready {
		return "", nil
	}
	how := s.process.How
	said := s.shorten(printed.String())
	switch {
	case errors.Is(err, runner.ErrDeadline):
		message = fmt.Sprintf("the solution did not load within %v", limit.Round(time.Millisecond))
	case err == nil:
		message = "the solution wrote to the harness's channel while it was loaded"
	case said != "":
		message = said
	default:
		message = "the solution " + how() + " while it was loaded"
	}
	s.stop()
	return message, nil
}

func (s *session) stop() {
	if s.process != nil {
		s.process.Kill()
		s.process = nil
	}
}

func (s *session) all() []int {
	all := make([]int, len(s.rows))
	for i := range all {
		all[i] = i
	}
	return all
}

// pass puts the cases with the given indexes to the solution, and returns those
// that did not end in the time that limit gives them. The last pass makes them
// final.
func (s *session) pass(ctx context.Context, indexes []int, limit func(left int) time.Duration, last bool) (again []int, err error) {
	for n, i := range indexes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if time.Until(s.deadline) <= 0 {
			s.final(i, Error, s.outOfTime())
			continue
		}
		if s.process == nil {
			message, err := s.start()
			if err != nil {
				return nil, err
			}
			if message != "" {
				s.final(i, Error, "the solution loaded once, but not again: "+message)
				continue
			}
		}
		s.outputs[i] = capture{most: maxOutput}
		time := time.Now().Add(limit(len(indexes) - n))
		if ended := s.ask(i, time); !ended {
			s.stop()
			if last {
				s.final(i, Error, s.outOfTime())
			} else {
				again = append(again, i)
			}
		}
	}
	return again, nil
}

func (s *session) outOfTime() string {
	return fmt.Sprintf("no result within the %v that all cases have together", s.Time)
}

// ask puts one case to the solution. It reports false if that did not end in
// time; else the row is final.
func (s *session) ask(i int, deadline time.Time) (ended bool) {
	f, c := s.caseAt(i)
	id := rand.Text()
	question, err := json.Marshal(lang.Question{ID: id, Property: f.Property, Input: lang.RawJSON(c.Input.JSON())})
	if err != nil {
		s.final(i, Error, err.Error())
		return true
	}
	output := &s.outputs[i]
	var line []byte
	if err = s.process.Say(question); err == nil {
		line, err = s.process.Hear(deadline, output)
	} else {
		_, err = s.process.Hear(time.Now().Add(time.Second), output)
		if err == nil {
			err = errChannel
		}
	}
	switch {
	case errors.Is(err, runner.ErrDeadline):
		return false
	case errors.Is(err, runner.ErrTooLong):
		s.stop()
		s.final(i, Error, s.explain(f, c, "the result is too long to be right"))
	case errors.Is(err, errChannel):
		s.stop()
		s.final(i, Error, s.explain(f, c, errChannel.Error()))
	case err != nil:
		how := s.process.How()
		s.stop()
		s.final(i, Error, s.explain(f, c, "the solution "+how+lastWords(output)))
	default:
		var r lang.Reply
		if json.Unmarshal(line, &r) != nil || r.ID != id {
			s.stop()
			s.final(i, Error, s.explain(f, c, errChannel.Error()))
			return true
		}
		status, message := s.compare(f, c, r)
		s.final(i, status, message)
	}
	return true
}

var errChannel = errors.New("the solution wrote to the harness's channel")

// lastWords shows what was printed right before a process ended.
func lastWords(output *capture) string {
	text := output.tail()
	if text == "" {
		return ""
	}
	return ":\n" + text
}

func (s *session) caseAt(i int) (*spec.Function, *spec.Case) {
	for _, f := range s.Unit.Suite.Functions {
		if i < len(f.Cases) {
			return f, f.Cases[i]
		}
		i -= len(f.Cases)
	}
	panic("no such case")
}

func (s *session) final(i int, status Status, message string) {
	row := &s.rows[i]
	row.Status, row.Message = status, message
	if s.Done != nil {
		done := *row
		done.Output = s.outputs[i].String()
		s.Done(done)
	}
}

// compare judges a reply.
func (s *session) compare(f *spec.Function, c *spec.Case, r lang.Reply) (Status, string) {
	how := s.Unit.Comparison(f)
	switch {
	case r.Panic != "":
		return Fail, s.explain(f, c, "panic: "+r.Panic+traced(r.Trace))
	case r.Error != nil:
		wanted := s.Language.ErrorType(s.Unit)
		text := fmt.Sprintf("error %q", r.Error.Message)
		if r.Error.Type != "" {
			text = fmt.Sprintf("%s(%q)", r.Error.Type, r.Error.Message)
			if !r.Error.HasMessage {
				text = r.Error.Type + " without a message"
			}
		}
		text += traced(r.Trace)
		rightType := wanted == "" || r.Error.Type == wanted
		if rightType && (r.Error.HasMessage || how.AnyError) && f.Equal(c.Expected, errorValue(r.Error.Message), how) {
			return Pass, ""
		}
		return Fail, s.explainWanted(f, c, text)
	case r.Other != "":
		return Fail, s.explainWanted(f, c, r.Other)
	}
	got, err := spec.ParseJSON("result", r.Result)
	if err != nil {
		return Error, s.explain(f, c, "the result is no data: "+err.Error())
	}
	if _, isError := got.ErrorText(); !isError && f.Equal(c.Expected, got, how) {
		return Pass, ""
	}
	return Fail, s.explainWanted(f, c, display("got", got))
}

func errorValue(message string) *spec.Value {
	return &spec.Value{Kind: spec.Object, Fields: []spec.Field{{Name: "error", Value: &spec.Value{Kind: spec.String, Text: message}}}}
}

func traced(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "\n    " + strings.Join(lines, "\n    ")
}

// explain shows a case's input, and what happened.
func (s *session) explain(f *spec.Function, c *spec.Case, what string) string {
	var lines []string
	for _, p := range f.Params {
		if v := c.Input.Get(p.Key); v != nil {
			lines = append(lines, label(p.Key, display(p.Key, v)))
		}
	}
	return strings.Join(append(lines, what), "\n")
}

// explainWanted shows a case's input, the result wanted and the one that came.
func (s *session) explainWanted(f *spec.Function, c *spec.Case, got string) string {
	wanted := display("want", c.Expected)
	if text, failed := c.Expected.ErrorText(); failed {
		wanted = fmt.Sprintf("error %q", text)
		if s.Unit.Comparison(f).AnyError {
			wanted = "any error"
		}
		if name := s.Language.ErrorType(s.Unit); name != "" {
			wanted = fmt.Sprintf("%s(%q)", name, text)
		}
	}
	return s.explain(f, c, label("want", wanted)+"\n"+label("got", got))
}

// label writes a text behind its name, as the tests themselves do.
func label(name, text string) string { return fmt.Sprintf("%-5s %s", name+":", text) }

// display writes a value. The items of a list of strings go below each other.
func display(name string, v *spec.Value) string {
	rows := len(v.Items) > 0
	for _, item := range v.Items {
		rows = rows && item.Kind == spec.String
	}
	if !rows {
		return v.JSON()
	}
	lines := make([]string, len(v.Items))
	for i, item := range v.Items {
		lines[i] = item.JSON()
	}
	indent := max(len(name)+2, 6)
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

// maxOutput is how much of what a case prints is kept, in bytes: more than is
// shown, for the last words of a crash.
const maxOutput = 16_000

// capture keeps the first and the last bytes written to it.
type capture struct {
	most int
	head []byte
	last []byte // what came after the head
	cut  bool
}

func (c *capture) Write(p []byte) (int, error) {
	n := len(p)
	if room := c.most - len(c.head); room > 0 {
		taken := min(room, len(p))
		c.head = append(c.head, p[:taken]...)
		p = p[taken:]
	}
	if len(p) > 0 {
		c.cut = true
		c.last = append(c.last, p...)
		if extra := len(c.last) - c.most; extra > 0 {
			c.last = append(c.last[:0], c.last[extra:]...)
		}
	}
	return n, nil
}

// String is the text from its beginning, as far as it is kept.
func (c *capture) String() string { return strings.ToValidUTF8(string(c.head), "\uFFFD") }

// tail is the end of the text, at most a few lines of it.
func (c *capture) tail() string {
	const most = 2000
	text := append(append([]byte(nil), c.head...), c.last...)
	if len(text) > most {
		text = text[len(text)-most:]
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
}
