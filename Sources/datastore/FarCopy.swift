import Basics
import DatastoreCore
import DatastoreFar
import Foundation
import Gates
import SQLiteFiles

/// A copy of a file from elsewhere, in a private local folder.
struct FarCopy: Sendable {
  private let directory: ProcessDirectory
  let url: URL
  /// The time of the copy by the local clock.
  let time: String

  /// The beginning of the names of temporary directories for copies.
  static let prefix = "datastore-copy-"

  /// - Throws: `Failure`, `StoreError`.
  init(_ copying: FarCopying, of address: FarAddress) throws {
    var copying = copying
    directory = try UserDirectory.temporary(Self.prefix)
    let last = address.path.parts(at: "/").last.map(String.init) ?? ""
    url = directory.url.appendingPathComponent(last.isEmpty ? "copy.sqlite" : last)
    do {
      let display = TransferDisplay("copying the file")
      defer { display.finish() }
      let space = DiskSpace(of: directory.url.path)?.freeBytes ?? .max
      var file = try NewFile(for: url.path)
      defer { close(file.descriptor) }
      try copying.fetch(most: space, progress: display.show) { try file.write($0) }
      try file.move(to: url.path)
    } catch {
      directory.remove()
      throw error
    }
    var (seconds, parts) = (time_t(Date().timeIntervalSince1970), tm())
    localtime_r(&seconds, &parts)
    time = String(format: "%02d:%02d", parts.tm_hour, parts.tm_min)
    Message.write(
      "this is a copy of \(address.name) of \(time), which the sqlite3 there made: it does not have what others "
        + "write from now on, and nothing can be saved; start again for a newer one")
  }

  func remove() { directory.remove() }
}

/// Shows the progress of a copy over a line, in one line of the terminal, until it is finished: later copies
/// are made while the browser has the screen.
struct TransferDisplay: Sendable {
  let text: String
  /// The last percentage shown; nil after the end.
  private let percent = Lock<Int?>(0)

  init(_ text: String) { self.text = text }

  @Sendable func show(_ done: Int, _ total: Int) {
    guard Message.isTerminal else { return }
    let new = total > 0 ? done * 100 / total : 100
    percent.withLock { percent in
      guard let last = percent, last != new else { return }
      percent = new
      Message.overwriteLine("\(text): \(new)%")
    }
  }

  /// Clears the line, if it was written.
  func finish() {
    percent.withLock { percent in
      if percent ?? 0 > 0 {
        Message.clearLine(text.count + 6)
      }
      percent = nil
    }
  }
}
