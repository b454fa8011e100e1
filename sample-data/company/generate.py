"""Writes companies.json, offices.json, employees.json and tasks.json beside this file.

The output is the same byte for byte on every run and Python version: all chance comes from
random.Random(SEED).random(), the one method whose sequence Python promises to keep.

    python3 sample-data/company/generate.py
"""

import datetime
import json
import pathlib
import random
import unicodedata
import uuid

SEED = 19870302
EMPLOYEES = 2000
TASKS = 6000
OFFICES = 40
TODAY = datetime.date(2025, 6, 30)
NAMESPACE = uuid.UUID("5b6a3d0e-5c3f-4c7e-9a52-3f0a8f1d2c47")

rng = random.Random(SEED)


class Literal(str):
    """A number written exactly as given, so that 51000.50 keeps its two decimals."""


def below(limit):
    return int(rng.random() * limit)


def between(low, high):
    return low + below(high - low + 1)


def chance(probability):
    return rng.random() < probability


def pick(items):
    return items[below(len(items))]


def shuffled(items):
    items = list(items)
    for index in range(len(items) - 1, 0, -1):
        other = below(index + 1)
        items[index], items[other] = items[other], items[index]
    return items


def money(low, high):
    return Literal(f"{between(low, high)}.{below(100):02d}")


# name, industry, domain, home culture
COMPANIES = [
    ("Zażółć Software sp. z o.o.", "software", "zazolc.example", "polish"),
    ("Forges de l'Étoile", "steel", "etoile.example", "french"),
    ("Grün & Söhne Maschinenbau", "machinery", "gruen.example", "german"),
    ("株式会社みどり電機", "electronics", "midori.example", "japanese"),
    ("长江物流有限公司", "logistics", "changjiang.example", "chinese"),
    ("Северный Ветер", "shipping", "severny.example", "russian"),
    ("شركة النخيل للتجارة", "trade", "nakheel.example", "arabic"),
    ("Αιγαίο Ναυτιλιακή", "shipping", "aegean.example", "greek"),
    ("한빛미디어랩", "media", "hanbit.example", "korean"),
    ("Ağaçlı Tekstil A.Ş.", "textiles", "agacli.example", "turkish"),
    ("Cordillera Energía", "energy", "cordillera.example", "spanish"),
    ("O'Neill \"Harbour\" Consulting", "consulting", "oneill.example", "english"),
]

# culture: given names, surnames, telephone prefix, (city, country, streets)
CULTURES = {
    "polish": (
        "Agnieszka Łukasz Małgorzata Święciesław Żaneta Grzegorz Paweł Zofia Jędrzej Bożena".split(),
        "Wiśniewska Dąbrowski Zieliński Wójcik Brzęczyszczykiewicz Kaźmierczak Śliwa Górska".split(),
        "+48",
        [("Kraków", "Poland", ["ul. Świętego Tomasza", "ul. Długa"]),
         ("Łódź", "Poland", ["ul. Piotrkowska"]), ("Gdańsk", "Poland", ["ul. Mariacka"])]),
    "french": (
        "Aurélie François Zoé Jérôme Maëlys Loïc Hélène Théo Anaïs Gaël Inès".split(),
        "Lefèvre Bélanger Garçon Désiré Noël Château Œuvrard D'Aubigné Saint-Exupéry".split(),
        "+33",
        [("Lyon", "France", ["rue de la République", "quai Saint-Antoine"]),
         ("Montréal", "Canada", ["rue Sainte-Catherine"])]),
    "german": (
        "Jürgen Käthe Björn Günther Änne Sören Bärbel Wolfgang Heike Matthias Ute".split(),
        "Müller Groß Köhler Weiß Jäger Schröder Böhm Straußberger von-der-Heide".split(),
        "+49",
        [("München", "Germany", ["Sendlinger Straße", "Leopoldstraße"]),
         ("Köln", "Germany", ["Hohe Straße"]), ("Zürich", "Switzerland", ["Bahnhofstrasse"])]),
    "japanese": (
        "さくら 翔太 陽菜 健一 美咲 大輔 結衣 拓海 直子 ケンジ".split(),
        "佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 髙島 小野寺 五十嵐".split(),
        "+81",
        [("東京", "Japan", ["千代田区丸の内", "港区六本木"]), ("大阪", "Japan", ["北区梅田"]),
         ("札幌", "Japan", ["中央区大通西"])]),
    "chinese": (
        "伟 芳 秀英 敏 静 丽华 志强 磊 婷婷 晓东 𠮷祥".split(),
        "王 李 张 刘 陈 杨 赵 黄 欧阳 司马 诸葛".split(),
        "+86",
        [("上海", "China", ["南京东路", "淮海中路"]), ("武汉", "China", ["江汉路"]),
         ("新加坡", "Singapore", ["乌节路"])]),
    "russian": (
        "Алексей Ольга Дмитрий Екатерина Фёдор Наталья Юрий Светлана Игорь Любовь".split(),
        "Кузнецов Щербаков Соловьёва Жуков Цветаева Ёлкин Шостакович Ющенко".split(),
        "+7",
        [("Санкт-Петербург", "Russia", ["Невский проспект", "Литейный проспект"]),
         ("Новосибирск", "Russia", ["Красный проспект"])]),
    "arabic": (
        "محمد فاطمة يوسف ليلى عمر زينب خالد مريم إبراهيم نور".split(),
        "الحسن العلي منصور حدّاد النجار صالح القاسم بن-سعيد".split(),
        "+971",
        [("دبي", "United Arab Emirates", ["شارع الشيخ زايد"]), ("القاهرة", "Egypt", ["شارع طلعت حرب"]),
         ("بيروت", "Lebanon", ["شارع الحمراء"])]),
    "greek": (
        "Γιώργος Ελένη Νίκος Μαρία Ιωάννης Αικατερίνη Οδυσσέας Θάλεια Ζωή".split(),
        "Παπαδόπουλος Οικονόμου Αντωνίου Γεωργίου Χατζηδάκης Νικολάου Ψαρράς".split(),
        "+30",
        [("Αθήνα", "Greece", ["Λεωφόρος Συγγρού"]), ("Θεσσαλονίκη", "Greece", ["Τσιμισκή"]),
         ("Πειραιάς", "Greece", ["Ακτή Μιαούλη"])]),
    "korean": (
        "민준 서연 지훈 하은 도윤 수빈 예준 지우 현우 은지".split(),
        "김 이 박 최 정 강 조 윤 남궁 황보".split(),
        "+82",
        [("서울", "South Korea", ["테헤란로", "세종대로"]), ("부산", "South Korea", ["해운대로"])]),
    "turkish": (
        "İsmail Ayşe Oğuz Işıl Çağlar Şebnem Gökçe Ümit Ilgın İrem".split(),
        "Yılmaz Öztürk Çelik Işık Şahin Doğan Gündoğdu İnönü".split(),
        "+90",
        [("İstanbul", "Türkiye", ["İstiklâl Caddesi", "Bağdat Caddesi"]), ("İzmir", "Türkiye", ["Kıbrıs Şehitleri Caddesi"])]),
    "spanish": (
        "María-José Íñigo Begoña Álvaro Lucía Óscar Ximena Joaquín Sofía Raúl".split(),
        "Muñoz Gutiérrez Ibáñez Peña Núñez Cañizares Ordóñez de-la-Vega".split(),
        "+56",
        [("Santiago", "Chile", ["Avenida Libertador Bernardo O'Higgins"]), ("Bogotá", "Colombia", ["Carrera Séptima"]),
         ("Málaga", "Spain", ["Calle Larios"])]),
    "english": (
        "Oliver Saoirse Zoë Niamh Siân Liam Chloë Duncan Amelia Bob".split(),
        "O'Connor Smith-Jones McÉvoy Brontë Null Nguyen True Walker Baker".split(),
        "+353",
        [("Dublin", "Ireland", ["Grafton Street", "Harcourt Street"]), ("London", "United Kingdom", ["Cheapside"]),
         ("Wellington", "New Zealand", ["Lambton Quay"])]),
    "czech": (
        "Jiří Šárka Ondřej Žofie Řehoř Kateřina Tomáš Růžena".split(),
        "Dvořák Novotná Růžička Kříž Šťastný Čapek Žižka".split(),
        "+420", [("Praha", "Czechia", ["Vodičkova"]), ("Brno", "Czechia", ["Česká"])]),
    "vietnamese": (
        "Hương Đức Phượng Tuấn Ngọc Thảo Quyền Bảo".split(),
        "Nguyễn Trần Lê Phạm Huỳnh Đặng Vũ Bùi".split(),
        "+84", [("Hà Nội", "Vietnam", ["Phố Huế"])]),
    "hindi": (
        "आरव प्रिया राहुल अनन्या विक्रम दीपिका अर्जुन कविता".split(),
        "शर्मा वर्मा गुप्ता सिंह पटेल मिश्रा अय्यर".split(),
        "+91", [("मुंबई", "India", ["मरीन ड्राइव"])]),
    "hebrew": (
        "נועה דוד תמר יונתן שירה איתן מיכל אורי".split(),
        "כהן לוי מזרחי פרץ בן-דוד פרידמן".split(),
        "+972", [("תל אביב", "Israel", ["שדרות רוטשילד"])]),
    "icelandic": (
        "Þórdís Ægir Guðrún Sigurður Ásta Björk Hörður Ýmir".split(),
        "Þorvaldsson Jónsdóttir Guðmundsson Ægisdóttir Sveinsson".split(),
        "+354", [("Reykjavík", "Iceland", ["Laugavegur"])]),
    "thai": (
        "สมชาย มาลี อนันต์ กนกวรรณ ธนพล สุดา".split(),
        "ศรีสุข วงศ์ไทย ทองดี รัตนกุล".split(),
        "+66", [("กรุงเทพฯ", "Thailand", ["ถนนสุขุมวิท"])]),
    "georgian": (
        "გიორგი ნინო დავით მარიამი ლუკა თამარ".split(),
        "ბერიძე კაპანაძე გელაშვილი მაისურაძე".split(),
        "+995", [("თბილისი", "Georgia", ["რუსთაველის გამზირი"])]),
    "hungarian": (
        "Győző Erzsébet Zoltán Ágnes Ödön Piroska Bence Csilla".split(),
        "Szabó Kőrösi Fehér Tóth Nagy Ördög Vörös".split(),
        "+36", [("Budapest", "Hungary", ["Andrássy út"])]),
}

POSITIONS = ["developer"] * 8 + ["tester"] * 4 + ["uiDesigner"] * 2 + ["productOwner"] * 2 + \
    ["manager"] * 2 + ["accountant"] + ["support"] * 3

VERBS = ["Review", "Draft", "Fix", "Ship", "Translate", "Measure", "Archive", "Test", "Plan", "Rename"]
THINGS = ["quarterly report", "login screen", "invoice #{n}", "München office lease", "API v{n}",
          "backup of {n} files", "onboarding guide", "naïve cache", "customer survey", "release {n}.0",
          "50 % discount rule", "C:\\temp\\{n}", "“smart quotes”", "search index"]
FOREIGN_TITLES = ["Réviser le café menu №{n}", "Подготовить отчёт {n}", "发布第{n}版", "会議の準備（{n}）",
                  "مراجعة العقد {n}", "Έλεγχος αποθήκης {n}", "보고서 {n} 작성", "Übergabe {n} prüfen",
                  "Zażółć gęślą jaźń {n}", "🚀 launch {n}", "👩‍👩‍👧‍👦 family day {n}", "Cafe\u0301 opening {n}",
                  "अनुबंध {n} की समीक्षा", "İş planı {n}"]
DETAILS = ["See the ticket for the steps.", "Blocked until the vendor answers.",
           "Steps:\n1. open\n2. check\n3. close", "Ask for a second pair of eyes.",
           "Column A\tColumn B", "He said \"later\", twice.", "Kosten: 1.234,56 €", "期限厳守"]
NOTES = ["Prefers mornings.\nSpeaks three languages.",
         "On leave until August.\n\nContact the team lead:\n\tfirst by mail\n\tthen by phone",
         "Allergic to nuts 🥜\nVegetarian", "Says \"no\" often; usually right.\r\nKeep.",
         "名刺の漢字に注意。\n読みは「たかしま」。", "يعمل من المنزل\nيوم الأحد"]


def transliterated(text):
    """ASCII letters of a Latin name in lower case; empty for any other script."""
    special = str.maketrans({"ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "đ": "d", "Đ": "D", "ð": "d",
                             "þ": "th", "Þ": "Th", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ı": "i"})
    decomposed = unicodedata.normalize("NFKD", text.translate(special))
    kept = [c for c in decomposed if c not in "'-" and not unicodedata.combining(c)]
    return "".join(kept).lower() if all(ord(c) < 128 for c in kept) else ""


def day(start_year, end_year):
    first = datetime.date(start_year, 1, 1)
    return first + datetime.timedelta(days=below((datetime.date(end_year, 12, 31) - first).days + 1))


def moment(date):
    return f"{date.isoformat()}T{between(7, 18):02d}:{pick([0, 15, 30, 45]):02d}:00Z"


def companies():
    for number, (name, industry, domain, _) in enumerate(COMPANIES, 1):
        yield {
            "id": number, "name": name, "industry": industry,
            "founded": day(1898, 2019).isoformat() if number > 1 else "1987-03-02",
            "revenue": money(900_000, 4_000_000_000) if number % 5 else None,
            "website": f"https://www.{domain}/" if number % 4 else None,
            "isPublic": chance(0.4),
        }


def offices():
    places = []
    for number, (_, _, _, culture) in enumerate(COMPANIES, 1):
        places += [(number, place) for place in CULTURES[culture][3]]
    abroad = [place for culture in CULTURES.values() for place in culture[3]]
    while len(places) < OFFICES:
        extra = (between(1, len(COMPANIES)), pick(abroad))
        if extra not in places:
            places.append(extra)
    for number, (company, (city, country, streets)) in enumerate(places, 1):
        yield {
            "id": number, "name": f"{city} {'HQ' if chance(0.3) else 'office'}", "city": city,
            "country": country,
            "street": f"{pick(streets)} {between(1, 199)}" if chance(0.85) else None,
            "capacity": between(1, 40) * 10,
            "openedAt": moment(day(1990, 2024)) if chance(0.75) else None,
            "company": company,
        }


def employees(all_offices):
    offices_of = {}
    for office in all_offices:
        offices_of.setdefault(office["company"], []).append(office["id"])
    everywhere = list(CULTURES)
    rows = []
    for number in range(1, EMPLOYEES + 1):
        company = 1 + int(len(COMPANIES) * rng.random() ** 1.4)
        home, domain = COMPANIES[company - 1][3], COMPANIES[company - 1][2]
        given, surnames, prefix, _ = CULTURES[home if chance(0.6) else pick(everywhere)]
        name, surname = pick(given), pick(surnames)
        position = pick(POSITIONS)
        mailbox = f"{transliterated(name)}.{transliterated(surname)}.{number}"
        if mailbox.startswith(".") or ".." in mailbox:
            mailbox = f"staff.{number}"
        rows.append({
            "id": number, "uuid": str(uuid.uuid5(NAMESPACE, f"employee/{number}")),
            "name": name, "surname": surname, "age": between(19, 68),
            "salary": money(60_000, 190_000) if position == "manager" else money(21_000, 110_000),
            "position": position if chance(0.96) else None,
            "email": f"{mailbox}@{domain}" if chance(0.8) else None,
            "phone": f"{prefix} {between(100, 999)} {between(100000, 999999)}" if chance(0.6) else None,
            "hiredAt": day(2001, 2024).isoformat(),
            "isRemote": chance(0.35),
            "notes": pick(NOTES) if chance(0.02) else None,
            "company": company,
            "office": pick(offices_of[company]) if chance(0.9) else None,
            "manager": None,
        })
    # A manager always stands before the managed in a shuffled list, so that there is no cycle and
    # yet a manager's id may be the larger one.
    for company in range(1, len(COMPANIES) + 1):
        staff = shuffled(row for row in rows if row["company"] == company)
        for rank, row in enumerate(staff):
            if rank > 0 and chance(0.97):
                row["manager"] = staff[below(max(1, rank // 8))]["id"]
    return rows


def tasks():
    lengths = {}
    for number in range(1, TASKS + 1):
        title = pick(FOREIGN_TITLES) if chance(0.3) else f"{pick(VERBS)} {pick(THINGS)}"
        assignee = 1 + int(EMPLOYEES * rng.random() ** 1.2) if chance(0.97) else None
        order = None
        if assignee is not None:
            order = lengths.get(assignee, 0)
            lengths[assignee] = order + 1
        yield {
            "id": number, "title": title.replace("{n}", str(between(1, 400))),
            "details": pick(DETAILS) if chance(0.12) else None,
            "priority": below(4), "isDone": chance(0.45),
            "dueAt": moment(TODAY + datetime.timedelta(days=between(-400, 300))) if chance(0.5) else None,
            "estimate": between(1, 80) / 2 if chance(0.45) else None,
            "employee": assignee, "order": order,
        }


def encoded(value):
    return str(value) if isinstance(value, Literal) else json.dumps(value, ensure_ascii=False)


def write(name, rows):
    """One object a line; a missing value has no member."""
    lines = ["{" + ",".join(f"{encoded(key)}:{encoded(value)}" for key, value in row.items()
                            if value is not None) + "}" for row in rows]
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    (pathlib.Path(__file__).parent / name).write_bytes(text.encode("utf-8"))


def main():
    all_offices = list(offices())
    write("companies.json", companies())
    write("offices.json", all_offices)
    write("employees.json", employees(all_offices))
    write("tasks.json", tasks())


main()
