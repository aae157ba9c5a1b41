package story

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
	"github.com/Azure/go-amqp"
)

type line struct {
	Test   string   `json:"test"`
	Rules  []string `json:"rules,omitempty"`
	Ok     *bool    `json:"ok,omitempty"`
	Why    string   `json:"why,omitempty"`
	NotRun string   `json:"notRun,omitempty"`
}

type refusal struct {
	Refusal   string `json:"refusal"`
	Class     string `json:"class"`
	Code      string `json:"code"`
	Transient *bool  `json:"transient"` // this client does not say
	Message   string `json:"message"`
}

// Refused notes what the client made of a refusal, and fails the story unless it is of this code: one of the SDK's, or
// the AMQP condition where the SDK has no code, or the text of a plain error.
func (s *Story) Refused(name string, err error, code string) {
	s.Helper()
	if err == nil {
		s.Fatalf("%s: was not refused", name)
	}
	noted := refusal{Refusal: name, Class: fmt.Sprintf("%T", err), Message: err.Error()}
	var sdk *azservicebus.Error
	var wire *amqp.Error
	switch {
	case errors.As(err, &sdk):
		noted.Class, noted.Code = "*azservicebus.Error", string(sdk.Code)
	case errors.Is(err, azservicebus.ErrMessageTooLarge):
		noted.Class, noted.Code = "azservicebus.ErrMessageTooLarge", err.Error()
	case errors.As(err, &wire):
		noted.Code = string(wire.Condition)
	}
	write(s.T, noted)
	if noted.Code != code {
		s.Errorf("%s: refused as %s %q, not as %q: %v", name, noted.Class, noted.Code, code, err)
	}
}

// One write for each line: several test programs share the file.
func write(t *testing.T, what any) {
	t.Helper()
	file, err := os.OpenFile(environment("SUITE_REPORT"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	text, err := json.Marshal(what)
	if err != nil {
		panic(err)
	}
	if _, err := file.Write(append(text, '\n')); err != nil {
		panic(err)
	}
}
