// Package story is what every test of this suite stands on: where the broker is, how it is stopped and started, and the
// report of what was told.
package story

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// Patience is how long anything that must happen may take.
const Patience = 120 * time.Second

// Story is one told test: it goes to the report with the rules it proves and, when it fails, with what was wrong.
type Story struct {
	*testing.T
	Context context.Context

	mutex sync.Mutex
	why   []string
}

// Tell begins a story that runs beside the others.
func Tell(t *testing.T, name string, rules ...string) *Story {
	t.Helper()
	t.Parallel()
	return TellAlone(t, name, rules...)
}

// TellAlone begins a story that needs the broker for itself.
func TellAlone(t *testing.T, name string, rules ...string) *Story {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	s := &Story{T: t, Context: ctx}
	t.Cleanup(func() {
		cancel()
		s.report(name, rules)
	})
	return s
}

// NotTold reports a story that this client has no words for.
func NotTold(t *testing.T, name string, reason string) {
	t.Helper()
	write(t, line{Test: name, NotRun: reason})
	t.Skip(reason)
}

func (s *Story) report(name string, rules []string) {
	ok := !s.Failed()
	told := line{Test: name, Rules: rules, Ok: &ok}
	if !ok {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if len(s.why) == 0 {
			s.why = []string{"it panicked, or failed without a word"}
		}
		told.Why = strings.Join(s.why, "\n")
	}
	write(s.T, told)
}

// Errorf fails the story and goes on with it.
func (s *Story) Errorf(format string, args ...any) {
	s.Helper()
	s.mutex.Lock()
	s.why = append(s.why, fmt.Sprintf(format, args...))
	s.mutex.Unlock()
	s.T.Errorf(format, args...)
}

// Fatalf fails the story and ends it.
func (s *Story) Fatalf(format string, args ...any) {
	s.Helper()
	s.Errorf(format, args...)
	s.FailNow()
}

// Must ends the story when something went wrong that had to go well.
func (s *Story) Must(err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("unexpected: %T: %v", err, err)
	}
}

// That fails the story unless the claim holds.
func (s *Story) That(holds bool, claim string, args ...any) {
	s.Helper()
	if !holds {
		s.Errorf("not so: "+claim, args...)
	}
}

// Equal fails the story unless both are the same in value and type.
func Equal[T any](s *Story, what string, got, want T) {
	s.Helper()
	if !reflect.DeepEqual(got, want) {
		s.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// Within gives a context that ends earlier than the story.
func (s *Story) Within(limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(s.Context, limit)
	s.Cleanup(cancel)
	return ctx
}

// Closing closes something at the end, however the story ends.
func (s *Story) Closing(closer interface{ Close(context.Context) error }) {
	s.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = closer.Close(ctx) // it may be closed, or its broker gone
	})
}

// Connection is the connection string of the broker under test.
func Connection() string {
	return environment("PEEKLOCK_CONNECTION")
}

// Encrypted is the same for a client that is to use TLS.
func Encrypted() string {
	return strings.ReplaceAll(Connection(), ";UseDevelopmentEmulator=true", "")
}

func environment(name string) string {
	value := os.Getenv(name)
	if value == "" {
		panic(name + " is not set; see the script run")
	}
	return value
}

// Until asks again and again whether something holds by now, and fails the story when patience ends.
func (s *Story) Until(claim string, holds func() bool) {
	s.Helper()
	for !holds() {
		select {
		case <-s.Context.Done():
			s.Fatalf("still not: %s", claim)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
