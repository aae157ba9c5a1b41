package sdk

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

// Long enough to be received in time on a busy machine.
const brevity = 10 * time.Second

func TestTimeToLive(t *testing.T) {
	s := story.Tell(t, "an expired message is never received", "S-162", "S-167", "S-168", "I-32")
	orders := open(s, "expiry")
	receiver := orders.receiver()
	orders.warm(receiver)
	orders.sendMessage(&message{Body: []byte("brief"), TimeToLive: ptr(brevity)})
	orders.sendMessage(&message{Body: []byte("long"), TimeToLive: ptr(time.Hour)})
	brief := orders.peek(receiver, 0)[0]
	expiry := *brief.ExpiresAt
	story.Equal(s, "expires", expiry, brief.EnqueuedTime.Add(brevity))

	s.Until("it is gone", func() bool { return len(orders.content()) == 1 })

	s.That(!time.Now().Before(expiry.Add(-10*time.Millisecond)), "not before %v", expiry)
	got := orders.one(receiver)
	story.Equal(s, "body", string(got.Body), "long")
	story.Equal(s, "time to live", *got.TimeToLive, time.Hour)
	story.Equal(s, "dead letters", bodies(orders.peek(orders.deadLetters(), 0)), []string{})
}

func TestTimeToLiveDeadLetters(t *testing.T) {
	s := story.Tell(t, "where that is asked for, an expired message dies instead of vanishing",
		"S-168", "S-176", "S-191", "I-32")
	orders := open(s, "expiry-dead")
	orders.sendMessage(&message{Body: []byte("brief"), TimeToLive: ptr(time.Second)})

	dead := orders.one(orders.deadLetters())

	story.Equal(s, "body", string(dead.Body), "brief")
	story.Equal(s, "reason", *dead.DeadLetterReason, "TTLExpiredException")
	story.Equal(s, "content", orders.content(), []string{})
}

func TestDefaultTimeToLive(t *testing.T) {
	s := story.Tell(t, "the smaller of the message's and the queue's time to live counts", "S-164", "S-080")
	orders := open(s, "expiry-default")
	orders.sendMessage(&message{Body: []byte("without")})
	orders.sendMessage(&message{Body: []byte("more"), TimeToLive: ptr(48 * time.Hour)})
	orders.sendMessage(&message{Body: []byte("less"), TimeToLive: ptr(time.Minute)})

	var lives []time.Duration
	for _, got := range orders.next(orders.receiver(), 3) {
		lives = append(lives, *got.TimeToLive)
		expiry := got.RawAMQPMessage.Properties.AbsoluteExpiryTime
		s.That(expiry != nil && expiry.Equal(*got.ExpiresAt), "%v is said to be the expiry, not %v", got.ExpiresAt, expiry)
	}

	story.Equal(s, "times to live", lives, []time.Duration{24 * time.Hour, 24 * time.Hour, time.Minute})
}

func TestOddTimesToLive(t *testing.T) {
	s := story.Tell(t, "the longest time to live, none, and one beyond what its field can say",
		"S-080", "S-081", "S-166", "T-53")
	orders := open(s, "expiry-odd")
	const longest = (1<<32 - 1) * time.Millisecond
	const hundredDays = 100 * 24 * time.Hour
	past, later := y2k, y2k.Add(hundredDays)
	body := azservicebus.AMQPAnnotatedMessageBody{Data: [][]byte{{1}}}
	header := &azservicebus.AMQPAnnotatedMessageHeader{TTL: longest}

	orders.sendMessage(&message{TimeToLive: ptr(longest)})
	orders.sendMessage(&message{})
	orders.sendAnnotated(&annotated{Body: body,
		Properties: &azservicebus.AMQPAnnotatedMessageProperties{AbsoluteExpiryTime: &past}})
	orders.sendAnnotated(&annotated{Body: body, Header: header,
		Properties: &azservicebus.AMQPAnnotatedMessageProperties{CreationTime: &past, AbsoluteExpiryTime: &later}})

	got := orders.next(orders.receiver(), 4)
	var lives []time.Duration
	for _, each := range got {
		lives = append(lives, *each.TimeToLive)
	}
	story.Equal(s, "times to live", lives, []time.Duration{longest, 0, 0, longest})
	story.Equal(s, "expiry of what never expires", got[1].RawAMQPMessage.Properties.AbsoluteExpiryTime, nil)
	asSent := got[2].RawAMQPMessage.Properties.AbsoluteExpiryTime
	s.That(asSent != nil && asSent.Equal(past), "an expiry that ends nothing comes back as %v, not %v", past, asSent)
	exact := got[3].RawAMQPMessage.Properties.AbsoluteExpiryTime
	s.That(exact.Equal(got[3].EnqueuedTime.Add(hundredDays)), "a hundred days after %v, not %v", got[3].EnqueuedTime, exact)
}

func TestExpiredUnderLock(t *testing.T) {
	s := story.Tell(t, "a message that expires under its lock may still be completed, not delivered again",
		"S-169", "S-170", "S-171")
	orders := open(s, "expiry-locked")
	receiver := orders.receiver()
	orders.warm(receiver)
	for _, body := range []string{"completed", "abandoned"} {
		orders.sendMessage(&message{Body: []byte(body), TimeToLive: ptr(brevity)})
	}
	held := orders.next(receiver, 2)
	<-time.After(time.Until(held[1].ExpiresAt.Add(200 * time.Millisecond))) // the rule is about this time

	s.Must(receiver.RenewMessageLock(s.Context, held[0], nil))
	orders.complete(receiver, held[0])
	s.Must(receiver.AbandonMessage(s.Context, held[1], nil))

	orders.nothing(receiver)
	dead := orders.one(orders.deadLetters())
	story.Equal(s, "dead", string(dead.Body), "abandoned")
	story.Equal(s, "reason", *dead.DeadLetterReason, "TTLExpiredException")
}
