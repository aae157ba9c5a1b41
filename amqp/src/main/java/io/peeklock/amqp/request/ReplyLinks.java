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
  private final Map<String, Set<ReplyLink>> all = new HashMap<>();

  /** A reply link is made; each only once. */
  void add(ReplyLink link) {
    var ofSession = bySession.computeIfAbsent(link.link().session(), one -> new HashMap<>());
    for (var key : keys(link)) {
      ofSession.computeIfAbsent(key, one -> new LinkedHashSet<>(2)).add(link);
      all.computeIfAbsent(key, one -> new LinkedHashSet<>(2)).add(link);
    }
  }

  /** It is over. */
  void remove(ReplyLink link) {
    var ofSession = bySession.get(link.link().session());
    if (ofSession == null) {
      return;
    }
    for (var key : keys(link)) {
      remove(ofSession, key, link);
      remove(all, key, link);
    }
    if (ofSession.isEmpty()) {
      bySession.remove(link.link().session());
    }
  }

  private static void remove(Map<String, Set<ReplyLink>> from, String key, ReplyLink link) {
    var links = from.get(key);
    if (links != null && links.remove(link) && links.isEmpty()) {
      from.remove(key);
    }
  }

  /**
   * Where an answer goes: to a reply link of the same node, called so by target address or link
   * name, of the same session before others, as some clients have the two links on two sessions;
   * where none is called so, to the first of the same session, else of the connection.
   */
  @Nullable ReplyLink find(AmqpSession session, EntityAddress address, @Nullable String name) {
    var ofSession = bySession.getOrDefault(session, Map.of());
    var named = named(address, name);
    var found = first(ofSession, named);
    found = found == null ? first(all, named) : found;
    found = found == null ? first(ofSession, anyOf(address)) : found;
    return found == null ? first(all, anyOf(address)) : found;
  }

  private static @Nullable ReplyLink first(Map<String, Set<ReplyLink>> links, String key) {
    var found = links.get(key);
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
