/// Why rows could not be written.
package enum ExportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reader of the pipe has closed it.
  case closedPipe
  /// A file of that name exists and must not be replaced.
  case exists(path: String)
  case cannotCreate(path: String, reason: String)
  case cannotWrite(name: String, reason: String)

  package var description: String {
    switch self {
    case .closedPipe: "The reader closed the output."
    case .exists(let path): "\(path) exists already."
    case .cannotCreate(let path, let reason): "\(path) could not be created: \(reason)."
    case .cannotWrite(let name, let reason):
      "Writing to \(name) failed: \(reason). The output is incomplete."
    }
  }
}
