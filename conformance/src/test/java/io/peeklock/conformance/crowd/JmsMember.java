package io.peeklock.conformance.crowd;

import io.peeklock.conformance.BrokerProcess;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import org.apache.qpid.jms.JmsConnectionFactory;

/** Qpid JMS, which asks for one message at a time. */
final class JmsMember implements Member {
  private static final long PATIENCE_MILLIS = 30_000;

  private final Connection connection;
  private final Session session;
  private final MessageProducer producer;
  private final MessageConsumer consumer;

  private JmsMember(Connection connection, String queue) throws JMSException {
    this.connection = connection;
    session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    producer = session.createProducer(session.createQueue(queue));
    consumer = session.createConsumer(session.createQueue(queue));
  }

  static JmsMember join(int port, String queue) throws JMSException {
    var factory =
        new JmsConnectionFactory("amqp://localhost:" + port + "?jms.prefetchPolicy.all=0");
    var connection = factory.createConnection(BrokerProcess.KEY_NAME, BrokerProcess.KEY);
    connection.start();
    return new JmsMember(connection, queue);
  }

  @Override
  public Receipt roundTrip(String id) throws JMSException {
    var sent = session.createBytesMessage();
    sent.writeBytes(id.getBytes(StandardCharsets.UTF_8));
    producer.send(sent);
    var message = consumer.receive(PATIENCE_MILLIS);
    if (message == null) {
      throw new AssertionError("no message came");
    }
    message.acknowledge();
    return new Receipt(text(message), message.getIntProperty("JMSXDeliveryCount") - 1);
  }

  private static String text(Message message) throws JMSException {
    var body = ((BytesMessage) message).getBody(byte[].class);
    return new String(body, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws JMSException {
    connection.close();
  }
}
