package import DatastoreCore
package import Foundation

/// The file in which what the user has said of one store outlives the program: which columns hold dates, and
/// how. Every command reads it, so that all of them show the same.
package struct AnnotationsFile: Sendable {
  /// How it is written.
  private struct Document: KeptDocument {
    var store: String
    var annotations: SchemaAnnotations
  }

  private let file: KeptFile

  package var url: URL { file.url }

  /// - Parameter directory: where the program keeps its state; nil keeps nothing.
  package init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = KeptFile("annotations", of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the file; a missing one says nothing. Waits for the disk.
  ///
  /// - Returns: what was said, and why nothing could be read, as a sentence.
  package func read() -> (annotations: SchemaAnnotations, fault: String?) {
    do {
      return (try file.read(Document.self)?.annotations ?? SchemaAnnotations(), nil)
    } catch {
      return (
        SchemaAnnotations(),
        "The annotations of this file, in \(url.path), cannot be read and are not used; "
          + "delete that file to clear this message."
      )
    }
  }

  /// Replaces what the file says. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` when the file cannot be written.
  package func write(_ annotations: SchemaAnnotations) throws {
    if annotations.isEmpty, !FileManager.default.fileExists(atPath: url.path) { return }
    try file.write(Document(store: file.store, annotations: annotations))
  }
}
