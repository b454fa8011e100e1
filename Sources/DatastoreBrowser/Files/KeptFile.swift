import DatastoreCore
import Foundation
import Gates

/// Where something that concerns one store, or files that are shown together, outlives the program, outside
/// of them: a file of its own in a folder for its kind.
///
/// There is one for each of them, since two programs may have two stores open. Such a file is a comfort and
/// no more: when it cannot be read or written, that is said, and the program goes on.
struct KeptFile: Sendable {
  let url: URL
  /// What it is about, which is written into the file, since the file's name does not say it.
  let store: String

  /// - Parameter directory: where the program keeps its state. Nil, as for stores in memory, keeps
  ///   nothing.
  init?(_ folder: String, of subject: KeptSubject?, in directory: URL?) {
    guard let subject, let directory else { return nil }
    store = subject.paths
    let name = Fingerprint(store).name
    url = directory.appendingPathComponent(folder, isDirectory: true)
      .appendingPathComponent("\(name).json")
  }

  /// What the file holds; nil where there is none, or it is about something else whose path has the same
  /// hash. Waits for the disk.
  ///
  /// - Throws: `DecodingError` for a file that cannot be understood.
  func read<Document: KeptDocument>(_ type: Document.Type) throws -> Document? {
    guard let bytes = try? ReadableFile.contents(of: url.path, atMost: 1 << 24) else { return nil }
    let document = try JSONDecoder().decode(type, from: Data(bytes))
    return document.store == store ? document : nil
  }

  /// Replaces the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` when the file cannot be written.
  func write(_ document: some KeptDocument) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let data = try encoder.encode(document)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try NewFile.write(data, to: url.path)
  }
}

/// What a `KeptFile` holds.
protocol KeptDocument: Codable {
  /// The path of the store, or those of the files.
  var store: String { get }
}

extension EffectRunner {
  /// Writes such a file after the writes of its lane before; a failure is reported.
  func keep(
    _ subject: String, at url: URL, in lane: Lane, _ write: @escaping @Sendable () throws -> Void
  ) {
    perform(in: lane) { runner in
      do {
        try await BlockingWork.run { try write() }
      } catch {
        runner.send(
          ErrorReport(
            "\(subject) could not be kept in \(url.path): \(error.localizedDescription)"))
      }
    }
  }
}
