// Knows the names of columns that a dealer keeps private: what was paid for a watch, what is earned with it, who buys
// it. Every spec is public, so such a column becomes one only if a mapping says so.

/** In English by parts, since they are combined freely: `Our cost`, `Purchase price`, `Bought for`. */
const english = [
  'costs?|(?:landed|acquisition|dealer|unit) cost|cost (?:price|per item)|price cost',
  '(?:purchase|purchased|acquisition|buying|buy|trade|dealer|invoice|wholesale) price|purchase cost|purchased? for|bought (?:for|at)|buy in|wholesale',
  'dealer net|(?:price|amount) paid|paid(?: price)?',
  '(?:min|minimum|bottom|floor|walk away) price',
  '(?:(?:profit|net|gross) )?margin|profit|markup|insur(?:ance|ed) (?:value|price|amount)',
  '(?:customer|client|buyer|purchaser|supplier|consignor)(?: (?:name|email|phone|address))?',
]
const others = [
  'ek|ek preis|einkauf|einkaufspreis|marge|gewinn|rohertrag|versicherungswert|kunde|kaeufer|kaufer|lieferant',
  'prix (?:d )?achat|acheteur|fournisseur',
  'prezzo (?:di |d )?acquisto|costo(?: (?:di )?acquisto)?|margine|compratore|fornitore',
  'precio (?:de )?compra|coste|margen|comprador|proveedor',
  'preco (?:de )?(?:custo|compra)|custo|margem|fornecedor',
  'inkoop|inkoopprijs|koper|leverancier',
  'cena zakupu|marza|klient',
  'закупка|закупочная цена|цена закупки|маржа|покупатель|закупівля|ціна закупівлі|покупець',
  '仕入|仕入れ|仕入価格|仕入れ値|原価|粗利',
]
const names = new RegExp(
  `^(?:(?:our|my|net|total) )?(?:${[...english, ...others].join('|')})(?: (?:net|netto|brutto|gross|price|[a-z]{3}))?$`,
)

/** `key` is the name of the column in snake_case, without accents. */
export function isPrivateColumn(key: string): boolean {
  return names.test(key.replaceAll('_', ' '))
}
