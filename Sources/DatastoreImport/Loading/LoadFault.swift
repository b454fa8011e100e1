/// The reason why one record, or one reference of it, was not loaded.
package struct LoadFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let position: SourcePosition
  /// A part of a sentence, without a full stop.
  package let reason: String
  /// The number of the record in its file, from 1; nil if it is not known.
  package var record: Int?
  /// The invalid column; nil if the whole record is invalid.
  package let column: String?
  /// The beginning of the invalid value, as text; nil if there is none.
  package let value: String?

  private static let shownCharacters = 200

  package init(
    _ position: SourcePosition, _ reason: String, record: Int? = nil, column: String? = nil,
    value: String? = nil
  ) {
    self.position = position
    self.reason = reason
    self.record = record
    self.column = column
    self.value = value.map { String($0.prefix(Self.shownCharacters)) }
  }

  package var description: String {
    "\(position): \(column.map { "\($0.shownInMessage): " } ?? "")\(reason)."
  }
}

/// The reason why a load was given up. Nothing of it is in the store.
package enum LoadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A fault in a file, if faults stop the load.
  case stopped(LoadFault)
  /// The content of the files does not fit the entities of the store, which skipping records cannot remedy.
  case unfit(SourcePosition?, reason: String)
  /// Another program created the store while the load ran.
  case storeAppeared(path: String)
  /// The system refused to create the store's file or to move it to its place.
  case cannotCreate(path: String, reason: String)

  package var description: String {
    switch self {
    case .stopped(let fault):
      "\(fault) Nothing was loaded; correct it, or skip invalid records with --on-error skip."
    case .unfit(let position?, let reason): "\(position): \(reason). Nothing was loaded."
    case .unfit(nil, let reason): "\(reason). Nothing was loaded."
    case .storeAppeared(let path):
      "\(path) was created by another program during the load. Nothing was loaded; try again."
    case .cannotCreate(let path, let reason): "\(path) could not be created: \(reason)."
    }
  }
}

/// Something failed, and what had been created for it could not be removed.
package struct LeftoverError: Error, Sendable, CustomStringConvertible {
  /// The first error.
  package let error: any Error
  /// A sentence that names the leftover and the reason.
  package let leftover: String

  package var description: String { "\(error) \(leftover)" }

  /// The error to report after `error`: itself if `remove` succeeds, and otherwise both.
  ///
  /// - Parameter name: the name of the place shown to users.
  package static func removing(
    _ name: String, after error: any Error, by remove: () throws -> Void
  ) -> any Error {
    do {
      try remove()
      return error
    } catch let reason {
      return LeftoverError(
        error: error,
        leftover: "The tables made for it in \(name) could not be removed again: \(reason)")
    }
  }
}
