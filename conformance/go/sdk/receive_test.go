package sdk

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

func TestCompetingReceivers(t *testing.T) {
	s := story.Tell(t, "competing receivers get different messages", "S-024", "S-027", "S-051", "I-16")
	orders := open(s, "competing")
	first, second := orders.receiver(), orders.anotherReceiver()
	orders.send("order-1", "order-2")

	one := orders.one(first)
	two := orders.one(second)

	story.Equal(s, "first receiver", string(one.Body), "order-1")
	story.Equal(s, "second receiver", string(two.Body), "order-2")
	orders.nothing(orders.anotherReceiver())
	orders.complete(first, one)
	orders.complete(second, two)
	story.Equal(s, "content", orders.content(), []string{})
}

func TestEmptyQueue(t *testing.T) {
	s := story.Tell(t, "a receive on an empty queue ends in time and loses nothing that comes later",
		"S-087", "S-092", "S-114", "T-41")
	orders := open(s, "empty")
	receiver := orders.receiver()
	orders.warm(receiver)

	began := time.Now()
	_, err := receiver.ReceiveMessages(s.Within(moment), 5, nil)

	s.That(errors.Is(err, context.DeadlineExceeded), "the deadline ends it, not %v", err)
	s.That(time.Since(began) < 5*time.Second, "it ends in time")
	// Five credits are still out. The client releases what comes for them, without a penalty.
	orders.send("order-1", "order-2")
	for _, got := range orders.next(orders.anotherReceiver(), 2) {
		story.Equal(s, "failed deliveries", failures(got), 0)
	}
}

func TestReleased(t *testing.T) {
	s := story.Tell(t, "what comes for credit that the application has left is given back uncounted",
		"S-092", "S-114", "T-41", "I-20")
	orders := open(s, "released")
	receiver := orders.receiver()
	orders.send("order-1")
	first := orders.one(receiver)
	some, err := receiver.ReceiveMessages(s.Within(moment), 3, nil)
	s.That(errors.Is(err, context.DeadlineExceeded), "nothing more is there, not %v %v", some, err)

	orders.send("order-2", "order-3")

	other := orders.anotherReceiver()
	got := orders.next(other, 2)
	story.Equal(s, "bodies", bodies(got), []string{"order-2", "order-3"})
	story.Equal(s, "failed deliveries", []int{failures(got[0]), failures(got[1])}, []int{0, 0})
	orders.complete(receiver, first)
	orders.complete(other, got...)
}

func TestReceiveAndDelete(t *testing.T) {
	s := story.Tell(t, "receive-and-delete takes for good, and nothing can be settled after",
		"S-020", "S-021", "S-023", "S-096", "S-119", "I-07", "T-25")
	orders := open(s, "receive-and-delete")
	orders.send("order-1", "order-2", "order-3")
	taker := orders.receiverWith(
		&azservicebus.ReceiverOptions{ReceiveMode: azservicebus.ReceiveModeReceiveAndDelete})

	taken := orders.next(taker, 2)

	story.Equal(s, "taken", bodies(taken), []string{"order-1", "order-2"})
	story.Equal(s, "failed deliveries", failures(taken[0]), 0)
	s.That(taken[0].LockedUntil == nil, "there is no lock")
	s.That(taker.CompleteMessage(s.Context, taken[0], nil) != nil, "complete is refused")
	s.That(taker.AbandonMessage(s.Context, taken[0], nil) != nil, "abandon is refused")
	story.Equal(s, "content", orders.content(), []string{"order-3"})
}

func TestReceiveAndDeleteAfterClose(t *testing.T) {
	s := story.Tell(t, "what receive-and-delete had taken can still be read when its receiver is closed", "S-021")
	orders := open(s, "receive-and-delete-close")
	taker := orders.receiverWith(
		&azservicebus.ReceiverOptions{ReceiveMode: azservicebus.ReceiveModeReceiveAndDelete})
	orders.warm(taker)
	_, err := taker.ReceiveMessages(s.Within(moment), 3, nil)
	s.That(errors.Is(err, context.DeadlineExceeded), "nothing is there yet, not %v", err)
	orders.send("order-1", "order-2", "order-3", "order-4")
	// Three are on their way or there, for the credit of the first call; the fourth is not.
	watcher := orders.receiver()
	s.Until("three are taken", func() bool { return len(orders.peek(watcher, 0)) == 1 })

	s.Must(taker.Close(s.Context))

	got := orders.next(taker, 3)
	story.Equal(s, "bodies", bodies(got), []string{"order-1", "order-2", "order-3"})
	_, err = taker.ReceiveMessages(s.Context, 1, nil)
	var refused *azservicebus.Error
	s.That(errors.As(err, &refused) && refused.Code == azservicebus.CodeClosed, "closed, not %v", err)
	story.Equal(s, "content", orders.content(), []string{"order-4"})
}

func TestPeek(t *testing.T) {
	s := story.Tell(t, "peek shows active, locked and deferred messages and changes none",
		"S-122", "S-206", "S-215", "S-218", "S-219", "S-221", "S-222", "S-223", "S-225", "S-226", "T-35")
	orders := open(s, "peek")
	receiver := orders.receiver()
	orders.send("deferred", "locked", "active-1", "active-2")
	first := orders.one(receiver)
	s.Must(receiver.DeferMessage(s.Context, first, nil))
	locked := orders.one(receiver)

	seen := orders.peek(receiver, 0)

	story.Equal(s, "bodies", bodies(seen), []string{"deferred", "locked", "active-1", "active-2"})
	story.Equal(s, "state of the deferred", seen[0].State, azservicebus.MessageStateDeferred)
	story.Equal(s, "state of the locked", seen[1].State, azservicebus.MessageStateActive)
	story.Equal(s, "state of the active", seen[2].State, azservicebus.MessageStateActive)
	story.Equal(s, "failed deliveries of the locked", failures(seen[1]), 0)
	story.Equal(s, "lock token of the locked", seen[1].LockToken, [16]byte{})
	story.Equal(s, "from 3 on", bodies(orders.peek(receiver, 3)), []string{"active-1", "active-2"})
	story.Equal(s, "from 5 on", bodies(orders.peek(receiver, 5)), []string{})

	walker := orders.receiver()
	var walked []string
	for range 3 {
		two, err := walker.PeekMessages(s.Context, 2, nil)
		s.Must(err)
		walked = append(walked, bodies(two)...)
	}
	story.Equal(s, "walked", walked, bodies(seen))
	story.Equal(s, "received", bodies(orders.next(receiver, 2)), []string{"active-1", "active-2"})
	orders.complete(receiver, locked)
}

func TestPeekOfNothing(t *testing.T) {
	s := story.Tell(t, "peek of an empty queue and of an empty dead-letter queue is empty", "S-224", "T-48")
	orders := open(s, "peek-empty")

	story.Equal(s, "queue", orders.content(), []string{})
	story.Equal(s, "dead-letter queue", bodies(orders.peek(orders.deadLetters(), 0)), []string{})
}
