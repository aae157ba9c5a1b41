package sdk

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

func (q *queue) subscription(name string, sub azservicebus.SubQueue) *receiver {
	q.Helper()
	receiver, err := q.client.NewReceiverForSubscription(q.name, name, &azservicebus.ReceiverOptions{SubQueue: sub})
	q.Must(err)
	q.Closing(receiver)
	return receiver
}

func TestTopic(t *testing.T) {
	s := story.Tell(t, "every subscription gets its own copy", "S-001", "S-053", "S-060", "S-146", "S-204")
	events := open(s, "topic")
	events.send("one", "two")
	first, second := events.subscription("first", 0), events.subscription("SECOND", 0)

	messages := events.next(first, 2)

	story.Equal(s, "copies", bodies(messages), []string{"one", "two"})
	story.Equal(s, "number", *messages[1].SequenceNumber, int64(2))
	story.Equal(s, "number in the topic", *messages[1].EnqueuedSequenceNumber, int64(2))
	events.complete(first, messages[0])
	why := "why not"
	s.Must(first.DeadLetterMessage(s.Context, messages[1], &azservicebus.DeadLetterOptions{Reason: &why}))
	story.Equal(s, "left in the first", len(events.peek(first, 0)), 0)
	story.Equal(s, "left in the second", bodies(events.peek(second, 0)), []string{"one", "two"})
	deadLetters := events.subscription("first", azservicebus.SubQueueDeadLetter)
	dead := events.one(deadLetters)
	story.Equal(s, "dead", string(dead.Body), "two")
	story.Equal(s, "reason", *dead.DeadLetterReason, "why not")
	events.complete(deadLetters, dead)
}

func TestScheduledEvent(t *testing.T) {
	s := story.Tell(t, "a scheduled message of a topic comes to its subscriptions when it is due",
		"S-139", "S-149", "S-151", "S-153", "S-156")
	events := open(s, "topic-scheduled")
	only := events.subscription("only", 0)
	events.send("now")
	never, err := events.sender.ScheduleMessages(s.Context,
		[]*message{{Body: []byte("never")}}, time.Now().Add(time.Hour), nil)
	s.Must(err)
	due := time.Now().Add(2 * time.Second)
	_, err = events.sender.ScheduleMessages(s.Context, []*message{{Body: []byte("later")}}, due, nil)
	s.Must(err)
	s.Must(events.sender.CancelScheduledMessages(s.Context, never, nil))

	messages := events.next(only, 2)

	story.Equal(s, "order", bodies(messages), []string{"now", "later"})
	s.That(!messages[1].EnqueuedTime.Before(due.Add(-time.Millisecond)), "it came at %v", messages[1].EnqueuedTime)
	events.complete(only, messages...)
	s.That(events.sender.CancelScheduledMessages(s.Context, never, nil) != nil, "it is cancelled once")
}

func TestNothingFromATopic(t *testing.T) {
	s := story.Tell(t, "nobody receives from a topic or sends to a subscription", "S-052", "S-182")
	events := open(s, "topic-closed")

	_, err := events.receiver().ReceiveMessages(s.Within(5*time.Second), 1, nil)
	s.That(err != nil, "a topic gives nothing")
	direct := with(s, events.client, "topic-closed/Subscriptions/only")
	s.That(direct.sender.SendMessage(s.Context, &message{Body: []byte("x")}, nil) != nil, "a subscription takes nothing")
	story.Equal(s, "content", len(events.peek(events.subscription("only", 0), 0)), 0)
}
