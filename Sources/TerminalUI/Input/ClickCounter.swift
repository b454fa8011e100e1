/// Tells a double click from two clicks: curses could, but only by holding every press back.
struct ClickCounter {
  private var last: (button: MouseEvent.Button, position: Position, time: Duration, clicks: Int)?

  /// The number of presses, 1 or 2, that this press completes. `time` is from any fixed start.
  mutating func press(
    _ button: MouseEvent.Button, at position: Position, time: Duration
  ) -> Int {
    var clicks = 1
    if let last, last.button == button, last.position == position, last.clicks == 1,
      time - last.time <= .milliseconds(400)
    {
      clicks = 2
    }
    last = (button, position, time, clicks)
    return clicks
  }
}
