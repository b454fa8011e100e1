/// Why one record, or one reference of it, was not loaded.
package struct LoadFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let position: SourcePosition
  /// A part of a sentence, without a full stop.
  package let reason: String

  package init(_ position: SourcePosition, _ reason: String) {
    self.position = position
    self.reason = reason
  }

  package var description: String { "\(position): \(reason)." }
}

/// Why a load was given up. Nothing of it is in the store.
package enum LoadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A fault in a file, while faults stop the load.
  case stopped(LoadFault)
  /// What the files hold does not fit the entities of the store, which no skipping of records helps.
  case unfit(SourcePosition?, reason: String)
  /// The store was made by somebody else while the load went on.
  case storeAppeared(path: String)
  /// The system refused to make the store's file or to put it in its place.
  case cannotCreate(path: String, reason: String)

  package var description: String {
    switch self {
    case .stopped(let fault):
      "\(fault) Nothing was loaded; correct it, or skip records at fault with --on-error skip."
    case .unfit(let position?, let reason): "\(position): \(reason). Nothing was loaded."
    case .unfit(nil, let reason): "\(reason). Nothing was loaded."
    case .storeAppeared(let path):
      "\(path) was created by another program during the load. Nothing was loaded; try again."
    case .cannotCreate(let path, let reason): "\(path) could not be created: \(reason)."
    }
  }
}
