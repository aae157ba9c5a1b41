package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose handshake is computed when, while the only thread is busy with another one. */
@Timeout(60)
class HandshakesTest {
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
  private final Handshakes handshakes = new Handshakes(1);
  private final AtomicLong now = new AtomicLong();
  private final CountDownLatch busy = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> computed = new LinkedBlockingQueue<>();

  @AfterEach
  void stop() {
    handshakes.close();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void whatWasBegunGoesOnFirstThenTheAddressThatAskedForFewestThenWhoCameFirst() throws Exception {
    keepBusy();
    ask(peer(), 7, "seventh of its address");
    ask(peer(), 1, "first of its address");
    ask(peer(), 1, "first of another one");
    ask(peer(), Handshakes.GOES_ON, "begun");

    busy.countDown();

    assertThat(List.of(next(), next(), next(), next()))
        .containsExactly(
            "begun", "first of its address", "first of another one", "seventh of its address");
  }

  @Test
  void forWhoIsGoneNothingIsComputed() throws Exception {
    keepBusy();
    var gone = peer();
    ask(gone, 1, "gone");
    ask(peer(), 2, "here");

    gone.close().sync();
    onLoop(() -> {}); // behind those that hear of its end
    assertThat(handshakes.waiting()).isEqualTo(1);
    busy.countDown();

    assertThat(next()).isEqualTo("here");
    assertThat(computed).isEmpty();
  }

  @Test
  void whoWaitsForUsIsNotReadAndIsToldApart() throws Exception {
    keepBusy();
    var peer = guarded();

    ask(peer, 1, "waits");
    now.addAndGet(5);
    assertThat(unread(peer)).isEqualTo(5);
    assertThat(unauthenticated(peer).waitsForUs()).isTrue();
    busy.countDown();
    untilLetGo();
    now.addAndGet(5);

    assertThat(unread(peer)).isEqualTo(5);
    assertThat(unauthenticated(peer).waitsForUs()).isFalse();
  }

  /** As the hello is, by the handler that was made before: the end of that step is behind it. */
  @Test
  void whoseNextStepIsAskedForByTheOneBeforeStaysUnread() throws Exception {
    var peer = guarded();
    var first = new CountDownLatch(1);
    onLoop(
        () ->
            handshakes.execute(peer, 1, () -> peer.eventLoop().execute(() -> resume(peer, first))));
    first.await();
    onLoop(() -> {}); // behind the end of the first step
    now.addAndGet(5);

    assertThat(unread(peer)).isEqualTo(5);
    assertThat(unauthenticated(peer).waitsForUs()).isTrue();
    busy.countDown();
    untilLetGo();
    now.addAndGet(5);

    assertThat(unread(peer)).isEqualTo(5);
  }

  private void resume(Channel peer, CountDownLatch begun) {
    handshakes.execute(peer, Handshakes.GOES_ON, () -> awaitQuietly(busy));
    begun.countDown();
  }

  private void untilLetGo() throws Exception {
    ask(peer(), 1_000, "behind all");
    while (!"behind all".equals(next())) {}
    onLoop(() -> {}); // behind what lets the others go
  }

  private Channel guarded() throws Exception {
    var peer = peer();
    var turns = new LoopTurns(now::get, task -> {});
    peer.pipeline().addLast(unauthenticated());
    onLoop(() -> LoopTurnHandler.guard(peer, turns, peer.config().getRecvByteBufAllocator()));
    return peer;
  }

  private static UnauthenticatedPeer unauthenticated(Channel peer) {
    return peer.pipeline().get(UnauthenticatedPeer.class);
  }

  private long unread(Channel peer) throws Exception {
    return loops.next().submit(() -> LoopTurnHandler.unreadNanos(peer)).get();
  }

  @Test
  void whoeverFailsLosesItsOwnConnectionAlone() throws Exception {
    var bad = peer();
    onLoop(
        () ->
            handshakes.execute(
                bad,
                1,
                () -> {
                  throw new OutOfMemoryError("on purpose");
                }));

    bad.closeFuture().sync();
    var good = peer();
    ask(good, 1, "good");

    assertThat(next()).isEqualTo("good");
    assertThat(good.isOpen()).isTrue();
  }

  @Test
  void afterTheEndNobodyIsTaken() {
    handshakes.close();

    assertThatThrownBy(() -> ask(peer(), 1, "late"))
        .hasRootCauseInstanceOf(RejectedExecutionException.class);
  }

  private void keepBusy() throws Exception {
    var begun = new CountDownLatch(1);
    var first = peer();
    onLoop(
        () ->
            handshakes.execute(
                first,
                1,
                () -> {
                  begun.countDown();
                  awaitQuietly(busy);
                }));
    begun.await();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask(Channel peer, int askedLately, String name) throws Exception {
    onLoop(() -> handshakes.execute(peer, askedLately, () -> computed.add(name)));
  }

  private String next() throws InterruptedException {
    var next = computed.poll(30, TimeUnit.SECONDS);
    return next == null ? "nothing" : next;
  }

  private void onLoop(Runnable task) throws Exception {
    loops.next().submit(task).get();
  }

  private Channel peer() throws InterruptedException {
    var channel = new LocalChannel();
    loops.register(channel).sync();
    return channel;
  }

  private static UnauthenticatedPeer unauthenticated() {
    var here = ClientAddress.of(InetAddress.getLoopbackAddress());
    var recent = new RecentHandshakes(System.nanoTime());
    return new UnauthenticatedPeer(new OriginGroup(here, recent.of(here)), System::nanoTime);
  }
}
