// Package restarts tells what a client lives through when its broker stops or is killed. Its stories run alone.
package restarts

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

type received = azservicebus.ReceivedMessage

// Retries long enough to outlast a start of the broker.
var patient = azservicebus.RetryOptions{
	MaxRetries: 60, RetryDelay: 100 * time.Millisecond, MaxRetryDelay: 500 * time.Millisecond,
}

func connect(s *story.Story, retries azservicebus.RetryOptions) *azservicebus.Client {
	s.Helper()
	client, err := azservicebus.NewClientFromConnectionString(story.Connection(),
		&azservicebus.ClientOptions{RetryOptions: retries})
	s.Must(err)
	s.Closing(client)
	return client
}

func open(s *story.Story, client *azservicebus.Client, queue string) (*azservicebus.Sender, *azservicebus.Receiver) {
	s.Helper()
	sender, err := client.NewSender(queue, nil)
	s.Must(err)
	receiver, err := client.NewReceiverForQueue(queue, nil)
	s.Must(err)
	return sender, receiver
}

func send(s *story.Story, sender *azservicebus.Sender, bodies ...string) {
	s.Helper()
	for _, body := range bodies {
		s.Must(sender.SendMessage(s.Context, &azservicebus.Message{Body: []byte(body)}, nil))
	}
}

// This client gives back what comes later than 20 ms after the first, and would so shuffle a slow arrival.
var unhurried = &azservicebus.ReceiveMessagesOptions{TimeAfterFirstMessage: 5 * time.Second}

// The next n messages; a call that a lost connection ended without any is repeated.
func next(s *story.Story, from *azservicebus.Receiver, n int) []*received {
	s.Helper()
	var all []*received
	for len(all) < n {
		some, err := from.ReceiveMessages(s.Context, n-len(all), unhurried)
		s.Must(err)
		all = append(all, some...)
	}
	return all
}

func bodies(messages []*received) []string {
	all := []string{}
	for _, message := range messages {
		all = append(all, string(message.Body))
	}
	return all
}

func TestKill(t *testing.T) {
	s := story.TellAlone(t, "a kill ends locks and nothing else",
		"S-001", "S-037", "S-042", "S-116", "I-01", "I-05", "I-06", "I-12", "I-17", "I-20")
	endsLocksAndNothingElse(s, "kill", "kill-state")
}

func TestRestart(t *testing.T) {
	s := story.TellAlone(t, "a restart ends locks and nothing else",
		"S-001", "S-037", "S-042", "S-116", "I-01", "I-05", "I-06", "I-12", "I-17", "I-20")
	endsLocksAndNothingElse(s, "restart", "restart-state")
}

// Sender and receiver are the same before and after: the client mends itself.
func endsLocksAndNothingElse(s *story.Story, end string, queue string) {
	s.Helper()
	client := connect(s, patient)
	sender, receiver := open(s, client, queue)
	send(s, sender, "completed", "abandoned", "deferred", "dead-lettered", "locked", "new")
	held := next(s, receiver, 5)
	s.Must(receiver.CompleteMessage(s.Context, held[0], nil))
	s.Must(receiver.AbandonMessage(s.Context, held[1],
		&azservicebus.AbandonMessageOptions{PropertiesToModify: map[string]any{"tried": int64(1)}}))
	s.Must(receiver.DeferMessage(s.Context, held[2], nil))
	reason := "poison"
	s.Must(receiver.DeadLetterMessage(s.Context, held[3], &azservicebus.DeadLetterOptions{Reason: &reason}))

	s.Control(end)

	// With the token alone: a message of a lost connection this client sends to its old link only.
	err := receiver.CompleteMessage(s.Context, &received{LockToken: held[4].LockToken}, nil)
	s.Refused("complete-after-"+end, err, string(azservicebus.CodeLockLost))
	send(s, sender, "later")
	active := next(s, receiver, 4)
	story.Equal(s, "active", bodies(active), []string{"abandoned", "locked", "new", "later"})
	for i, number := range []int64{2, 5, 6, 7} {
		story.Equal(s, "sequence number", *active[i].SequenceNumber, number)
	}
	story.Equal(s, "property", active[0].ApplicationProperties, map[string]any{"tried": int64(1)})
	story.Equal(s, "deliveries of the abandoned", active[0].DeliveryCount, 2)
	story.Equal(s, "deliveries of the locked", active[1].DeliveryCount, 1)
	deferred, err := receiver.ReceiveDeferredMessages(s.Context, []int64{3}, nil)
	s.Must(err)
	story.Equal(s, "deferred", bodies(deferred), []string{"deferred"})
	deadLetters, err := client.NewReceiverForQueue(queue,
		&azservicebus.ReceiverOptions{SubQueue: azservicebus.SubQueueDeadLetter})
	s.Must(err)
	dead := next(s, deadLetters, 1)
	story.Equal(s, "dead", bodies(dead), []string{"dead-lettered"})
	story.Equal(s, "reason", *dead[0].DeadLetterReason, "poison")
}

func TestTraffic(t *testing.T) {
	s := story.TellAlone(t, "a sender and a receiver go on through a kill and a restart, and nothing accepted is lost",
		"S-001", "S-004", "S-042", "S-043", "S-116", "I-01", "I-05", "I-45")
	client := connect(s, patient)
	sender, receiver := open(s, client, "traffic")
	const senders, each = 8, 100

	var accepted sync.Map
	var flight sync.WaitGroup
	for i := range senders {
		flight.Go(func() {
			for n := range each {
				body := fmt.Sprintf("%d-%d", i, n)
				message := &azservicebus.Message{Body: []byte(body)}
				if err := sender.SendMessage(s.Context, message, nil); err != nil {
					s.Errorf("send %s: %v", body, err)
					return
				}
				accepted.Store(body, true)
			}
		})
	}
	consumer := consume(s, receiver)

	s.Until("the receiver is at work", func() bool { return consumer.completed() > 50 })
	s.Control("kill")
	soFar := consumer.completed()
	s.Until("it is at work again", func() bool { return consumer.completed() > soFar+50 })
	s.Control("restart")
	flight.Wait()

	s.Until("all that was accepted is handled", func() bool {
		all := true
		accepted.Range(func(body, _ any) bool {
			all = consumer.handled(body.(string))
			return all
		})
		return all
	})
	consumer.stop()
	peeked, err := receiver.PeekMessages(s.Context, 10, nil)
	s.Must(err)
	story.Equal(s, "left", bodies(peeked), []string{})
}

// Receives and completes in the background. A sequence number whose complete was accepted must not come again.
type consumer struct {
	cancel context.CancelFunc
	ended  chan struct{}

	mutex  sync.Mutex
	done   map[int64]bool
	bodies map[string]bool
}

func consume(s *story.Story, receiver *azservicebus.Receiver) *consumer {
	ctx, cancel := context.WithCancel(s.Context)
	c := &consumer{cancel: cancel, ended: make(chan struct{}), done: map[int64]bool{}, bodies: map[string]bool{}}
	go func() {
		defer close(c.ended)
		for ctx.Err() == nil {
			some, err := receiver.ReceiveMessages(ctx, 10, nil)
			if err != nil && ctx.Err() == nil {
				s.Errorf("receive: %v", err)
				return
			}
			for _, message := range some {
				if !c.handle(s, receiver, message) {
					break // the others came over the same lost connection, and will come again
				}
			}
		}
	}()
	return c
}

// Says whether the complete was accepted. This client goes on trying for most of a minute on a connection that is
// lost, so it is given less time.
func (c *consumer) handle(s *story.Story, receiver *azservicebus.Receiver, message *received) bool {
	c.mutex.Lock()
	again := c.done[*message.SequenceNumber]
	c.bodies[string(message.Body)] = true
	c.mutex.Unlock()
	if again {
		s.Errorf("completed before, and back: %d", *message.SequenceNumber)
	}
	ctx, cancel := context.WithTimeout(s.Context, 2*time.Second)
	defer cancel()
	if receiver.CompleteMessage(ctx, message, nil) != nil {
		return false
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.done[*message.SequenceNumber] = true
	return true
}

func (c *consumer) completed() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.done)
}

func (c *consumer) handled(body string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.bodies[body]
}

func (c *consumer) stop() {
	c.cancel()
	<-c.ended
}

func TestBrokerGone(t *testing.T) {
	s := story.TellAlone(t, "a broker that is gone is told as a lost connection, and found again when it is back",
		"S-001", "S-008", "I-01")
	sender, receiver := open(s, connect(s, azservicebus.RetryOptions{
		MaxRetries: 2, RetryDelay: 50 * time.Millisecond, MaxRetryDelay: 200 * time.Millisecond,
	}), "gone")
	send(s, sender, "before")

	s.Control("stop")
	message := &azservicebus.Message{Body: []byte("lost")}
	err := sender.SendMessage(s.Context, message, nil)
	_, receiveErr := receiver.ReceiveMessages(s.Context, 1, nil)
	s.Control("start")

	s.Refused("broker-gone", err, string(azservicebus.CodeConnectionLost))
	s.Refused("broker-gone-receive", receiveErr, string(azservicebus.CodeConnectionLost))
	send(s, sender, "after")
	story.Equal(s, "bodies", bodies(next(s, receiver, 2)), []string{"before", "after"})
}
