import ArgumentParser
import Basics
import DatastoreBrowser
import DatastoreSQLite
import Foundation

/// `datastore doctor`: finds the faults of a file.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Examine a SQLite file, and say what is wrong with it and what to do.",
    discussion: """
      Changes neither the file nor the files beside it. Reads all of it, which takes seconds for a large file.

      Checks which SQLite is used here and has written the file last, and whether it has the bug by which \
      checkpoints lose what others save (https://sqlite.org/wal.html#walresetbug); which processes have the file open; the files \
      beside it; SQLite’s quick_check and integrity_check; references to rows that do not exist; counters of keys; in a store \
      of SwiftDatastore, whether its tables and fingerprints are as described in it; and in a Core Data store, whether \
      counters, entities, both sides of relationships, orders, pairs and values in files of their own agree.

      Ends with 0 when all is well, with 1 when every row can be read but something needs attention, and with 65 when the \
      file is damaged.

        datastore doctor company.sqlite
        datastore doctor ssh://me@host/var/lib/app/app.sqlite
      """)

  @Argument(help: "The SQLite file.", completion: .file())
  var file: String

  @OptionGroup var ofCoreData: CoreDataModelArgument

  @OptionGroup var far: FarArguments

  func run() async throws {
    // A file elsewhere is examined where it lies, by the program there.
    if let file = try far.address(of: file) {
      let status: Int32
      do {
        status = try file.answer(["doctor"])
      } catch {
        throw Failure(error)
      }
      throw ExitCode(status)
    }
    guard let url = StoreAddress(file).url else {
      throw Failure(.usage, "datastore doctor examines files; a server has tools of its own.")
    }
    let examination: FileExamination
    do {
      examination = try FileExamination(
        of: url, coreDataModel: ofCoreData.read(),
        ownProgram: Self.ownProgram)
    } catch {
      throw Failure(error)
    }
    write(examination)
    switch examination.weight {
    case .fact: return
    case .attention: throw ExitCode(ExitStatus.skipped.rawValue)
    case .damage: throw ExitCode(ExitStatus.badData.rawValue)
    }
  }

  /// The name of this program. Foundation's `Bundle` traps if the program's file has no name any more, as
  /// after bringing it to another machine, or after an update replaced it.
  private static var ownProgram: String? {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return path?.words(at: "/").last.map(String.init)
  }

  private func write(_ examination: FileExamination) {
    let width = examination.findings.map(\.topic.count).max() ?? 0
    for finding in examination.findings {
      let mark = finding.weight == .fact ? " " : "!"
      let topic = finding.topic.padding(toLength: width, withPad: " ", startingAt: 0)
      Message.answer("\(mark) \(topic)  \(finding.text)")
    }
    Message.answer("")
    switch examination.weight {
    case .fact: Message.answer("All is well.")
    case .attention: Message.answer("Every row can be read, but something needs attention:")
    case .damage: Message.answer("The file is damaged:")
    }
    var given: Set<String> = []
    for advice in examination.findings.compactMap(\.advice) where given.insert(advice).inserted {
      Message.answer("- \(advice)")
    }
  }
}
