package io.peeklock.amqp.request;

import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reply links of a connection, by what a request can call them. Belongs to the connection,
 * which may have ten thousand.
 */
@EventLoopThread
public final class ReplyLinks {
  private final Map<AmqpSession, Map<String, Set<ReplyLink>>> bySession = new HashMap<>();

  /** A reply link is made; each only once. */
  void add(ReplyLink link) {
    var ofSession = bySession.computeIfAbsent(link.link().session(), one -> new HashMap<>());
    for (var key : keys(link)) {
      ofSession.computeIfAbsent(key, one -> new LinkedHashSet<>(2)).add(link);
    }
  }

  /** It is over. */
  void remove(ReplyLink link) {
    var ofSession = bySession.get(link.link().session());
    if (ofSession == null) {
      return;
    }
    for (var key : keys(link)) {
      var links = ofSession.get(key);
      if (links != null && links.remove(link) && links.isEmpty()) {
        ofSession.remove(key);
      }
    }
    if (ofSession.isEmpty()) {
      bySession.remove(link.link().session());
    }
  }

  /**
   * Where an answer goes: to a reply link of the same session and node; if there are more, to the
   * one that is called so by target address or link name, else to the first.
   */
  @Nullable ReplyLink find(AmqpSession session, EntityAddress address, @Nullable String name) {
    var ofSession = bySession.get(session);
    if (ofSession == null) {
      return null;
    }
    var found = ofSession.get(named(address, name));
    if (found == null) {
      found = ofSession.get(anyOf(address));
    }
    return found == null ? null : found.iterator().next();
  }

  private static Set<String> keys(ReplyLink link) {
    var keys = new LinkedHashSet<String>(4);
    keys.add(anyOf(link.address));
    keys.add(named(link.address, link.link().name()));
    keys.add(named(link.address, link.replyAddress()));
    return keys;
  }

  /** With the length, so that no resource and name together look like others. */
  private static String anyOf(EntityAddress address) {
    return (address.cbs() ? "token" : "node") + address.resource().length() + address.resource();
  }

  private static String named(EntityAddress address, @Nullable String name) {
    return name == null ? anyOf(address) : anyOf(address) + "\n" + name;
  }
}
