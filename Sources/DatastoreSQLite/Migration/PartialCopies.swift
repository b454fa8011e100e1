import Foundation
import SQLiteFiles

/// The incomplete copies of a file that its migrations make before they lose data of it.
///
/// Their names say of which file they are, and a migration makes one while nobody else can write
/// that file. So whoever has locked the file knows that they were left by programs that were killed.
struct PartialCopies {
  private static let ending = ".partial"

  private let folder: String
  private let beginning: String

  /// nil when there is no file.
  ///
  /// - Parameter target: the path of the copy when it is complete; nil if none is kept.
  init?(of file: String, for target: String?) {
    guard let identity = FileIdentity(file) else { return nil }
    folder = URL(fileURLWithPath: target ?? file).deletingLastPathComponent().path
    let name = URL(fileURLWithPath: FileIdentity.realPath(file)).lastPathComponent
    beginning = "\(name).\(identity.name)."
  }

  /// No one can predict the name and put a link there.
  var newPath: String {
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(folder)/\(beginning)\(number)\(Self.ending)"
  }

  /// Removes those that are there, in a migration that has locked the file.
  func remove() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(beginning) && name.hasSuffix(Self.ending) {
      FileSurroundings.removeDatabase("\(folder)/\(name)")
    }
  }
}
