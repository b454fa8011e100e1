/// Whether a column's name or declared type suggests dates.
///
/// Names consist of words, separated by underscores or starting with capital letters. A word that suggests
/// something else, such as `by`, `id` or `price`, outweighs all others.
package enum DateNames {
  package static func suggestDates(_ name: String, declaredType: String) -> Bool {
    let words = words(of: name)
    if words.contains(where: others.contains) { return false }
    let type = declaredType.uppercased()
    if type.contains("DATE") || type.contains("TIME") { return true }
    if words.contains(where: isOfDates) { return true }
    // `created_at`, `paidOn`.
    return words.count > 1 && ["at", "on"].contains(words.last)
  }

  /// Whether a declared type alone implies dates.
  package static func isDeclared(_ declaredType: String) -> Bool {
    let type = declaredType.uppercased()
    return type.contains("DATE") || type.contains("TIME")
  }

  private static let dates: Set<String> = [
    "date", "dates", "datetime", "time", "timestamp", "ts", "epoch", "created", "updated",
    "modified", "changed", "deleted", "expires", "expiry", "expiration", "birth", "birthday",
    "born", "dob", "mtime", "ctime", "atime", "btime", "utime", "published", "posted", "sent",
    "received", "accessed", "visited", "started", "ended", "finished", "completed", "closed",
    "opened", "added", "registered", "joined", "hired", "due", "since", "until", "julian",
  ]

  private static let others: Set<String> = [
    "id", "ids", "uid", "guid", "by", "user", "author", "count", "counter", "number", "num",
    "price", "amount", "total", "cost", "sum", "zone", "timezone", "offset", "duration", "elapsed",
    "interval", "length", "size", "bytes", "index", "idx", "version", "flag", "hash", "code",
    "candidate", "mandate", "phone", "score", "rank", "position", "runtime", "lifetime",
  ]

  private static func isOfDates(_ word: String) -> Bool {
    if dates.contains(word) { return true }
    // `creationdate`, `visittime`, `datecreated`; not `update`, which no longer refers to a day.
    guard word.utf8.count > 5, word != "update" else { return false }
    return word.hasSuffix("date") || word.hasSuffix("time") || word.hasSuffix("timestamp")
      || word.hasPrefix("date")
  }

  /// The words of a name in lower case.
  package static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      if !character.isLetter {
        if !word.isEmpty { words.append(word) }
        (word, wasLower) = ("", false)
        continue
      }
      if character.isUppercase, wasLower {
        words.append(word)
        word = ""
      }
      word += character.lowercased()
      wasLower = character.isLowercase
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
