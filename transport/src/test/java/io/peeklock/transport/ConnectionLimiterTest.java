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

  private ConnectionLimiter admission(ConnectionLimits limits) {
    return new ConnectionLimiter(limits, nanos::incrementAndGet);
  }

  private static EmbeddedChannel peer() {
    return new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  }

  private static EmbeddedChannel stranger(ConnectionLimiter admission, InetAddress address) {
    var channel = peer();
    admission.enter(channel, address);
    return channel;
  }

  private static EmbeddedChannel known(ConnectionLimiter admission, InetAddress address) {
    var channel = stranger(admission, address);
    assertThat(admission.recognise(channel)).isNull();
    return channel;
  }

  private static void speak(EmbeddedChannel channel) {
    channel.writeInbound(Unpooled.buffer().writeByte(1));
    channel.releaseInbound();
  }

  @Test
  void theTotalIsKeptAndAPlaceIsFreeAgainWhenSomebodyLeaves() {
    var admission = admission(new ConnectionLimits(2, 2, 2, 1));
    var first = known(admission, here);
    known(admission, there);
    var third = stranger(admission, elsewhere);

    var refusal = admission.recognise(third);
    admission.leave(first);

    assertThat(refusal).contains("2 connections already");
    assertThat(admission.recognise(third)).isNull();
  }

  @Test
  void oneAddressCannotTakeEveryPlace() {
    var admission = admission(new ConnectionLimits(5, 1, 5, 1));
    known(admission, here);

    var again = admission.recognise(stranger(admission, here));
    var other = admission.recognise(stranger(admission, there));

    assertThat(again).contains("from its address");
    assertThat(other).isNull();
    assertThat(admission.counts().refused()).isEqualTo(1);
  }

  @Test
  void clientsOfThisMachineShareAnAddressAndAreLimitedByTheTotalAlone() {
    var admission = admission(new ConnectionLimits(2, 1, 5, 1));
    known(admission, InetAddress.getLoopbackAddress());
    known(admission, InetAddress.getLoopbackAddress());

    var third = admission.recognise(stranger(admission, InetAddress.getLoopbackAddress()));

    assertThat(third).contains("2 connections already");
  }

  @Test
  void allAddressesOfANetworkOfTheNewKindAreOne() {
    var admission = admission(new ConnectionLimits(5, 1, 5, 1));
    known(admission, address("2001:db8:0:1::1"));

    var neighbour = admission.recognise(stranger(admission, address("2001:db8:0:1:ffff::2")));
    var other = admission.recognise(stranger(admission, address("2001:db8:0:2::1")));

    assertThat(neighbour).contains("from its address");
    assertThat(other).isNull();
  }

  @Test
  void whereAllPlacesAreTakenWhoComesIsHeardAllTheSame() {
    var admission = admission(new ConnectionLimits(1, 1, 1, 1));
    var logged = known(admission, here);

    var probe = stranger(admission, here);

    assertThat(probe.isOpen()).isTrue();
    assertThat(logged.isOpen()).isTrue();
    assertThat(admission.counts().open()).isEqualTo(2);
  }

  /** However many addresses he has who only connects, and though another one has more of each. */
  @Test
  void whoSaidNothingYetGoesBeforeWhoBeganToSpeak() {
    var admission = admission(new ConnectionLimits(5, 5, 4, 1));
    var first = stranger(admission, here);
    var second = stranger(admission, here);
    speak(first);
    speak(second);

    var mute = stranger(admission, there);
    var later = stranger(admission, elsewhere);
    for (var i = 0; i < 100; i++) {
      stranger(admission, address("10.0.1." + i));
    }

    assertThat(mute.isOpen()).isFalse();
    assertThat(later.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
    assertThat(second.isOpen()).isTrue();
  }

  @Test
  void aStrangerMakesRoomForTheNextButWhoLoggedInStays() {
    var admission = admission(new ConnectionLimits(5, 5, 1, 1));
    var first = stranger(admission, here);

    var known = known(admission, there);
    stranger(admission, there);
    stranger(admission, there);

    assertThat(first.isOpen()).isFalse();
    assertThat(known.isOpen()).isTrue();
  }

  @Test
  void whoWasNotHeardForLongestAmongThoseOfTheAddressWithMostMakesRoom() {
    var admission = admission(new ConnectionLimits(9, 9, 3, 1));
    var lonely = stranger(admission, there);
    speak(lonely);
    var talking = stranger(admission, here);
    var silent = stranger(admission, here);
    speak(talking);

    stranger(admission, elsewhere);

    assertThat(silent.isOpen()).isFalse();
    assertThat(lonely.isOpen()).isTrue();
    assertThat(talking.isOpen()).isTrue();
    assertThat(admission.counts())
        .isEqualTo(
            new ConnectionCounts(
                new ConnectionCounts.Part(3, 3), new ConnectionCounts.Part(0, 9), 4, 1, 0));
  }

  /** However many addresses he has: each had its turn. */
  @Test
  void theAddressForWhichMostHandshakesWereComputedMakesRoomThoughItHasNoMorePlaces() {
    var admission = admission(new ConnectionLimits(9, 9, 3, 1));
    for (var i = 0; i < 5; i++) {
      var before = stranger(admission, there);
      assertThat(admission.asksForHandshake(before)).isEqualTo(i + 1);
      admission.handshakeIsComputed(before);
      admission.leave(before);
    }
    var first = stranger(admission, here);
    speak(first);
    var again = stranger(admission, there);
    speak(again);
    assertThat(admission.asksForHandshake(again)).isEqualTo(6);
    speak(stranger(admission, elsewhere));

    stranger(admission, elsewhere);

    assertThat(again.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
  }

  @Test
  void anAddressOfWhichManyWaitComesBehindThoseOfWhichFewDo() {
    var admission = admission(ConnectionLimits.DEFAULT);
    for (var i = 0; i < 5; i++) {
      assertThat(admission.asksForHandshake(stranger(admission, there))).isEqualTo(i + 1);
    }

    assertThat(admission.asksForHandshake(stranger(admission, here))).isEqualTo(1);
  }

  /** It cost nothing, and who tries again would have ever less of a chance. */
  @Test
  void whatWasNotComputedDoesNotCount() {
    var admission = admission(ConnectionLimits.DEFAULT);
    for (var i = 0; i < 5; i++) {
      var inVain = stranger(admission, here);
      assertThat(admission.asksForHandshake(inVain)).isEqualTo(1);
      admission.leave(inVain);
    }
  }

  @Test
  void whatLedToALoginDoesNotCount() {
    var admission = admission(ConnectionLimits.DEFAULT);
    for (var i = 0; i < 5; i++) {
      var client = stranger(admission, here);
      assertThat(admission.asksForHandshake(client)).isEqualTo(1);
      admission.handshakeIsComputed(client);
      admission.recognise(client);
      assertThat(admission.asksForHandshake(client)).isZero();
    }
  }

  /** Or whoever holds a key asked for as many as he likes beside it. */
  @Test
  void aLoginInClearTakesBackNothingThatOthersAskedFor() {
    var admission = admission(ConnectionLimits.DEFAULT);
    var other = stranger(admission, here);
    admission.asksForHandshake(other);
    admission.handshakeIsComputed(other);

    known(admission, here);

    assertThat(admission.asksForHandshake(stranger(admission, here))).isEqualTo(2);
  }

  private EmbeddedChannel waiting(ConnectionLimiter admission, InetAddress address) {
    var channel = stranger(admission, address);
    speak(channel);
    UnauthenticatedPeer.waitsForUs(channel, 1);
    return channel;
  }

  /** What was computed for those that wait longest would be lost. */
  @Test
  void whereMostWaitForTheirHandshakesWhoCameLastMakesRoom() {
    var admission = admission(new ConnectionLimits(9, 9, 4, 1));
    var plain = stranger(admission, here);
    speak(plain);
    var first = waiting(admission, here);
    var second = waiting(admission, here);
    var third = waiting(admission, here);

    stranger(admission, here);

    assertThat(third.isOpen()).isFalse();
    assertThat(List.of(plain, first, second)).allMatch(EmbeddedChannel::isOpen);
  }

  @Test
  void whereFewWaitForTheirHandshakesTheyStay() {
    var admission = admission(new ConnectionLimits(9, 9, 5, 1));
    var waiting = List.of(waiting(admission, here), waiting(admission, here));
    for (var i = 0; i < 20; i++) {
      speak(stranger(admission, address("10.0.1." + i)));
    }

    assertThat(waiting).allMatch(EmbeddedChannel::isOpen);
  }

  @Test
  void hundredsThatAskNowAndThenShutOutNobody() {
    var admission = admission(ConnectionLimits.DEFAULT);
    var crowd = new ArrayList<EmbeddedChannel>();
    for (var i = 0; i < 500; i++) {
      crowd.add(stranger(admission, here));
    }
    crowd.forEach(ConnectionLimiterTest::speak);

    var probe = stranger(admission, here);
    crowd.subList(2, 500).forEach(ConnectionLimiterTest::speak);
    var next = stranger(admission, here);

    assertThat(probe.isOpen()).isTrue();
    assertThat(next.isOpen()).isTrue();
    assertThat(List.of(crowd.get(0), crowd.get(1))).noneMatch(EmbeddedChannel::isOpen);
  }

  @Test
  void whoShowedWhoItIsIsNoLongerWatched() {
    var admission = admission(ConnectionLimits.DEFAULT);
    var channel = known(admission, here);

    admission.recognise(channel);
    speak(channel);

    assertThat(channel.pipeline().get(UnauthenticatedPeer.class)).isNull();
    assertThat(admission.counts().open()).isEqualTo(1);
    assertThat(admission.all()).containsExactly(channel);
  }

  @Test
  void leavingTwiceOrWithoutHavingEnteredCountsNothing() {
    var admission = admission(new ConnectionLimits(1, 1, 1, 1));
    var first = known(admission, here);

    admission.leave(peer());
    var full = admission.recognise(stranger(admission, there));
    admission.leave(first);
    admission.leave(first);

    assertThat(full).isNotNull();
    known(admission, here);
    assertThat(admission.recognise(stranger(admission, here))).isNotNull();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
