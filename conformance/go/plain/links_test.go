// Package plain tells the story with go-amqp alone: any AMQP 1.0 client, which knows nothing of Service Bus.
package plain

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/Azure/go-amqp"

	"peeklock/conformance/story"
)

// A moment is long enough to see that nothing comes.
const moment = 400 * time.Millisecond

type closer struct{ close func() error }

func (c closer) Close(context.Context) error { return c.close() }

func dial(s *story.Story, options *amqp.ConnOptions) (*amqp.Conn, error) {
	s.Helper()
	address := "amqp" + strings.TrimPrefix(part("Endpoint"), "sb")
	connection, err := amqp.Dial(s.Context, address, options)
	if err == nil {
		s.Closing(closer{connection.Close})
	}
	return connection, err
}

func part(key string) string {
	for _, pair := range strings.Split(story.Connection(), ";") {
		if name, value, _ := strings.Cut(pair, "="); name == key {
			return value
		}
	}
	return ""
}

func login() amqp.SASLType {
	return amqp.SASLTypePlain(part("SharedAccessKeyName"), part("SharedAccessKey"))
}

// One AMQP session on a connection of its own.
type session struct {
	*story.Story
	*amqp.Session
}

func open(s *story.Story) session {
	s.Helper()
	return openWith(s, &amqp.ConnOptions{SASLType: login()})
}

func openWith(s *story.Story, options *amqp.ConnOptions) session {
	s.Helper()
	connection, err := dial(s, options)
	s.Must(err)
	amqpSession, err := connection.NewSession(s.Context, nil)
	s.Must(err)
	return session{s, amqpSession}
}

func (s session) sender(queue string) *amqp.Sender {
	s.Helper()
	sender, err := s.NewSender(s.Context, queue, nil)
	s.Must(err)
	return sender
}

// A receiver without credit that waits for the answer to each settlement.
func (s session) receiver(queue string) *amqp.Receiver {
	s.Helper()
	receiver, err := s.NewReceiver(s.Context, queue,
		&amqp.ReceiverOptions{Credit: -1, SettlementMode: amqp.ReceiverSettleModeSecond.Ptr()})
	s.Must(err)
	return receiver
}

func (s session) send(queue string, bodies ...string) {
	s.Helper()
	sender := s.sender(queue)
	for _, body := range bodies {
		s.Must(sender.Send(s.Context, amqp.NewMessage([]byte(body)), nil))
	}
	s.Must(sender.Close(s.Context))
}

// Gives credit for n messages and waits for as many.
func (s session) take(from *amqp.Receiver, n int) []*amqp.Message {
	s.Helper()
	s.Must(from.IssueCredit(uint32(n)))
	return s.wait(from, n)
}

func (s session) wait(from *amqp.Receiver, n int) []*amqp.Message {
	s.Helper()
	var all []*amqp.Message
	for range n {
		message, err := from.Receive(s.Context, nil)
		s.Must(err)
		all = append(all, message)
	}
	return all
}

// Fails the story when something comes within a moment.
func (s session) nothing(from *amqp.Receiver) {
	s.Helper()
	message, err := from.Receive(s.Within(moment), nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		s.Errorf("nothing should have come but %v, %v", message, err)
	}
}

func bodies(messages []*amqp.Message) []string {
	all := []string{}
	for _, message := range messages {
		all = append(all, string(message.GetData()))
	}
	return all
}

func TestLogin(t *testing.T) {
	s := story.Tell(t, "SASL PLAIN with a policy's name and key opens everything", "S-464")
	plain := open(s)

	plain.send("plain-login", "order-1")

	story.Equal(s, "body", bodies(plain.take(plain.receiver("plain-login"), 1)), []string{"order-1"})
}

func TestWrongLogin(t *testing.T) {
	s := story.Tell(t, "SASL PLAIN with a wrong key or policy is refused", "S-464")

	_, err := dial(s, &amqp.ConnOptions{SASLType: amqp.SASLTypePlain(part("SharedAccessKeyName"), "wrong")})
	s.That(err != nil && strings.Contains(err.Error(), "SASL PLAIN auth failed"), "wrong key: %v", err)
	_, err = dial(s, &amqp.ConnOptions{SASLType: amqp.SASLTypePlain("nobody", part("SharedAccessKey"))})
	s.That(err != nil && strings.Contains(err.Error(), "SASL PLAIN auth failed"), "unknown policy: %v", err)
}

func TestAnonymous(t *testing.T) {
	s := story.Tell(t, "who came without a name and put no token may attach nothing", "S-465", "T-24")
	nobody := openWith(s, &amqp.ConnOptions{SASLType: amqp.SASLTypeAnonymous()})

	_, err := nobody.NewSender(s.Context, "plain-login", nil)
	s.Refused("plain-sender-without-token", err, string(amqp.ErrCondUnauthorizedAccess))
	_, err = nobody.NewReceiver(s.Context, "plain-login", nil)
	s.Refused("plain-receiver-without-token", err, string(amqp.ErrCondUnauthorizedAccess))
}

func TestRefusedLinks(t *testing.T) {
	s := story.Tell(t, "a refused link says why and leaves its session alone", "S-062", "S-183", "T-24")
	plain := open(s)

	_, err := plain.NewSender(s.Context, "no-such-queue", nil)
	s.Refused("plain-unknown-entity-send", err, string(amqp.ErrCondNotFound))
	_, err = plain.NewReceiver(s.Context, "no-such-queue", nil)
	s.Refused("plain-unknown-entity-receive", err, string(amqp.ErrCondNotFound))
	_, err = plain.NewSender(s.Context, "plain-refused/$deadletterqueue", nil)
	s.Refused("plain-send-to-dead-letter-queue", err, string(amqp.ErrCondNotAllowed))

	plain.send("plain-refused", "order-1")
	story.Equal(s, "body", bodies(plain.take(plain.receiver("plain-refused"), 1)), []string{"order-1"})
}

func TestManySessions(t *testing.T) {
	s := story.Tell(t, "one connection holds 300 sessions at once, and their channels are used again", "T-65")
	connection, err := dial(s, &amqp.ConnOptions{SASLType: login()})
	s.Must(err)

	for range 2 {
		var all []session
		for range 300 {
			amqpSession, err := connection.NewSession(s.Context, nil)
			s.Must(err)
			all = append(all, session{s, amqpSession})
		}
		last := all[len(all)-1]
		last.send("plain-sessions", "order")
		receiver := last.receiver("plain-sessions")
		s.Must(receiver.AcceptMessage(s.Context, last.take(receiver, 1)[0]))
		for _, each := range all {
			s.Must(each.Close(s.Context))
		}
	}
}
