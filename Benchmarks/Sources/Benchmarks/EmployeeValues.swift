import Foundation

/// The values of one row, the same for every contender and every run.
struct EmployeeValues {
  let name: String
  let surname: String
  let age: Int
  let salary: Double
  let position: Int
  let department: Int64
  let hired: Double
  let email: String

  static let departments: Int64 = 200

  init(row: Int) {
    // Spreads row numbers evenly over 64 bits: https://prng.di.unimi.it/splitmix64.c.
    var bits = UInt64(row) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    name = "Name\(bits % 1000)"
    surname = "Surname\((bits >> 10) % 20_000)"
    age = 18 + Int((bits >> 25) % 47)
    salary = Double((bits >> 31) % 100_000)
    position = Int((bits >> 48) % 40)
    department = Int64((bits >> 54) % UInt64(Self.departments)) + 1
    hired = Double(row % 20_000) * 86_400
    email = "person\(row)@example.org"
  }

  /// 5% of the salaries are above this value.
  static let highSalary = 94_999.5
  /// 10% of the salaries are above this value.
  static let tenthSalary = 89_999.5

  /// The keys of a tenth of the rows, in an order that jumps about.
  static func keys(of rows: Int) -> [Int64] {
    let count = max(rows / 10, 1)
    // A stride that has no divisor in common with the number of rows meets every row once.
    var stride = rows * 618 / 1000 | 1
    while gcd(stride, rows) != 1 { stride += 2 }
    return (0..<count).map { Int64(($0 * stride) % rows) + 1 }
  }

  private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
}
