import DatastoreCore
package import Foundation
import GRDB
import SQLiteFiles

/// The facts and faults of a SQLite file: its surroundings, its structure, its references, and, if it is
/// native, its description of itself.
///
/// Writes nothing: even the unfinished save of a program that has ended is left alone.
package struct FileExamination: Sendable {
  package enum Weight: Int, Sendable, Comparable {
    /// No fault.
    case fact
    /// Every row can be read, but something needs attention.
    case attention
    case damage

    package static func < (one: Weight, other: Weight) -> Bool { one.rawValue < other.rawValue }
  }

  package struct Finding: Sendable, Hashable {
    /// The subject, in a word or two.
    package let topic: String
    package let text: String
    package let weight: Weight
    /// The remedy, as sentences.
    package let advice: String?
  }

  package private(set) var findings: [Finding] = []
  let path: String
  /// The model of a Core Data store, used in place of the one in it.
  let coreDataModel: CoreDataModel?

  /// The greatest weight of all findings.
  package var weight: Weight { findings.map(\.weight).max() ?? .fact }

  /// Examines a file. O(file): seconds for large ones.
  ///
  /// - Parameters:
  ///   - libraryVersion: the version of the loaded SQLite.
  ///   - coreDataModel: the model of a Core Data store, used in place of the one in it.
  ///   - ownProgram: the name of the running program: its other processes make no harmful checkpoints.
  /// - Throws: `StoreError` for a file that is not a SQLite file, may not be read, or is locked.
  package init(
    of url: URL, coreDataModel: CoreDataModel? = nil,
    libraryVersion: Int32 = SQLiteLibrary.versionNumber, ownProgram: String? = nil
  ) throws {
    path = try SQLiteStore.path(of: url)
    self.coreDataModel = coreDataModel
    try FileHeader.checkPresent(path)
    // Before a connection creates side files of its own.
    let beside = FileSurroundings(of: path)
    report("file", "\(path), \(beside.size) bytes")
    let users = FileUsers(of: path)
    describeVersions(libraryVersion)
    report(users, ownProgram: ownProgram, libraryVersion)
    report(beside, isInUse: !users.others.isEmpty)
    try readContent()
  }

  mutating func report(
    _ topic: String, _ text: String, _ weight: Weight = .fact, advice: String? = nil
  ) {
    findings.append(Finding(topic: topic, text: text, weight: weight, advice: advice))
  }

  private mutating func describeVersions(_ version: Int32) {
    func described(_ version: Int32) -> String {
      SQLiteLibrary.text(of: version)
        + (SQLiteLibrary.hasWALResetBug(version) ? ", which has the WAL-reset bug" : "")
    }
    report(
      "SQLite",
      "this program uses \(described(version))"
        + (Checkpointing(libraryVersion: version) == .guarded
          ? ", and makes no checkpoint while someone else can write" : ""))
    guard let facts = FileHeader.facts(of: path) else {
      report("written by", "no one yet: the file is empty")
      return
    }
    report(
      "written by",
      facts.writerVersion == 0
        ? "a SQLite that does not say its version"
        : "SQLite \(described(facts.writerVersion)), as far as its header says")
    report("journal", facts.isInWALMode ? "a write-ahead log (WAL mode)" : "a rollback journal")
    report("pages", "\(facts.pageSize) bytes each")
    report("text", facts.encoding)
  }

  private mutating func report(_ users: FileUsers, ownProgram: String?, _ version: Int32) {
    let names = users.others.map { user in
      "\(user.program ?? "a program of another user") (process \(user.process))"
    }
    var text = names.isEmpty ? "no one else" : names.joined(separator: ", ")
    if users.hiddenProcesses > 0 {
      text += "; the files of \(users.hiddenProcesses) processes of other users cannot be seen"
    }
    let facts = FileHeader.facts(of: path)
    let others = users.others.filter { $0.program == nil || $0.program != ownProgram }
    guard !others.isEmpty, let facts, facts.isInWALMode,
      SQLiteLibrary.hasWALResetBug(facts.writerVersion) || SQLiteLibrary.hasWALResetBug(version)
    else { return report("open in", text) }
    report(
      "open in", text, .attention,
      advice: """
        Other programs have this file open in WAL mode. One that uses a SQLite before 3.51.3 can lose what others save while \
        it makes a checkpoint, and nobody else can prevent that (https://sqlite.org/wal.html#walresetbug). Give them a newer \
        SQLite, let one program write at a time, or run “PRAGMA journal_mode = DELETE” while several have to write.
        """)
  }
}
