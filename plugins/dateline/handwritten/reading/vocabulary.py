"""Word lists of the reader by rules."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _names(text: str) -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name in text.split())


OPENERS = _set(
    """
    a an the in on at by for from to of and but or as if it its he she they we i you his her their our my this that
    these those there here when while after before since until during with without not no what who which how why
    where also however meanwhile according then now today yesterday so some many most more all both each one two
    first last new former current following although though because despite under over between is was are were has
    have had be been will would can could may might do does did
    """
)
"""Words that a capitalised sequence may begin with without being part of the name."""

TITLES = _set(
    """
    mr mrs ms dr sir dame lord lady president prime minister chancellor king queen prince princess pope senator
    governor mayor secretary general captain coach ceo chairman chairwoman chief executive director professor judge
    justice rep sen gov gen deputy vice actor actress singer manager author former
    """
)
"""Titles and offices before a person's name."""

ORGANISATION = _set(
    """
    university party inc corp company united fc league council committee court parliament congress senate ministry
    department house club group bank airlines association institute college school street river city county state
    times post news island islands union cup championship award awards prize election series act
    """
)
"""Words that show a name to be no person's."""

GENERIC = _set(
    """
    have cost reach name call become make get take win hold current latest newest new recent known official many number
    year world exist serve work play happen come go give find major main public kind type part hit stand run lead do
    """
)
"""Words of a question that its answer often leaves out or puts otherwise."""

DEMONYMS = {
    people: country.replace("_", " ")
    for people, country in (
        pair.split(":")
        for pair in [
            "American:United_States",
            "British:United_Kingdom",
            "French:France",
            "German:Germany",
            "Italian:Italy",
            "Japanese:Japan",
            "Chinese:China",
            "Russian:Russia",
            "Spanish:Spain",
            "Indian:India",
            "Canadian:Canada",
            "Australian:Australia",
            "Dutch:Netherlands",
            "Brazilian:Brazil",
            "Mexican:Mexico",
            "Swedish:Sweden",
            "Norwegian:Norway",
            "Danish:Denmark",
            "Finnish:Finland",
            "Polish:Poland",
            "Turkish:Turkey",
            "Greek:Greece",
            "Irish:Ireland",
            "Portuguese:Portugal",
            "Austrian:Austria",
            "Swiss:Switzerland",
            "Belgian:Belgium",
            "Ukrainian:Ukraine",
            "Israeli:Israel",
            "Iranian:Iran",
            "Egyptian:Egypt",
            "Korean:Korea",
            "Hungarian:Hungary",
            "Czech:Czechia",
            "Kenyan:Kenya",
            "Ethiopian:Ethiopia",
        ]
    )
}
"""What belongs to a country, and the country."""

COUNTRIES = _names(
    """
    Afghanistan Albania Algeria Andorra Angola Argentina Armenia Australia Austria Azerbaijan Bahamas Bahrain
    Bangladesh Barbados Belarus Belgium Belize Benin Bhutan Bolivia Bosnia_and_Herzegovina Botswana Brazil Britain
    Brunei Bulgaria Burkina_Faso Burundi Cambodia Cameroon Canada Cape_Verde Chad Chile China Colombia Comoros Congo
    Costa_Rica Croatia Cuba Cyprus Czechia Czech_Republic Czechoslovakia Denmark Djibouti Dominica
    Dominican_Republic East_Germany East_Timor Ecuador Egypt El_Salvador England Equatorial_Guinea Eritrea Estonia
    Eswatini Ethiopia Fiji Finland France Gabon Gambia Georgia Germany Ghana Greece Greenland Grenada Guatemala
    Guinea Guyana Haiti Honduras Hong_Kong Hungary Iceland India Indonesia Iran Iraq Ireland Israel Italy
    Ivory_Coast Jamaica Japan Jordan Kazakhstan Kenya Kiribati Kosovo Kuwait Kyrgyzstan Laos Latvia Lebanon Lesotho
    Liberia Libya Liechtenstein Lithuania Luxembourg Macedonia Madagascar Malawi Malaysia Maldives Mali Malta
    Mauritania Mauritius Mexico Micronesia Moldova Monaco Mongolia Montenegro Morocco Mozambique Myanmar Namibia
    Nauru Nepal Netherlands New_Zealand Nicaragua Niger Nigeria North_Korea North_Macedonia Northern_Ireland Norway
    Oman Pakistan Palau Palestine Panama Papua_New_Guinea Paraguay Peru Philippines Poland Portugal Qatar Romania
    Russia Rwanda Samoa San_Marino Saudi_Arabia Scotland Senegal Serbia Seychelles Sierra_Leone Singapore Slovakia
    Slovenia Solomon_Islands Somalia South_Africa South_Korea South_Sudan Soviet_Union Spain Sri_Lanka Sudan
    Suriname Swaziland Sweden Switzerland Syria Taiwan Tajikistan Tanzania Thailand Togo Tonga Trinidad_and_Tobago
    Tunisia Turkey Turkmenistan Tuvalu Türkiye Uganda Ukraine United_Arab_Emirates United_Kingdom United_States
    Uruguay Uzbekistan Vanuatu Vatican_City Venezuela Vietnam Wales Yemen Yugoslavia Zambia Zimbabwe UAE US USA UK
    """
)
"""Countries of today and of the last hundred years, as English news names them."""

STATES = _names(
    """
    Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois
    Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri
    Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma
    Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington
    West_Virginia Wisconsin Wyoming
    """
)
"""The states of the United States."""
