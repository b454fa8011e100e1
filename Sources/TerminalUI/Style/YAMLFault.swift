internal import Gates
internal import Yams

/// Why a file of the user is not YAML.
package enum YAMLFault {
  /// The place and the reason, as a sentence without its full stop. The description by Yams would quote the
  /// whole line, which may be as long as the file.
  package static func reason(_ error: any Error) -> String {
    if error is TooManyAliases { return "\(error)" }
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let doing = context.map { ", \($0.text)" } ?? ""
      return "line \(mark.line), column \(mark.column): \(problem)\(doing)"
    case .reader(let problem, let offset, _, _):
      return offset.map { "character \($0 + 1): \(problem)" } ?? problem
    case .duplicatedKeysInMapping(let keys, let context):
      let key = keys.first.map { "“\($0.prefix(40))”" } ?? "a key"
      return "line \(context.mark.line), column \(context.mark.column): \(key) is there twice"
    case .memory: return "there is not enough memory to read it"
    default: return String("\(error)".prefix(200))
    }
  }
}
