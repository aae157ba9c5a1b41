package sdk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"

	"peeklock/conformance/story"
)

const (
	notFound     = string(azservicebus.CodeNotFound)
	unauthorized = string(azservicebus.CodeUnauthorizedAccess)
)

func TestUnknownEntity(t *testing.T) {
	s := story.Tell(t, "a queue that is not there is said at once to sender, receiver and peeker",
		"S-006", "S-008", "S-062", "S-509", "S-515", "T-09", "T-24", "T-59")
	nowhere := open(s, "no-such-queue")
	began := time.Now()

	err := nowhere.sender.SendMessage(s.Context, &message{Body: []byte("lost")}, nil)
	s.Refused("unknown-entity-send", err, notFound)
	s.That(strings.Contains(err.Error(), "TrackingId:"), "the text has a tracking id: %v", err)
	_, err = nowhere.receiver().ReceiveMessages(s.Context, 1, nil)
	s.Refused("unknown-entity-receive", err, notFound)
	_, err = nowhere.receiver().PeekMessages(s.Context, 1, nil)
	s.Refused("unknown-entity-peek", err, notFound)
	_, err = nowhere.deadLetters().ReceiveMessages(s.Context, 1, nil)
	s.Refused("unknown-entity-dead-letters", err, notFound)

	s.That(time.Since(began) < 10*time.Second, "at once, not after %v", time.Since(began))
}

func TestWrongKey(t *testing.T) {
	s := story.Tell(t, "a wrong key and an unknown policy open nothing", "S-468", "S-478", "S-509", "T-56")
	orders := open(s, "wrong-key")
	wrong := strings.Replace(story.Connection(), "SharedAccessKey=", "SharedAccessKey=not", 1)
	nobody := strings.Replace(story.Connection(), "SharedAccessKeyName=", "SharedAccessKeyName=not", 1)

	for name, connection := range map[string]string{"wrong-key": wrong, "unknown-policy": nobody} {
		thief := with(s, connect(s, connection), orders.name)
		err := thief.sender.SendMessage(s.Context, &message{Body: []byte("stolen")}, nil)
		s.Refused(name, err, unauthorized)
		_, err = thief.receiver().ReceiveMessages(s.Context, 1, nil)
		s.Refused(name+"-receive", err, unauthorized)
	}

	story.Equal(s, "content", orders.content(), []string{})
}

func TestTokens(t *testing.T) {
	s := story.Tell(t, "a token of one's own is taken, an expired or forged one is not",
		"S-468", "S-469", "T-55", "T-56", "T-57")
	orders := open(s, "tokens")
	soon, past := time.Now().Add(10*time.Minute), time.Now().Add(-time.Hour)

	for resource, body := range map[string]string{
		"sb://localhost/": "namespace", "amqp://elsewhere:1/tokens": "entity", "sb://localhost/TOKENS": "any case",
	} {
		holder := with(s, connect(s, signed(resource, soon)), orders.name)
		holder.send(body)
		orders.complete(holder.receiver(), holder.one(holder.receiver()))
	}
	for name, connection := range map[string]string{
		"expired-token": signed("sb://localhost/", past), "token-of-another-queue": signed("sb://localhost/token", soon),
	} {
		late := with(s, connect(s, connection), orders.name)
		s.Refused(name, late.sender.SendMessage(s.Context, &message{Body: []byte("late")}, nil), unauthorized)
	}

	story.Equal(s, "content", orders.content(), []string{})
}

// The connection string under test, with a signature made here in place of its key.
func signed(resource string, expiry time.Time) string {
	part := map[string]string{}
	for _, pair := range strings.Split(story.Connection(), ";") {
		key, value, _ := strings.Cut(pair, "=")
		part[key] = value
	}
	encoded := lowerHex(url.QueryEscape(resource))
	mac := hmac.New(sha256.New, []byte(part["SharedAccessKey"]))
	fmt.Fprintf(mac, "%s\n%d", encoded, expiry.Unix())
	return fmt.Sprintf("Endpoint=%s;SharedAccessSignature=SharedAccessSignature skn=%s&se=%d&sig=%s&sr=%s;%s",
		part["Endpoint"], part["SharedAccessKeyName"], expiry.Unix(),
		lowerHex(url.QueryEscape(base64.StdEncoding.EncodeToString(mac.Sum(nil)))), encoded, "UseDevelopmentEmulator=true")
}

// Some clients write %2f, and the fields in another order than this SDK would.
func lowerHex(encoded string) string {
	return regexp.MustCompile("%..").ReplaceAllStringFunc(encoded, strings.ToLower)
}

func TestMessageIdTooLong(t *testing.T) {
	s := story.Tell(t, "a message id of 129 characters is refused, one of 128 is not, and the client goes on",
		"S-002", "S-006", "S-073", "S-515", "T-74")
	orders := open(s, "id-too-long")

	orders.sendMessage(&message{Body: []byte("longest"), MessageID: ptr(strings.Repeat("x", 128))})
	err := orders.sender.SendMessage(s.Context, &message{MessageID: ptr(strings.Repeat("x", 129))}, nil)

	// This client knows no code for a bad argument: it takes the connection for lost, and makes a new one.
	s.Refused("message-id-too-long", err, string(azservicebus.CodeConnectionLost))
	s.That(strings.Contains(err.Error(), "TrackingId:"), "the text has a tracking id: %v", err)
	orders.send("after")
	story.Equal(s, "content", orders.content(), []string{"longest", "after"})
}

func TestHeaderTooLarge(t *testing.T) {
	s := story.Tell(t, "an application property above 32 KB is refused", "S-074", "I-08")
	orders := open(s, "header-too-large")

	err := orders.sender.SendMessage(s.Context, &message{
		ApplicationProperties: map[string]any{"large": strings.Repeat("x", 33*1024)},
	}, nil)

	s.That(err != nil, "it is refused")
	story.Equal(s, "content", orders.content(), []string{})
}

func TestSendToDeadLetterQueue(t *testing.T) {
	s := story.Tell(t, "nobody sends into a dead-letter queue", "S-183", "S-509", "T-24")
	orders := open(s, "no-send-to-dead-letters")
	deadLetters := with(s, orders.client, orders.name+"/$DeadLetterQueue")

	err := deadLetters.sender.SendMessage(s.Context, &message{Body: []byte("forged")}, nil)

	s.Refused("send-to-dead-letter-queue", err, "amqp:not-allowed")
	story.Equal(s, "dead letters", bodies(orders.peek(orders.deadLetters(), 0)), []string{})
}

func TestSessionOfAPlainQueue(t *testing.T) {
	s := story.Tell(t, "a queue without sessions lets none be accepted", "S-234", "T-24")
	orders := open(s, "no-sessions")

	_, err := orders.client.AcceptSessionForQueue(s.Context, orders.name, "a", nil)

	s.Refused("session-of-a-plain-queue", err, "amqp:not-allowed")
}

func TestQuota(t *testing.T) {
	s := story.Tell(t, "a full queue refuses sends until there is room, and loses nothing",
		"S-435", "S-510", "I-08")
	orders := open(s, "full")
	body := make([]byte, 300_000)

	var err error
	sent := 0
	for ; err == nil && sent < 10; sent++ {
		err = orders.sender.SendMessage(s.Context, &message{Body: body}, nil)
	}

	s.Refused("queue-full", err, "amqp:resource-limit-exceeded")
	receiver := orders.receiver()
	orders.complete(receiver, orders.next(receiver, sent-1)...)
	orders.send("room again")
	story.Equal(s, "content", orders.content(), []string{"room again"})
}

func TestManyConnections(t *testing.T) {
	s := story.Tell(t, "six connections with eight links each come up at once", "T-66")
	orders := open(s, "many-connections")
	began := time.Now()

	var all sync.WaitGroup
	for range 6 {
		client := connect(s, story.Connection())
		for range 8 {
			link := with(s, client, orders.name)
			all.Go(func() {
				if err := link.sender.SendMessage(s.Context, &message{Body: []byte("order")}, nil); err != nil {
					s.Errorf("send: %v", err)
				}
			})
		}
	}
	all.Wait()

	s.That(time.Since(began) < 15*time.Second, "within seconds, not %v", time.Since(began))
	story.Equal(s, "messages", len(orders.content()), 48)
}

func TestNamesAndLinks(t *testing.T) {
	s := story.Tell(t, "a name in any case is the same queue, and one connection opens and closes many links",
		"S-060", "T-18", "T-65")
	orders := open(s, "many-links")

	for range 30 {
		loud := with(s, orders.client, "MANY-Links")
		loud.send("order")
		receiver := loud.receiver()
		orders.complete(receiver, orders.one(receiver))
		s.Must(receiver.Close(s.Context))
		s.Must(loud.sender.Close(s.Context))
	}

	story.Equal(s, "content", orders.content(), []string{})
}
