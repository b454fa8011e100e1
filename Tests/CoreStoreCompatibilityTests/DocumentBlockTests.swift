import Foundation
import Testing

// Promise: a block of CoreStore's documents, or a name, is forgotten → the test names its line.
/// Which block of CoreStore's documents is which snippet, or why it is none.
@Suite struct DocumentBlockTests {
  /// Why a block of code is no snippet.
  private enum Exception: String {
    case declaration = "the declaration of a protocol; ImportTests have classes that conform to it"
    case earlier = "the form before @Field; the block beside it has the other one"
    case install = "no code: how CoreStore is installed"
    case objc = "a colour that is archived by the Objective-C runtime"
    case swiftui = "SwiftUI; SwiftDatastoreTerminal has the same for terminals"
    case uikit = "UIKit"
    case xcdatamodel = ".xcdatamodeld files and NSManagedObject classes"
  }

  private typealias Block = (line: Int, hash: UInt32, exception: Exception?)

  /// Every block of the document: the line of its first fence, a hash of its text, and why it is no snippet.
  private static let document: [Block] = [
    (106, 0xe62d_4994, nil),
    (118, 0xf8a1_9a2c, .xcdatamodel),
    (126, 0x273d_2486, nil),
    (136, 0x59b6_39eb, nil),
    (153, 0xd330_1f4e, nil),
    (158, 0x29f7_ba29, nil),
    (168, 0xa9a8_d410, nil),
    (232, 0x91c9_61b0, nil),
    (242, 0xdf9f_b681, nil),
    (270, 0xf6ea_0116, nil),
    (294, 0xd505_afb6, nil),
    (302, 0xfe3e_c0b5, nil),
    (317, 0x03fd_e2a9, nil),
    (331, 0x452a_e062, nil),
    (338, 0xceab_b9db, nil),
    (361, 0x5eb6_c9fd, .xcdatamodel),
    (371, 0x717e_472d, nil),
    (395, 0xbbf2_d612, .xcdatamodel),
    (428, 0xdbb8_0fc1, nil),
    (479, 0x110d_a0a9, nil),
    (490, 0x1193_1153, nil),
    (511, 0xf0d3_8f52, nil),
    (525, 0x3094_0d10, nil),
    (532, 0xfd8d_9900, nil),
    (545, 0x13f3_ae45, nil),
    (560, 0x0621_131e, nil),
    (581, 0x2735_8064, nil),
    (597, 0xd057_6301, nil),
    (616, 0x2b8d_d4e9, nil),
    (650, 0x3dc9_38f5, nil),
    (662, 0xe223_e437, nil),
    (686, 0x5908_6f2b, nil),
    (701, 0xcbb3_4738, nil),
    (722, 0xf4e4_a89b, nil),
    (735, 0xa0bd_2bd2, nil),
    (751, 0x9621_fa00, nil),
    (775, 0xe863_ea90, nil),
    (785, 0x51c2_3461, nil),
    (789, 0xa951_4602, nil),
    (797, 0x1e4e_f5ad, nil),
    (808, 0x2959_ae0a, nil),
    (823, 0x8f83_8408, nil),
    (837, 0x4ecb_efd7, nil),
    (856, 0x10d0_1a84, nil),
    (867, 0x549a_2876, nil),
    (880, 0x906b_90e0, nil),
    (895, 0xcac0_46e1, nil),
    (907, 0x03d5_1eb3, nil),
    (926, 0x2afe_efc6, nil),
    (945, 0xd24b_364f, nil),
    (952, 0xd191_9526, nil),
    (969, 0x1bc8_b88b, nil),
    (972, 0x316b_1623, nil),
    (975, 0xb2b4_c517, nil),
    (982, 0xf443_7705, .declaration),
    (990, 0x316b_1623, nil),
    (994, 0x3cc2_3338, nil),
    (1008, 0xfd46_68a0, nil),
    (1016, 0x27cd_6a70, nil),
    (1032, 0x7257_0671, nil),
    (1043, 0xd8eb_3296, nil),
    (1067, 0x575b_df41, .declaration),
    (1083, 0x84f2_db19, nil),
    (1098, 0x00ff_1f3d, nil),
    (1113, 0x1bc1_f8f8, nil),
    (1143, 0x2d6f_804d, nil),
    (1149, 0xeda5_c938, nil),
    (1153, 0x3a1e_92cc, nil),
    (1173, 0x3b4b_d587, nil),
    (1184, 0xef7a_7fe8, nil),
    (1192, 0xf0d0_a393, nil),
    (1199, 0x7548_de22, nil),
    (1210, 0x49e3_33d7, nil),
    (1218, 0xc183_7e13, nil),
    (1226, 0xae66_0e49, nil),
    (1240, 0x8164_88be, nil),
    (1253, 0xba56_34a0, nil),
    (1284, 0x36ef_eefb, nil),
    (1294, 0x58e0_1a63, nil),
    (1301, 0x0597_c47a, nil),
    (1316, 0x789a_ebfd, nil),
    (1324, 0x85d5_b783, nil),
    (1331, 0x3a71_14a0, nil),
    (1344, 0x83ea_aecb, nil),
    (1351, 0x635d_d432, nil),
    (1364, 0x33ff_328b, nil),
    (1371, 0x111c_cc96, nil),
    (1387, 0x9594_c7a2, nil),
    (1395, 0x5a32_0df3, nil),
    (1403, 0xfd04_0e7d, nil),
    (1418, 0xbfb1_bda8, nil),
    (1427, 0x42c9_d1e1, nil),
    (1467, 0x8469_4ea5, nil),
    (1474, 0xab32_6b3e, nil),
    (1485, 0xa304_1016, nil),
    (1489, 0x7048_12d2, nil),
    (1497, 0x343d_b9b8, nil),
    (1513, 0x59b6_6798, nil),
    (1529, 0x89ab_a483, nil),
    (1543, 0x5f41_d56c, nil),
    (1552, 0xf4a7_8f95, nil),
    (1565, 0x4613_17c3, .uikit),
    (1587, 0x66ed_6f91, nil),
    (1600, 0xb72c_5402, nil),
    (1609, 0xb3fb_6079, nil),
    (1616, 0x3690_fdb1, nil),
    (1622, 0xec6a_abee, nil),
    (1636, 0xbd46_bbf3, nil),
    (1641, 0xc651_07f2, nil),
    (1653, 0x2077_fc00, nil),
    (1663, 0xfac6_18e9, nil),
    (1671, 0xe1ba_ad10, nil),
    (1680, 0x2a1d_18fb, nil),
    (1703, 0xd607_1be8, nil),
    (1713, 0x8d04_371f, nil),
    (1730, 0xe8f5_412d, nil),
    (1734, 0xad24_e250, nil),
    (1763, 0xd34a_1555, .earlier),
    (1770, 0x1db1_9360, nil),
    (1794, 0x0cec_4d93, .earlier),
    (1811, 0x5c1c_e6b0, nil),
    (1842, 0x512c_a6c0, .earlier),
    (1848, 0x8906_b01b, .objc),
    (1859, 0x2455_22f6, nil),
    (1895, 0xf5d1_ec2d, .earlier),
    (1905, 0xa960_1958, nil),
    (1943, 0x7422_068d, nil),
    (1959, 0xd329_ff01, nil),
    (1982, 0xee10_01f6, nil),
    (1998, 0x3b51_5ae6, nil),
    (2018, 0x0a6d_9452, nil),
    (2041, 0xb724_1a7a, nil),
    (2067, 0xe9bf_4dd2, nil),
    (2092, 0xf906_b472, nil),
    (2112, 0xd134_aaca, nil),
    (2138, 0xd7d4_b4df, .swiftui),
    (2155, 0xca9f_4cda, .swiftui),
    (2168, 0x78f7_1f1a, .swiftui),
    (2180, 0xd875_c2a5, .swiftui),
    (2191, 0x0156_2256, .swiftui),
    (2212, 0x592d_1a3e, .swiftui),
    (2232, 0x8fb2_86be, .swiftui),
    (2261, 0x65bb_a55b, .swiftui),
    (2296, 0xf212_b3d0, .swiftui),
    (2300, 0xa9b6_4560, .swiftui),
    (2304, 0xd960_6f29, .swiftui),
    (2322, 0xa283_cad6, .swiftui),
    (2326, 0x96ac_d02c, .swiftui),
    (2330, 0x4654_33f2, .swiftui),
    (2348, 0x9fb3_3d81, .swiftui),
    (2352, 0x96ac_d02c, .swiftui),
    (2356, 0x3290_d162, .swiftui),
    (2374, 0x3527_b274, .swiftui),
    (2378, 0x9c1e_bf46, .swiftui),
    (2382, 0xaa96_50a1, .swiftui),
    (2400, 0x95f9_fdba, .swiftui),
    (2404, 0x96ac_d02c, .swiftui),
    (2408, 0x9402_4460, .swiftui),
    (2451, 0xa4b9_5f73, .install),
    (2455, 0x3fb0_ad4c, .install),
    (2462, 0xab1c_6494, .install),
    (2466, 0x9f11_c5d2, .install),
    (2472, 0x6e1c_543b, .install),
    (2480, 0x3969_e488, .install),
    (2487, 0xdd0a_19ca, .install),
  ]

  /// The same of the document of 2015.
  private static let firstDocument: [Block] = [
    (19, 0x3c75_e015, nil),
    (23, 0x4e69_7e8b, nil),
    (37, 0x6017_6714, nil),
    (40, 0x02c4_ff31, nil),
    (51, 0xc483_8176, nil),
    (80, 0x1b2e_949a, nil),
    (89, 0x940c_3c54, nil),
    (110, 0xb160_262e, nil),
    (124, 0x191a_4fbb, nil),
  ]

  /// The lines that the snippets of this folder name.
  private static func snippets(of document: String) throws -> Set<Int> {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    var lines: Set<Int> = []
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    where file.pathExtension == "swift" && file.lastPathComponent != "DocumentBlockTests.swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for piece in text.components(separatedBy: "\(document):").dropFirst() {
        let list = piece.prefix { $0.isNumber || $0 == "," || $0 == " " }
        lines.formUnion(
          list.split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) })
      }
    }
    return lines
  }

  @Test(arguments: ["CoreStore.md", "CoreStore-2015.md"])
  func everyBlockIsASnippetOrHasAReason(_ name: String) throws {
    let blocks = name == "CoreStore.md" ? Self.document : Self.firstDocument
    let snippets = try Self.snippets(of: name)
    let expected = Set(blocks.filter { $0.exception == nil }.map(\.line))
    #expect(expected.subtracting(snippets).sorted() == [], "blocks without a snippet")
    #expect(snippets.subtracting(expected).sorted() == [], "snippets without a block")
    #expect(blocks.map(\.line) == blocks.map(\.line).sorted())
  }

  /// If the documents are there, the lists are those of their blocks.
  @Test func theListsAreThoseOfTheDocuments() throws {
    guard let folder = ProcessInfo.processInfo.environment["CORESTORE_DOCUMENTS"] else { return }
    for (name, blocks) in [
      ("CoreStore.md", Self.document), ("CoreStore-2015.md", Self.firstDocument),
    ] {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let found = Self.blocks(of: text.components(separatedBy: "\n"))
      #expect(found.map(\.line) == blocks.map(\.line))
      for (found, known) in zip(found, blocks) where found.hash != known.hash {
        Issue.record("\(name):\(known.line) has another text")
      }
    }
  }

  /// Fenced blocks, and those of tables.
  private static func blocks(of lines: [String]) -> [(line: Int, hash: UInt32)] {
    var found: [(Int, UInt32)] = []
    var index = 0
    while index < lines.count {
      let isFence = lines[index].hasPrefix("```")
      let isInTable =
        lines[index].contains("<pre lang=swift>") && !lines[index].contains("</pre>")
      if isFence || isInTable {
        let rest = lines[(index + 1)...]
        let end =
          rest.firstIndex { isFence ? $0.hasPrefix("```") : $0.contains("</pre>") } ?? lines.count
        found.append((index + 1, hash(of: rest[..<end].joined(separator: "\n"))))
        index = isFence ? end : end - 1
      }
      index += 1
    }
    return found
  }

  /// The upper half of the FNV-1a hash.
  private static func hash(of text: String) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return UInt32(hash >> 32)
  }
}
