package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A listener with real sockets. */
@Timeout(300)
class ListenerTest {
  private static final byte[] HEADER = "AMQP\0\1\0\0".getBytes(StandardCharsets.US_ASCII);

  private final EventLoops loops = EventLoops.start(1);
  private final LinkedBlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private @TempDir Path folder;

  @AfterEach
  void stop() {
    loops.close();
  }

  @Test
  void portZeroTakesAFreePortAndTellsIt() throws Exception {
    var listener = open(null, ConnectionLimits.DEFAULT);

    try (var socket = connect(listener)) {
      socket.getOutputStream().write(HEADER);

      assertThat(listener.port()).isPositive();
      assertThat(arrivals.poll(10, TimeUnit.SECONDS)).matches(Arrival::loopback);
    }
  }

  @Test
  void aPortInUseSaysSo() throws Exception {
    var first = open(null, ConnectionLimits.DEFAULT);
    var same = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.port());

    assertThatThrownBy(() -> Listener.open(loops, plainAt(same), Map.of()))
        .isInstanceOf(PortInUseException.class)
        .hasMessage("port " + first.port() + " on " + same.getHostString() + " is in use");
  }

  @Test
  void everyPortOfAListenerServesAndOneThatCannotBeOpenedLeavesTheOthers() throws Exception {
    var listener = open(null, ConnectionLimits.DEFAULT);
    var loopback = InetAddress.getLoopbackAddress();
    listener.alsoAt(new InetSocketAddress(loopback, 0));
    var taken = new InetSocketAddress(loopback, listener.port());

    assertThatThrownBy(() -> listener.alsoAt(taken))
        .isInstanceOfSatisfying(
            PortInUseException.class, inUse -> assertThat(inUse.port()).isEqualTo(taken.getPort()));

    assertThat(listener.ports()).hasSize(2).doesNotHaveDuplicates();
    for (var port : listener.ports()) {
      try (var socket = new Socket(loopback, port)) {
        socket.getOutputStream().write(HEADER);
        assertThat(arrivals.poll(10, TimeUnit.SECONDS)).isNotNull();
      }
    }
    listener.stopAccepting();
    for (var port : listener.ports()) {
      assertThatThrownBy(() -> new Socket(loopback, port).close()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anAddressOfAnotherMachineIsRefusedWithTheReason() {
    var foreign = new InetSocketAddress("203.0.113.1", 0);

    assertThatThrownBy(() -> Listener.open(loops, plainAt(foreign), Map.of()))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(PortInUseException.class)
        .hasMessageContaining("cannot be opened");
  }

  @Test
  void afterStopAcceptingThoseInsideStayUntilTheyAreDropped() throws Exception {
    var listener = open(null, ConnectionLimits.DEFAULT);
    var port = listener.port();
    try (var socket = connect(listener)) {
      socket.getOutputStream().write(HEADER);
      arrivals.poll(10, TimeUnit.SECONDS);

      listener.stopAccepting();

      assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
          .isInstanceOf(IOException.class);
      assertThat(socket.getInputStream().available()).isZero();
      var gone = listener.allGone();
      assertThat(gone).isNotDone();
      listener.dropAll();
      assertThat(gone).succeedsWithin(Duration.ofSeconds(10));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void theOldestUnauthenticatedConnectionMakesRoomForTheNextAndWhoLoggedInStays() throws Exception {
    var listener = open(null, new ConnectionLimits(10, 10, 1, 10_000));

    try (var first = connect(listener)) {
      first.getOutputStream().write(HEADER);
      assertThat(arrivals.poll(10, TimeUnit.SECONDS)).isNotNull();
      try (var second = connect(listener)) {
        assertThat(first.getInputStream().read()).isEqualTo(-1);
        second.getOutputStream().write(HEADER);
        var arrival = arrivals.poll(10, TimeUnit.SECONDS);
        assertThat(arrival).isNotNull();
        arrival.pastHandshake().run();
        try (var third = connect(listener)) {
          third.getOutputStream().write(HEADER);
          assertThat(arrivals.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
      }
    }
  }

  /** One in a round would keep a probe behind a burst of others waiting for a round for each. */
  @Test
  void aBurstOfNewcomersIsLetInInFewRoundsOfTheLoop() throws Exception {
    letsInABurst(loops);
  }

  @Test
  void aBurstIsLetInInFewRoundsWithoutEpollToo() throws Exception {
    try (var nio = EventLoops.ofNio(1)) {
      letsInABurst(nio);
    }
  }

  private static void letsInABurst(EventLoops loops) throws Exception {
    var any = plainAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    var listener = Listener.open(loops, any, Map.of());
    var burst = 4 * LoopTurns.MOST_NEWCOMERS;
    var sockets = new ArrayList<Socket>();
    var allCame = new CountDownLatch(1);
    keepBusy(loops, allCame);
    try {
      for (var index = 0; index < burst; index++) {
        sockets.add(connect(listener));
      }
      var open = new CompletableFuture<List<Integer>>();
      loops.next().execute(() -> countEachRound(loops.next(), listener, burst, List.of(), open));
      allCame.countDown();

      assertThat(letInEachRound(open.get(60, TimeUnit.SECONDS)))
          .hasSizeLessThanOrEqualTo(4 + 2)
          .allMatch(letIn -> letIn <= LoopTurns.MOST_NEWCOMERS);
    } finally {
      allCame.countDown();
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  private static List<Integer> letInEachRound(List<Integer> open) {
    var letIn = new ArrayList<Integer>();
    for (var round = 1; round < open.size(); round++) {
      letIn.add(open.get(round) - open.get(round - 1));
    }
    return letIn;
  }

  /** Returns when the loop has begun to wait, as it does until the latch opens. */
  private static void keepBusy(EventLoops loops, CountDownLatch until) throws InterruptedException {
    var busy = new CountDownLatch(1);
    loops
        .next()
        .execute(
            () -> {
              busy.countDown();
              awaitQuietly(until);
            });
    assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
  }

  /** What they asked for keeps nobody waiting: in a crowd that took seconds. */
  @Test
  void ofACrowdWhoHasHungUpBeforeItsTurnIsClosedUnheard() throws Exception {
    if (!Epoll.isAvailable()) {
      throw NotRun.because("no epoll on this machine");
    }
    var listener = open(null, ConnectionLimits.DEFAULT);
    var crowd = 6 * LoopTurns.MOST_NEWCOMERS;
    var allCame = new CountDownLatch(1);
    keepBusy(loops, allCame);
    for (var index = 0; index < crowd; index++) {
      try (var gone = connect(listener)) {
        gone.getOutputStream().write(HEADER);
      }
    }
    try (var here = connect(listener)) {
      here.getOutputStream().write(HEADER);
      allCame.countDown();

      var heard = 1;
      while (next().remote().getPort() != here.getLocalPort()) {
        heard++;
      }

      assertThat(heard).isBetween(1, LoopTurns.MOST_NEWCOMERS + 1);
      assertThat(listener.connections().accepted()).isEqualTo(heard);
      assertThat(listener.connections().unheard()).isEqualTo(crowd + 1 - heard);
    }
  }

  /** Also where as many had come as a round lets in: when the loop looked again nobody waited. */
  @Test
  void whoSendsSomethingAndHangsUpWhereNobodyWaitsIsHeard() throws Exception {
    var listener = open(null, ConnectionLimits.DEFAULT);
    var allCame = new CountDownLatch(1);
    keepBusy(loops, allCame);
    var crowd = new ArrayList<Socket>();
    for (var index = 0; index < LoopTurns.MOST_NEWCOMERS; index++) {
      crowd.add(connect(listener));
      crowd.getLast().getOutputStream().write(HEADER);
    }
    allCame.countDown();
    for (var ignored : crowd) {
      next();
    }
    for (var round = 0; round < 2; round++) { // a task that is due is run once in a round
      loops.next().schedule(() -> {}, 0, TimeUnit.NANOSECONDS).get(10, TimeUnit.SECONDS);
    }

    var hasHungUp = new CountDownLatch(1);
    keepBusy(loops, hasHungUp);
    var gone = connect(listener);
    gone.getOutputStream().write(HEADER);
    gone.close();
    hasHungUp.countDown();

    assertThat(next()).isNotNull();
    assertThat(listener.connections().unheard()).isZero();
    for (var socket : crowd) {
      socket.close();
    }
  }

  private Arrival next() throws InterruptedException {
    var arrival = arrivals.poll(10, TimeUnit.SECONDS);
    if (arrival == null) {
      throw new AssertionError("nobody arrives");
    }
    return arrival;
  }

  /** A task that is due is run once in a round: how many were open in each. */
  private static void countEachRound(
      EventLoop loop,
      Listener listener,
      int burst,
      List<Integer> before,
      CompletableFuture<List<Integer>> result) {
    var open = new ArrayList<>(before);
    open.add(listener.connections().open());
    if (open.getLast() == burst) {
      result.complete(open);
      return;
    }
    Runnable next = () -> countEachRound(loop, listener, burst, open, result);
    var unused = loop.schedule(next, 0, TimeUnit.NANOSECONDS);
  }

  @Test
  void tlsAndPlainAmqpShareThePort() throws Exception {
    var bundle = selfSigned(Instant.now().plus(Duration.ofDays(1)));
    var listener = open(shown(bundle), ConnectionLimits.DEFAULT);

    try (var plain = connect(listener)) {
      plain.getOutputStream().write(HEADER);
      assertThat(arrivals.poll(10, TimeUnit.SECONDS)).matches(arrival -> !arrival.tls());
    }
    try (var secure = trustingAll().createSocket("127.0.0.1", listener.port())) {
      secure.getOutputStream().write(HEADER);
      assertThat(arrivals.poll(10, TimeUnit.SECONDS)).matches(Arrival::tls);
      assertThat(((SSLSocket) secure).getSession().getProtocol()).isEqualTo("TLSv1.3");
    }
  }

  /** What a handshake takes would keep everybody else of the loop waiting. */
  @Test
  void handshakesAreComputedBesideTheLoop() throws Exception {
    var listener = open(shown(valid()), ConnectionLimits.DEFAULT);
    var busy = new CountDownLatch(1);
    var someone = new EmbeddedChannel();
    loops.handshakes().execute(someone, Handshakes.GOES_ON, () -> awaitQuietly(busy));

    try (var secure = (SSLSocket) trustingAll().createSocket("127.0.0.1", listener.port());
        var plain = connect(listener)) {
      var shaken = CompletableFuture.runAsync(() -> startHandshake(secure));
      plain.getOutputStream().write(HEADER);
      assertThat(arrivals.poll(10, TimeUnit.SECONDS)).matches(arrival -> !arrival.tls());
      assertThat(shaken).isNotDone();

      busy.countDown();
      assertThat(shaken).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  /** It would be computed before all that begin, and for nothing. */
  @Test
  void whoBeginsASecondHandshakeIsClosed() throws Exception {
    var listener = openEcho(shown(valid()));

    try (var secure = (SSLSocket) trustingAll().createSocket("127.0.0.1", listener.port())) {
      secure.setEnabledProtocols(new String[] {"TLSv1.2"}); // 1.3 has no second one
      secure.setSoTimeout(30_000);
      secure.getOutputStream().write(HEADER);
      assertThat(secure.getInputStream().readNBytes(HEADER.length)).isEqualTo(HEADER);

      assertThatThrownBy(
              () -> {
                secure.startHandshake();
                secure.getOutputStream().write(1);
                assertThat(secure.getInputStream().read()).isEqualTo(-1);
                throw new IOException("it was closed");
              })
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  private Listener openEcho(TlsSource tls) throws IOException {
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var settings = new Listener.Settings(anyPort, tls, false, ConnectionLimits.DEFAULT);
    return Listener.open(loops, settings, Map.of(Protocol.AMQP, arrival -> new Echo()));
  }

  /** Sends back what it hears, and goes where something fails, as all handlers do. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var unused = context.writeAndFlush(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var unused = context.close();
    }
  }

  private static void startHandshake(SSLSocket socket) {
    try {
      socket.startHandshake();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theNameThatAPeerAsksForInItsHandshakeIsKnown() throws Exception {
    var bundle = selfSigned(Instant.now().plus(Duration.ofDays(1)));
    var listener = open(shown(bundle), ConnectionLimits.DEFAULT);

    try (var plain = connect(listener)) {
      plain.getOutputStream().write(HEADER);
      assertThat(serverName()).isNull();
    }
    for (var protocol : List.of("TLSv1.3", "TLSv1.2")) {
      try (var named = (SSLSocket) trustingAll().createSocket("127.0.0.1", listener.port())) {
        named.setEnabledProtocols(new String[] {protocol});
        var parameters = named.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName("Tests.localhost")));
        named.setSSLParameters(parameters);
        named.getOutputStream().write(HEADER);
        assertThat(serverName()).isEqualToIgnoringCase("tests.localhost");
      }
    }
    try (var nameless = trustingAll().createSocket("127.0.0.1", listener.port())) {
      nameless.getOutputStream().write(HEADER);
      assertThat(serverName()).isNull();
    }
  }

  private @Nullable String serverName() throws InterruptedException {
    var arrival = arrivals.poll(10, TimeUnit.SECONDS);
    assertThat(arrival).isNotNull();
    return arrival == null ? null : arrival.serverName();
  }

  @Test
  void aPortMayHaveHandlersOfItsOwnUnderTheSameLimits() throws Exception {
    var listener = open(null, ConnectionLimits.DEFAULT);
    var here = new LinkedBlockingQueue<Arrival>();
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    var port =
        listener.alsoAt(
            anyPort,
            Map.of(
                Protocol.AMQP,
                arrival -> {
                  here.add(arrival);
                  return new ChannelInboundHandlerAdapter();
                }));

    assertThat(listener.ports()).containsExactly(listener.port(), port);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(HEADER);
      assertThat(here.poll(10, TimeUnit.SECONDS)).isNotNull();
      assertThat(listener.connections().open()).isEqualTo(1);
    }
    assertThat(arrivals).isEmpty();
  }

  @Test
  void anExpiredCertificateIsRefusedAtStart() throws Exception {
    var bundle = selfSigned(Instant.now().minus(Duration.ofDays(1)));

    assertThatThrownBy(() -> identity(bundle))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be used");
  }

  @Test
  void aKeyThatIsNoneIsRefusedAtStart() throws Exception {
    var certificate = Files.writeString(folder.resolve("c.pem"), valid().getCertificatePEM());
    var key = Files.writeString(folder.resolve("k.pem"), "nothing");

    assertThatThrownBy(() -> TlsIdentity.load(certificate, key))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("PKCS#8");
  }

  @Test
  void aKeyOfAnotherCertificateIsRefusedAtStart() throws Exception {
    var certificate = Files.writeString(folder.resolve("c.pem"), valid().getCertificatePEM());
    var key = Files.writeString(folder.resolve("k.pem"), valid().getPrivateKeyPEM());

    assertThatThrownBy(() -> TlsIdentity.load(certificate, key))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not belong to the certificate");
  }

  @Test
  void aMissingCertificateIsNamed() {
    var nowhere = folder.resolve("nowhere.pem");

    assertThatThrownBy(() -> TlsIdentity.load(nowhere, nowhere))
        .hasMessage("the TLS certificate " + nowhere + " cannot be read");
  }

  private Listener open(@Nullable TlsSource tls, ConnectionLimits limits) throws IOException {
    Map<Protocol, HandlerFactory> handlers =
        Map.of(
            Protocol.AMQP,
            arrival -> {
              arrivals.add(arrival);
              return new ChannelInboundHandlerAdapter();
            });
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var settings = new Listener.Settings(anyPort, tls, false, limits);
    return Listener.open(loops, settings, handlers);
  }

  private static Listener.Settings plainAt(InetSocketAddress address) {
    return new Listener.Settings(address, null, false, ConnectionLimits.DEFAULT);
  }

  private static Socket connect(Listener listener) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private TlsIdentity identity(X509Bundle bundle) throws IOException {
    var certificate = Files.writeString(folder.resolve("c.pem"), bundle.getCertificatePEM());
    var key = Files.writeString(folder.resolve("k.pem"), bundle.getPrivateKeyPEM());
    return TlsIdentity.load(certificate, key);
  }

  private TlsSource shown(X509Bundle bundle) throws IOException {
    var made = CompletableFuture.completedFuture(identity(bundle));
    return () -> made;
  }

  private static X509Bundle valid() throws Exception {
    return selfSigned(Instant.now().plus(Duration.ofDays(1)));
  }

  private static X509Bundle selfSigned(Instant notAfter) throws Exception {
    return new CertificateBuilder()
        .subject("CN=localhost")
        .setIsCertificateAuthority(true)
        .notBefore(notAfter.minus(Duration.ofDays(2)))
        .notAfter(notAfter)
        .buildSelfSigned();
  }

  private static javax.net.ssl.SSLSocketFactory trustingAll() throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    return context.getSocketFactory();
  }

  /** Trusts the self-signed certificate of this test. */
  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      assertThat(List.of(chain)).isNotEmpty();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
