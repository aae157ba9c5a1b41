package io.peeklock.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a client sends on one spoilt connection; seed and index say what, the same each time.
 *
 * @param pieces each is written at once, the next a while later, when the first may be answered
 */
record FuzzStream(List<byte[]> pieces) {
  private static final List<List<byte[]>> SCRIPTS = Scripts.all();
  private static final List<Recorded> RECORDED =
      Recordings.CLIENTS.stream()
          .flatMap(client -> Recordings.amqp(client).stream())
          .map(Recorded::of)
          .toList();
  private static final List<List<byte[]>> ASKED =
      Recordings.CLIENTS.stream().flatMap(client -> Recordings.http(client).stream()).toList();
  private static final byte[] OPEN = Scripts.open();
  private static final byte[] BEGIN = Scripts.begin();

  /** The stream with this index. */
  static FuzzStream of(long seed, long index) {
    var random = new Random(seed * 1_000_003 + index);
    random.nextLong();
    var pieces =
        switch (random.nextInt(16)) {
          case 0 -> List.of(noise(random));
          case 1, 2 -> List.of(new HttpTalk(random).bytes());
          case 3 -> asked(random);
          case 4 -> new WebSocketWrap(random).around(amqp(random));
          case 5 -> new WebSocketWrap(random).around(recorded(random));
          case 6, 7, 8 -> recorded(random);
          default -> amqp(random);
        };
    return new FuzzStream(random.nextInt(8) == 0 ? cut(random, pieces) : pieces);
  }

  /** The first piece in two, anywhere. */
  private static List<byte[]> cut(Random random, List<byte[]> pieces) {
    var whole = pieces.getFirst();
    var at = random.nextInt(whole.length + 1);
    var cut = new ArrayList<byte[]>();
    cut.add(Arrays.copyOf(whole, at));
    cut.add(Arrays.copyOfRange(whole, at, whole.length));
    cut.addAll(pieces.subList(1, pieces.size()));
    return cut;
  }

  /** What a client recorded, as it is before it is spoilt. */
  static List<FuzzStream> soundly(String client) {
    return Recordings.amqp(client).stream().map(frames -> new FuzzStream(joined(frames))).toList();
  }

  /** The streams that are spoilt, as they are before: what a broker must understand. */
  static List<FuzzStream> sound() {
    var streams = new ArrayList<FuzzStream>();
    for (var script : SCRIPTS) {
      for (var plain : List.of(true, false)) {
        var frames = login(plain);
        frames.addAll(script);
        streams.add(new FuzzStream(joined(frames)));
        streams.add(new FuzzStream(new WebSocketWrap(new Random(1)).soundly(joined(frames))));
      }
    }
    return streams;
  }

  /** Past SASL, open and begin, with a right to everything. */
  private static List<byte[]> login(boolean plain) {
    var frames = new ArrayList<>(Scripts.login(plain ? "PLAIN" : "ANONYMOUS"));
    frames.add(OPEN);
    frames.add(BEGIN);
    if (!plain) {
      frames.addAll(Scripts.putToken(3, 4, 9));
    }
    return frames;
  }

  private static List<byte[]> amqp(Random random) {
    var frames = new ArrayList<byte[]>();
    var kept = 0;
    switch (random.nextInt(16)) {
      case 0 -> frames.addAll(opened(null));
      case 1 -> frames.addAll(opened("ANONYMOUS"));
      case 2, 3 -> frames.addAll(login(random.nextBoolean()));
      default -> {
        frames.addAll(login(random.nextInt(4) == 0));
        kept = frames.size();
      }
    }
    frames.addAll(SCRIPTS.get(random.nextInt(SCRIPTS.size())));
    if (random.nextInt(4) == 0) { // a second conversation in the midst of the first
      var at = kept + random.nextInt(frames.size() - kept);
      frames.addAll(at, SCRIPTS.get(random.nextInt(SCRIPTS.size())));
    }
    var spoiler = new Spoiler(random);
    for (var changes = 1 + random.nextInt(4); changes > 0; changes--) {
      spoiler.change(frames, kept);
    }
    return joined(frames);
  }

  private static List<byte[]> recorded(Random random) {
    var recorded = RECORDED.get(random.nextInt(RECORDED.size()));
    var frames = new ArrayList<>(recorded.frames());
    var kept = random.nextInt(4) == 0 ? 0 : recorded.loggedIn();
    var spoiler = new Spoiler(random);
    for (var changes = 1 + random.nextInt(4); changes > 0; changes--) {
      spoiler.change(frames, kept);
    }
    return joined(frames);
  }

  private static List<byte[]> asked(Random random) {
    var pieces = new ArrayList<>(ASKED.get(random.nextInt(ASKED.size())));
    var at = random.nextInt(pieces.size());
    pieces.set(at, new Spoiler(random).anyBytes(pieces.get(at)));
    return pieces;
  }

  private static List<byte[]> opened(@Nullable String mechanism) {
    var frames = new ArrayList<>(Scripts.login(mechanism));
    frames.add(OPEN);
    frames.add(BEGIN);
    return frames;
  }

  private static byte[] noise(Random random) {
    var bytes = new byte[random.nextInt(600)];
    random.nextBytes(bytes);
    var beginnings = new byte[][] {{'A', 'M', 'Q', 'P'}, {0x16, 3, 1}, {'G', 'E', 'T', ' '}, {}};
    var begin = beginnings[random.nextInt(beginnings.length)];
    System.arraycopy(begin, 0, bytes, 0, Math.min(begin.length, bytes.length));
    return bytes;
  }

  /** One piece up to each pause. */
  private static List<byte[]> joined(List<byte[]> frames) {
    var pieces = new ArrayList<byte[]>();
    var out = new ByteArrayOutputStream();
    for (var frame : frames) {
      if (frame.length == 0 && out.size() > 0) {
        pieces.add(out.toByteArray());
        out.reset();
      }
      out.writeBytes(frame);
    }
    pieces.add(out.toByteArray());
    return pieces;
  }

  /** A conversation, and how many of its frames are taken for the login. */
  private record Recorded(List<byte[]> frames, int loggedIn) {
    private static final int ANSWERED_TO_LOG_IN = 6;

    static Recorded of(List<byte[]> frames) {
      var loggedIn = 0;
      for (var answers = 0; answers < ANSWERED_TO_LOG_IN && loggedIn < frames.size() / 2; ) {
        answers += frames.get(loggedIn++).length == 0 ? 1 : 0;
      }
      return new Recorded(frames, loggedIn);
    }
  }

  /** As a line of a file, pieces parted by blanks. */
  String hex() {
    return pieces.stream().map(HexFormat.of()::formatHex).collect(Collectors.joining(" "));
  }

  /** From such a line. */
  static FuzzStream ofHex(String line) {
    return new FuzzStream(
        Stream.of(line.strip().split(" ", -1)).map(HexFormat.of()::parseHex).toList());
  }
}
