import Basics
import DatastoreCore
import SwiftDatastore

extension Lane {
  static let sectionSearch = Lane("section search", .latest)
}

extension Effect {
  /// Looks for sections by words of their names; ends the search before.
  static func findSections(_ search: SectionSearch) -> Effect {
    .work { runner in
      runner.perform(in: .sectionSearch) { runner in
        var found: [Int] = []
        var wasSent = false
        for part in search.parts {
          // Off the main actor: there may be a million of them.
          found += await Task.detached { search.matches(in: part) }.value
          if Task.isCancelled { return }
          if found.count >= search.most { break }
          // The first ones at once, the others when all are known.
          if !wasSent, !found.isEmpty {
            wasSent = true
            runner.send(SectionsFound(words: search.words, sections: found, isComplete: false))
          }
        }
        runner.send(
          SectionsFound(
            words: search.words, sections: Array(found.prefix(search.most)), isComplete: true))
      }
    }
  }

  static var stopFindingSections: Effect { .work { $0.cancel(.sectionSearch) } }
}

/// Words that are looked for in the names of sections.
struct SectionSearch: Sendable {
  let words: String
  let sections: [KeyList.Section]
  /// The names of related objects.
  let names: NameCache
  let naming: SectionNaming
  /// More are not found.
  let most: Int

  /// So many are looked at before it is asked whether somebody still wants to know.
  private static let step = 20_000

  fileprivate var parts: [Range<Int>] {
    stride(from: 0, to: sections.count, by: Self.step).map {
      $0..<min(sections.count, $0 + Self.step)
    }
  }

  /// The sections that have all words, without regard to case and accents.
  fileprivate func matches(in part: Range<Int>) -> [Int] {
    let options: Predicate.StringOptions = [.caseInsensitive, .diacriticInsensitive]
    let wanted = words.words().map { TextFolding.fold(String($0), options) }
    return part.filter { index in
      let name = naming.name(of: sections[index].value) { names[$0, $1] }
      let text = TextFolding.fold(name, options)
      return wanted.allSatisfy { text.contains($0) }
    }
  }
}

/// Sections that were found by words.
struct SectionsFound: BrowserEvent {
  let words: String
  let sections: [Int]
  let isComplete: Bool

  func apply(to state: inout BrowserState) {
    let present = state
    state.changeOverlay(as: SectionsScreen.self) {
      $0.apply(sections, of: words, isComplete: isComplete, in: present)
    }
  }
}
