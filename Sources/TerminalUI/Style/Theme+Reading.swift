internal import Foundation
internal import Gates
internal import Yams

extension Theme {
  /// Reads a scheme file as published by the tinted-theming project.
  ///
  /// Throws `ThemeError`, which names the file, the key and the reason.
  package init(contentsOfFile path: String) throws(ThemeError) {
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: 1 << 20)
    } catch {
      throw ThemeError(file: path, key: nil, reason: "it cannot be read (\(error.reason)).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ThemeError(file: path, key: nil, reason: "it is not UTF-8 text.")
    }
    try self.init(yaml: text, file: path)
  }

  /// Reads a scheme from YAML: the form with `system`, `name` and `palette`, or the older flat form with
  /// `scheme` and the colours side by side. Errors name `file`.
  ///
  /// Throws `ThemeError`.
  package init(yaml: String, file: String) throws(ThemeError) {
    let document = try Self.compose(yaml, file: file)
    guard let top = document?.mapping else {
      throw ThemeError(
        file: file, key: nil, reason: "it holds no scheme; a YAML mapping is expected.")
    }
    let nested = top["palette"]
    if let nested, nested.mapping == nil {
      throw ThemeError(file: file, key: "palette", reason: "must map base00 to base0F to colours.")
    }
    let colors = nested?.mapping ?? top
    let prefix = nested == nil ? "" : "palette."
    let system = top["system"]?.scalar?.string
    if let system, system != "base16", system != "base24" {
      throw ThemeError(
        file: file, key: "system",
        reason: "is \"\(system.prefix(40))\"; only base16 and base24 schemes are understood.")
    }
    let isBase24 = system.map { $0 == "base24" } ?? (colors["base17"] != nil)
    var palette: [RGB] = []
    for slot in 0..<(isBase24 ? 24 : 16) {
      palette.append(try Self.color(slot, in: colors, prefix: prefix, file: file))
    }
    let name = top["name"]?.scalar?.string ?? top["scheme"]?.scalar?.string ?? "Unnamed"
    let author = top["author"]?.scalar?.string ?? ""
    try self.init(name: name, author: author, palette: palette, file: file)
  }

  private static func compose(_ yaml: String, file: String) throws(ThemeError) -> Node? {
    do {
      return try YAMLText.compose(yaml)
    } catch {
      throw ThemeError(
        file: file, key: nil, reason: "it is not valid YAML. \(YAMLFault.reason(error)).")
    }
  }

  private static func color(
    _ slot: Int, in colors: Node.Mapping, prefix: String, file: String
  ) throws(ThemeError) -> RGB {
    let digits = String(slot, radix: 16, uppercase: true)
    let upper = "base" + (slot < 16 ? "0" : "") + digits
    guard let node = colors[upper] ?? colors[upper.lowercased()] else {
      throw ThemeError(
        file: file, key: prefix + upper,
        reason: "is missing; give it a colour such as \"#181818\".")
    }
    guard let text = node.scalar?.string, let color = RGB(hex: text) else {
      let found = node.scalar.map { "\"\($0.string.prefix(40))\"" } ?? "not a text"
      throw ThemeError(
        file: file, key: prefix + upper,
        reason: "is \(found); a colour has six hexadecimal digits, such as \"#181818\".")
    }
    return color
  }
}
