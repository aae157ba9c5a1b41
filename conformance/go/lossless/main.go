// Does what lines on stdin say, each a JSON object with "do", and answers each with one line: the messages by the way
// they came, or what went wrong. See the package lossless of the Java sources.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
)

const (
	patience = time.Minute
	atOnce   = 100
)

type command struct {
	Do       string        `json:"do"`
	To       string        `json:"to"`
	From     string        `json:"from"`
	Count    int           `json:"count"`
	Singly   bool          `json:"singly"`
	After    int           `json:"after"`
	Messages []description `json:"messages"`
}

type answer map[string]any

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type member struct {
	client    *azservicebus.Client
	receivers map[string]*azservicebus.Receiver
	deferred  map[string][]int64
}

func (m *member) receiver(entity string, options *azservicebus.ReceiverOptions) *azservicebus.Receiver {
	key := entity
	if options != nil {
		key += " dead"
	}
	if known, there := m.receivers[key]; there {
		return known
	}
	topic, subscription, isSubscription := strings.Cut(entity, "/Subscriptions/")
	made, err := m.client.NewReceiverForQueue(entity, options)
	if isSubscription {
		made, err = m.client.NewReceiverForSubscription(topic, subscription, options)
	}
	must(err)
	m.receivers[key] = made
	return made
}

// receive has the messages in the broker's order: what comes between two calls this client gives back, and it comes
// again behind what was on its way.
func receive(ctx context.Context, from *azservicebus.Receiver, count int) (all []*azservicebus.ReceivedMessage) {
	for len(all) < count {
		some, err := from.ReceiveMessages(ctx, min(atOnce, count-len(all)), nil)
		must(err)
		all = append(all, some...)
	}
	slices.SortFunc(all, func(one, other *azservicebus.ReceivedMessage) int {
		return cmp.Compare(*one.SequenceNumber, *other.SequenceNumber)
	})
	return all
}

func describeAll(received []*azservicebus.ReceivedMessage) []description {
	shown := make([]description, 0, len(received))
	for _, each := range received {
		shown = append(shown, describe(each))
	}
	return shown
}

func taken(ctx context.Context, from *azservicebus.Receiver, count int) []description {
	received := receive(ctx, from, count)
	for _, each := range received {
		must(from.CompleteMessage(ctx, each, nil))
	}
	return describeAll(received)
}

func (m *member) connect(ctx context.Context) answer {
	if m.client != nil {
		_ = m.client.Close(ctx) // the broker may be another than it was
	}
	client, err := azservicebus.NewClientFromConnectionString(os.Getenv("PEEKLOCK_CONNECTION"), nil)
	must(err)
	m.client, m.receivers = client, map[string]*azservicebus.Receiver{}
	return answer{}
}

func (m *member) send(ctx context.Context, what command) answer {
	sender, err := m.client.NewSender(what.To, nil)
	must(err)
	defer sender.Close(ctx)
	if what.Singly {
		for _, each := range what.Messages {
			must(sender.SendAMQPAnnotatedMessage(ctx, each.message(), nil))
		}
		return answer{}
	}
	batch, err := sender.NewMessageBatch(ctx, nil)
	must(err)
	for _, each := range what.Messages {
		must(batch.AddAMQPAnnotatedMessage(each.message(), nil))
	}
	must(sender.SendMessageBatch(ctx, batch, nil))
	return answer{}
}

func (m *member) schedule(ctx context.Context, what command) answer {
	sender, err := m.client.NewSender(what.To, nil)
	must(err)
	defer sender.Close(ctx)
	messages := make([]*azservicebus.AMQPAnnotatedMessage, 0, len(what.Messages))
	for _, each := range what.Messages {
		messages = append(messages, each.message())
	}
	due := time.Now().Add(time.Duration(what.After) * time.Millisecond)
	_, err = sender.ScheduleAMQPAnnotatedMessages(ctx, messages, due, nil)
	must(err)
	return answer{}
}

func (m *member) peek(ctx context.Context, what command) answer {
	var all []*azservicebus.ReceivedMessage
	next := int64(1)
	for len(all) < what.Count {
		options := &azservicebus.PeekMessagesOptions{FromSequenceNumber: &next}
		some, err := m.receiver(what.From, nil).PeekMessages(ctx, what.Count-len(all), options)
		must(err)
		if len(some) == 0 {
			break
		}
		all = append(all, some...)
		next = *some[len(some)-1].SequenceNumber + 1
	}
	return answer{"peeked": describeAll(all)}
}

func (m *member) deferAll(ctx context.Context, what command) answer {
	from := m.receiver(what.From, nil)
	received := receive(ctx, from, what.Count)
	var numbers []int64
	for _, each := range received {
		must(from.DeferMessage(ctx, each, nil))
		numbers = append(numbers, *each.SequenceNumber)
	}
	m.deferred[what.From] = numbers
	return answer{"received": describeAll(received)}
}

func (m *member) bury(ctx context.Context, what command) answer {
	from, numbers := m.receiver(what.From, nil), m.deferred[what.From]
	var received []*azservicebus.ReceivedMessage
	for start := 0; start < len(numbers); start += atOnce {
		some, err := from.ReceiveDeferredMessages(ctx, numbers[start:min(start+atOnce, len(numbers))], nil)
		must(err)
		received = append(received, some...)
	}
	for _, each := range received {
		must(from.DeadLetterMessage(ctx, each, nil))
	}
	dead := m.receiver(what.From, &azservicebus.ReceiverOptions{SubQueue: azservicebus.SubQueueDeadLetter})
	return answer{"by number": describeAll(received), "dead": taken(ctx, dead, len(received))}
}

func (m *member) obey(what command) (told answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			told = answer{"error": fmt.Sprintf("%v\n%s", trouble, debug.Stack())}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch what.Do {
	case "connect":
		return m.connect(ctx)
	case "send":
		return m.send(ctx, what)
	case "schedule":
		return m.schedule(ctx, what)
	case "peek":
		return m.peek(ctx, what)
	case "take":
		return answer{"received": taken(ctx, m.receiver(what.From, nil), what.Count)}
	case "defer":
		return m.deferAll(ctx, what)
	default:
		return m.bury(ctx, what)
	}
}

func main() {
	m := &member{deferred: map[string][]int64{}}
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for decoder := json.NewDecoder(in); ; {
		var what command
		if decoder.Decode(&what) != nil {
			return
		}
		must(out.Encode(m.obey(what)))
	}
}
