//! What every story stands on: the broker's address, queues, and the report of what was told.

use std::{
    fs::OpenOptions,
    future::Future,
    io::Write,
    time::{Duration, Instant},
};

use azservicebus::{
    authorization::AzureNamedKeyCredential, core::BasicRetryPolicy, ServiceBusClient,
    ServiceBusClientOptions, ServiceBusReceivedMessage, ServiceBusReceiver,
    ServiceBusReceiverOptions, ServiceBusRetryOptions, ServiceBusSender, SubQueue,
};
use serde_json::{json, Value};

/// Long enough to see that nothing comes.
pub const MOMENT: Duration = Duration::from_millis(400);
/// Long enough for what the broker was told to show.
pub const SOON: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(90);

pub type Client = ServiceBusClient<BasicRetryPolicy>;

/// Runs one story and reports it; a panic is what was wrong.
pub async fn tell(name: &str, rules: &[&str], story: impl Future<Output = ()> + Send + 'static) {
    let told = match tokio::spawn(tokio::time::timeout(PATIENCE, story)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err("it did not end in time".to_string()),
        Err(failed) => Err(reason(failed.into_panic())),
    };
    match told {
        Ok(()) => write(&json!({"test": name, "rules": rules, "ok": true})),
        Err(why) => {
            write(&json!({"test": name, "rules": rules, "ok": false, "why": why}));
            panic!("{why}");
        }
    }
}

/// Reports a story that this client has no words for.
pub fn not_told(name: &str, reason: &str) {
    write(&json!({"test": name, "notRun": reason}));
}

/// Notes what the client made of a refusal. It has one class of error for all; what was refused is
/// in its text.
pub fn refused<T>(name: &str, result: Result<T, impl std::fmt::Debug>, code: &str) {
    let text = match result {
        Ok(_) => panic!("{name} was not refused"),
        Err(error) => format!("{error:?}"),
    };
    write(
        &json!({"refusal": name, "class": "azure_core::Error", "code": code,
        "transient": null, "message": text}),
    );
    assert!(text.contains(code), "{name} was refused as {text}");
}

fn reason(panic: Box<dyn std::any::Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic
            .downcast::<&str>()
            .map_or("it panicked".into(), |text| text.to_string()),
    }
}

// One write for each line: several stories share the file.
fn write(line: &Value) {
    let path = std::env::var("SUITE_REPORT").expect("SUITE_REPORT; see the script run");
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .expect("a report");
    file.write_all(format!("{line}\n").as_bytes())
        .expect("a line in the report");
}

fn part(key: &str) -> String {
    let connection = std::env::var("PEEKLOCK_CONNECTION").expect("PEEKLOCK_CONNECTION");
    let mut parts = connection
        .split(';')
        .filter_map(|pair| pair.split_once('='));
    let found = parts.find(|(name, _)| *name == key);
    found.unwrap_or_else(|| panic!("no {key}")).1.to_string()
}

pub async fn connect() -> Client {
    connect_as(&part("SharedAccessKeyName"), &part("SharedAccessKey")).await
}

/// By host and key: of a connection string this client forgets the port.
pub async fn connect_as(policy: &str, key: &str) -> Client {
    let mut retries = ServiceBusRetryOptions::default();
    retries.set_max_retries(1).expect("few retries");
    ServiceBusClient::unsecured()
        .new_from_named_key_credential(
            part("Endpoint").trim_start_matches("sb://"),
            AzureNamedKeyCredential::new(policy.to_string(), key.to_string()),
            ServiceBusClientOptions {
                retry_options: retries,
                ..Default::default()
            },
        )
        .await
        .expect("a connection")
}

/// A queue as one application sees it.
pub struct Queue {
    pub name: String,
    pub client: Client,
    pub sender: ServiceBusSender,
}

impl Queue {
    pub async fn open(name: &str) -> Self {
        let mut client = connect().await;
        let sender = client.create_sender(name, Default::default()).await;
        Self {
            name: name.into(),
            client,
            sender: sender.expect("a sender"),
        }
    }

    pub async fn send(&mut self, bodies: &[&str]) {
        for body in bodies {
            self.sender.send_message(*body).await.expect("accepted");
        }
    }

    pub async fn receiver(&mut self) -> ServiceBusReceiver {
        self.receiver_with(Default::default()).await
    }

    pub async fn dead_letters(&mut self) -> ServiceBusReceiver {
        self.receiver_with(ServiceBusReceiverOptions {
            sub_queue: SubQueue::DeadLetter,
            ..Default::default()
        })
        .await
    }

    pub async fn receiver_with(
        &mut self,
        options: ServiceBusReceiverOptions,
    ) -> ServiceBusReceiver {
        self.client
            .create_receiver_for_queue(self.name.clone(), options)
            .await
            .expect("a receiver")
    }

    /// Waits until exactly this lies in the queue: this client does not wait for the answer to what it
    /// settles, and asks on another AMQP session.
    pub async fn holds(&mut self, bodies: &[&str]) {
        let began = Instant::now();
        let mut seen = self.content().await;
        while seen != bodies && began.elapsed() < SOON {
            seen = self.content().await;
        }
        assert_eq!(seen, bodies);
    }

    /// Bodies of everything that lies in the queue.
    pub async fn content(&mut self) -> Vec<String> {
        let mut receiver = self.receiver().await;
        let peeked = receiver.peek_messages(100, Some(0)).await;
        // A receiver that is dropped instead takes the client's connection down with it.
        receiver.dispose().await.expect("closed");
        let bodies = peeked.expect("a peek");
        bodies
            .iter()
            .map(|message| text(message.body().expect("data")))
            .collect()
    }
}

pub fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).into_owned()
}

pub fn body(message: &ServiceBusReceivedMessage) -> String {
    text(message.body().expect("data"))
}

/// The next messages, in as many calls as it takes.
pub async fn next(receiver: &mut ServiceBusReceiver, count: u32) -> Vec<ServiceBusReceivedMessage> {
    let mut all: Vec<ServiceBusReceivedMessage> = vec![];
    while (all.len() as u32) < count {
        let missing = count - all.len() as u32;
        all.extend(receiver.receive_messages(missing).await.expect("messages"));
    }
    all
}

/// Fails the story when a message comes within a moment.
pub async fn nothing(receiver: &mut ServiceBusReceiver) {
    let began = Instant::now();
    let some = receiver
        .receive_messages_with_max_wait_time(1, MOMENT)
        .await;
    let some = some.expect("an empty answer");
    assert!(
        some.is_empty(),
        "nothing should have come, but {}",
        body(&some[0])
    );
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "not in time: {:?}",
        began.elapsed()
    );
}
