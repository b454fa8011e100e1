import Foundation
import Testing

@testable import TerminalUI

/// A scheme in the form with a palette; `changes` replaces or removes (nil) slots.
private func scheme(
  _ changes: [String: String?] = [:], header: String = "system: base16\nname: Test\n"
) -> String {
  let values = [
    "181818", "282828", "383838", "585858", "b8b8b8", "d8d8d8", "e8e8e8", "f8f8f8",
    "ab4642", "dc9656", "f7ca88", "a1b56c", "86c1b9", "7cafc2", "ba8baf", "a16946",
  ]
  var yaml = header + "palette:\n"
  for (slot, value) in values.enumerated() {
    let key = "base0" + String(slot, radix: 16, uppercase: true)
    guard let value = changes[key] ?? .some("\"#\(value)\"") else { continue }
    yaml += "  \(key): \(value)\n"
  }
  return yaml
}

private func failure(_ yaml: String) -> ThemeError? {
  do {
    _ = try Theme(yaml: yaml, file: "my.yaml")
    return nil
  } catch {
    return error
  }
}

struct ThemeTests {
  @Test func readsTheFormWithAPalette() throws {
    let theme = try Theme(yaml: scheme(), file: "my.yaml")
    #expect(theme.name == "Test")
    #expect(theme.isDark)
    #expect(theme.palette[0x0A].description == "#f7ca88")
  }

  @Test func readsTheOlderFlatFormWithUnquotedNumbers() throws {
    var yaml = "scheme: \"Old\"\nauthor: \"Somebody\"\n"
    for slot in 0..<16 {
      let value = slot == 0 ? "000000" : slot == 5 ? "999999" : "\(slot)0\(slot)0\(slot)0".suffix(6)
      yaml += "base0\(String(slot, radix: 16, uppercase: true)): \(value)\n"
    }
    let theme = try Theme(yaml: yaml, file: "old.yaml")
    #expect(theme.name == "Old")
    #expect(theme.author == "Somebody")
    #expect(theme.palette[5] == RGB(red: 0x99, green: 0x99, blue: 0x99))
    #expect(theme.palette[0] == RGB(red: 0, green: 0, blue: 0))
  }

  @Test func readsBase24() throws {
    var yaml = scheme(header: "system: base24\nname: Bright\n")
    for slot in 0x10...0x17 { yaml += "  base\(String(slot, radix: 16)): \"#ff00\(slot)\"\n" }
    let theme = try Theme(yaml: yaml, file: "bright.yaml")
    #expect(theme.palette.count == 24)
    // As bright as in the scheme, or a little brighter if that could not be read.
    let changed = theme.style(of: .changed)
    #expect(changed.foreground.contrast(with: theme.palette[0x13]) < 1.25)
    #expect(changed.foreground.contrast(with: changed.background) >= 4.5)
  }

  @Test func errorsNameFileKeyAndReason() throws {
    #expect(
      failure(scheme(["base0B": nil]))?.description
        == "The theme my.yaml cannot be used: palette.base0B is missing; give it a colour such as "
        + "\"#181818\".")
    #expect(
      failure(scheme(["base03": "\"#12345\""]))?.description
        == "The theme my.yaml cannot be used: palette.base03 is \"#12345\"; a colour has six "
        + "hexadecimal digits, such as \"#181818\".")
    #expect(failure(scheme(["base03": "[1, 2]"]))?.key == "palette.base03")
    #expect(failure("palette: 3\n")?.key == "palette")
    #expect(failure("system: base32\n")?.key == "system")
    #expect(failure("- just\n- a list\n")?.key == nil)
    #expect(failure("")?.reason.contains("mapping") == true)
    #expect(failure("a: [b\n")?.reason.contains("not valid YAML") == true)
    #expect(failure("scheme: x\nbase00: \"181818\"\n")?.key == "base01")
  }

  @Test func unreadableTextIsRefusedWithThePairNamed() throws {
    let error = try #require(failure(scheme(["base05": "\"#3a3a3a\""])))
    #expect(error.key == "base05 on base00")
    #expect(error.description.contains("text #3a3a3a on background #181818"))
    #expect(error.description.contains("3:1"))
  }

  @Test func missingFilesAreNamed() {
    #expect {
      try Theme(contentsOfFile: "/nowhere/none.yaml")
    } throws: { error in
      "\(error)".contains("/nowhere/none.yaml cannot be used: it cannot be read")
    }
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("themes")

  static let shipped = [
    "amber", "clear-dark", "clear-light", "contrast", "contrast-light", "dark", "light",
    "midnight", "paper",
  ]

  // Promise: the themes in code and in `themes/` differ → a test fails.
  // Also: `ThemeTests.shippedThemesAreReadable`
  @Test func everyShippedThemeIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(Self.shipped.map { "datastore-\($0).yaml" }))
    #expect(Theme.shipped.map(\.key) == Self.shipped.map { "datastore-\($0)" })
  }

  @Test(arguments: shipped)
  func shippedThemesAreReadable(_ name: String) throws {
    let file = Self.folder.appendingPathComponent("datastore-\(name).yaml").path
    let theme = try Theme(contentsOfFile: file)
    if name == "dark" { #expect(theme == .fallback) }
    #expect(Theme.shipped.first { $0.key == "datastore-\(name)" }?.value == theme)
    #expect(theme.isDark == !(name.hasSuffix("light") || name == "paper"))
    for backdrop in [nil, .selection, .selectionInactive, .match, .cellCursor] as [StyleRole?] {
      for role in StyleRole.allCases {
        let style = theme.style(of: role, backdrop: backdrop)
        #expect(
          style.foreground.contrast(with: style.background) >= 4.5,
          "\(role) on \(backdrop.map { "\($0)" } ?? "itself")")
      }
    }
  }

  @Test func dullSchemesAreMadeReadableAndTheirSelectionVisible() throws {
    let yaml = scheme(["base03": "\"#202020\"", "base02": "\"#191919\""])
    let theme = try Theme(yaml: yaml, file: "dull.yaml")
    for role in StyleRole.allCases {
      let style = theme.style(of: role)
      #expect(style.foreground.contrast(with: style.background) >= 4.5, "\(role)")
    }
    let plain = theme.style(of: .text).background
    #expect(theme.style(of: .selection).background.contrast(with: plain) >= 1.25)
  }

  @Test(arguments: shipped)
  func theCellUnderTheCursorAndWhatASearchFoundStandOut(_ name: String) throws {
    let file = Self.folder.appendingPathComponent("datastore-\(name).yaml").path
    let theme = try Theme(contentsOfFile: file)
    let row = theme.style(of: .text, backdrop: .selection)
    let cell = theme.style(of: .text, backdrop: .cellCursor)
    #expect(cell.background.contrast(with: row.background) >= 2)
    for backdrop in [nil, .selection, .selectionInactive, .cellCursor] as [StyleRole?] {
      let around = theme.style(of: .text, backdrop: backdrop)
      let hit = theme.style(of: .match, backdrop: backdrop)
      #expect(hit.background == theme.style(of: .match).background)
      #expect(hit.background != around.background, "on \(String(describing: backdrop))")
      #expect(hit.attributes.contains(.bold))
    }
  }

  @Test(arguments: [ColorDepth.none, .colors8, .colors16])
  func theyStandOutInFewColours(_ depth: ColorDepth) {
    func style(_ role: StyleRole, _ backdrop: StyleRole?) -> CellStyle {
      Theme.fallback.style(of: role, backdrop: backdrop, depth: depth)
    }
    #expect(style(.text, .cellCursor) != style(.text, .selection))
    #expect(style(.number, .cellCursor) != style(.number, nil))
    for backdrop in [nil, .selection, .selectionInactive, .cellCursor] as [StyleRole?] {
      let hit = style(.match, backdrop)
      #expect(hit != style(.text, backdrop))
      #expect(hit.attributes.isSuperset(of: [.bold, .reverse, .underline]))
      // Reversed, the colour of the text is the background, which must not be that of the terminal.
      let dark = ColorDepth.none == depth ? nil : depth.index(of: Theme.fallback.palette[0])
      #expect(hit.foreground == nil || hit.foreground != dark)
    }
  }

  @Test(arguments: shipped)
  func namesAndLinksAreReadableInFewColours(_ name: String) throws {
    let file = Self.folder.appendingPathComponent("datastore-\(name).yaml").path
    let theme = try Theme(contentsOfFile: file)
    let (blue, cyan) = (4, 6)
    for role in StyleRole.allCases {
      for depth in [ColorDepth.colors8, .colors16] where theme.isDark {
        #expect(theme.style(of: role, depth: depth).foreground != blue, "\(role) in \(depth)")
      }
    }
    for depth in [ColorDepth.colors8, .colors16] {
      let link = theme.style(of: .relationship, depth: depth)
      #expect(link.attributes.contains(.underline))
      #expect(link.foreground != nil && (link.foreground == cyan || !theme.isDark))
    }
  }

  @Test func focusAndSelectionAreVisibleWithoutColour() {
    func look(_ role: StyleRole, over backdrop: StyleRole? = nil) -> CellStyle {
      Theme.fallback.style(of: role, backdrop: backdrop, depth: .none)
    }
    #expect(look(.selection).attributes.contains(.reverse))
    #expect(look(.number, over: .selection).attributes.contains(.reverse))
    #expect(look(.selectionInactive) != look(.text))
    #expect(look(.focusedBorder) != look(.border))
    #expect(look(.key) != look(.keyLabel))
    #expect(StyleRole.allCases.allSatisfy { look($0).foreground == nil })
    #expect(StyleRole.allCases.allSatisfy { look($0).background == nil })
  }

  /// The styles of changes and faults must differ for people who cannot tell red from green.
  @Test(arguments: ["clear-dark", "clear-light"], [Dichromacy.protanopia, .deuteranopia])
  func clearThemesTellChangesApartWithoutRedAndGreen(
    _ name: String, _ sight: Dichromacy
  ) throws {
    let file = Self.folder.appendingPathComponent("datastore-\(name).yaml").path
    let theme = try Theme(contentsOfFile: file)
    let roles: [StyleRole] = [.text, .changed, .inserted, .deleted, .heading]
    for (index, role) in roles.enumerated() {
      for other in roles[(index + 1)...] {
        let distance = sight.distance(
          theme.style(of: role).foreground, theme.style(of: other).foreground)
        #expect(distance >= 10, "\(role) and \(other) in \(name): \(distance)")
      }
    }
  }
}
