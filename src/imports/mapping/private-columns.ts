// Knows the names of columns that are nobody else's business: what was paid for a watch, what is earned with it, who
// buys or owns it, its serial number. Every spec is public, so such a column becomes one only if a mapping says so.

/** In English by parts, since they are combined freely: `Our cost`, `Purchase price`, `Bought for`. */
const english = [
  'costs?|(?:landed|acquisition|dealer|unit) cost|cost (?:price|per item)|price cost',
  '(?:purchase|purchased|acquisition|buying|buy|trade|dealer|invoice|wholesale) price|purchase cost|purchased? for|bought (?:for|at)|buy in|wholesale',
  '(?:dealer|trade) net|(?:price|amount) paid|paid(?: price)?',
  '(?:min|minimum|bottom|floor|walk away) price',
  'purchase (?:currency|date|day|year)|date of purchase|date (?:purchased|bought)|(?:purchased|bought) (?:on|date)',
  '(?:(?:profit|net|gross) )?margin|markup|(?:profits?|gains?)(?: (?:(?:and|or) )?loss(?:es)?)?',
  'insur(?:ance|ed) (?:value|price|amount|sum)|(?:sum|value|amount) insured',
  '(?:customer|client|buyer|purchaser|supplier|consignor|owner)(?: (?:name|email|phone|address))?',
  '(?:(?:watch|case|movement) )?serial(?: (?:no|nr|num|number))?|s n',
]
const others = [
  'h?ek|h?ek preis|einkauf|(?:haendler|handler)?einkaufspreis|marge|gewinn|rohertrag|versicherungs(?:wert|summe)|kunde|kaeufer|kaufer|lieferant',
  'eigentuemer|eigentumer|besitzer|serien ?(?:nr|nummer)|gehause(?:nr|nummer)',
  'prix (?:d )?achat|acheteur|fournisseur|proprietaire|valeur (?:assuree|d assurance)|(?:numero|no|n) (?:de )?serie',
  'prezzo (?:di |d )?acquisto|costo(?: (?:di )?acquisto)?|margine|compratore|fornitore|proprietario|valore assicurato|(?:numero|n) (?:di )?serie|matricola',
  'precio (?:de )?compra|coste|margen|comprador|proveedor|propietario|valor asegurado|suma asegurada',
  'preco (?:de )?(?:custo|compra)|custo|margem|fornecedor',
  'inkoop|inkoopprijs|koper|leverancier|eigenaar|serienummer|verzekerde waarde',
  'cena zakupu|marza|klient|wlasciciel|numer seryjny',
  'закупка|закупочная цена|цена закупки|маржа|покупатель|закупівля|ціна закупівлі|покупець|владелец|власник|серийный номер|серійний номер',
  '仕入|仕入れ|仕入価格|仕入れ価格|仕入れ値|原価|粗利|所有者|シリアル|シリアル番号|シリアルナンバー|シリアルno|製造番号',
]
const names = new RegExp(
  `^(?:(?:our|my|net|total) )?(?:${[...english, ...others].join('|')})(?: (?:net|netto|brutto|gross|price|[a-z]{3}))?$`,
)

/** `key` is the name of the column in snake_case, without accents. */
export function isPrivateColumn(key: string): boolean {
  return names.test(key.replaceAll('_', ' '))
}
