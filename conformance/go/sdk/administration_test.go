package sdk

import (
	"fmt"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus/admin"

	"peeklock/conformance/story"
)

func administration(s *story.Story) *admin.Client {
	client, err := admin.NewClientFromConnectionString(story.Encrypted(), nil)
	s.Must(err)
	return client
}

func TestAdministrationOfQueues(t *testing.T) {
	s := story.Tell(t, "a queue is made, read, used, updated and deleted", "S-063", "S-067", "S-071", "S-489")
	client, name := administration(s), "go-admin/queue"

	made, err := client.CreateQueue(s.Context, name, nil)
	s.Must(err)
	story.Equal(s, "name", made.QueueName, name)
	story.Equal(s, "lock", *made.LockDuration, "PT1M")
	_, err = client.CreateQueue(s.Context, name, nil)
	s.That(err != nil, "a second one is refused")

	messages := connect(s, story.Connection())
	sender, err := messages.NewSender(name, nil)
	s.Must(err)
	s.Closing(sender)
	s.Must(sender.SendMessage(s.Context, &message{Body: []byte("a")}, nil))
	_, err = sender.ScheduleMessages(s.Context, []*message{{Body: []byte("later")}}, time.Now().Add(time.Hour), nil)
	s.Must(err)
	runtime, err := client.GetQueueRuntimeProperties(s.Context, name, nil)
	s.Must(err)
	story.Equal(s, "active", runtime.ActiveMessageCount, int32(1))
	story.Equal(s, "scheduled", runtime.ScheduledMessageCount, int32(1))
	story.Equal(s, "total", runtime.TotalMessageCount, int64(2))

	properties := made.QueueProperties
	properties.LockDuration = ptr("PT45S")
	properties.UserMetadata = ptr("<mine> & yours")
	_, err = client.UpdateQueue(s.Context, name, properties, nil)
	s.Must(err)
	read, err := client.GetQueue(s.Context, name, nil)
	s.Must(err)
	story.Equal(s, "metadata", *read.UserMetadata, "<mine> & yours")
	properties.RequiresSession = ptr(true)
	_, err = client.UpdateQueue(s.Context, name, properties, nil)
	s.That(err != nil, "what is fixed is not changed")

	_, err = client.DeleteQueue(s.Context, name, nil)
	s.Must(err)
	gone, err := client.GetQueue(s.Context, name, nil)
	s.Must(err)
	s.That(gone == nil, "it is gone")
}

func TestAdministrationOfManyQueues(t *testing.T) {
	s := story.Tell(t, "more than a page of queues is listed by name")
	client := administration(s)
	var names []string
	for i := range 105 {
		name := fmt.Sprintf("go-many-%03d", i)
		names = append(names, name)
		_, err := client.CreateQueue(s.Context, name, nil)
		s.Must(err)
	}
	for _, size := range []int32{0, 50} {
		pager := client.NewListQueuesPager(&admin.ListQueuesOptions{MaxPageSize: size})
		var listed []string
		for pager.More() {
			page, err := pager.NextPage(s.Context)
			s.Must(err)
			for _, queue := range page.Queues {
				if len(queue.QueueName) == 11 && queue.QueueName[:8] == "go-many-" {
					listed = append(listed, queue.QueueName)
				}
			}
		}
		story.Equal(s, "listed", listed, names)
	}
	for _, name := range names {
		_, err := client.DeleteQueue(s.Context, name, nil)
		s.Must(err)
	}
}

func TestAdministrationOfTopics(t *testing.T) {
	s := story.Tell(t, "a topic, its subscription and its rules have their whole lives", "S-313", "S-317", "S-476")
	client, topic := administration(s), "go-admin-topic"
	_, err := client.CreateTopic(s.Context, topic, &admin.CreateTopicOptions{
		Properties: &admin.TopicProperties{UserMetadata: ptr("t")}})
	s.Must(err)
	_, err = client.CreateSubscription(s.Context, topic, "one", &admin.CreateSubscriptionOptions{
		Properties: &admin.SubscriptionProperties{MaxDeliveryCount: ptr(int32(3))}})
	s.Must(err)
	runtime, err := client.GetTopicRuntimeProperties(s.Context, topic, nil)
	s.Must(err)
	story.Equal(s, "subscriptions", runtime.SubscriptionCount, int32(1))
	_, err = client.GetSubscriptionRuntimeProperties(s.Context, topic, "one", nil)
	s.Must(err)

	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	properties := map[string]any{"text": "x", "number": int64(5), "part": 1.5, "yes": true, "when": when}
	_, err = client.CreateRule(s.Context, topic, "one", &admin.CreateRuleOptions{Name: ptr("typed"),
		Filter: &admin.CorrelationFilter{Subject: ptr("red"), ApplicationProperties: properties}})
	s.Must(err)
	_, err = client.CreateRule(s.Context, topic, "one", &admin.CreateRuleOptions{Name: ptr("sql"),
		Filter: &admin.SQLFilter{Expression: "price > 3"}, Action: &admin.SQLAction{Expression: "SET seen = 1"}})
	s.Must(err)
	typed, err := client.GetRule(s.Context, topic, "one", "typed", nil)
	s.Must(err)
	filter := typed.Filter.(*admin.CorrelationFilter)
	story.Equal(s, "subject", *filter.Subject, "red")
	story.Equal(s, "properties", filter.ApplicationProperties, properties)
	_, err = client.UpdateRule(s.Context, topic, "one", admin.RuleProperties{Name: "sql",
		Filter: &admin.SQLFilter{Expression: "price > 5"}})
	s.Must(err)
	pager := client.NewListRulesPager(topic, "one", nil)
	var rules []string
	for pager.More() {
		page, err := pager.NextPage(s.Context)
		s.Must(err)
		for _, rule := range page.Rules {
			rules = append(rules, rule.Name)
		}
	}
	story.Equal(s, "rules", rules, []string{"$Default", "sql", "typed"})
	_, err = client.DeleteRule(s.Context, topic, "one", "sql", nil)
	s.Must(err)

	read, err := client.GetSubscription(s.Context, topic, "one", nil)
	s.Must(err)
	read.SubscriptionProperties.MaxDeliveryCount = ptr(int32(7))
	updated, err := client.UpdateSubscription(s.Context, topic, "one", read.SubscriptionProperties, nil)
	s.Must(err)
	story.Equal(s, "count", *updated.MaxDeliveryCount, int32(7))
	_, err = client.DeleteSubscription(s.Context, topic, "one", nil)
	s.Must(err)
	gone, err := client.GetSubscription(s.Context, topic, "one", nil)
	s.Must(err)
	s.That(gone == nil, "the subscription is gone")
	_, err = client.DeleteTopic(s.Context, topic, nil)
	s.Must(err)
}

func TestAdministrationOfTheNamespace(t *testing.T) {
	s := story.Tell(t, "the namespace tells what it is")
	info, err := administration(s).GetNamespaceProperties(s.Context, nil)
	s.Must(err)
	story.Equal(s, "tier", info.SKU, "Premium")
}
