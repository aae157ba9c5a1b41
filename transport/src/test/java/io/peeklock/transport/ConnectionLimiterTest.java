package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Limits on connections, at the limit and one above. */
class ConnectionLimiterTest {
  private final InetAddress here = address("10.0.0.1");
  private final InetAddress there = address("10.0.0.2");
  private final InetAddress elsewhere = address("10.0.0.3");
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it wraps on the way

  private ConnectionLimiter limiter(ConnectionLimits limits) {
    return new ConnectionLimiter(limits, nanos::incrementAndGet);
  }

  private static EmbeddedChannel peer() {
    return new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  }

  private static EmbeddedChannel unauthenticated(ConnectionLimiter limiter, InetAddress address) {
    var channel = peer();
    limiter.enter(channel, address);
    return channel;
  }

  private static EmbeddedChannel authenticated(ConnectionLimiter limiter, InetAddress address) {
    var channel = unauthenticated(limiter, address);
    assertThat(limiter.recognise(channel)).isNull();
    return channel;
  }

  private static void speak(EmbeddedChannel channel) {
    channel.writeInbound(Unpooled.buffer().writeByte(1));
    channel.releaseInbound();
  }

  @Test
  void theTotalIsKeptAndAPlaceIsFreeAgainWhenSomebodyLeaves() {
    var limiter = limiter(new ConnectionLimits(2, 2, 2, 1));
    var first = authenticated(limiter, here);
    authenticated(limiter, there);
    var third = unauthenticated(limiter, elsewhere);

    var refusal = limiter.recognise(third);
    limiter.leave(first);

    assertThat(refusal).contains("2 connections already");
    assertThat(limiter.recognise(third)).isNull();
  }

  @Test
  void oneAddressCannotTakeEveryPlace() {
    var limiter = limiter(new ConnectionLimits(5, 1, 5, 1));
    authenticated(limiter, here);

    var again = limiter.recognise(unauthenticated(limiter, here));
    var other = limiter.recognise(unauthenticated(limiter, there));

    assertThat(again).contains("from its address");
    assertThat(other).isNull();
    assertThat(limiter.counts().refused()).isEqualTo(1);
  }

  @Test
  void clientsOfThisMachineShareAnAddressAndAreLimitedByTheTotalAlone() {
    var limiter = limiter(new ConnectionLimits(2, 1, 5, 1));
    authenticated(limiter, InetAddress.getLoopbackAddress());
    authenticated(limiter, InetAddress.getLoopbackAddress());

    var third = limiter.recognise(unauthenticated(limiter, InetAddress.getLoopbackAddress()));

    assertThat(third).contains("2 connections already");
  }

  @Test
  void allAddressesOfANetworkOfTheNewKindAreOne() {
    var limiter = limiter(new ConnectionLimits(5, 1, 5, 1));
    authenticated(limiter, address("2001:db8:0:1::1"));

    var neighbour = limiter.recognise(unauthenticated(limiter, address("2001:db8:0:1:ffff::2")));
    var other = limiter.recognise(unauthenticated(limiter, address("2001:db8:0:2::1")));

    assertThat(neighbour).contains("from its address");
    assertThat(other).isNull();
  }

  @Test
  void whereAllPlacesAreTakenWhoComesIsHeardAllTheSame() {
    var limiter = limiter(new ConnectionLimits(1, 1, 1, 1));
    var logged = authenticated(limiter, here);

    var probe = unauthenticated(limiter, here);

    assertThat(probe.isOpen()).isTrue();
    assertThat(logged.isOpen()).isTrue();
    assertThat(limiter.counts().open()).isEqualTo(2);
  }

  /** However many addresses he has who only connects, and though another one has more of each. */
  @Test
  void whoSaidNothingYetGoesBeforeWhoBeganToSpeak() {
    var limiter = limiter(new ConnectionLimits(5, 5, 4, 1));
    var first = unauthenticated(limiter, here);
    var second = unauthenticated(limiter, here);
    speak(first);
    speak(second);

    var silent = unauthenticated(limiter, there);
    var later = unauthenticated(limiter, elsewhere);
    for (var i = 0; i < 100; i++) {
      unauthenticated(limiter, address("10.0.1." + i));
    }

    assertThat(silent.isOpen()).isFalse();
    assertThat(later.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
    assertThat(second.isOpen()).isTrue();
  }

  @Test
  void anUnauthenticatedConnectionMakesRoomForTheNextButWhoLoggedInStays() {
    var limiter = limiter(new ConnectionLimits(5, 5, 1, 1));
    var first = unauthenticated(limiter, here);

    var authenticated = authenticated(limiter, there);
    unauthenticated(limiter, there);
    unauthenticated(limiter, there);

    assertThat(first.isOpen()).isFalse();
    assertThat(authenticated.isOpen()).isTrue();
  }

  @Test
  void whoWasNotHeardForLongestAmongThoseOfTheAddressWithMostMakesRoom() {
    var limiter = limiter(new ConnectionLimits(9, 9, 3, 1));
    var lonely = unauthenticated(limiter, there);
    speak(lonely);
    var talking = unauthenticated(limiter, here);
    var silent = unauthenticated(limiter, here);
    speak(talking);

    unauthenticated(limiter, elsewhere);

    assertThat(silent.isOpen()).isFalse();
    assertThat(lonely.isOpen()).isTrue();
    assertThat(talking.isOpen()).isTrue();
    assertThat(limiter.counts())
        .isEqualTo(
            new ConnectionCounts(
                new ConnectionCounts.Part(3, 3), new ConnectionCounts.Part(0, 9), 4, 1, 0, 0));
  }

  /** However many addresses he has: each had its turn. */
  @Test
  void theAddressForWhichMostHandshakesWereComputedMakesRoomThoughItHasNoMorePlaces() {
    var limiter = limiter(new ConnectionLimits(9, 9, 3, 1));
    for (var i = 0; i < 5; i++) {
      var before = unauthenticated(limiter, there);
      assertThat(limiter.asksForHandshake(before)).isEqualTo(i + 1);
      limiter.handshakeIsComputed(before);
      limiter.leave(before);
    }
    var first = unauthenticated(limiter, here);
    speak(first);
    var again = unauthenticated(limiter, there);
    speak(again);
    assertThat(limiter.asksForHandshake(again)).isEqualTo(6);
    speak(unauthenticated(limiter, elsewhere));

    unauthenticated(limiter, elsewhere);

    assertThat(again.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
  }

  @Test
  void anAddressOfWhichManyWaitComesBehindThoseOfWhichFewDo() {
    var limiter = limiter(ConnectionLimits.DEFAULT);
    for (var i = 0; i < 5; i++) {
      assertThat(limiter.asksForHandshake(unauthenticated(limiter, there))).isEqualTo(i + 1);
    }

    assertThat(limiter.asksForHandshake(unauthenticated(limiter, here))).isEqualTo(1);
  }

  /** It cost nothing, and who tries again would have ever less of a chance. */
  @Test
  void whatWasNotComputedDoesNotCount() {
    var limiter = limiter(ConnectionLimits.DEFAULT);
    for (var i = 0; i < 5; i++) {
      var inVain = unauthenticated(limiter, here);
      assertThat(limiter.asksForHandshake(inVain)).isEqualTo(1);
      limiter.leave(inVain);
    }
  }

  @Test
  void whatLedToALoginDoesNotCount() {
    var limiter = limiter(ConnectionLimits.DEFAULT);
    for (var i = 0; i < 5; i++) {
      var client = unauthenticated(limiter, here);
      assertThat(limiter.asksForHandshake(client)).isEqualTo(1);
      limiter.handshakeIsComputed(client);
      limiter.recognise(client);
      assertThat(limiter.asksForHandshake(client)).isZero();
    }
  }

  /** Or whoever holds a key asked for as many as he likes beside it. */
  @Test
  void aLoginInClearTakesBackNothingThatOthersAskedFor() {
    var limiter = limiter(ConnectionLimits.DEFAULT);
    var other = unauthenticated(limiter, here);
    limiter.asksForHandshake(other);
    limiter.handshakeIsComputed(other);

    authenticated(limiter, here);

    assertThat(limiter.asksForHandshake(unauthenticated(limiter, here))).isEqualTo(2);
  }

  private EmbeddedChannel waiting(ConnectionLimiter limiter, InetAddress address) {
    var channel = unauthenticated(limiter, address);
    speak(channel);
    UnauthenticatedPeer.waitsForUs(channel, 1);
    return channel;
  }

  /** What was computed for those that wait longest would be lost. */
  @Test
  void whereMostWaitForTheirHandshakesWhoCameLastMakesRoom() {
    var limiter = limiter(new ConnectionLimits(9, 9, 4, 1));
    var plain = unauthenticated(limiter, here);
    speak(plain);
    var first = waiting(limiter, here);
    var second = waiting(limiter, here);
    var third = waiting(limiter, here);

    unauthenticated(limiter, here);

    assertThat(third.isOpen()).isFalse();
    assertThat(List.of(plain, first, second)).allMatch(EmbeddedChannel::isOpen);
  }

  @Test
  void whereFewWaitForTheirHandshakesTheyStay() {
    var limiter = limiter(new ConnectionLimits(9, 9, 5, 1));
    var waiting = List.of(waiting(limiter, here), waiting(limiter, here));
    for (var i = 0; i < 20; i++) {
      speak(unauthenticated(limiter, address("10.0.1." + i)));
    }

    assertThat(waiting).allMatch(EmbeddedChannel::isOpen);
  }

  @Test
  void hundredsThatAskNowAndThenShutOutNobody() {
    var limiter = limiter(ConnectionLimits.DEFAULT);
    var crowd = new ArrayList<EmbeddedChannel>();
    for (var i = 0; i < 500; i++) {
      crowd.add(unauthenticated(limiter, here));
    }
    crowd.forEach(ConnectionLimiterTest::speak);

    var probe = unauthenticated(limiter, here);
    crowd.subList(2, 500).forEach(ConnectionLimiterTest::speak);
    var next = unauthenticated(limiter, here);

    assertThat(probe.isOpen()).isTrue();
    assertThat(next.isOpen()).isTrue();
    assertThat(List.of(crowd.get(0), crowd.get(1))).noneMatch(EmbeddedChannel::isOpen);
  }

  @Test
  void whoShowedWhoItIsIsNoLongerWatched() {
    var limiter = limiter(ConnectionLimits.DEFAULT);
    var channel = authenticated(limiter, here);

    limiter.recognise(channel);
    speak(channel);

    assertThat(channel.pipeline().get(UnauthenticatedPeer.class)).isNull();
    assertThat(limiter.counts().open()).isEqualTo(1);
    assertThat(limiter.all()).containsExactly(channel);
  }

  @Test
  void leavingTwiceOrWithoutHavingEnteredCountsNothing() {
    var limiter = limiter(new ConnectionLimits(1, 1, 1, 1));
    var first = authenticated(limiter, here);

    limiter.leave(peer());
    var full = limiter.recognise(unauthenticated(limiter, there));
    limiter.leave(first);
    limiter.leave(first);

    assertThat(full).isNotNull();
    authenticated(limiter, here);
    assertThat(limiter.recognise(unauthenticated(limiter, here))).isNotNull();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
