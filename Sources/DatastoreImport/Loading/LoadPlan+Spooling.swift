import Foundation

extension LoadPlan {
  /// Copies inputs that can be read only once to files.
  ///
  /// - Parameters:
  ///   - isComplete: whether to read all data now; otherwise it is read on demand.
  ///   - notify: called with the name of an input from which no data arrives.
  /// - Throws: `ImportError.inaccessible`.
  package mutating func spoolPipes(
    isComplete: Bool = true, whenWaiting notify: (String) -> Void
  ) throws {
    for index in sources.indices where sources[index].input.isReadOnce {
      let name = sources[index].name
      let spooled = try SpooledInput(sources[index].open())
      spooled.wait { notify(name) }
      if isComplete { try spooled.readAll() }
      sources[index].input = .spooled(spooled)
    }
  }
}
