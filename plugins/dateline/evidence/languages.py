"""Words of time in the languages that search engines answer in: months, units, "ago", yesterday.

Facts of the languages, as lower-case words; a language's own words win over those of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class Language:
    """One language's words of time.

    Attributes:
        months: word -> 1..12, full names and usual abbreviations without their full stop.
        units: word -> unit.
        ago: words or phrases that say that a length of time lies back.
        days: word -> days from today (yesterday -1, tomorrow 1).
        numbers: word -> number.
        weekdays: word -> 0 (Monday) to 6.
    """

    months: Mapping[str, int]
    units: Mapping[str, Unit]
    ago: tuple[str, ...]
    days: Mapping[str, int]
    numbers: Mapping[str, int]
    weekdays: Mapping[str, int]


_UNITS: tuple[Unit, ...] = ("second", "minute", "hour", "day", "week", "month", "year")


def _language(months: str, *, units: str, ago: str, days: str, numbers: str = "", weekdays: str = "") -> Language:
    """Build a language from compact lists.

    `months`: twelve groups of forms split by `|`; `units`: seven groups, second to year; `ago`
    split by `|`; `days`: five groups, from the day before yesterday to the day after
    tomorrow, which may be empty.
    """
    unit_words = {word: unit for unit, forms in zip(_UNITS, units.split("|"), strict=True) for word in forms.split()}
    day_words = {
        word.replace("_", " "): shift
        for shift, forms in zip(range(-2, 3), days.split("|"), strict=True)
        for word in forms.split()
    }
    return Language(
        months=_numbered(months, 1),
        units=MappingProxyType(unit_words),
        ago=tuple(ago.split("|")),
        days=MappingProxyType(day_words),
        numbers=_numbered(numbers, 1),
        weekdays=_numbered(weekdays, 0),
    )


def _numbered(groups: str, first: int) -> Mapping[str, int]:
    """Word -> the number of its group."""
    forms = enumerate(groups.split("|"), start=first)
    return MappingProxyType({word: number for number, words in forms for word in words.split()})


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "en": _language(
            "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept"
            "|october oct|november nov|december dec",
            units="second seconds sec secs s|minute minutes min mins|hour hours hr hrs h|day days d"
            "|week weeks wk wks w|month months mo mos mth mths|year years yr yrs y",
            ago="ago|earlier|back",
            days="|yesterday|today just_now|tomorrow|",
            numbers="a an one|two couple|three few|four|five|six|seven|eight|nine|ten|eleven|twelve",
            weekdays="monday mon|tuesday tue tues|wednesday wed|thursday thu thur thurs|friday fri|saturday sat|sunday sun",
        ),
        "es": _language(
            "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago"
            "|septiembre setiembre sep sept set|octubre oct|noviembre nov|diciembre dic",
            units="segundo segundos seg|minuto minutos min|hora horas h|día días dia dias|semana semanas|mes meses"
            "|año años",
            ago="hace|atrás",
            days="anteayer|ayer|hoy ahora_mismo|mañana|",
            numbers="un una uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce",
            weekdays="lunes lun|martes|miércoles mié|jueves jue|viernes vie|sábado sáb|domingo dom",
        ),
        "fr": _language(
            "janvier janv jan|février fevrier févr fév fev|mars mar|avril avr|mai|juin|juillet juil|août aout|septembre"
            " sept sep|octobre oct|novembre nov|décembre decembre déc dec",
            units="seconde secondes sec|minute minutes min|heure heures h|jour jours j|semaine semaines sem|mois"
            "|an ans année années",
            ago="il y a",
            days="avant-hier|hier|aujourd’hui aujourd'hui à_l’instant à_l'instant|demain|après-demain",
            numbers="un une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze",
            weekdays="lundi lun|mardi|mercredi mer|jeudi jeu|vendredi ven|samedi sam|dimanche dim",
        ),
        "de": _language(
            "januar jan jänner|februar feb|märz mär mrz maerz|april apr|mai|juni jun|juli jul|august aug"
            "|september sep sept|oktober okt|november nov|dezember dez",
            units="sekunde sekunden sek|minute minuten min|stunde stunden std|tag tage tagen|woche wochen"
            "|monat monate monaten|jahr jahre jahren",
            ago="vor",
            days="vorgestern|gestern|heute gerade_eben|morgen|übermorgen",
            numbers="ein eine einer einem einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf",
            weekdays="montag mo|dienstag di|mittwoch mi|donnerstag do|freitag fr|samstag sa|sonntag so",
        ),
        "it": _language(
            "gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago"
            "|settembre set sett|ottobre ott|novembre nov|dicembre dic",
            units="secondo secondi sec|minuto minuti min|ora ore h|giorno giorni gg|settimana settimane|mese mesi"
            "|anno anni",
            ago="fa",
            days="|ieri|oggi|domani|dopodomani",
            numbers="un una uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici",
            weekdays="lunedì lun|martedì|mercoledì mer|giovedì gio|venerdì ven|sabato sab|domenica dom",
        ),
        "pt": _language(
            "janeiro jan|fevereiro fev|março marco mar|abril abr|maio mai|junho jun|julho jul|agosto ago"
            "|setembro set|outubro out|novembro nov|dezembro dez",
            units="segundo segundos seg|minuto minutos min|hora horas h|dia dias|semana semanas|mês mes meses|ano anos",
            ago="há|atrás",
            days="anteontem|ontem|hoje|amanhã|",
            numbers="um uma|dois duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze",
            weekdays="segunda-feira seg|terça-feira ter|quarta-feira qua|quinta-feira qui|sexta-feira sex|sábado sáb|domingo dom",
        ),
        "nl": _language(
            "januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep sept"
            "|oktober okt|november nov|december dec",
            units="seconde seconden sec|minuut minuten min|uur uren u|dag dagen|week weken|maand maanden mnd|jaar jaren",
            ago="geleden",
            days="eergisteren|gisteren|vandaag|morgen|overmorgen",
            numbers="een één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf",
            weekdays="maandag ma|dinsdag di|woensdag wo|donderdag do|vrijdag vr|zaterdag za|zondag zo",
        ),
        "sv": _language(
            "januari jan|februari feb|mars mar|april apr|maj|juni jun|juli jul|augusti aug|september sep sept"
            "|oktober okt|november nov|december dec",
            units="sekund sekunder sek|minut minuter min|timme timmar tim|dag dagar|vecka veckor|månad månader mån|år",
            ago="sedan",
            days="|igår|idag|imorgon|",
            numbers="en ett",
        ),
        "da": _language(
            "januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep sept"
            "|oktober okt|november nov|december dec",
            units="sekund sekunder sek|minut minutter min|time timer|dag dage|uge uger|måned måneder mdr|år",
            ago="siden",
            days="|i_går igår|i_dag idag|i_morgen|",
            numbers="en et",
        ),
        "no": _language(
            "januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|september sep sept"
            "|oktober okt|november nov|desember des",
            units="sekund sekunder sek|minutt minutter min|time timer|dag dager døgn|uke uker|måned måneder md|år",
            ago="siden",
            days="|i_går|i_dag|i_morgen|",
            numbers="en et ett",
        ),
        "fi": _language(
            "tammikuu tammikuuta tammi|helmikuu helmikuuta helmi|maaliskuu maaliskuuta maalis|huhtikuu huhtikuuta huhti"
            "|toukokuu toukokuuta touko|kesäkuu kesäkuuta kesä|heinäkuu heinäkuuta heinä|elokuu elokuuta elo"
            "|syyskuu syyskuuta syys|lokakuu lokakuuta loka|marraskuu marraskuuta marras|joulukuu joulukuuta joulu",
            units="sekunti sekuntia s|minuutti minuuttia min|tunti tuntia t|päivä päivää pv|viikko viikkoa vk"
            "|kuukausi kuukautta kk|vuosi vuotta v",
            ago="sitten",
            days="toissapäivänä|eilen|tänään|huomenna|",
        ),
        "pl": _language(
            "styczeń stycznia sty|luty lutego lut|marzec marca mar|kwiecień kwietnia kwi|maj maja|czerwiec czerwca cze"
            "|lipiec lipca lip|sierpień sierpnia sie|wrzesień września wrz|październik października paź"
            "|listopad listopada lis|grudzień grudnia gru",
            units="sekunda sekundę sekundy sekund|minuta minutę minuty minut min|godzina godzinę godziny godzin godz"
            "|dzień dni|tydzień tygodnie tygodni|miesiąc miesiące miesięcy mies|rok roku lata lat",
            ago="temu",
            days="przedwczoraj|wczoraj|dzisiaj dziś|jutro|pojutrze",
        ),
        "cs": _language(
            "leden ledna led|únor února úno|březen března bře|duben dubna dub|květen května kvě|červen června čvn"
            "|červenec července čvc|srpen srpna srp|září zář|říjen října říj|listopad listopadu lis|prosinec prosince pro",
            units="sekunda sekundou sekundami|minuta minutou minutami min|hodina hodinou hodinami|den dnem dny dní"
            "|týden týdnem týdny|měsíc měsícem měsíci|rok rokem lety roky let",
            ago="před",
            days="předevčírem|včera|dnes|zítra|pozítří",
        ),
        "ro": _language(
            "ianuarie ian|februarie feb|martie mar|aprilie apr|mai|iunie iun|iulie iul|august aug|septembrie sept sep"
            "|octombrie oct|noiembrie nov noi|decembrie dec",
            units="secundă secunde|minut minute min|oră ore|zi zile|săptămână săptămâni|lună luni|an ani",
            ago="acum",
            days="alaltăieri|ieri|azi astăzi|mâine|poimâine",
            numbers="o un",
        ),
        "hu": _language(
            "január jan|február febr feb|március márc már|április ápr|május máj|június jún|július júl|augusztus aug"
            "|szeptember szept|október okt|november nov|december dec",
            units="másodperce másodperccel|perce perccel|órája órával|napja nappal|hete héttel|hónapja hónappal"
            "|éve évvel",
            ago="ezelőtt|óta",
            days="tegnapelőtt|tegnap|ma|holnap|",
            numbers="egy",
        ),
        "tr": _language(
            "ocak oca|şubat şub|mart mar|nisan nis|mayıs may|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki"
            "|kasım kas|aralık ara",
            units="saniye sn|dakika dk|saat sa|gün|hafta|ay|yıl sene",
            ago="önce",
            days="|dün|bugün|yarın|",
            numbers="bir",
        ),
        "ru": _language(
            "январь января янв|февраль февраля фев февр|март марта мар|апрель апреля апр|май мая|июнь июня июн"
            "|июль июля июл|август августа авг|сентябрь сентября сен сент|октябрь октября окт|ноябрь ноября ноя нояб"
            "|декабрь декабря дек",
            units="секунда секунду секунды секунд сек|минута минуту минуты минут мин|час часа часов ч"
            "|день дня дней дн|неделя неделю недели недель нед|месяц месяца месяцев мес|год года лет г",
            ago="назад",
            days="позавчера|вчера|сегодня|завтра|послезавтра",
            numbers="один одну одна",
        ),
        "uk": _language(
            "січень січня січ|лютий лютого лют|березень березня бер|квітень квітня квіт|травень травня трав"
            "|червень червня черв|липень липня лип|серпень серпня серп|вересень вересня вер|жовтень жовтня жовт"
            "|листопад листопада лист|грудень грудня груд",
            units="секунду секунди секунд|хвилину хвилини хвилин хв|годину години годин год|день дні днів дн"
            "|тиждень тижні тижнів|місяць місяці місяців міс|рік роки років р",
            ago="тому",
            days="позавчора|вчора|сьогодні|завтра|післязавтра",
        ),
        "el": _language(
            "ιανουάριος ιανουαρίου ιαν|φεβρουάριος φεβρουαρίου φεβ|μάρτιος μαρτίου μαρ|απρίλιος απριλίου απρ"
            "|μάιος μαΐου μαΐ|ιούνιος ιουνίου ιουν|ιούλιος ιουλίου ιουλ|αύγουστος αυγούστου αυγ"
            "|σεπτέμβριος σεπτεμβρίου σεπ|οκτώβριος οκτωβρίου οκτ|νοέμβριος νοεμβρίου νοε|δεκέμβριος δεκεμβρίου δεκ",
            units="δευτερόλεπτο δευτερόλεπτα|λεπτό λεπτά|ώρα ώρες|ημέρα ημέρες μέρα μέρες|εβδομάδα εβδομάδες"
            "|μήνα μήνας μήνες|έτος έτη χρόνο χρόνια",
            ago="πριν",
            days="προχθές|χθες χτες|σήμερα|αύριο|μεθαύριο",
            numbers="μία μια ένα έναν",
        ),
        "id": _language(
            "januari jan|februari feb|maret mar|april apr|mei|juni jun|juli jul|agustus agu ags|september sep"
            "|oktober okt|november nov|desember des",
            units="detik|menit mnt|jam|hari|minggu|bulan bln|tahun thn",
            ago="lalu",
            days="|kemarin|hari_ini|besok|lusa",
            numbers="satu",
        ),
        "vi": _language(
            "thg1 th1|thg2 th2|thg3 th3|thg4 th4|thg5 th5|thg6 th6|thg7 th7|thg8 th8|thg9 th9|thg10 th10|thg11 th11"
            "|thg12 th12",
            units="giây|phút|giờ|ngày|tuần|tháng|năm",
            ago="trước",
            days="|hôm_qua|hôm_nay|ngày_mai|",
            numbers="một",
        ),
        "ar": _language(
            "يناير|فبراير|مارس|أبريل ابريل|مايو|يونيو يونيه|يوليو يوليه|أغسطس اغسطس|سبتمبر|أكتوبر اكتوبر|نوفمبر|ديسمبر",
            units="ثانية ثوان ثوانٍ|دقيقة دقائق|ساعة ساعات|يوم أيام يوما يومًا|أسبوع أسابيع|شهر أشهر شهور شهرا شهرًا"
            "|سنة سنوات عام أعوام",
            ago="قبل|منذ",
            days="|أمس|اليوم|غدا|",
        ),
        "he": _language(
            "ינואר בינואר ינו|פברואר בפברואר פבר|מרץ במרץ|אפריל באפריל אפר|מאי במאי|יוני ביוני|יולי ביולי|אוגוסט באוגוסט"
            " אוג|ספטמבר בספטמבר ספט|אוקטובר באוקטובר אוק|נובמבר בנובמבר נוב|דצמבר בדצמבר דצמ",
            units="שנייה שניות|דקה דקות|שעה שעות|יום ימים|שבוע שבועות|חודש חודשים|שנה שנים",
            ago="לפני",
            days="שלשום|אתמול|היום|מחר|מחרתיים",
        ),
        "hi": _language(
            "जनवरी जन|फ़रवरी फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त अग|सितंबर सित|अक्तूबर अक्टूबर|नवंबर नव|दिसंबर दिस",
            units="सेकंड|मिनट|घंटे घंटा|दिन|सप्ताह हफ़्ते हफ्ते|महीने महीना माह|साल वर्ष",
            ago="पहले",
            days="||आज||",
        ),
        "th": _language(
            "มกราคม ม.ค|กุมภาพันธ์ ก.พ|มีนาคม มี.ค|เมษายน เม.ย|พฤษภาคม พ.ค|มิถุนายน มิ.ย|กรกฎาคม ก.ค|สิงหาคม ส.ค"
            "|กันยายน ก.ย|ตุลาคม ต.ค|พฤศจิกายน พ.ย|ธันวาคม ธ.ค",
            units="วินาที|นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี",
            ago="ที่ผ่านมา|ที่แล้ว",
            days="|เมื่อวาน|วันนี้|พรุ่งนี้|",
        ),
    }
)

UNSPACED_UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        "年": "year",
        "년": "year",
        "か月": "month",
        "ヶ月": "month",
        "カ月": "month",
        "ヵ月": "month",
        "个月": "month",
        "個月": "month",
        "개월": "month",
        "달": "month",
        "週間": "week",
        "週": "week",
        "周": "week",
        "주": "week",
        "日": "day",
        "天": "day",
        "일": "day",
        "時間": "hour",
        "小时": "hour",
        "小時": "hour",
        "시간": "hour",
        "分钟": "minute",
        "分鐘": "minute",
        "分": "minute",
        "분": "minute",
        "秒": "second",
        "초": "second",
        "ปี": "year",
        "เดือน": "month",
        "สัปดาห์": "week",
        "วัน": "day",
        "ชั่วโมง": "hour",
        "นาที": "minute",
    }
)
"""Units of languages without spaces between words (Chinese, Japanese, Korean, Thai), right behind their number."""

UNSPACED_DAYS: Mapping[str, int] = MappingProxyType(
    {
        "一昨日": -2, "前天": -2, "그저께": -2, "昨日": -1, "昨天": -1, "어제": -1, "今日": 0, "今天": 0, "오늘": 0,
        "明日": 1, "明天": 1, "내일": 1,
    }
)  # fmt: skip

WORD = r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])+"
"""Letters and the vowel signs of Devanagari and Thai, which are no letters to `re`."""


def languages_from(first: str) -> Iterator[Language]:
    """The language of that code, where it is known, then all others."""
    if first in LANGUAGES:
        yield LANGUAGES[first]
    yield from (words for code, words in LANGUAGES.items() if code != first)
