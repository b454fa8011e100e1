import Gates
import Yams

extension ImportManifest {
  /// The largest manifest, in bytes, that is read.
  private static let maximumSize = 16 * 1024 * 1024

  /// Reads and checks a manifest.
  ///
  /// - Throws: `ImportError.invalidManifest` with all faults; `ImportError.inaccessible` if the
  ///   file cannot be read; `ImportError.unreadable` if it is not UTF-8 or larger than any manifest.
  package init(contentsOf path: String) throws {
    let input = try ByteInput(path: path)
    try input.skipByteOrderMark()
    try input.fill(atLeast: Self.maximumSize + 1)
    var cursor = SourceCursor()
    guard input.window.count <= Self.maximumSize else {
      throw ImportError.unreadable(
        cursor.position(in: path), reason: "a manifest has at most \(Self.maximumSize) bytes")
    }
    guard let text = UTF8Text.decode(input.window) else {
      let fault = UTF8Text.firstFault(in: input.window) ?? 0
      let reason = "a manifest is UTF-8, and this is not"
      input.skip(fault, cursor: &cursor)
      throw ImportError.unreadable(cursor.position(in: path), reason: reason)
    }
    try self.init(yaml: text, path: path)
  }

  /// Checks the text of a manifest.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - path: The manifest's path, for messages.
  /// - Throws: `ImportError.invalidManifest` with all faults.
  package init(yaml: String, path: String) throws {
    var parser = ManifestParser(file: path)
    let root: Node?
    do {
      root = try YAMLText.compose(yaml)
    } catch {
      throw ImportError.invalidManifest(file: path, faults: [Self.fault(error, file: path)])
    }
    let files = parser.files(of: root)
    var faults = parser.faults
    ManifestChecker.check(files, entities: parser.entities, faults: &faults)
    if !faults.isEmpty {
      faults.sort { first, second in
        (first.position.line, first.position.column)
          < (second.position.line, second.position.column)
      }
      throw ImportError.invalidManifest(file: path, faults: faults)
    }
    self.path = path
    model = parser.model
    self.files = files.map(\.file)
  }

  private static func fault(_ error: any Error, file: String) -> ManifestFault {
    func fault(_ mark: Mark?, _ reason: String) -> ManifestFault {
      let position = SourcePosition(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
      return ManifestFault(position: position, path: "", reason: reason)
    }
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let detail = context.map { " \($0.text)" } ?? ""
      return fault(mark, "this is not YAML: \(problem)\(detail)")
    case .duplicatedKeysInMapping(let keys, let context):
      return fault(context.mark, "the same key is here twice: \(keys.joined(separator: ", "))")
    case .reader(let problem, _, _, _): return fault(nil, "this is not YAML: \(problem)")
    case nil where error is TooManyAliases: return fault(nil, "\(error)")
    default:
      return fault(nil, "this is not YAML: \(error)")
    }
  }
}
