package io.peeklock.amqp.engine;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.ConnectionContext;
import io.peeklock.amqp.engine.link.LinkWeights;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The sessions of one connection by their channels. */
final class SessionChannels {
  private final ConnectionContext connection;
  private final BitSet begunChannels = new BitSet();
  private @Nullable SessionEndpoint[] sessions = new SessionEndpoint[4];
  private int count;

  SessionChannels(ConnectionContext connection) {
    this.connection = connection;
  }

  void onBegin(int channel, Performative begin) {
    if (at(channel) != null) {
      throw ProtocolViolation.of(AmqpError.NOT_ALLOWED, "channel " + channel + " is in use");
    }
    EngineConfig.Limits limits = connection.limits();
    LinkWeights weights = connection.weights();
    int most = Math.min(limits.maxSessions(), weights.allowance().sessions());
    if (count >= 2L * most) {
      throw ProtocolViolation.of(AmqpError.RESOURCE_LIMIT_EXCEEDED, "far too many sessions");
    }
    var session = new SessionEndpoint(this, connection, channel, begin);
    weights.addSession();
    begunChannels.set(channel);
    put(channel, session);
    session.answer(connection.firstId(), limits.handleMax());
    if (count > most) {
      session.end(AmqpError.of(AmqpError.RESOURCE_LIMIT_EXCEEDED, "at most " + most + " sessions"));
      return;
    }
    connection.listener().onBegin(session);
  }

  /** Hands a frame to its session. */
  void onFrame(int channel, Performative fields, int payloadAt, int end) {
    SessionEndpoint session = at(channel);
    if (session != null) {
      session.onFrame(fields, payloadAt, end);
    } else if (!begunChannels.get(channel)) {
      throw ProtocolViolation.of(
          AmqpError.NOT_ALLOWED, "no session was begun on channel " + channel);
    }
    // Otherwise the session has ended: Python sends a detach after its end (T-62).
  }

  /** The client has ended it too: its channel is free. */
  void remove(SessionEndpoint session) {
    if (at(session.channel()) == session) {
      sessions[session.channel()] = null;
      count--;
      connection.weights().removeSession();
    }
  }

  /** Silences all sessions. */
  void silence() {
    for (SessionEndpoint session : sessions) {
      if (session != null) {
        session.silence();
      }
    }
  }

  /** Ends all sessions without frames; each makes its pending callbacks, once. */
  void end() {
    silence();
    for (int channel = 0; channel < sessions.length; channel++) {
      SessionEndpoint session = sessions[channel];
      if (session != null) {
        session.over(null);
        remove(session);
      }
    }
  }

  private @Nullable SessionEndpoint at(int channel) {
    return channel < sessions.length ? sessions[channel] : null;
  }

  private void put(int channel, SessionEndpoint session) {
    if (channel >= sessions.length) {
      sessions = Arrays.copyOf(sessions, Math.max(channel + 1, 2 * sessions.length));
    }
    sessions[channel] = session;
    count++;
  }
}
