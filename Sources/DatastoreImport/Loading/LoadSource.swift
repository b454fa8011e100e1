import Gates

/// One file of a load: its location, how it is read and the content of its records.
package struct LoadSource: Hashable, Sendable {
  package enum Input: Hashable, Sendable {
    case file(path: String)
    /// A named pipe, or one of the shell's.
    case pipe(path: String)
    case standardInput
    /// The data of a pipe or of standard input, which can be read any number of times.
    case spooled(SpooledInput)

    /// An input as the user names it: `-` is standard input.
    init(named path: String) {
      self =
        path == "-"
        ? .standardInput : ReadableFile.isPipe(path) ? .pipe(path: path) : .file(path: path)
    }

    package var isReadOnce: Bool {
      switch self {
      case .file, .spooled: false
      case .pipe, .standardInput: true
      }
    }
  }

  package var input: Input
  /// The name for messages.
  package let name: String
  package var reading: ReadingOptions
  package var content: ImportManifest.Content

  package init(
    input: Input, name: String, reading: ReadingOptions, content: ImportManifest.Content
  ) {
    self.input = input
    self.name = name
    self.reading = reading
    self.content = content
  }

  /// The types of columns that are said, not detected.
  var saidTypes: [String: ColumnType] {
    guard case .entity(let content) = content else { return [:] }
    return content.columns.reduce(into: [:]) { types, column in
      if case .attribute(let type?) = column.role { types[column.name] = type }
    }
  }

  /// A reader at the beginning of the file.
  ///
  /// - Parameter notify: called with the name of a pipe from which no data arrives.
  /// - Throws: `ImportError`.
  package func makeReader(
    whenWaiting notify: (String) -> Void = { _ in }
  ) throws -> any RecordReader {
    let input = try open()
    if self.input.isReadOnce { input.wait { notify(name) } }
    return try input.makeReader(reading)
  }

  /// The source with all detected settings fixed, so that it is read in the same way when it has other
  /// records.
  ///
  /// - Throws: `ImportError`.
  package func settled() throws -> LoadSource {
    var options = reading
    let reader = try open().makeReader(finding: &options)
    if let csv = reader as? CSVReader, options.csv.missing == nil {
      options.csv.detectedMissing = csv.missing
    }
    return LoadSource(input: input, name: name, reading: options, content: content)
  }

  /// The source with all settings fixed, read from a file that contains its text unchanged: a copy if it is
  /// compressed or not UTF-8.
  ///
  /// - Throws: `ImportError`.
  func plain() throws -> LoadSource {
    var plain = try settled()
    let input = try open()
    try input.fill(atLeast: 1)
    if let encoding = plain.reading.encoding { input.transcode(from: encoding, because: nil) }
    if input.isVerbatim { return plain }
    plain.input = .spooled(try SpooledInput(input))
    plain.reading.encoding = .utf8
    return plain
  }

  /// - Throws: `ImportError.inaccessible`.
  func open() throws -> sending ByteInput {
    switch input {
    case .file(let path): try ByteInput(path: path, name: name)
    case .pipe(let path): try ByteInput(pipe: path, name: name)
    case .standardInput: .standardInput()
    case .spooled(let spooled): ByteInput(spooled, name: name)
    }
  }
}
