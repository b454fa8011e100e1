/// The reason why a file, a record of it or a manifest could not be read.
package enum ImportError: Error, Equatable, Sendable {
  /// One record is malformed. The reader has skipped it: `next()` returns the record after it.
  case malformed(SourcePosition, reason: String)
  /// The file is malformed in such a way that nothing from this place on can be read.
  case unreadable(SourcePosition, reason: String)
  /// The system could not open or read the file; `reason` is its message.
  case inaccessible(file: String, reason: String)
  /// The manifest is invalid; `faults` are all that were found, in the order of the file.
  case invalidManifest(file: String, faults: [ManifestFault])
}

extension ImportError: CustomStringConvertible {
  /// A sentence for the user whose file it is.
  package var description: String {
    switch self {
    case .malformed(let position, let reason):
      return "\(position): \(reason)."
    case .unreadable(let position, let reason):
      return "\(position): \(reason). The file cannot be read from here on."
    case .inaccessible(let file, let reason):
      return "\(file) cannot be read: \(reason)."
    case .invalidManifest(let file, let faults):
      let count = faults.count == 1 ? "a fault" : "\(faults.count) faults"
      let lines = faults.map { "\n  \($0)" }.joined()
      return "\(file) has \(count); nothing is loaded until it is corrected:\(lines)"
    }
  }
}

package struct ManifestFault: Hashable, Sendable, CustomStringConvertible {
  package let position: SourcePosition
  /// The path of keys to the faulty node, such as `files[2].columns.capital`; empty at the root.
  package let path: String
  package let reason: String

  package var description: String {
    let place = path.isEmpty ? "" : " (\(path))"
    return "line \(position.line), column \(position.column)\(place): \(reason)"
  }
}
