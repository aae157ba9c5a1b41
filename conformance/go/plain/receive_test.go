package plain

import (
	"fmt"
	"testing"
	"time"

	"github.com/Azure/go-amqp"

	"peeklock/conformance/story"
)

func TestCredit(t *testing.T) {
	s := story.Tell(t, "as many messages come as there is credit for, and no more", "S-086", "S-135", "T-26", "T-27")
	plain := open(s)
	receiver := plain.receiver("plain-credit")
	plain.send("plain-credit", "1", "2", "3", "4", "5")

	plain.nothing(receiver)
	story.Equal(s, "two", bodies(plain.take(receiver, 2)), []string{"1", "2"})
	plain.nothing(receiver)
	story.Equal(s, "three", bodies(plain.take(receiver, 3)), []string{"3", "4", "5"})
	s.Must(receiver.IssueCredit(3))
	plain.nothing(receiver)
	plain.send("plain-credit", "6")
	story.Equal(s, "late", bodies(plain.wait(receiver, 1)), []string{"6"})
}

func TestCreditInOrder(t *testing.T) {
	s := story.Tell(t, "credit on several links is served in the order in which it came", "S-087")
	first, second := open(s), open(s)
	one, two := first.receiver("plain-credit-order"), second.receiver("plain-credit-order")
	s.Must(one.IssueCredit(1))
	first.nothing(one) // the credit is there
	s.Must(two.IssueCredit(1))
	second.nothing(two)

	first.send("plain-credit-order", "order-1", "order-2")

	story.Equal(s, "first", bodies(first.wait(one, 1)), []string{"order-1"})
	story.Equal(s, "second", bodies(second.wait(two, 1)), []string{"order-2"})
}

func TestDrain(t *testing.T) {
	s := story.Tell(t, "a drain ends all credit and is answered, be the queue empty or the credit gone",
		"S-086", "T-28", "T-29")
	plain := open(s)
	receiver := plain.receiver("plain-drain")
	s.Must(receiver.IssueCredit(10))
	plain.nothing(receiver) // the credit is out

	s.Must(receiver.DrainCredit(s.Within(5*time.Second), nil))
	plain.send("plain-drain", "order-1", "order-2", "order-3")
	plain.nothing(receiver)

	story.Equal(s, "two", bodies(plain.take(receiver, 2)), []string{"order-1", "order-2"})
	s.Must(receiver.DrainCredit(s.Within(5*time.Second), nil))
	plain.nothing(receiver)

	s.Must(receiver.IssueCredit(5))
	story.Equal(s, "rest", bodies(plain.wait(receiver, 1)), []string{"order-3"})
	s.Must(receiver.DrainCredit(s.Within(5*time.Second), nil))
	plain.send("plain-drain", "order-4")
	plain.nothing(receiver)
	story.Equal(s, "again", bodies(plain.take(receiver, 1)), []string{"order-4"})
}

func TestDrainWhileMessagesArrive(t *testing.T) {
	s := story.Tell(t, "a drain while messages arrive loses none of them", "T-28", "I-01", "I-15")
	plain := open(s)
	receiver := plain.receiver("plain-drain-race")
	sender := plain.sender("plain-drain-race")
	const many = 300
	sent := make(chan error, 1)
	go func() {
		for i := range many {
			if err := sender.Send(s.Context, amqp.NewMessage(fmt.Append(nil, i)), nil); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()

	for got := 0; got < many; {
		s.Must(receiver.IssueCredit(7))
		message := plain.wait(receiver, 1)[0]
		s.Must(receiver.DrainCredit(s.Context, nil))
		for ; message != nil; message = receiver.Prefetched() {
			story.Equal(s, "body", string(message.GetData()), fmt.Sprint(got))
			s.Must(receiver.AcceptMessage(s.Context, message))
			got++
		}
	}
	s.Must(<-sent)
}

func TestOutcomes(t *testing.T) {
	s := story.Tell(t, "accepted completes, released returns uncounted, modified counts or defers, rejected dead-letters",
		"S-089", "S-090", "S-092", "S-093", "S-094", "S-120", "T-35", "T-40", "T-41")
	plain := open(s)
	receiver := plain.receiver("plain-outcomes")
	next := func() *amqp.Message { return plain.take(receiver, 1)[0] }
	plain.send("plain-outcomes", "order-1", "order-2", "order-3", "order-4")

	first := next()
	s.Must(receiver.ReleaseMessage(s.Context, first))
	again := next()
	story.Equal(s, "released: body", string(again.GetData()), "order-1")
	story.Equal(s, "released: failed deliveries", again.Header.DeliveryCount, 0)
	s.That(string(first.DeliveryTag) != string(again.DeliveryTag), "each delivery has a tag of its own")
	for i, failed := range []bool{false, true} {
		s.Must(receiver.ModifyMessage(s.Context, again, &amqp.ModifyMessageOptions{DeliveryFailed: failed,
			Annotations: amqp.Annotations{"try": int64(i)}}))
		again = next()
		story.Equal(s, "modified: failed deliveries", again.Header.DeliveryCount, uint32(i+1))
		story.Equal(s, "modified: property", again.ApplicationProperties["try"], any(int64(i)))
	}
	s.Must(receiver.AcceptMessage(s.Context, again))
	s.Must(receiver.RejectMessage(s.Context, next(), nil))
	s.Must(receiver.RejectMessage(s.Context, next(), &amqp.Error{Condition: "com.example:odd",
		Info: map[string]any{"DeadLetterReason": "odd", "shelf": int32(1)}}))
	s.Must(receiver.ModifyMessage(s.Context, next(), &amqp.ModifyMessageOptions{UndeliverableHere: true}))

	s.Must(receiver.IssueCredit(1))
	plain.nothing(receiver)
	deadLetters := plain.receiver("plain-outcomes/$DeadLetterQueue")
	dead := plain.take(deadLetters, 2)
	story.Equal(s, "dead", bodies(dead), []string{"order-2", "order-3"})
	story.Equal(s, "reason", dead[1].ApplicationProperties["DeadLetterReason"], any("odd"))
	story.Equal(s, "info", dead[1].ApplicationProperties["shelf"], any(int32(1)))
	s.Must(deadLetters.AcceptMessage(s.Context, dead[0]))
	s.Must(deadLetters.AcceptMessage(s.Context, dead[1]))
}

func TestAnnotations(t *testing.T) {
	s := story.Tell(t, "what the broker adds to a delivery has the exact types",
		"S-097", "S-118", "S-119", "T-35", "T-36", "T-68")
	plain := open(s)
	plain.send("plain-annotations", "order-1")

	got := plain.take(plain.receiver("plain-annotations"), 1)[0]

	story.Equal(s, "sequence number", got.Annotations["x-opt-sequence-number"], any(int64(1)))
	story.Equal(s, "enqueued sequence number", got.Annotations["x-opt-enqueue-sequence-number"], any(int64(0)))
	story.Equal(s, "state", got.Annotations["x-opt-message-state"], any(int32(0)))
	enqueued, isTime := got.Annotations["x-opt-enqueued-time"].(time.Time)
	s.That(isTime && time.Since(enqueued) < time.Minute, "enqueued time: %v", enqueued)
	locked, isTime := got.Annotations["x-opt-locked-until"].(time.Time)
	s.That(isTime && locked.Sub(enqueued) > 50*time.Second, "locked until: %v", locked)
	story.Equal(s, "length of the tag", len(got.DeliveryTag), 16)
	id, isText := got.Properties.MessageID.(string)
	s.That(isText && id != "", "there is a message id: %v", got.Properties.MessageID)
	s.That(got.Header != nil, "there is a header")
}

func TestReceiverFirst(t *testing.T) {
	s := story.Tell(t, "a receiver that settles by itself and waits for no answer is heard, late or not",
		"S-089", "S-096", "S-098", "S-121", "T-42")
	plain := open(s)
	plain.send("plain-first", "order-1", "order-2")
	receiver, err := plain.NewReceiver(s.Context, "plain-first",
		&amqp.ReceiverOptions{Credit: -1, SettlementMode: amqp.ReceiverSettleModeFirst.Ptr()})
	s.Must(err)
	held := plain.take(receiver, 2)

	s.Must(receiver.AcceptMessage(s.Context, held[0]))
	again := plain.take(receiver, 1)[0] // once the lock has lapsed
	s.Must(receiver.AcceptMessage(s.Context, held[1]))

	story.Equal(s, "body", string(again.GetData()), "order-2")
	story.Equal(s, "failed deliveries", again.Header.DeliveryCount, 1)
	other := plain.receiver("plain-first")
	got := plain.take(other, 1)[0] // the late accept has completed nothing
	story.Equal(s, "failed deliveries", got.Header.DeliveryCount, 2)
}

func TestSettledReceiver(t *testing.T) {
	s := story.Tell(t, "a receiver that asks for settled deliveries takes them for good", "S-021", "S-096", "I-07", "T-25")
	plain := open(s)
	plain.send("plain-take", "order-1", "order-2")
	taker, err := plain.NewReceiver(s.Context, "plain-take",
		&amqp.ReceiverOptions{Credit: -1, RequestedSenderSettleMode: amqp.SenderSettleModeSettled.Ptr()})
	s.Must(err)

	taken := plain.take(taker, 1)

	story.Equal(s, "taken", bodies(taken), []string{"order-1"})
	s.Must(taker.Close(s.Context))
	story.Equal(s, "left", bodies(plain.take(plain.receiver("plain-take"), 1)), []string{"order-2"})
}

func TestThousandsUnsettled(t *testing.T) {
	s := story.Tell(t, "more than 5,000 messages may be unsettled on one link", "S-102", "T-26")
	plain := open(s)
	const many = 5_200
	sender := plain.sender("plain-thousands")
	batch := &amqp.Message{Format: 0x80013700}
	for i := range many {
		encoded, err := amqp.NewMessage(fmt.Append(nil, i)).MarshalBinary()
		s.Must(err)
		batch.Data = append(batch.Data, encoded)
		if len(batch.Data) == 1300 {
			s.Must(sender.Send(s.Context, batch, nil))
			batch.Data = nil
		}
	}

	receiver := plain.receiver("plain-thousands")
	all := plain.take(receiver, many)

	s.Must(receiver.AcceptMessage(s.Context, all[many-1]))
	s.Must(receiver.AcceptMessage(s.Context, all[0]))
	s.Must(receiver.ReleaseMessage(s.Context, all[2000]))
	story.Equal(s, "released", bodies(plain.take(receiver, 1)), []string{"2000"})
}
