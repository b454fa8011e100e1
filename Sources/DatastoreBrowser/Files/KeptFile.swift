import DatastoreCore
import Foundation
import Gates

/// A file of data about one store, or about files that are shown together, that is kept between runs outside
/// of them. Each kind of data has a folder, with a file for each subject.
///
/// Every store has its own file, since two programs may have two stores open. These files are a convenience:
/// if one cannot be read or written, the browser reports it and continues.
struct KeptFile: Sendable {
  let url: URL
  /// The subject, which is written into the file, since the file's name does not show it.
  let store: String

  /// - Parameter directory: the program's state directory. With nil, as for stores in memory, nothing is
  ///   kept.
  init?(_ folder: String, of subject: KeptSubject?, in directory: URL?) {
    guard let subject, let directory else { return nil }
    store = subject.paths
    let name = Fingerprint(store).name
    url = directory.appendingPathComponent(folder, isDirectory: true)
      .appendingPathComponent("\(name).json")
  }

  /// Reads the file. Returns nil if there is none, or if it is about another subject whose path has the same
  /// hash. Waits for the disk.
  ///
  /// - Throws: `DecodingError` for a malformed file.
  func read<Document: KeptDocument>(_ type: Document.Type) throws -> Document? {
    guard let bytes = try? ReadableFile.contents(of: url.path, atMost: 1 << 24) else { return nil }
    let document = try JSONDecoder().decode(type, from: Data(bytes))
    return document.store == store ? document : nil
  }

  /// Replaces the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` if the file cannot be written.
  func write(_ document: some KeptDocument) throws {
    try NewFile.write(json: document, to: url)
  }
}

/// The content of a `KeptFile`.
protocol KeptDocument: Codable {
  /// The path of the store, or the paths of the files.
  var store: String { get }
}

extension EffectRunner {
  /// Writes a kept file after its earlier writes; reports a failure.
  func keep(
    _ subject: String, at url: URL, in lane: Lane? = nil,
    _ write: @escaping @Sendable () throws -> Void
  ) {
    perform(in: lane ?? Lane(subject, .inOrder, atEnd: .completed)) { runner in
      do {
        try await BlockingWork.run { try write() }
      } catch {
        runner.report(
          "\(subject) could not be kept in \(url.path): \(error.localizedDescription)")
      }
    }
  }
}
