/// One file of a load: where it is, how it is read and what its records become.
package struct LoadSource: Hashable, Sendable {
  package enum Input: Hashable, Sendable {
    case file(path: String)
    case standardInput
  }

  package var input: Input
  /// The name for messages.
  package let name: String
  package let reading: ReadingOptions
  package let content: ImportManifest.Content

  package init(
    input: Input, name: String, reading: ReadingOptions, content: ImportManifest.Content
  ) {
    self.input = input
    self.name = name
    self.reading = reading
    self.content = content
  }

  /// A reader at the beginning of the file. Standard input can be read only once.
  ///
  /// - Throws: `ImportError`.
  package func makeReader() throws -> any RecordReader {
    switch input {
    case .file(let path): try ByteInput(path: path, name: name).makeReader(reading)
    case .standardInput: try ByteInput.standardInput().makeReader(reading)
    }
  }
}
