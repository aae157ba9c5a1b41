// Package sdk tells the story with azservicebus, the official client, unmodified.
package sdk

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

// A moment is long enough to see that nothing comes, and short enough to wait for nothing.
const moment = 400 * time.Millisecond

type (
	message  = azservicebus.Message
	received = azservicebus.ReceivedMessage
	receiver = azservicebus.Receiver
	sender   = azservicebus.Sender
)

// A queue as one application sees it: one client, one sender.
type queue struct {
	*story.Story
	name   string
	client *azservicebus.Client
	sender *sender
}

func open(s *story.Story, name string) *queue {
	s.Helper()
	return with(s, connect(s, story.Connection()), name)
}

func with(s *story.Story, client *azservicebus.Client, name string) *queue {
	s.Helper()
	sender, err := client.NewSender(name, nil)
	s.Must(err)
	s.Closing(sender)
	return &queue{Story: s, name: name, client: client, sender: sender}
}

func connect(s *story.Story, connection string) *azservicebus.Client {
	s.Helper()
	return connectWith(s, connection, azservicebus.ClientOptions{})
}

func connectWith(s *story.Story, connection string, options azservicebus.ClientOptions) *azservicebus.Client {
	s.Helper()
	options.RetryOptions = azservicebus.RetryOptions{
		MaxRetries: 2, RetryDelay: 50 * time.Millisecond, MaxRetryDelay: 200 * time.Millisecond,
	}
	client, err := azservicebus.NewClientFromConnectionString(connection, &options)
	s.Must(err)
	s.Closing(client)
	return client
}

func (q *queue) send(bodies ...string) {
	q.Helper()
	for _, body := range bodies {
		q.sendMessage(&message{Body: []byte(body)})
	}
}

func (q *queue) sendMessage(message *message) {
	q.Helper()
	q.Must(q.sender.SendMessage(q.Context, message, nil))
}

func (q *queue) receiver() *receiver {
	q.Helper()
	return q.receiverWith(&azservicebus.ReceiverOptions{ReceiveMode: azservicebus.ReceiveModePeekLock})
}

// The same from another connection, as another process would.
func (q *queue) anotherReceiver() *receiver {
	q.Helper()
	return with(q.Story, connect(q.Story, story.Connection()), q.name).receiver()
}

func (q *queue) deadLetters() *receiver {
	q.Helper()
	return q.receiverWith(&azservicebus.ReceiverOptions{SubQueue: azservicebus.SubQueueDeadLetter})
}

func (q *queue) receiverWith(options *azservicebus.ReceiverOptions) *receiver {
	q.Helper()
	receiver, err := q.client.NewReceiverForQueue(q.name, options)
	q.Must(err)
	q.Closing(receiver)
	return receiver
}

// This client gives back what comes later than 20 ms after the first, and would so shuffle a slow arrival.
var unhurried = &azservicebus.ReceiveMessagesOptions{TimeAfterFirstMessage: 5 * time.Second}

// The next n messages, in as many calls as it takes.
func (q *queue) next(from *receiver, n int) []*received {
	q.Helper()
	var all []*received
	for len(all) < n {
		some, err := from.ReceiveMessages(q.Context, n-len(all), unhurried)
		if err != nil {
			q.Fatalf("%d of %d messages came, then: %v", len(all), n, err)
		}
		all = append(all, some...)
	}
	return all
}

func (q *queue) one(from *receiver) *received {
	q.Helper()
	return q.next(from, 1)[0]
}

// Opens the link, so that a short wait for messages is not spent on that.
func (q *queue) warm(from *receiver) {
	q.Helper()
	q.peek(from, 0)
}

// Fails the story when a message comes within a moment.
func (q *queue) nothing(from *receiver) {
	q.Helper()
	q.warm(from)
	some, err := from.ReceiveMessages(q.Within(moment), 1, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		q.Errorf("nothing should have come but %v, %v", bodies(some), err)
	}
}

// What a peek shows from a number on.
func (q *queue) peek(from *receiver, number int64) []*received {
	q.Helper()
	all, err := from.PeekMessages(q.Context, 100,
		&azservicebus.PeekMessagesOptions{FromSequenceNumber: &number})
	q.Must(err)
	return all
}

// Application properties with their times in UTC: this client shows them in the local zone.
func properties(message *received) map[string]any {
	all := map[string]any{}
	for key, value := range message.ApplicationProperties {
		if moment, is := value.(time.Time); is {
			value = moment.UTC()
		}
		all[key] = value
	}
	return all
}

// Bodies of everything that lies in the queue.
func (q *queue) content() []string {
	q.Helper()
	return bodies(q.peek(q.receiver(), 0))
}

func (q *queue) complete(from *receiver, messages ...*received) {
	q.Helper()
	for _, message := range messages {
		q.Must(from.CompleteMessage(q.Context, message, nil))
	}
}

func bodies(messages []*received) []string {
	all := []string{}
	for _, message := range messages {
		all = append(all, string(message.Body))
	}
	return all
}

// This client shows one more than the header says.
func failures(message *received) int {
	return int(message.DeliveryCount) - 1
}

func ptr[T any](value T) *T {
	return &value
}
