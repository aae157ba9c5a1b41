package main

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"
)

// description is a message as the lossless test writes it: sections and fields by name.
type description map[string]value

func (d description) string(name string) *string {
	if field, there := d[name]; there {
		return &field.Text
	}
	return nil
}

func (d description) moment(name string) *time.Time {
	if field, there := d[name]; there {
		at := moment(field.Text)
		return &at
	}
	return nil
}

func (d description) any(name string) any {
	if field, there := d[name]; there {
		return field.native()
	}
	return nil
}

func (d description) properties() *azservicebus.AMQPAnnotatedMessageProperties {
	made := &azservicebus.AMQPAnnotatedMessageProperties{
		AbsoluteExpiryTime: d.moment("properties.absolute-expiry-time"),
		ContentEncoding:    d.string("properties.content-encoding"),
		ContentType:        d.string("properties.content-type"),
		CorrelationID:      d.any("properties.correlation-id"),
		CreationTime:       d.moment("properties.creation-time"),
		GroupID:            d.string("properties.group-id"),
		MessageID:          d.any("properties.message-id"),
		ReplyTo:            d.string("properties.reply-to"),
		ReplyToGroupID:     d.string("properties.reply-to-group-id"),
		Subject:            d.string("properties.subject"),
		To:                 d.string("properties.to"),
	}
	if user, there := d["properties.user-id"]; there {
		made.UserID = octets(user.Text)
	}
	if sequence, there := d["properties.group-sequence"]; there {
		number := unsigned[uint32](sequence.Text, 32)
		made.GroupSequence = &number
	}
	return made
}

func (d description) header() *azservicebus.AMQPAnnotatedMessageHeader {
	made := &azservicebus.AMQPAnnotatedMessageHeader{Priority: 4}
	there := false
	if durable, set := d["header.durable"]; set {
		made.Durable, there = durable.Text == "true", true
	}
	if priority, set := d["header.priority"]; set {
		made.Priority, there = unsigned[uint8](priority.Text, 8), true
	}
	if ttl, set := d["header.ttl"]; set {
		made.TTL, there = time.Duration(unsigned[uint32](ttl.Text, 32))*time.Millisecond, true
	}
	if !there {
		return nil
	}
	return made
}

func (d description) message() *azservicebus.AMQPAnnotatedMessage {
	made := &azservicebus.AMQPAnnotatedMessage{Header: d.header(), Properties: d.properties()}
	for name, part := range d {
		switch name {
		case "delivery":
			made.DeliveryAnnotations = part.annotations()
		case "annotations":
			made.MessageAnnotations = part.annotations()
		case "application":
			made.ApplicationProperties = part.section()
		case "footer":
			made.Footer = part.annotations()
		case "value":
			made.Body.Value = part.native()
		case "data":
			made.Body.Data = each[[]byte](part.Content)
		case "sequence":
			made.Body.Sequence = each[[]any](part.Content)
		}
	}
	return made
}

func describe(received *azservicebus.ReceivedMessage) description {
	raw := received.RawAMQPMessage
	shown := description{}
	describeBody(shown, raw.Body)
	for name, section := range map[string]map[any]any{
		"delivery":    raw.DeliveryAnnotations,
		"annotations": raw.MessageAnnotations,
		"footer":      raw.Footer,
	} {
		if section != nil {
			shown[name] = seen(section)
		}
	}
	if raw.ApplicationProperties != nil {
		shown["application"] = seen(raw.ApplicationProperties)
	}
	if header := raw.Header; header != nil {
		shown["header.durable"] = seen(header.Durable)
		shown["header.priority"] = seen(header.Priority)
		if header.TTL != 0 {
			shown["header.ttl"] = text("uint", header.TTL.Milliseconds())
		}
	}
	if raw.Properties != nil {
		describeProperties(shown, raw.Properties)
	}
	return shown
}

func describeBody(shown description, body azservicebus.AMQPAnnotatedMessageBody) {
	switch {
	case body.Data != nil:
		shown["data"] = all("list", body.Data)
	case body.Sequence != nil:
		shown["sequence"] = all("list", body.Sequence)
	default:
		shown["value"] = seen(body.Value)
	}
}

func describeProperties(shown description, from *azservicebus.AMQPAnnotatedMessageProperties) {
	put(shown, "absolute-expiry-time", from.AbsoluteExpiryTime)
	put(shown, "content-encoding", from.ContentEncoding)
	put(shown, "content-type", from.ContentType)
	put(shown, "creation-time", from.CreationTime)
	put(shown, "group-id", from.GroupID)
	put(shown, "group-sequence", from.GroupSequence)
	put(shown, "reply-to", from.ReplyTo)
	put(shown, "reply-to-group-id", from.ReplyToGroupID)
	put(shown, "subject", from.Subject)
	put(shown, "to", from.To)
	if from.MessageID != nil {
		shown["properties.message-id"] = seen(from.MessageID)
	}
	if from.CorrelationID != nil {
		shown["properties.correlation-id"] = seen(from.CorrelationID)
	}
	if from.UserID != nil {
		shown["properties.user-id"] = seen(from.UserID)
	}
}

func put[T any](shown description, name string, field *T) {
	if field != nil {
		shown["properties."+name] = seen(*field)
	}
}
