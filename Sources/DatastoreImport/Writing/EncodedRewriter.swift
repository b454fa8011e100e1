import DatastoreCore

/// Rewrites a file in another encoding than UTF-8: like a copy in UTF-8, whose text is then written in the
/// encoding of the file. Unchanged text has the same bytes, which `LoadSource.isRestored(from:)` ensures.
struct EncodedRewriter: FileRewriter {
  private var rewriter: any FileRewriter
  private let transcoder: Transcoder
  private let write: (UnsafeRawBufferPointer) throws -> Void

  var changes: RewriteChanges { rewriter.changes }
  var isUncertain: Bool { rewriter.isUncertain }

  /// - Throws: `RewriteRefusal`, `ImportError`.
  init(
    _ source: LoadSource, in encoding: TextEncoding, _ entity: Entity, memory: RewriteMemory,
    write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let plain = try source.plain()
    guard case .spooled(let copy) = plain.input,
      let transcoder = Transcoder(from: "UTF-8", to: encoding.systemName)
    else { throw RewriteRefusal(description: "it has become another file") }
    try copy.readAll()
    self.write = write
    self.transcoder = transcoder
    rewriter = try plain.makeVerbatimRewriter(
      entity, memory: memory, descriptor: copy.descriptor
    ) { text in
      try Self.write(text, in: encoding, by: transcoder, write)
    }
  }

  private static func write(
    _ text: UnsafeRawBufferPointer, in encoding: TextEncoding, by transcoder: Transcoder,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let bytes = text.withMemoryRebound(to: UInt8.self) {
      transcoder.bytes(of: $0, isAtEnd: false)
    }
    if let letter = transcoder.lackedLetter {
      throw RewriteRefusal(
        description:
          "it is in \(encoding.title), which has no “\(letter)”; write that otherwise, or export the rows"
      )
    }
    try bytes.withUnsafeBytes(write)
  }

  mutating func write(key: RowKey, _ value: (Slot) -> Value) throws {
    try rewriter.write(key: key, value)
  }

  mutating func finish() throws -> RewriteMemory {
    let memory = try rewriter.finish()
    let rest = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    try transcoder.bytes(of: rest, isAtEnd: true).withUnsafeBytes(write)
    return memory
  }
}

extension LoadSource {
  /// Whether the text of the file gives the same bytes when it is written in its encoding. Reads all of it.
  ///
  /// - Throws: `ImportError.inaccessible`.
  func isRestored(from encoding: TextEncoding) throws -> Bool {
    guard let decoder = Transcoder(encoding),
      let encoder = Transcoder(from: "UTF-8", to: encoding.systemName)
    else { return false }
    let input = try open()
    var awaited: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd {
      isAtEnd = try !input.fill()
      awaited.append(contentsOf: input.window)
      let text = decoder.bytes(of: input.window, isAtEnd: isAtEnd)
      input.consume(input.window.count)
      let bytes = text.withUnsafeBufferPointer { encoder.bytes(of: $0, isAtEnd: isAtEnd) }
      guard awaited.starts(with: bytes) else { return false }
      awaited.removeFirst(bytes.count)
    }
    return awaited.isEmpty
  }
}
