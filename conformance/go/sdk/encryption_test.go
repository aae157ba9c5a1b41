package sdk

import (
	"context"
	"crypto/tls"
	"net"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
	"github.com/coder/websocket"

	"peeklock/conformance/story"
)

func TestTls(t *testing.T) {
	s := story.Tell(t, "everything works in TLS once the broker's authority is trusted", "S-481")
	// Left alone, this client puts the port of the endpoint into the server name too, which no certificate has.
	options := azservicebus.ClientOptions{TLSConfig: &tls.Config{ServerName: "localhost"}}
	thereAndBack(with(s, connectWith(s, story.Encrypted(), options), "tls"))
}

func TestWebSocket(t *testing.T) {
	s := story.Tell(t, "everything works over a WebSocket in TLS", "S-481")
	client := connectWith(s, story.Encrypted(), azservicebus.ClientOptions{NewWebSocketConn: dial})
	thereAndBack(with(s, client, "web-socket"))
}

// As the documentation of the client has it.
func dial(ctx context.Context, args azservicebus.NewWebSocketConnArgs) (net.Conn, error) {
	options := &websocket.DialOptions{Subprotocols: []string{"amqp"}}
	socket, _, err := websocket.Dial(ctx, args.Host, options)
	if err != nil {
		return nil, err
	}
	return websocket.NetConn(context.Background(), socket, websocket.MessageBinary), nil
}

func thereAndBack(orders *queue) {
	orders.Helper()
	sizes := []int{1, 100_000, 3_000_000}
	for _, size := range sizes {
		orders.sendMessage(&message{Body: make([]byte, size)})
	}
	receiver := orders.receiver()
	for i, got := range orders.next(receiver, len(sizes)) {
		story.Equal(orders.Story, "length", len(got.Body), sizes[i])
		orders.complete(receiver, got)
	}
	story.Equal(orders.Story, "content", orders.content(), []string{})
}
