/// The letters by which an encoding is recognised.
struct EncodingLetters: Sendable {
  /// The script of a letter, as far as it matters here.
  enum Script: Sendable {
    case latin, greek, cyrillic, hebrew, arabic, thai, han, kana, hangul, other

    init(_ letter: Unicode.Scalar) {
      self =
        switch letter.value {
        case 0x41...0x24F, 0x1E00...0x1EFF: .latin
        case 0x370...0x3FF: .greek
        case 0x400...0x52F: .cyrillic
        case 0x590...0x5FF: .hebrew
        case 0x600...0x6FF: .arabic
        case 0xE00...0xE7F: .thai
        case 0x3040...0x30FF: .kana
        case 0x3005, 0x3400...0x9FFF, 0xF900...0xFAFF: .han
        case 0xAC00...0xD7AF: .hangul
        default: .other
        }
    }
  }

  let encoding: TextEncoding
  let scripts: Set<Script>
  /// For each language that uses the encoding, its most frequent letters; those of ASCII do not count.
  let languages: [Set<Unicode.Scalar>]
  /// The number of bytes of a letter.
  let width: Int

  private init(
    _ encoding: TextEncoding, _ scripts: Set<Script>, _ languages: [String], width: Int = 1
  ) {
    self.encoding = encoding
    self.scripts = scripts
    self.languages = languages.map { Set($0.unicodeScalars).union($0.uppercased().unicodeScalars) }
    self.width = width
  }

  // If several fit equally, the first is taken.
  static let all = [
    EncodingLetters(.windows1252, [.latin], western),
    EncodingLetters(.macRoman, [.latin], western),
    EncodingLetters(TextEncoding("windows-1250", "Windows-1250", "CP1250"), [.latin], central),
    EncodingLetters(TextEncoding("iso-8859-2", "ISO 8859-2", "ISO-8859-2"), [.latin], central),
    EncodingLetters(TextEncoding("windows-1251", "Windows-1251", "CP1251"), [.cyrillic], cyrillic),
    EncodingLetters(TextEncoding("koi8-u", "KOI8", "KOI8-U"), [.cyrillic], cyrillic),
    EncodingLetters(TextEncoding("iso-8859-5", "ISO 8859-5", "ISO-8859-5"), [.cyrillic], cyrillic),
    EncodingLetters(TextEncoding("ibm866", "DOS Cyrillic (866)", "IBM866"), [.cyrillic], cyrillic),
    EncodingLetters(
      TextEncoding("mac-cyrillic", "Mac Cyrillic", "MAC-CYRILLIC"), [.cyrillic], cyrillic),
    EncodingLetters(TextEncoding("windows-1253", "Windows-1253", "CP1253"), [.greek], [greek]),
    EncodingLetters(TextEncoding("iso-8859-7", "ISO 8859-7", "ISO-8859-7"), [.greek], [greek]),
    EncodingLetters(
      TextEncoding("windows-1254", "Windows-1254", "CP1254"), [.latin], ["ığşçöüâîİ"]),
    EncodingLetters(TextEncoding("windows-1257", "Windows-1257", "CP1257"), [.latin], baltic),
    EncodingLetters(
      TextEncoding("windows-1255", "Windows-1255", "CP1255"), [.hebrew],
      ["אבגדהוזחטיכלמנסעפצקרשתםןךףץ"]),
    EncodingLetters(
      TextEncoding("windows-1256", "Windows-1256", "CP1256"), [.arabic],
      ["ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإئءؤآ"]),
    EncodingLetters(TextEncoding("windows-874", "Windows-874", "CP874"), [.thai], [thai]),
    EncodingLetters(
      TextEncoding("shift_jis", "Shift JIS", "CP932"), [.kana, .han], [japanese], width: 2),
    EncodingLetters(
      TextEncoding("euc-jp", "EUC-JP", "EUC-JP"), [.kana, .han], [japanese], width: 2),
    EncodingLetters(TextEncoding("gb18030", "GB 18030", "GB18030"), [.han], [simplified], width: 2),
    EncodingLetters(TextEncoding("big5", "Big5", "BIG5-HKSCS"), [.han], [traditional], width: 2),
    EncodingLetters(TextEncoding("euc-kr", "EUC-KR", "UHC"), [.hangul], [korean], width: 2),
    EncodingLetters(TextEncoding("ibm850", "DOS Latin-1 (850)", "CP850"), [.latin], western),
  ]

  // French, German, Spanish and Catalan, Portuguese, Italian, Danish and Norwegian, Swedish and Finnish,
  // Icelandic.
  private static let western = [
    "éèêëàâçîïôûùœ", "äöüßé", "áéíóúñü¿¡çàèòï", "áâãàçéêíóôõú", "àèéìòù", "æøåéö", "åäöé",
    "áéíóúýðþæö",
  ]
  // Polish, Czech and Slovak, Hungarian, Romanian, Croatian and Slovene.
  private static let central = [
    "ąćęłńóśźż", "áčďéěíňóřšťúůýžľĺŕôä", "áéíóöőúüű", "ăâîşţ", "čćšžđ",
  ]
  // Lithuanian, Latvian, Estonian.
  private static let baltic = ["ąčęėįšųūž", "āčēģīķļņšūž", "õäöüšž"]
  // Russian, Ukrainian and Belarusian, Bulgarian, Serbian and Macedonian.
  private static let cyrillic = [
    "оеаинтсрвлкмдпуяыьгзбчйх", "оеаинтсрвлкмдпуяьгзбчйхіїєўг", "оеаинтсрвлкмдпуяъгзбчйх",
    "оеаинтсрвлкмдпујгзбчхљњћђџ",
  ]
  private static let greek = "αειοντσηυρπκλμςάέίόύήώθγδφχβξζω"
  private static let thai = "กขคงจชดตถทนบปพมยรลวสหอะาิีึืุูเแโใไ็่้์ำัญธผฟศษ"
  private static let japanese =
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
    + "がぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽっゃゅょアイウエオカキクケコサシスセソタチツテトナニヌネノ"
    + "ハヒフヘホマミムメモヤユヨラリルレロワンガギグゲゴザジズゼゾダデドバビブベボパピプペポッャュョー"
    + "日本人年大国会中出分月東京都府県市区町村名号電話番社員山川田小学生上下前後時間円店会社"
  private static let simplified =
    "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
    + "里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动"
    + "两长市省县区北京海江山州河南东西广路司名号电话男女王李张刘陈杨黄赵周吴明华平安金高建新"
  private static let traditional =
    "的一是不了人我在有他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可"
    + "裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動"
    + "兩長市省縣區北京海江山州河南東西廣路司名號電話男女王李張劉陳楊黃趙周吳明華平安金高建新臺灣"
  private static let korean =
    "이다는의가을에고하를기지사로은리나한도서자인대어아라시그정과으니일원전해수상부스동구제보성장"
    + "국김박최강조윤임오신권황안송류홍면주여관경민영중공무산울천광남북시군읍길호번지회학교생년월"
}
