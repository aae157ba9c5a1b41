package plain

import (
	"slices"
	"strings"
	"testing"

	"github.com/Azure/go-amqp"

	"peeklock/conformance/story"
)

func TestUnsettledSend(t *testing.T) {
	s := story.Tell(t, "each unsettled transfer is answered by its outcome, none waits for another",
		"S-002", "S-009", "S-012", "S-103")
	plain := open(s)
	sender := plain.sender("plain-unsettled")
	var receipts []amqp.SendReceipt

	for range 1000 {
		receipt, err := sender.SendWithReceipt(s.Context, amqp.NewMessage([]byte("order")), nil)
		s.Must(err)
		receipts = append(receipts, receipt)
	}

	for _, receipt := range receipts {
		state, err := receipt.Wait(s.Context)
		s.Must(err)
		_, accepted := state.(*amqp.StateAccepted)
		s.That(accepted, "accepted, not %T", state)
	}
	plain.take(plain.receiver("plain-unsettled"), 1000)
}

func TestRejectedSend(t *testing.T) {
	s := story.Tell(t, "a refused transfer is rejected with a condition, and its link lives on",
		"S-002", "S-006", "S-073", "S-513", "S-515")
	plain := open(s)
	sender := plain.sender("plain-rejected")

	err := sender.Send(s.Context, longId(), nil)

	s.Refused("plain-message-id-too-long", err, "com.microsoft:argument-out-of-range")
	s.Must(sender.Send(s.Context, amqp.NewMessage([]byte("after")), nil))
	story.Equal(s, "body", bodies(plain.take(plain.receiver("plain-rejected"), 1)), []string{"after"})
}

func TestSettledSend(t *testing.T) {
	s := story.Tell(t, "settled transfers are stored, or dropped without a word", "S-018", "S-019")
	plain := open(s)
	sender, err := plain.NewSender(s.Context, "plain-settled",
		&amqp.SenderOptions{SettlementMode: amqp.SenderSettleModeSettled.Ptr()})
	s.Must(err)

	s.Must(sender.Send(s.Context, amqp.NewMessage([]byte("order-1")), nil))
	s.Must(sender.Send(s.Context, longId(), nil))
	s.Must(sender.Send(s.Context, amqp.NewMessage([]byte("order-2")), nil))

	receiver := plain.receiver("plain-settled")
	story.Equal(s, "bodies", bodies(plain.take(receiver, 2)), []string{"order-1", "order-2"})
	s.Must(receiver.IssueCredit(1))
	plain.nothing(receiver)
}

func longId() *amqp.Message {
	message := amqp.NewMessage([]byte("bad"))
	message.Properties = &amqp.MessageProperties{MessageID: strings.Repeat("x", 129)}
	return message
}

func TestLargeMessage(t *testing.T) {
	s := story.Tell(t, "a large message goes over many frames, be they of 512 bytes", "S-104", "I-04", "T-67")
	large := openWith(s, &amqp.ConnOptions{SASLType: login()})
	narrow := openWith(s, &amqp.ConnOptions{SASLType: login(), MaxFrameSize: 512})
	body := make([]byte, 5_000_000)
	for i := range body {
		body[i] = byte(i * 7 >> 2)
	}

	s.Must(large.sender("plain-large").Send(s.Context, amqp.NewMessage(body), nil))

	receiver := narrow.receiver("plain-large")
	got := narrow.take(receiver, 1)[0]
	s.That(slices.Equal(got.GetData(), body), "the body is the same")
	story.Equal(s, "length of the tag", len(got.DeliveryTag), 16)
	s.Must(receiver.AcceptMessage(s.Context, got))
}

func TestLimitToTheByte(t *testing.T) {
	s := story.Tell(t, "the link says the queue's limit, and a message of just that size goes through",
		"S-431", "S-433", "T-17", "T-67")
	plain := open(s)
	sender := plain.sender("plain-limit")
	story.Equal(s, "limit", sender.MaxMessageSize(), 64*1024)
	message := amqp.NewMessage(make([]byte, 64*1024-8)) // 3 bytes of descriptor, 5 of a long binary
	encoded, err := message.MarshalBinary()
	s.Must(err)
	story.Equal(s, "encoded", len(encoded), 64*1024)

	s.Must(sender.Send(s.Context, message, nil))

	story.Equal(s, "length", len(plain.take(plain.receiver("plain-limit"), 1)[0].GetData()), 64*1024-8)
}

func TestTwoLargeAtOnce(t *testing.T) {
	s := story.Tell(t, "two links of one session get large messages at the same time", "I-04", "T-32")
	sending, receiving := open(s), open(s)
	queues := []string{"plain-large-a", "plain-large-b"}
	const many, size = 4, 2_000_000
	for i, queue := range queues {
		sender := sending.sender(queue)
		for range many {
			body := slices.Repeat([]byte{byte('a' + i)}, size)
			s.Must(sender.Send(s.Context, amqp.NewMessage(body), nil))
		}
	}

	var receivers []*amqp.Receiver
	for _, queue := range queues {
		receivers = append(receivers, receiving.receiver(queue))
	}
	for _, receiver := range receivers {
		s.Must(receiver.IssueCredit(many))
	}

	for i, receiver := range receivers {
		for _, got := range receiving.wait(receiver, many) {
			body := got.GetData()
			s.That(len(body) == size && body[0] == byte('a'+i) && body[size-1] == byte('a'+i), "bodies stay apart")
		}
	}
}
