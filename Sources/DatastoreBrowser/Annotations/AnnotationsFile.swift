package import DatastoreCore
package import Foundation

/// The file that keeps the annotations of one store between runs, such as which columns hold dates, and how.
/// Every command reads it, so that all of them show the same.
package struct AnnotationsFile: Sendable {
  /// The encoded form of the file.
  private struct Document: KeptDocument {
    var store: String
    var annotations: SchemaAnnotations
  }

  private let file: KeptFile

  package var url: URL { file.url }

  /// - Parameter directory: the program's state directory; nil to keep nothing.
  package init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = KeptFile("annotations", of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the file; a missing file is empty. Waits for the disk.
  ///
  /// - Returns: the annotations, and why they could not be read, as a sentence.
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

  /// Replaces the content of the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` if the file cannot be written.
  package func write(_ annotations: SchemaAnnotations) throws {
    if annotations.isEmpty, !FileManager.default.fileExists(atPath: url.path) { return }
    try file.write(Document(store: file.store, annotations: annotations))
  }
}
