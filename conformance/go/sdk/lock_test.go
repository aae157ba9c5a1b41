package sdk

import (
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

func TestRenew(t *testing.T) {
	s := story.Tell(t, "renewing in a loop keeps a lock beyond its duration, uncounted",
		"S-025", "S-026", "S-048", "S-049", "S-105", "S-108", "I-18", "I-19", "T-34", "T-47")
	orders := open(s, "renew")
	holder := orders.receiver()
	orders.send("order-1")
	held := orders.one(holder)
	first := *held.LockedUntil
	left := time.Until(first)
	s.That(left > 5*time.Second && left <= 15500*time.Millisecond, "the lock lasts fifteen seconds; %v are left", left)

	last := first
	for last.Sub(first) < 10*time.Second {
		orders.nothing(orders.receiver())
		s.Must(holder.RenewMessageLock(s.Context, held, nil))
		s.That(held.LockedUntil.After(last), "%v is after %v", held.LockedUntil, last)
		last = *held.LockedUntil
	}
	other := orders.anotherReceiver()
	orders.warm(other)
	some, err := other.ReceiveMessages(s.Within(time.Until(first)+moment), 1, nil)

	s.That(err != nil, "nobody gets it when the first lock would have ended, but %v", bodies(some))
	orders.complete(holder, held)
	story.Equal(s, "content", orders.content(), []string{})
}

func TestAutoRenew(t *testing.T) {
	story.NotTold(t, "automatic renewal", "this client has none; a loop of renewals is told instead")
}

func TestLockLost(t *testing.T) {
	s := story.Tell(t, "a lock that ran out refuses everything and frees the message at the front, counted",
		"S-028", "S-031", "S-033", "S-037", "S-038", "S-044", "S-045", "S-098", "S-106", "S-121", "S-137",
		"S-502", "S-007", "S-041", "I-17", "I-20", "T-33")
	orders := open(s, "lock-lost")
	holder, other := orders.receiver(), orders.anotherReceiver()
	orders.sendMessage(&message{Body: []byte("order-1"), MessageID: ptr("job-1")})
	for _, body := range []string{"order-2", "order-3", "order-4", "order-5"} {
		orders.send(body)
	}
	held := orders.next(holder, 5)
	orders.send("order-6")

	s.Until("all locks have lapsed", func() bool {
		lapsed := orders.peek(other, 0)[:5]
		return !slices.ContainsFunc(lapsed, func(seen *received) bool { return failures(seen) != 1 })
	})
	again := orders.next(other, 6)

	story.Equal(s, "order", bodies(again), append(bodies(held), "order-6"))
	again = again[:5]
	for i, got := range again {
		story.Equal(s, "failed deliveries", failures(got), 1)
		story.Equal(s, "sequence number", *got.SequenceNumber, *held[i].SequenceNumber)
		s.That(got.LockToken != held[i].LockToken, "each delivery has a token of its own")
	}
	story.Equal(s, "message id", again[0].MessageID, "job-1")
	lost := string(azservicebus.CodeLockLost)
	s.Refused("complete-lock-lost", holder.CompleteMessage(s.Context, held[0], nil), lost)
	s.Refused("abandon-lock-lost", holder.AbandonMessage(s.Context, held[1], nil), lost)
	s.Refused("defer-lock-lost", holder.DeferMessage(s.Context, held[2], nil), lost)
	s.Refused("dead-letter-lock-lost", holder.DeadLetterMessage(s.Context, held[3], nil), lost)
	s.Refused("renew-lock-lost", holder.RenewMessageLock(s.Context, held[4], nil), lost)
	orders.complete(other, again...)
}

func TestSettledTwice(t *testing.T) {
	s := story.Tell(t, "a token is worth nothing once its message is settled", "S-117", "S-106", "I-05", "I-17")
	orders := open(s, "settled-twice")
	receiver := orders.receiver()
	orders.send("order-1")
	got := orders.one(receiver)
	orders.complete(receiver, got)
	lost := string(azservicebus.CodeLockLost)

	// A copy that knows the token alone is settled through the management node.
	copied := &received{LockToken: got.LockToken}

	s.Refused("complete-settled", receiver.CompleteMessage(s.Context, copied, nil), lost)
	s.Refused("renew-settled", receiver.RenewMessageLock(s.Context, got, nil), lost)
	s.Refused("complete-unknown-token",
		receiver.CompleteMessage(s.Context, &received{LockToken: [16]byte{1, 2, 3}}, nil), lost)
}

func TestMaxDeliveryCount(t *testing.T) {
	s := story.Tell(t, "the third failed delivery of three goes to the dead-letter queue",
		"S-029", "S-120", "S-126", "S-127", "S-134", "S-192", "I-21")
	orders := open(s, "max-delivery")
	receiver := orders.receiver()
	orders.send("poison")

	for attempt := range 3 {
		got := orders.one(receiver)
		story.Equal(s, "failed deliveries", failures(got), attempt)
		s.Must(receiver.AbandonMessage(s.Context, got, nil))
	}

	story.Equal(s, "content", orders.content(), []string{})
	dead := orders.one(orders.deadLetters())
	story.Equal(s, "body", string(dead.Body), "poison")
	story.Equal(s, "reason", *dead.DeadLetterReason, "MaxDeliveryCountExceeded")
	s.That(*dead.DeadLetterErrorDescription != "", "there is a description")
	story.Equal(s, "failed deliveries", failures(dead), 3)
}

func TestMaxDeliveryCountByLapse(t *testing.T) {
	s := story.Tell(t, "a lock that lapses counts towards the maximum too", "S-029", "S-126", "S-121")
	orders := open(s, "max-delivery-lapse")
	receiver := orders.receiver()
	orders.send("poison")
	orders.one(receiver)

	dead := orders.one(orders.deadLetters())

	story.Equal(s, "reason", *dead.DeadLetterReason, "MaxDeliveryCountExceeded")
	story.Equal(s, "failed deliveries", failures(dead), 1)
	story.Equal(s, "content", orders.content(), []string{})
}
