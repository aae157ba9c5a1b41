//! The story, shorter than in the other suites: this client is not an official one.

mod stage;

use std::time::{Duration, Instant};

use azservicebus::{
    receiver::DeadLetterOptions, ServiceBusMessage, ServiceBusMessageState, ServiceBusReceiveMode,
    ServiceBusReceiverOptions,
};
use stage::{body, connect, connect_as, next, not_told, nothing, refused, tell, text, Queue, SOON};

#[tokio::test]
async fn one_message() {
    let rules = ["S-001", "S-004", "S-118", "T-35", "T-36"];
    tell("a message that was sent is received", &rules, async {
        let mut orders = Queue::open("send").await;
        orders.send(&["order-1"]).await;

        let got = &next(&mut orders.receiver().await, 1).await[0];

        assert_eq!(body(got), "order-1");
        assert_eq!(got.delivery_count(), Some(1)); // it shows one more than the header
        assert_eq!(got.sequence_number(), 1);
        assert!(got.locked_until().expect("a lock") > got.enqueued_time());
    })
    .await;
}

#[tokio::test]
async fn many_messages() {
    tell(
        "many messages come in their order",
        &["S-012", "S-135", "S-140"],
        async {
            let mut orders = Queue::open("many").await;
            for i in 0..200 {
                orders.send(&[&i.to_string()]).await;
            }

            let mut receiver = orders.receiver().await;
            for (i, got) in next(&mut receiver, 200).await.into_iter().enumerate() {
                assert_eq!(body(&got), i.to_string());
                receiver.complete_message(got).await.expect("completed");
            }
            orders.holds(&[]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn batch() {
    tell(
        "a batch arrives as its messages, in its order",
        &["S-406", "T-51"],
        async {
            let mut orders = Queue::open("batch").await;
            let mut batch = orders
                .sender
                .create_message_batch(Default::default())
                .expect("a batch");
            for i in 0..20 {
                batch.try_add_message(i.to_string()).expect("room");
            }
            orders
                .sender
                .send_message_batch(batch)
                .await
                .expect("accepted");

            let got = next(&mut orders.receiver().await, 20).await;

            let bodies: Vec<_> = got.iter().map(body).collect();
            assert_eq!(bodies, (0..20).map(|i| i.to_string()).collect::<Vec<_>>());
        },
    )
    .await;
}

#[tokio::test]
async fn peek() {
    let rules = ["S-218", "S-219", "S-222", "S-224", "S-226", "T-48"];
    tell(
        "peek shows active, locked and deferred messages and changes none",
        &rules,
        async {
            let mut orders = Queue::open("peek").await;
            let mut receiver = orders.receiver().await;
            assert!(receiver
                .peek_messages(10, Some(0))
                .await
                .expect("a peek")
                .is_empty());
            orders.send(&["deferred", "locked", "active"]).await;
            let held = next(&mut receiver, 2).await;
            receiver
                .defer_message(&held[0], None)
                .await
                .expect("deferred");

            let began = Instant::now();
            let mut seen = receiver.peek_messages(10, Some(0)).await.expect("a peek");
            while seen[0].state() == ServiceBusMessageState::Active && began.elapsed() < SOON {
                // This client does not wait for the answer to what it settles.
                seen = receiver.peek_messages(10, Some(0)).await.expect("a peek");
            }

            let bodies: Vec<_> = seen
                .iter()
                .map(|message| text(message.body().unwrap()))
                .collect();
            assert_eq!(bodies, ["deferred", "locked", "active"]);
            assert_eq!(seen[0].state(), ServiceBusMessageState::Deferred);
            assert_eq!(seen[1].state(), ServiceBusMessageState::Active);
            assert_eq!(
                receiver
                    .peek_messages(10, Some(3))
                    .await
                    .expect("a peek")
                    .len(),
                1
            );
            assert_eq!(body(&next(&mut receiver, 1).await[0]), "active");
        },
    )
    .await;
}

#[tokio::test]
async fn renew() {
    not_told(
        "renewal",
        "this client renews by the delivery annotation x-opt-lock-token, which the protocol leaves \
         open and this broker does not send; from the delivery tag it makes a token in wrong order",
    );
}

#[tokio::test]
async fn complete() {
    tell(
        "a completed message is gone",
        &["S-030", "S-031", "I-05"],
        async {
            let mut orders = Queue::open("complete").await;
            let mut receiver = orders.receiver().await;
            orders.send(&["order-1"]).await;

            let got = next(&mut receiver, 1).await.remove(0);
            receiver.complete_message(got).await.expect("completed");

            orders.holds(&[]).await;
            nothing(&mut receiver).await;
        },
    )
    .await;
}

#[tokio::test]
async fn abandon() {
    tell(
        "an abandoned message comes back first, counted",
        &["S-028", "S-032", "S-120"],
        async {
            let mut orders = Queue::open("abandon").await;
            let mut receiver = orders.receiver().await;
            orders.send(&["order-1", "order-2"]).await;

            let held = next(&mut receiver, 1).await.remove(0);
            receiver
                .abandon_message(&held, None)
                .await
                .expect("abandoned");

            let again = &next(&mut receiver, 1).await[0];
            assert_eq!(body(again), "order-1");
            assert_eq!(again.delivery_count(), Some(2));
        },
    )
    .await;
}

#[tokio::test]
async fn defer() {
    let rules = ["S-206", "S-207", "S-213", "S-505", "T-37"];
    tell(
        "a deferred message is had by its number only",
        &rules,
        async {
            let mut orders = Queue::open("defer").await;
            let mut receiver = orders.receiver().await;
            orders.send(&["order-1", "order-2"]).await;
            let held = next(&mut receiver, 2).await;
            for message in &held {
                receiver
                    .defer_message(message, None)
                    .await
                    .expect("deferred");
            }
            nothing(&mut receiver).await;

            let first = receiver
                .receive_deferred_message(1)
                .await
                .expect("found")
                .expect("one");
            assert_eq!(body(&first), "order-1");
            receiver.complete_message(first).await.expect("completed");
            refused(
                "receive-deferred-unknown",
                receiver.receive_deferred_message(77).await,
                "StatusCode(404)",
            );

            orders.holds(&["order-2"]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn dead_letter() {
    let rules = ["S-034", "S-090", "S-188", "T-38"];
    tell(
        "a dead letter keeps its reason and description",
        &rules,
        async {
            let mut orders = Queue::open("dead-letter").await;
            let mut receiver = orders.receiver().await;
            orders.send(&["order-1"]).await;
            let held = next(&mut receiver, 1).await.remove(0);
            let options = DeadLetterOptions {
                dead_letter_reason: Some("poison".into()),
                dead_letter_error_description: Some("cannot be read".into()),
                properties_to_modify: None,
            };

            receiver
                .dead_letter_message(&held, options)
                .await
                .expect("dead");

            let mut dead_letters = orders.dead_letters().await;
            let dead = next(&mut dead_letters, 1).await.remove(0);
            assert_eq!(body(&dead), "order-1");
            assert_eq!(dead.dead_letter_reason(), Some("poison"));
            assert_eq!(dead.dead_letter_error_description(), Some("cannot be read"));
            dead_letters.complete_message(dead).await.expect("completed");
            orders.holds(&[]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn lock_lost() {
    let rules = ["S-033", "S-121", "I-17"];
    tell(
        "a lock that ran out settles nothing and frees the message, counted",
        &rules,
        async {
            let mut orders = Queue::open("lock-lost").await;
            let mut holder = orders.receiver().await;
            let mut other = orders.receiver().await;
            orders
                .send(&["order-1", "order-2", "order-3", "order-4"])
                .await;
            let held = next(&mut holder, 4).await;

            let again = next(&mut other, 4).await;

            assert!(again
                .iter()
                .all(|message| message.delivery_count() == Some(2)));
            // This client does not wait for the answer; that the late ones did nothing shows in the queue.
            let _ = holder.complete_message(&held[0]).await;
            let _ = holder.abandon_message(&held[1], None).await;
            let _ = holder.defer_message(&held[2], None).await;
            assert_eq!(orders.content().await.len(), 4);
            for message in again {
                other.complete_message(message).await.expect("completed");
            }
            orders.holds(&[]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn max_delivery_count() {
    tell(
        "the last failed delivery goes to the dead-letter queue",
        &["S-029", "S-126", "S-192"],
        async {
            let mut orders = Queue::open("max-delivery").await;
            let mut receiver = orders.receiver().await;
            orders.send(&["poison"]).await;
            for _ in 0..2 {
                let held = next(&mut receiver, 1).await.remove(0);
                receiver
                    .abandon_message(&held, None)
                    .await
                    .expect("abandoned");
            }

            let dead = &next(&mut orders.dead_letters().await, 1).await[0];

            assert_eq!(dead.dead_letter_reason(), Some("MaxDeliveryCountExceeded"));
        },
    )
    .await;
}

#[tokio::test]
async fn receive_and_delete() {
    tell(
        "receive-and-delete takes for good",
        &["S-021", "S-096", "T-25"],
        async {
            let mut orders = Queue::open("receive-and-delete").await;
            orders.send(&["order-1", "order-2"]).await;
            let options = ServiceBusReceiverOptions {
                receive_mode: ServiceBusReceiveMode::ReceiveAndDelete,
                ..Default::default()
            };

            let mut taker = orders.receiver_with(options).await;
            let taken = next(&mut taker, 1).await;
            taker.dispose().await.expect("closed");

            assert_eq!(body(&taken[0]), "order-1");
            orders.holds(&["order-2"]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn expiry() {
    tell(
        "an expired message dies where that is asked for",
        &["S-168", "S-191"],
        async {
            let mut orders = Queue::open("expiry").await;
            let mut brief = ServiceBusMessage::new("brief");
            brief
                .set_time_to_live(Duration::from_secs(1))
                .expect("a time to live");
            orders.sender.send_message(brief).await.expect("accepted");

            let dead = &next(&mut orders.dead_letters().await, 1).await[0];

            assert_eq!(dead.dead_letter_reason(), Some("TTLExpiredException"));
        },
    )
    .await;
}

#[tokio::test]
async fn sizes() {
    tell(
        "bodies of one byte and of five megabytes come back as they were",
        &["S-072", "I-04"],
        async {
            let mut orders = Queue::open("sizes").await;
            let mut receiver = orders.receiver().await;
            for size in [1, 5_000_000] {
                let sent: Vec<u8> = (0..size).map(|i| (i * 31 >> 3) as u8).collect();
                orders
                    .sender
                    .send_message(sent.clone())
                    .await
                    .expect("accepted");

                let got = next(&mut receiver, 1).await.remove(0);
                assert!(
                    got.body().expect("data") == sent,
                    "the body of {size} bytes is the same"
                );
                receiver.complete_message(got).await.expect("completed");
            }
        },
    )
    .await;
}

#[tokio::test]
async fn fields() {
    tell(
        "fields come back as they were sent",
        &["S-076", "S-079", "I-04"],
        async {
            let mut orders = Queue::open("fields").await;
            let mut sent = ServiceBusMessage::new("order-1");
            sent.set_message_id("m-1").expect("an id");
            sent.set_correlation_id("c-1".to_string());
            sent.set_subject("s".to_string());
            sent.set_to("to".to_string());
            sent.set_reply_to("reply".to_string());
            sent.set_content_type("text/plain".to_string());
            sent.set_session_id(Some("g".to_string()))
                .expect("a session");
            orders.sender.send_message(sent).await.expect("accepted");

            let got = &next(&mut orders.receiver().await, 1).await[0];

            assert_eq!(got.message_id().as_deref(), Some("m-1"));
            assert_eq!(got.correlation_id().as_deref(), Some("c-1"));
            assert_eq!(got.subject(), Some("s"));
            assert_eq!(got.to(), Some("to"));
            assert_eq!(got.reply_to(), Some("reply"));
            assert_eq!(got.content_type(), Some("text/plain"));
            assert_eq!(got.session_id(), Some("g"));
        },
    )
    .await;
}

#[tokio::test]
async fn refusals() {
    tell(
        "what is not there or not allowed is refused",
        &["S-062", "S-183", "S-468"],
        async {
            let mut client = connect().await;
            let missing = client
                .create_sender("no-such-queue", Default::default())
                .await;
            refused("unknown-entity-send", missing, "StatusCode(404)");
            let missing = client
                .create_receiver_for_queue("no-such-queue", Default::default())
                .await;
            refused("unknown-entity-receive", missing, "StatusCode(404)");
            let dead_letters = client
                .create_sender("wrong-key/$DeadLetterQueue", Default::default())
                .await;
            refused("send-to-dead-letter-queue", dead_letters, "NotAllowed");

            let mut thief = connect_as("RootManageSharedAccessKey", "not-the-key").await;
            let stolen = thief.create_sender("wrong-key", Default::default()).await;
            refused("wrong-key", stolen, "StatusCode(401)");
            let mut nobody = connect_as("nobody", "SAS_KEY_VALUE").await;
            let stolen = nobody.create_sender("wrong-key", Default::default()).await;
            refused("unknown-policy", stolen, "StatusCode(401)");
        },
    )
    .await;
}
