import Foundation

extension LoadPlan {
  /// Keeps what can be read only once in files.
  ///
  /// - Parameters:
  ///   - isComplete: whether all that comes is read now; else it is read when it is asked for.
  ///   - notify: called with the name of an input from which nothing comes.
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
