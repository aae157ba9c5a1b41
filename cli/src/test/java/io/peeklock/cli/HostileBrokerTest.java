package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a broker sends, a command ends with one sentence and has not taken all memory. */
@Timeout(300)
@LongProof
class HostileBrokerTest {
  private static final byte[] SASL = "AMQP\3\1\0\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] AMQP = "AMQP\0\1\0\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int OPEN = 0x10;
  private static final int BEGIN = 0x11;
  private static final int ATTACH = 0x12;
  private static final int FLOW = 0x13;
  private static final long FAR_TOO_MUCH = 2L << 30;

  private final StringWriter err = new StringWriter();
  private final AtomicLong written = new AtomicLong();

  /** What a broker says on a connection. */
  private interface Talk {
    void on(DataInputStream in, DataOutputStream out) throws IOException;
  }

  private int receiveFrom(Talk talk) throws IOException {
    return receiveFrom("5s", talk);
  }

  /** The same for a command that waits for so long before it takes its credit back. */
  private int receiveFrom(String wait, Talk talk) throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var broker =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (var client = socket.accept()) {
                      talk.on(
                          new DataInputStream(client.getInputStream()),
                          new DataOutputStream(client.getOutputStream()));
                    } catch (IOException gone) {
                      assertThat(gone).isNotNull(); // the command has had enough
                    }
                  });
      var code =
          CliMain.commandLine()
              .setErr(new PrintWriter(err, true))
              .execute(
                  "receive",
                  "q",
                  "--wait",
                  wait,
                  "--connection",
                  "Endpoint=sb://127.0.0.1:"
                      + socket.getLocalPort()
                      + ";SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true");
      broker.interrupt();
      return code;
    }
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  private static void frame(DataOutputStream out, int type, byte[] body, byte[] payload)
      throws IOException {
    var frame = ByteBuffer.allocate(8 + body.length + payload.length);
    frame.putInt(frame.capacity()).put((byte) 2).put((byte) type).putShort((short) 0);
    out.write(frame.put(body).put(payload).array());
    out.flush();
  }

  private static void frame(DataOutputStream out, int type, String body) throws IOException {
    frame(out, type, hex(body), new byte[0]);
  }

  /** The body of the next frame that is not empty. */
  private static byte[] next(DataInputStream in) throws IOException {
    while (true) {
      var frame = new byte[in.readInt() - 4];
      in.readFully(frame);
      if (frame.length > 4) {
        return Arrays.copyOfRange(frame, 4, frame.length);
      }
    }
  }

  private static void login(DataInputStream in, DataOutputStream out) throws IOException {
    in.readFully(new byte[8]);
    out.write(SASL);
    frame(out, 1, "00 53 40 c0 08 01 a3 05 50 4c 41 49 4e"); // PLAIN
    next(in);
    frame(out, 1, "00 53 44 c0 03 01 50 00"); // ok
    in.readFully(new byte[8]);
    out.write(AMQP);
  }

  /** Opens all that is asked for, until there is credit. */
  private static void untilCredit(DataInputStream in, DataOutputStream out) throws IOException {
    login(in, out);
    while (true) {
      var body = next(in);
      switch (body[2]) {
        case OPEN -> frame(out, 0, "00 53 10 c0 04 01 a1 01 62");
        case BEGIN -> frame(out, 0, "00 53 11 c0 0f 04 60 0000 52 01 70 7fffffff 70 7fffffff");
        case ATTACH -> {
          var name = body[3] == (byte) 0xc0 ? 6 : 12;
          var text = ByteBuffer.allocate(body[name + 1] + 2).put(body, name, body[name + 1] + 2);
          var fields = hex("43 42 50 00 50 00 00 53 28 45 00 53 29 45 40 40 43".replace(" ", ""));
          var list = ByteBuffer.allocate(5 + text.capacity() + fields.length);
          list.put(hex("005312c0")).put((byte) (1 + text.capacity() + fields.length));
          var whole = ByteBuffer.allocate(list.capacity() + 1);
          whole.put(list.array(), 0, 5).put((byte) 10).put(text.array()).put(fields);
          frame(out, 0, whole.array(), new byte[0]);
        }
        case FLOW -> {
          return;
        }
        default -> {}
      }
    }
  }

  private void saidInOneSentence(int code) {
    assertThat(code).isEqualTo(CliFailure.UNREACHABLE);
    assertThat(err.toString()).startsWith("peeklock: ").hasLineCount(1);
    assertThat(written.get()).isLessThan(FAR_TOO_MUCH / 2);
  }

  @Test
  void aFrameOfFourGigabytes() throws IOException {
    var code =
        receiveFrom(
            (in, out) -> {
              login(in, out);
              out.write(hex("ffffffff 02000000"));
              endless(out, new byte[64 << 10]);
            });

    saidInOneSentence(code);
  }

  @Test
  void aMessageWithoutAnEnd() throws IOException {
    var code =
        receiveFrom(
            (in, out) -> {
              untilCredit(in, out);
              var piece = new byte[32 << 10];
              while (written.addAndGet(piece.length) < FAR_TOO_MUCH) {
                frame(out, 0, hex("00 53 14 c0 09 06 43 43 a0 01 00 43 42 41"), piece);
              }
            });

    saidInOneSentence(code);
    assertThat(err.toString()).contains("of which no message is whole");
  }

  @Test
  void aMessageThatNestsWithoutAnEnd() throws IOException {
    var levels = 400_000;
    var message = ByteBuffer.allocate(3 + 9 * levels + 1).put(hex("005377"));
    for (var level = levels; level > 0; level--) {
      message.put((byte) 0xd0).putInt(5 + 9 * (level - 1)).putInt(1);
    }
    message.put((byte) 0x40);
    var bytes = message.array();

    var code =
        receiveFrom(
            (in, out) -> {
              untilCredit(in, out);
              for (var from = 0; from < bytes.length; from += 32 << 10) {
                var until = Math.min(bytes.length, from + (32 << 10));
                frame(
                    out,
                    0,
                    hex(
                        "00 53 14 c0 09 06 43 43 a0 01 00 43 42 "
                            + (until < bytes.length ? 41 : 42)),
                    Arrays.copyOfRange(bytes, from, until));
              }
              next(in);
              while (in.read() >= 0) {} // until the command leaves
            });

    saidInOneSentence(code);
    assertThat(err.toString()).contains("a message that cannot be read");
  }

  @Test
  @Timeout(60)
  void aMessageInPiecesOfOneByte() throws IOException {
    var code =
        receiveFrom(
            "50s", // longer than a slow machine takes to count the pieces
            (in, out) -> {
              untilCredit(in, out);
              var piece = hex("0000 0017 02 00 0000 00 53 14 c0 09 06 43 43 a0 01 00 43 42 41 78");
              var many = ByteBuffer.allocate(piece.length * 2_000);
              while (many.hasRemaining()) {
                many.put(piece);
              }
              endless(out, many.array());
            });

    saidInOneSentence(code);
    assertThat(err.toString()).contains("of which no message is whole");
  }

  /** The broker does not answer what closes the link and the connection either. */
  @ParameterizedTest
  @Timeout(30)
  @CsvSource({
    "00 53 77 f0 00000005 7fffffff 41, takes more memory than there is", // 2^31 truths
    "00 a1 01 41 41, not of the type that it must be", // a section described by a text
    "00 53 75 b0 7fffffff 00, greater than the amount of data",
  })
  void aMessageThatIsNone(String message, String sentence) throws IOException {
    var code =
        receiveFrom(
            (in, out) -> {
              untilCredit(in, out);
              frame(out, 0, hex("00 53 14 c0 09 06 43 43 a0 01 00 43 42 42"), hex(message));
              while (in.read() >= 0) {} // until the command leaves
            });

    saidInOneSentence(code);
    assertThat(err.toString()).contains(sentence);
  }

  private void endless(DataOutputStream out, byte[] bytes) throws IOException {
    while (written.addAndGet(bytes.length) < FAR_TOO_MUCH) {
      out.write(bytes);
    }
  }
}
