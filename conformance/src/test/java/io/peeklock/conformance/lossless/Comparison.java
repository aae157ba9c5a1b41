package io.peeklock.conformance.lossless;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Says where what a client showed is not what another sent. */
final class Comparison {
  /** What the broker says of a message. */
  private static final Set<String> OURS =
      Set.of(
          "x-opt-sequence-number",
          "x-opt-enqueued-time",
          "x-opt-locked-until",
          "x-opt-enqueue-sequence-number",
          "x-opt-message-state",
          "x-opt-deadletter-source",
          "x-opt-scheduled-enqueue-time",
          "x-opt-lock-token",
          "DeadLetterReason",
          "DeadLetterErrorDescription");

  private static final List<String> SECTIONS =
      List.of("delivery", "annotations", "application", "footer");

  private static final Value USUAL_PRIORITY = Value.of("ubyte", "4");

  private final Client sender;
  private final Client receiver;
  private final String way;

  Comparison(Client sender, Client receiver, String way) {
    this.sender = sender;
    this.way = way;
    this.receiver = receiver;
  }

  /** What differs, for a person; nothing if it is the same. */
  Optional<String> difference(Description sent, Description got) {
    var wanted = wanted(sent);
    var found = found(sent, got);
    var spoilt = wanted.entrySet().stream().filter(this::isSpoilt).map(Map.Entry::getKey).toList();
    wanted.keySet().removeAll(spoilt);
    found.keySet().removeAll(spoilt);
    return wanted.equals(found) ? Optional.empty() : Optional.of(different(wanted, found, sent));
  }

  private boolean isSpoilt(Map.Entry<String, String> entry) {
    return SECTIONS.stream().anyMatch(section -> entry.getKey().startsWith(section + " "))
        && receiver.spoils(way, entry.getValue());
  }

  private static String different(
      Map<String, String> wanted, Map<String, String> found, Description sent) {
    var missing = new TreeMap<>(wanted);
    missing.entrySet().removeAll(found.entrySet());
    var more = new TreeMap<>(found);
    more.entrySet().removeAll(wanted.entrySet());
    return "\n  wanted " + missing + "\n  found  " + more + "\n  sent   " + sent;
  }

  private Map<String, String> wanted(Description sent) {
    var wanted = new TreeMap<String, String>();
    sent.parts()
        .forEach(
            (name, value) -> {
              if (SECTIONS.contains(name)) {
                entries(wanted, name, value, true);
              } else if (!isOurs(sent, name)) {
                put(
                    wanted,
                    name,
                    name.startsWith("header.")
                        ? receiver.sees(value)
                        : receiver.sees(value, sender));
              }
            });
    wanted.putIfAbsent("header.priority", normal("header.priority", receiver.sees(USUAL_PRIORITY)));
    return wanted;
  }

  private Map<String, String> found(Description sent, Description got) {
    var found = new TreeMap<String, String>();
    got.parts()
        .forEach(
            (name, value) -> {
              if (SECTIONS.contains(name)) {
                entries(found, name, value, false);
              } else if (!isOurs(sent, name)) {
                found.put(name, normal(name, value));
              }
            });
    found.putIfAbsent("header.priority", normal("header.priority", receiver.sees(USUAL_PRIORITY)));
    return found;
  }

  private void put(Map<String, String> wanted, String name, Value shown) {
    if (receiver.takesForData(name, shown)) {
      wanted.put("data", Value.of("list", List.of(shown)).toString());
    } else {
      wanted.put(name, normal(name, shown));
    }
  }

  /** What the broker or the sender's client says of each message, or the receiver's cannot show. */
  private boolean isOurs(Description sent, String name) {
    if ((sender.makesUp(name) || receiver.makesUp(name)) && !sent.has(name)) {
      return true;
    }
    return switch (name) {
      case "header.durable", "properties.message-id" -> !sent.has(name);
      case "header.ttl" -> !sent.has(name) && receiver != Client.RAW;
      case "properties.absolute-expiry-time", "properties.creation-time" -> sent.has("header.ttl");
      case "properties.user-id" -> !receiver.hasUserId();
      default -> false;
    };
  }

  /** Fields have one type each, ids aside, which clients show as another. */
  private static String normal(String name, Value value) {
    var isField = name.startsWith("header.") || name.startsWith("properties.");
    return (isField && !name.endsWith("-id")) || name.endsWith("group-id")
        ? value.text()
        : value.sorted().toString();
  }

  private void entries(Map<String, String> into, String name, Value map, boolean isSent) {
    for (var i = 0; i + 1 < map.parts().size(); i += 2) {
      var key = text(map.parts().get(i));
      var value = map.parts().get(i + 1);
      if (!OURS.contains(key)) {
        into.put(
            name + " " + key, (isSent ? receiver.sees(value, sender) : value).sorted().toString());
      }
    }
  }

  /** Python shows names as bytes. */
  private static String text(Value key) {
    return "bytes".equals(key.type())
        ? new String(ValueWriter.hex(key.text()), StandardCharsets.UTF_8)
        : key.text();
  }
}
