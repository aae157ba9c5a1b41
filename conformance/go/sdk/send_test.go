package sdk

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

func TestOneMessage(t *testing.T) {
	s := story.Tell(t, "a message that was sent before anybody listened is received",
		"S-001", "S-003", "S-004", "S-005", "S-118", "S-119", "T-35", "T-36")
	orders := open(s, "send-one")

	orders.send("order-1")

	got := orders.one(orders.receiver())
	story.Equal(s, "body", string(got.Body), "order-1")
	story.Equal(s, "sequence number", *got.SequenceNumber, 1)
	story.Equal(s, "enqueued sequence number", *got.EnqueuedSequenceNumber, 0)
	story.Equal(s, "failed deliveries", failures(got), 0)
	s.That(got.RawAMQPMessage.Header != nil, "there is a header")
	s.That(got.EnqueuedTime != nil, "there is an enqueued time")
	s.That(got.LockedUntil.After(*got.EnqueuedTime), "locked until after it was enqueued")
	s.That(got.MessageID != "", "a message without an id is given one")
}

func TestManyMessages(t *testing.T) {
	s := story.Tell(t, "many sends in flight are all accepted, each with a number of its own",
		"S-009", "S-012", "S-103", "S-135", "S-140", "I-12")
	orders := open(s, "send-many")
	const many = 500

	var flight sync.WaitGroup
	for i := range many {
		flight.Go(func() {
			if err := orders.sender.SendMessage(s.Context,
				&message{Body: fmt.Append(nil, i)}, nil); err != nil {
				s.Errorf("send %d: %v", i, err)
			}
		})
	}
	flight.Wait()

	seen := map[string]bool{}
	for i, got := range orders.next(orders.receiver(), many) {
		story.Equal(s, "sequence number", *got.SequenceNumber, int64(i+1))
		seen[string(got.Body)] = true
	}
	story.Equal(s, "different messages", len(seen), many)
}

func TestBatch(t *testing.T) {
	s := story.Tell(t, "a batch arrives as its messages, in its order", "S-406", "T-51")
	orders := open(s, "batch")
	batch, err := orders.sender.NewMessageBatch(s.Context, nil)
	s.Must(err)
	for i := range 20 {
		s.Must(batch.AddMessage(&message{
			Body:                  fmt.Append(nil, i),
			MessageID:             ptr(fmt.Sprint("id-", i)),
			ApplicationProperties: map[string]any{"n": int64(i)},
		}, nil))
	}

	s.Must(orders.sender.SendMessageBatch(s.Context, batch, nil))
	single, err := orders.sender.NewMessageBatch(s.Context, nil)
	s.Must(err)
	s.Must(single.AddMessage(&message{Body: []byte("20"), MessageID: ptr("id-20"),
		ApplicationProperties: map[string]any{"n": int64(20)}}, nil))
	s.Must(orders.sender.SendMessageBatch(s.Context, single, nil))

	for i, got := range orders.next(orders.receiver(), 21) {
		story.Equal(s, "body", string(got.Body), fmt.Sprint(i))
		story.Equal(s, "message id", got.MessageID, fmt.Sprint("id-", i))
		story.Equal(s, "properties", got.ApplicationProperties, map[string]any{"n": int64(i)})
		story.Equal(s, "sequence number", *got.SequenceNumber, int64(i+1))
	}
}

func TestBatchIsAtomic(t *testing.T) {
	s := story.Tell(t, "one bad message refuses its whole batch", "S-002", "S-405", "I-02")
	orders := open(s, "batch-atomic")
	batch, err := orders.sender.NewMessageBatch(s.Context, nil)
	s.Must(err)
	s.Must(batch.AddMessage(&message{Body: []byte("good")}, nil))
	s.Must(batch.AddMessage(&message{Body: []byte("bad"), MessageID: ptr(strings.Repeat("x", 129))}, nil))

	err = orders.sender.SendMessageBatch(s.Context, batch, nil)

	s.That(err != nil, "the batch is refused")
	orders.send("after")
	story.Equal(s, "content", orders.content(), []string{"after"})
}

func TestBatchTooLarge(t *testing.T) {
	s := story.Tell(t, "a batch takes what the broker allows and not a message more", "S-407", "T-17")
	orders := open(s, "batch-large")
	batch, err := orders.sender.NewMessageBatch(s.Context, nil)
	s.Must(err)
	// A message of about 10,000 bytes; a megabyte of them, as the link's batch size says, is some hundred.
	body := []byte(strings.Repeat("b", 10_000))

	for batch.NumMessages() < 1000 {
		if err = batch.AddMessage(&message{Body: body}, nil); err != nil {
			break
		}
	}

	s.Refused("batch-too-large", err, azservicebus.ErrMessageTooLarge.Error())
	s.That(batch.NumBytes() <= 1<<20, "%d bytes fit into a megabyte", batch.NumBytes())
	s.That(batch.NumBytes() > 1<<20-20_000, "%d bytes fill a megabyte", batch.NumBytes())
	s.Must(orders.sender.SendMessageBatch(s.Context, batch, nil))
	count := int(batch.NumMessages())
	story.Equal(s, "messages", len(orders.next(orders.receiver(), count)), count)
}

func TestMessageTooLarge(t *testing.T) {
	s := story.Tell(t, "a message above the queue's limit is refused, one just below is sent and received",
		"S-431", "S-433", "S-511", "T-17")
	orders := open(s, "message-large")

	orders.sendMessage(&message{Body: make([]byte, 256*1024-64)}) // with what the broker adds it is above the limit
	err := orders.sender.SendMessage(s.Context, &message{Body: make([]byte, 256*1024)}, nil)

	s.Refused("message-too-large", err, azservicebus.ErrMessageTooLarge.Error())
	receiver := orders.receiver()
	got := orders.one(receiver)
	story.Equal(s, "length", len(got.Body), 256*1024-64)
	orders.complete(receiver, got)
	story.Equal(s, "content", orders.content(), []string{})
}

func TestBodySizes(t *testing.T) {
	s := story.Tell(t, "bodies of one byte, of a megabyte and of twenty come back as they were",
		"S-072", "S-104", "I-04")
	orders := open(s, "sizes")
	receiver := orders.receiver()
	for _, size := range []int{1, 1 << 20, 20 << 20} {
		body := make([]byte, size)
		for i := range body {
			body[i] = byte(i * 31 >> 3)
		}

		orders.sendMessage(&message{Body: body})

		got := orders.one(receiver)
		s.That(slices.Equal(got.Body, body), "the body of %d bytes is the same", size)
		orders.complete(receiver, got)
	}
	orders.nothing(receiver)
}
