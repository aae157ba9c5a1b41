package io.peeklock.http.messages;

import io.netty.buffer.ByteBuf;
import io.peeklock.http.BodySink;
import io.peeklock.http.HttpCall;
import io.peeklock.runtime.message.BodyIntake;
import java.util.function.BooleanSupplier;

/** The body of a message that is too large to be held, on its way to where it is stored. */
final class MessageBody implements BodySink {
  private final BodyIntake intake;
  private final BooleanSupplier stillAllowed;

  /**
   * One that goes on as long as its intake has room.
   *
   * @param stillAllowed asked again at its end: it may have taken hours; answers the call when not
   */
  MessageBody(HttpCall call, BodyIntake intake, BooleanSupplier stillAllowed) {
    this.intake = intake;
    this.stillAllowed = stillAllowed;
    intake.whenRoom(call::readOn);
  }

  @Override
  public void take(ByteBuf part) {
    intake.write(part.nioBuffer());
  }

  @Override
  public boolean hasRoom() {
    return intake.hasRoom();
  }

  @Override
  public void end() {
    if (stillAllowed.getAsBoolean()) {
      intake.finish();
    } else {
      intake.abort();
    }
  }

  @Override
  public void drop() {
    intake.abort();
  }
}
