package sdk

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
	"github.com/Azure/go-amqp"

	"peeklock/conformance/story"
)

func TestComplete(t *testing.T) {
	s := story.Tell(t, "a completed message is gone", "S-003", "S-030", "S-031", "I-05", "T-43")
	orders := open(s, "complete")
	receiver := orders.receiver()
	orders.send("order-1", "order-2")

	orders.complete(receiver, orders.one(receiver))

	story.Equal(s, "content", orders.content(), []string{"order-2"})
	story.Equal(s, "next", string(orders.one(receiver).Body), "order-2")
}

func TestAbandon(t *testing.T) {
	s := story.Tell(t, "an abandoned message comes back first, counted, with its properties changed",
		"S-028", "S-032", "S-082", "S-089", "S-094", "S-120", "S-137", "I-04", "T-41", "T-73")
	orders := open(s, "abandon")
	receiver := orders.receiver()
	born := time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC)
	orders.sendMessage(&message{Body: []byte("order-1"), Subject: ptr("kept"),
		ApplicationProperties: map[string]any{
			"born": born, "id": amqp.UUID{1, 2, 3}, "small": int8(-3), "changed": "before",
		}})
	orders.send("order-2")
	held := orders.one(receiver)

	s.Must(receiver.AbandonMessage(s.Context, held, &azservicebus.AbandonMessageOptions{
		PropertiesToModify: map[string]any{"changed": int64(7), "added": true},
	}))

	again := orders.one(receiver)
	story.Equal(s, "body", string(again.Body), "order-1")
	story.Equal(s, "subject", again.Subject, ptr("kept"))
	story.Equal(s, "failed deliveries", failures(again), 1)
	story.Equal(s, "properties", properties(again), map[string]any{
		"born": born, "id": amqp.UUID{1, 2, 3}, "small": int8(-3), "changed": int64(7), "added": true,
	})
	s.That(again.LockToken != held.LockToken, "each delivery has a token of its own")
	orders.complete(receiver, again)
}

func TestDefer(t *testing.T) {
	s := story.Tell(t, "deferred messages are had by their numbers only, until they are settled",
		"S-036", "S-082", "S-123", "S-206", "S-207", "S-208", "S-209", "S-210", "S-211", "S-212", "S-213", "S-214",
		"S-505", "T-37", "T-46")
	orders := open(s, "defer")
	receiver := orders.receiver()
	orders.send("order-1", "order-2", "order-3", "order-4")
	for _, got := range orders.next(receiver, 3) {
		s.Must(receiver.DeferMessage(s.Context, got, &azservicebus.DeferMessageOptions{
			PropertiesToModify: map[string]any{"put": "aside"},
		}))
	}

	story.Equal(s, "received", string(orders.one(receiver).Body), "order-4")
	deferred, err := receiver.ReceiveDeferredMessages(s.Context, []int64{3, 1, 2}, nil)
	s.Must(err)

	story.Equal(s, "bodies", bodies(deferred), []string{"order-3", "order-1", "order-2"})
	story.Equal(s, "properties", deferred[0].ApplicationProperties, map[string]any{"put": "aside"})
	story.Equal(s, "failed deliveries", failures(deferred[0]), 1)
	s.That(time.Until(*deferred[0].LockedUntil) > 0, "it is locked")
	unknown := string(azservicebus.CodeNotFound)
	_, err = receiver.ReceiveDeferredMessages(s.Context, []int64{3}, nil)
	s.Refused("receive-deferred-locked", err, unknown)
	_, err = receiver.ReceiveDeferredMessages(s.Context, []int64{4}, nil)
	s.Refused("receive-deferred-active", err, unknown)

	s.Must(receiver.RenewMessageLock(s.Context, deferred[0], nil))
	orders.complete(receiver, deferred[0])
	s.Must(receiver.AbandonMessage(s.Context, deferred[1], nil))
	s.Must(receiver.DeadLetterMessage(s.Context, deferred[2], &azservicebus.DeadLetterOptions{
		Reason: ptr("late"), ErrorDescription: ptr("too late"),
		PropertiesToModify: map[string]any{"shelf": int64(9)},
	}))

	again, err := receiver.ReceiveDeferredMessages(s.Context, []int64{1}, nil)
	s.Must(err)
	story.Equal(s, "after an abandon it is deferred again", bodies(again), []string{"order-1"})
	story.Equal(s, "failed deliveries", failures(again[0]), 2)
	dead := orders.one(orders.deadLetters())
	story.Equal(s, "dead letter", string(dead.Body), "order-2")
	story.Equal(s, "its properties", dead.ApplicationProperties, map[string]any{"put": "aside", "shelf": int64(9),
		"DeadLetterReason": "late", "DeadLetterErrorDescription": "too late"})
	_, err = receiver.ReceiveDeferredMessages(s.Context, []int64{77}, nil)
	s.Refused("receive-deferred-unknown", err, unknown)
	_, err = receiver.ReceiveDeferredMessages(s.Context, []int64{1, 77}, nil)
	s.That(err != nil, "one unknown number refuses the others")
	none, err := receiver.ReceiveDeferredMessages(s.Context, []int64{}, nil)
	s.Must(err)
	story.Equal(s, "of no numbers", bodies(none), []string{})
}

func TestDeferredTaken(t *testing.T) {
	s := story.Tell(t, "a deferred message is taken for good in receive-and-delete", "S-207", "T-47")
	orders := open(s, "defer-take")
	receiver := orders.receiver()
	orders.send("order-1")
	s.Must(receiver.DeferMessage(s.Context, orders.one(receiver), nil))
	taker := orders.receiverWith(
		&azservicebus.ReceiverOptions{ReceiveMode: azservicebus.ReceiveModeReceiveAndDelete})

	taken, err := taker.ReceiveDeferredMessages(s.Context, []int64{1}, nil)

	s.Must(err)
	story.Equal(s, "taken", bodies(taken), []string{"order-1"})
	story.Equal(s, "content", orders.content(), []string{})
}

func TestDeadLetter(t *testing.T) {
	s := story.Tell(t, "a dead letter keeps reason, description and properties, and is settled where it lies",
		"S-034", "S-035", "S-090", "S-145", "S-181", "S-184", "S-188", "I-06", "T-38")
	orders := open(s, "dead-letter")
	receiver, deadLetters := orders.receiver(), orders.deadLetters()
	orders.sendMessage(&message{Body: []byte("order-1"), MessageID: ptr("job-1"),
		ApplicationProperties: map[string]any{"kept": int32(1)}})
	held := orders.one(receiver)

	s.Must(receiver.DeadLetterMessage(s.Context, held, &azservicebus.DeadLetterOptions{
		Reason: ptr("poison"), ErrorDescription: ptr("cannot be read"),
		PropertiesToModify: map[string]any{"tried": "twice"},
	}))

	story.Equal(s, "content", orders.content(), []string{})
	story.Equal(s, "peeked", bodies(orders.peek(deadLetters, 0)), []string{"order-1"})
	dead := orders.one(deadLetters)
	story.Equal(s, "reason", dead.DeadLetterReason, ptr("poison"))
	story.Equal(s, "description", dead.DeadLetterErrorDescription, ptr("cannot be read"))
	story.Equal(s, "message id", dead.MessageID, "job-1")
	story.Equal(s, "sequence number", *dead.SequenceNumber, *held.SequenceNumber)
	story.Equal(s, "kept", dead.ApplicationProperties["kept"], any(int32(1)))
	story.Equal(s, "tried", dead.ApplicationProperties["tried"], any("twice"))
	story.Equal(s, "source", dead.DeadLetterSource, nil)
	s.Must(deadLetters.AbandonMessage(s.Context, dead, nil))
	again := orders.one(deadLetters)
	story.Equal(s, "failed deliveries", failures(again), 0) // nothing counts there
	s.Must(deadLetters.DeferMessage(s.Context, again, nil))
	orders.nothing(deadLetters)
	deferred, err := deadLetters.ReceiveDeferredMessages(s.Context, []int64{*dead.SequenceNumber}, nil)
	s.Must(err)
	orders.complete(deadLetters, deferred...)
	story.Equal(s, "left", bodies(orders.peek(deadLetters, 0)), []string{})
}

func TestDeadLetterOfADeadLetter(t *testing.T) {
	s := story.Tell(t, "a dead letter cannot die again", "S-185")
	orders := open(s, "dead-letter-twice")
	receiver, deadLetters := orders.receiver(), orders.deadLetters()
	orders.send("order-1")
	s.Must(receiver.DeadLetterMessage(s.Context, orders.one(receiver), nil))
	dead := orders.one(deadLetters)

	err := deadLetters.DeadLetterMessage(s.Context, dead, nil)

	s.That(err != nil, "it is refused")
	story.Equal(s, "it stays", bodies(orders.peek(deadLetters, 0)), []string{"order-1"})
}

func TestSettleByToken(t *testing.T) {
	s := story.Tell(t, "another process settles and renews by token alone",
		"S-109", "S-110", "S-117", "S-213", "T-34", "T-45", "T-46")
	orders := open(s, "by-token")
	holder := orders.receiver()
	orders.send("completed", "abandoned", "deferred", "dead")
	held := orders.next(holder, 4)
	other := orders.anotherReceiver()
	token := func(i int) *received { return &received{LockToken: held[i].LockToken} }

	s.Must(other.RenewMessageLock(s.Context, token(0), nil))
	s.Must(other.CompleteMessage(s.Context, token(0), nil))
	s.Must(other.AbandonMessage(s.Context, token(1), &azservicebus.AbandonMessageOptions{
		PropertiesToModify: map[string]any{"by": "token"},
	}))
	s.Must(other.DeferMessage(s.Context, token(2), nil))
	s.Must(other.DeadLetterMessage(s.Context, token(3),
		&azservicebus.DeadLetterOptions{Reason: ptr("poison"), ErrorDescription: ptr("by token")}))

	abandoned := orders.one(other)
	story.Equal(s, "abandoned", string(abandoned.Body), "abandoned")
	story.Equal(s, "its properties", abandoned.ApplicationProperties, map[string]any{"by": "token"})
	story.Equal(s, "failed deliveries", failures(abandoned), 1)
	deferred, err := other.ReceiveDeferredMessages(s.Context, []int64{3}, nil)
	s.Must(err)
	story.Equal(s, "deferred", bodies(deferred), []string{"deferred"})
	dead := orders.one(orders.deadLetters())
	story.Equal(s, "reason", dead.DeadLetterReason, ptr("poison"))
	story.Equal(s, "description", dead.DeadLetterErrorDescription, ptr("by token"))
	for i, message := range held {
		err := holder.CompleteMessage(s.Context, message, nil)
		s.Refused([]string{"complete-completed", "complete-abandoned", "complete-deferred", "complete-dead"}[i],
			err, string(azservicebus.CodeLockLost))
	}
}

func TestSettleAfterLinkLoss(t *testing.T) {
	s := story.Tell(t, "a message whose link is gone is still locked, and settled through another receiver",
		"S-110", "S-113", "S-095", "T-45")
	orders := open(s, "link-gone")
	first := orders.receiver()
	orders.send("order-1", "order-2")
	held := orders.next(first, 2)

	s.Must(first.Close(s.Context))

	second := orders.receiver()
	orders.nothing(second)
	orders.complete(second, held[0])
	story.Equal(s, "content", orders.content(), []string{"order-2"})
	again := orders.one(second) // once the lock has lapsed
	story.Equal(s, "failed deliveries", failures(again), 1)
}

func TestSettleThroughSecondReceiver(t *testing.T) {
	s := story.Tell(t, "a message may be settled through a second receiver while its own link lives",
		"S-110", "S-030")
	orders := open(s, "second-receiver")
	first, second := orders.receiver(), orders.anotherReceiver()
	orders.send("order-1")

	orders.complete(second, orders.one(first))

	story.Equal(s, "content", orders.content(), []string{})
}
