import DatastoreBrowser
import DatastoreCore
import DatastoreExport
import DatastoreImport
import DatastoreSQL
import SwiftDatastore
import TerminalUI

/// The reason why the program could not do its work: a message and an exit status.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Translates an error of the libraries into a message and an exit status.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError: self.init(Self.status(of: error), error.description)
    case let error as PlainTableFault:
      self.init(error.isOfPlace ? .cannotCreate : .badData, error.description)
    case let error as MigrationError: self.init(.losses, error.description)
    case let error as AbstractEntityError: self.init(.usage, error.description)
    case let error as LeftoverError:
      let first = Failure(error.error)
      self.init(first.status, "\(first.message) \(error.leftover)")
    case let error as LoadError: self.init(Self.status(of: error), error.description)
    case let error as ImportError: self.init(Self.status(of: error), error.description)
    case let error as LoadPlanFault:
      if case .noManifest = error {
        self.init(.noInput, error.description)
      } else {
        self.init(.usage, error.description)
      }
    case let error as ConfigurationError: self.init(.configuration, error.description)
    case let error as ThemeError: self.init(.configuration, error.description)
    case let error as TerminalError: self.init(.unavailable, error.description)
    case let error as PredicateSyntaxError:
      self.init(
        .usage,
        MarkedText(
          error.message, error.text, at: error.utf8Offset, length: error.utf8Length
        ).description)
    case let error as SQLTextError:
      self.init(
        .usage,
        error.utf8Offset.map {
          MarkedText(error.message, error.sql, at: $0, length: error.wordLength).description
        } ?? error.message)
    case let error as ExportError: self.init(Self.status(of: error), error.description)
    case let error as SchemaError: self.init(.badData, error.description)
    case let error as ValidationError: self.init(.badData, error.description)
    case let error as ConflictError: self.init(.badData, "\(error)")
    case is CancellationError:
      self.init(Interruption.status, "The load was interrupted. Nothing was loaded.")
    default: self.init(.internalError, "\(error)")
    }
  }

  private static func status(of error: StoreError) -> ExitStatus {
    switch error {
    case .missingFile, .isDirectory, .notRegularFile: .noInput
    case .notADatabase, .malformed, .unreadableSchema, .schemaMismatch, .unknownFormat, .notNative,
      .modelDoesNotFit, .unfitValue, .noStoredValue, .notUnique,
      .missingValue, .checkFailed, .brokenReference, .refused, .unreadable, .unknownMember,
      .keyChanged, .unknownMembers, .sharedEntities, .otherConfiguration, .severalStores,
      .notInStore, .acrossStores, .keyTooGreat, .tooManyStores:
      .badData
    case .readOnly, .readOnlyEntity, .fileExists, .coreData, .interruptedSave: .cannotCreate
    case .locked, .beingMigrated, .tooManyConnections, .statementTimeout: .temporary
    case .noPermission, .authenticationFailed, .notPermitted: .noPermission
    case .missingLibrary, .unreachable: .unavailable
    case .noDatabase: .noInput
    case .unusableEncoding: .badData
    case .serverReadOnly: .cannotCreate
    case .diskFull, .cannotOpen, .sqlite, .replaced, .removed, .logRemoved, .tablesChanged,
      .migrated, .savedInPart, .connectionLost, .outcomeUnknown, .server:
      .inputOutput
    case .unknownEntity, .unknownProperty, .unsupportedPredicate, .notAFile, .unusableName,
      .noStore, .notOneStore, .unusableAddress:
      .usage
    case .closed: .internalError
    }
  }

  private static func status(of error: LoadError) -> ExitStatus {
    switch error {
    case .stopped, .unfit: .badData
    case .storeAppeared, .cannotCreate: .cannotCreate
    }
  }

  private static func status(of error: ExportError) -> ExitStatus {
    switch error {
    case .closedPipe: .success
    case .exists: .cannotCreate
    case .cannotCreate: .cannotCreate
    case .cannotWrite: .inputOutput
    }
  }

  private static func status(of error: ImportError) -> ExitStatus {
    switch error {
    case .malformed, .unreadable: .badData
    case .inaccessible: .noInput
    case .invalidManifest: .configuration
    }
  }
}

extension SQLTextError {
  /// The length of the word at the place of the error, in UTF-8 bytes; 1 for other characters.
  fileprivate var wordLength: Int {
    let word = sql.utf8.dropFirst(utf8Offset ?? 0).prefix { byte in
      byte >= 0x80 || byte == UInt8(ascii: "_") || Character(Unicode.Scalar(byte)).isLetter
        || Character(Unicode.Scalar(byte)).isNumber
    }
    return max(word.count, 1)
  }
}
