package sdk

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
	"github.com/Azure/go-amqp"

	"peeklock/conformance/story"
)

type session = azservicebus.SessionReceiver

func (q *queue) sendTo(id string, bodies ...string) {
	q.Helper()
	for _, body := range bodies {
		q.sendMessage(&message{Body: []byte(body), SessionID: &id})
	}
}

func (q *queue) accept(id string) *session {
	q.Helper()
	held, err := q.client.AcceptSessionForQueue(q.Context, q.name, id, nil)
	q.Must(err)
	q.Closing(held)
	return held
}

func (q *queue) acceptNext() *session {
	q.Helper()
	held, err := q.client.AcceptNextSessionForQueue(q.Context, q.name, nil)
	q.Must(err)
	q.Closing(held)
	return held
}

// The next n messages of a session.
func (q *queue) nextOf(held *session, n int) []*received {
	q.Helper()
	var all []*received
	for len(all) < n {
		some, err := held.ReceiveMessages(q.Context, n-len(all), unhurried)
		q.Must(err)
		all = append(all, some...)
	}
	return all
}

// Fails the story unless the session is held by somebody.
func (q *queue) cannotAccept(id string) {
	q.Helper()
	_, err := q.client.AcceptSessionForQueue(q.Within(5*time.Second), q.name, id, nil)
	var wire *amqp.Error
	q.That(errors.As(err, &wire) && wire.Condition == "com.microsoft:session-cannot-be-locked",
		"the session %s is held by another: %v", id, err)
}

func TestSessionOrderAndState(t *testing.T) {
	s := story.Tell(t, "a session keeps its order and its state",
		"S-231", "S-236", "S-243", "S-244", "S-246", "S-253", "S-254", "S-255", "T-21")
	orders := open(s, "session-state")
	orders.sendTo("a", "a1")
	orders.sendTo("b", "b1")
	orders.sendTo("a", "a2")

	held := orders.accept("a")
	story.Equal(s, "session", held.SessionID(), "a")
	messages := orders.nextOf(held, 2)
	story.Equal(s, "messages", bodies(messages), []string{"a1", "a2"})
	story.Equal(s, "session id", *messages[0].SessionID, "a")
	state, err := held.GetSessionState(s.Context, nil)
	s.Must(err)
	story.Equal(s, "state of the new session", len(state), 0)
	s.Must(held.SetSessionState(s.Context, []byte("half way"), nil))
	before := held.LockedUntil()
	s.Must(held.RenewSessionLock(s.Context, nil))
	s.That(!held.LockedUntil().Before(before), "renewed from %v to %v", before, held.LockedUntil())
	for _, one := range messages {
		s.Must(held.CompleteMessage(s.Context, one, nil))
	}
	s.Must(held.Close(s.Context))

	again := orders.accept("a")
	state, err = again.GetSessionState(s.Context, nil)
	s.Must(err)
	story.Equal(s, "state", string(state), "half way")
	s.Must(again.SetSessionState(s.Context, nil, nil))
	state, err = again.GetSessionState(s.Context, nil)
	s.Must(err)
	story.Equal(s, "state that was cleared", len(state), 0)
}

func TestNextSession(t *testing.T) {
	s := story.Tell(t, "the next session is one that nobody holds",
		"S-237", "S-238", "S-242", "S-248", "S-129", "S-504")
	orders := open(s, "session-next")
	orders.sendTo("one", "first")
	orders.sendTo("two", "second")

	one, two := orders.acceptNext(), orders.acceptNext()

	story.Equal(s, "sessions", []string{one.SessionID(), two.SessionID()}, []string{"one", "two"})
	orders.cannotAccept("one")
	got := orders.nextOf(one, 1)[0]
	s.Must(one.Close(s.Context))
	again := orders.accept("one")
	back := orders.nextOf(again, 1)[0]
	story.Equal(s, "message", *back.SequenceNumber, *got.SequenceNumber)
	story.Equal(s, "failed deliveries", failures(back), 0)
	s.Must(again.CompleteMessage(s.Context, back, nil))
}

func TestNoSession(t *testing.T) {
	s := story.Tell(t, "who waits for any session is told when there is none", "S-239", "S-240", "S-506", "T-23")
	orders := open(s, "session-none")

	began := time.Now()
	_, err := orders.client.AcceptNextSessionForQueue(s.Within(3*time.Second), orders.name, nil)

	s.That(err != nil && time.Since(began) < 10*time.Second, "it was told after %v: %v", time.Since(began), err)
	orders.sendTo("late", "order")
	story.Equal(s, "session", orders.acceptNext().SessionID(), "late")
}

func TestSessionLost(t *testing.T) {
	s := story.Tell(t, "a session whose lock runs out is lost, and its messages count",
		"S-128", "S-250", "S-251", "S-252", "S-503", "I-20")
	orders := open(s, "session-lost")
	orders.sendTo("a", "order")
	held := orders.accept("a")
	got := orders.nextOf(held, 1)[0]

	time.Sleep(time.Until(held.LockedUntil()) + moment)

	s.That(held.CompleteMessage(s.Within(3*time.Second), got, nil) != nil, "what was received before cannot be completed")
	err := held.Close(s.Context)
	s.That(err != nil && strings.Contains(err.Error(), "com.microsoft:session-lock-lost"), "its link says why: %v", err)
	again := orders.accept("a")
	back := orders.nextOf(again, 1)[0]
	story.Equal(s, "failed deliveries", failures(back), 1)
	s.Must(again.CompleteMessage(s.Context, back, nil))
}

func TestSessionSettlements(t *testing.T) {
	s := story.Tell(t, "a session's messages are abandoned, deferred and dead-lettered as others are",
		"S-131", "S-207", "S-213", "S-216", "S-247", "S-034", "S-228")
	orders := open(s, "session-settle")
	orders.sendTo("a", "first", "second", "third")
	held := orders.accept("a")
	messages := orders.nextOf(held, 3)
	seen, err := held.PeekMessages(s.Context, 5, nil)
	s.Must(err)
	story.Equal(s, "peeked by the holder", bodies(seen), []string{"first", "second", "third"})

	s.Must(held.AbandonMessage(s.Context, messages[0], nil))
	s.Must(held.DeferMessage(s.Context, messages[1], nil))
	s.Must(held.DeadLetterMessage(s.Context, messages[2], nil))

	back := orders.nextOf(held, 1)[0]
	story.Equal(s, "abandoned", bodies([]*received{back}), []string{"first"})
	story.Equal(s, "failed deliveries", failures(back), 1)
	s.Must(held.CompleteMessage(s.Context, back, nil))
	deferred, err := held.ReceiveDeferredMessages(s.Context, []int64{*messages[1].SequenceNumber}, nil)
	s.Must(err)
	story.Equal(s, "deferred", bodies(deferred), []string{"second"})
	s.Must(held.CompleteMessage(s.Context, deferred[0], nil))
	dead := orders.one(orders.deadLetters())
	story.Equal(s, "dead", bodies([]*received{dead}), []string{"third"})
	story.Equal(s, "its session", *dead.SessionID, "a")
}

func TestDeferredAmongDeadLettersOfSessions(t *testing.T) {
	s := story.Tell(t, "what is deferred among the dead letters of sessions is out of reach", "S-203")
	orders := open(s, "session-dead")
	orders.sendTo("a", "order")
	held := orders.accept("a")
	s.Must(held.DeadLetterMessage(s.Context, orders.nextOf(held, 1)[0], nil))
	deadLetters := orders.deadLetters()
	dead := orders.one(deadLetters)
	s.Must(deadLetters.DeferMessage(s.Context, dead, nil))

	_, err := deadLetters.ReceiveDeferredMessages(s.Context, []int64{*dead.SequenceNumber}, nil)

	var sdk *azservicebus.Error
	s.That(errors.As(err, &sdk) && sdk.Code == azservicebus.CodeLockLost, "the session lock is lost: %v", err)
}

func TestRequestReply(t *testing.T) {
	s := story.Tell(t, "a reply comes to whoever holds the session that the request named", "S-265")
	requests := open(s, "session-requests")
	replies := open(s, "session-replies")
	mine := replies.accept("mine")
	requests.sendMessage(&message{Body: []byte("what?"), ReplyTo: ptr("session-replies"), ReplyToSessionID: ptr("mine")})

	from := requests.receiver()
	request := requests.one(from)
	story.Equal(s, "reply to", *request.ReplyTo, "session-replies")
	replies.sendTo(*request.ReplyToSessionID, "that")
	requests.complete(from, request)

	reply := replies.nextOf(mine, 1)[0]
	story.Equal(s, "reply", string(reply.Body), "that")
	s.Must(mine.CompleteMessage(s.Context, reply, nil))
}
