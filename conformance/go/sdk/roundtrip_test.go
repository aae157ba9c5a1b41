package sdk

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
	"github.com/Azure/go-amqp"

	"peeklock/conformance/story"
)

type annotated = azservicebus.AMQPAnnotatedMessage

func (q *queue) sendAnnotated(message *annotated) {
	q.Helper()
	q.Must(q.sender.SendAMQPAnnotatedMessage(q.Context, message, nil))
}

var y2k = time.Date(2000, 1, 1, 0, 0, 0, int(7*time.Millisecond), time.UTC)

func TestEveryField(t *testing.T) {
	s := story.Tell(t, "every field of a message comes back as it was sent", "S-072", "S-076", "S-079", "I-04", "T-36")
	orders := open(s, "fields")
	sent := &message{
		Body: []byte{0, 1, 255}, ContentType: ptr("text/plain"), CorrelationID: ptr("c-1"), MessageID: ptr("m-1"),
		PartitionKey: ptr("s-1"), ReplyTo: ptr("answers"), ReplyToSessionID: ptr("r-1"), SessionID: ptr("s-1"),
		Subject: ptr("grüße"), TimeToLive: ptr(time.Hour), To: ptr("anybody"),
		ApplicationProperties: map[string]any{"k": "v"},
	}

	orders.sendMessage(sent)

	got := orders.one(orders.receiver())
	story.Equal(s, "message", got.Message(), sent)
	story.Equal(s, "expires", *got.ExpiresAt, got.EnqueuedTime.Add(time.Hour))
}

func TestPropertyTypes(t *testing.T) {
	s := story.Tell(t, "application properties keep their types", "I-04", "S-076")
	orders := open(s, "property-types")
	sent := map[string]any{
		"true": true, "false": false, "null": nil,
		"byte": int8(math.MinInt8), "short": int16(math.MinInt16),
		"int": int32(math.MinInt32), "small int": int32(5),
		"long": int64(math.MinInt64), "small long": int64(-5),
		"ubyte": uint8(math.MaxUint8), "ushort": uint16(math.MaxUint16),
		"uint": uint32(math.MaxUint32), "uint 0": uint32(0), "small uint": uint32(5),
		"ulong": uint64(math.MaxUint64), "ulong 0": uint64(0), "small ulong": uint64(5),
		"float": float32(1.5), "double": math.Pi, "infinite": math.Inf(-1),
		"text": "žluťoučký kůň", "empty": "", "long text": strings.Repeat("x", 1000),
		"symbol": amqp.Symbol("sym"), "binary": []byte{0, 1, 2}, "uuid": amqp.UUID{0, 1, 2, 15: 255}, "time": y2k,
	}

	orders.sendMessage(&message{ApplicationProperties: sent})

	got := properties(orders.one(orders.receiver()))
	for key, value := range sent {
		if key == "symbol" { // this client reads symbols as strings
			value = "sym"
		}
		story.Equal(s, key, got[key], value)
	}
	story.Equal(s, "how many", len(got), len(sent))
}

func TestIdTypes(t *testing.T) {
	s := story.Tell(t, "message and correlation ids keep their types", "I-04", "S-076")
	orders := open(s, "id-types")
	ids := []any{"text", uint64(7), amqp.UUID{1, 2, 3, 15: 9}, []byte{9, 8, 7}}

	for _, id := range ids {
		orders.sendAnnotated(&annotated{Properties: &azservicebus.AMQPAnnotatedMessageProperties{
			MessageID: id, CorrelationID: id,
		}, Body: azservicebus.AMQPAnnotatedMessageBody{Data: [][]byte{{1}}}})
	}

	for i, got := range orders.next(orders.receiver(), len(ids)) {
		properties := got.RawAMQPMessage.Properties
		story.Equal(s, "message id", properties.MessageID, ids[i])
		story.Equal(s, "correlation id", properties.CorrelationID, ids[i])
	}
}

func TestBodyKinds(t *testing.T) {
	s := story.Tell(t, "data, value and sequence bodies come back in kind, number and type", "S-072", "I-04", "T-52")
	orders := open(s, "body-kinds")
	list := []any{"a", int64(1), nil, []any{uint8(2)}, map[string]any{"k": 1.5}}
	kinds := []azservicebus.AMQPAnnotatedMessageBody{
		{Data: [][]byte{{1, 2, 3}}},
		{Data: [][]byte{{1}, {}, {2, 3}}},
		{Value: "text"},
		{Value: int64(math.MinInt64)},
		{Value: uint32(0)},
		{Value: []byte{1, 2}},
		{Value: amqp.UUID{4, 5}},
		{Value: map[string]any{"nested": []any{int32(1), "two"}}},
		{Value: list},
		{Value: []int64{1, -2, 3}},
		{Sequence: [][]any{list}},
		{Sequence: [][]any{{int32(1)}, {}, {"two", true}}},
		{},
	}

	for _, body := range kinds {
		orders.sendAnnotated(&annotated{Body: body})
	}

	for i, got := range orders.next(orders.receiver(), len(kinds)) {
		// A nil slice and an empty one say the same here.
		story.Equal(s, fmt.Sprint("body ", i), fmt.Sprintf("%#v", clean(got.RawAMQPMessage.Body)),
			fmt.Sprintf("%#v", clean(kinds[i])))
	}
}

func clean(body azservicebus.AMQPAnnotatedMessageBody) azservicebus.AMQPAnnotatedMessageBody {
	for i, data := range body.Data {
		body.Data[i] = append([]byte{}, data...)
	}
	for i, sequence := range body.Sequence {
		body.Sequence[i] = append([]any{}, sequence...)
	}
	return body
}

func TestSections(t *testing.T) {
	s := story.Tell(t, "header, annotations, properties and footer are kept, what is the broker's is replaced",
		"S-076", "S-077", "S-078", "I-04")
	orders := open(s, "sections")
	sent := &annotated{
		Header:              &azservicebus.AMQPAnnotatedMessageHeader{Durable: true, Priority: 7, DeliveryCount: 41},
		DeliveryAnnotations: map[any]any{"hop": "kept"},
		MessageAnnotations: map[any]any{
			"x-custom": "kept", "x-number": int64(5), "x-opt-sequence-number": int64(4711),
			"x-opt-locked-until": y2k, "x-opt-enqueued-time": y2k, "x-opt-message-state": int32(1),
		},
		Properties: &azservicebus.AMQPAnnotatedMessageProperties{
			MessageID: "m-1", UserID: []byte("me"), To: ptr("to"), Subject: ptr("subject"), ReplyTo: ptr("reply"),
			CorrelationID: "c-1", ContentType: ptr("a/b"), ContentEncoding: ptr("gzip"), CreationTime: &y2k,
			GroupID: ptr("g"), GroupSequence: ptr(uint32(3)), ReplyToGroupID: ptr("rg"),
		},
		Body:   azservicebus.AMQPAnnotatedMessageBody{Data: [][]byte{{1}}},
		Footer: map[any]any{"x-sum": int64(99)},
	}

	orders.sendAnnotated(sent)

	got := orders.one(orders.receiver())
	raw := got.RawAMQPMessage
	story.Equal(s, "durable", raw.Header.Durable, true)
	story.Equal(s, "priority", raw.Header.Priority, 7)
	story.Equal(s, "failed deliveries", failures(got), 0)
	story.Equal(s, "sequence number", *got.SequenceNumber, 1)
	s.That(got.EnqueuedTime.After(y2k) && got.LockedUntil.After(*got.EnqueuedTime), "times are the broker's")
	story.Equal(s, "state", got.State, azservicebus.MessageStateActive)
	story.Equal(s, "annotation", raw.MessageAnnotations["x-custom"], any("kept"))
	story.Equal(s, "annotation", raw.MessageAnnotations["x-number"], any(int64(5)))
	story.Equal(s, "delivery annotation", raw.DeliveryAnnotations["hop"], any("kept"))
	story.Equal(s, "footer", raw.Footer, sent.Footer)
	raw.Properties.CreationTime = ptr(raw.Properties.CreationTime.UTC())
	story.Equal(s, "properties", raw.Properties, sent.Properties)
}
