/// Texts in diagrams, tables and manual pages.
extension Quoting {
  /// An identifier or label of Graphviz (<https://graphviz.org/doc/info/lang.html>), between double quotes.
  package static func dotText(_ text: String) -> String {
    "\"" + replacing(in: text) { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
  }

  /// Text in a label of Graphviz that is HTML.
  package static func htmlText(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: nil
      }
    }
  }

  /// A name or label of Mermaid, between double quotes. Its quoted texts have no escape for a quote, and hold
  /// neither `%` nor `\`; entity codes replace them.
  package static func mermaidText(_ text: String) -> String {
    let inside = replacing(in: text) { scalar in
      switch scalar {
      case "\"": "#quot;"
      case "#": "#35;"
      case "%": "#37;"
      case "\\": "#92;"
      default: nil
      }
    }
    return "\"" + inside + "\""
  }

  /// Mermaid's words for types and attributes: letters, digits, `_` and `-`, a letter first.
  package static func mermaidWord(_ text: String) -> String {
    var word = ""
    for scalar in text.unicodeScalars {
      let isPart =
        scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || scalar == "_" || scalar == "-"
      // A combining mark belongs to the letter before it.
      if scalar.properties.canonicalCombiningClass.rawValue > 0 { continue }
      word.unicodeScalars.append(isPart ? scalar : "_")
    }
    guard let first = word.unicodeScalars.first else { return "_" }
    return (first.properties.isAlphabetic ? "" : "x") + word
  }

  /// A cell of a table of GitHub Flavored Markdown: Markdown's special characters are escaped, and `<br>`
  /// stands for line ends.
  package static func markdownCell(_ text: String) -> String {
    let escaped = replacing(in: text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case "|", "\\", "`", "*", "_", "[", "]", "~", "#", "$": "\\\(scalar)"
      default: nil
      }
    }
    return escaped.hasLineEnd ? escaped.lines().joined(separator: "<br>") : escaped
  }

  /// Text on a page of man(7), within a line.
  package static func manualText(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      default: nil
      }
    }
  }
}
