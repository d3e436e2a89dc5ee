// Knows the names of columns that are nobody else's business: what was paid for a watch, what is earned with it, who
// buys or owns it, its serial number. Every spec is public, so such a column becomes one only if a mapping says so.

/** In English by parts, since they are combined freely: `Our cost`, `Purchase price`, `Bought for`. */
const english = [
  'costs?|(?:landed|acquisition|dealer|(?:default )?unit|default|supply|average|wc cog) cost|cost (?:price|per item)|price cost',
  'cogs|cost of (?:goods|sales)(?: sold)?',
  '(?:purchase|purchased|acquisition|buying|buy|trade|dealer|supply|supplier|invoice|wholesale) price|purchase cost|buy in|wholesale',
  '(?:purchased?|bought|acquired) (?:for|from|at|by|on|date)|(?:date|day) (?:of purchase|purchased|bought|acquired)',
  'purchase (?:currency|date|day|year)|(?:dealer|trade) net|(?:price )?net to (?:seller|consignor|owner)|payout',
  '(?:price|amount|(?:what )?(?:i|we|was)) paid|paid(?: price)?',
  '(?:auto pricing )?(?:min|minimum|bottom|floor|walk away|reserve) price|auto pricing max price',
  '(?:(?:lowest|minimum|min) (?:acceptable|best)|minimum|min) offer(?: price)?|(?:best offer )?auto (?:accept|decline)(?: price)?',
  '(?:(?:profit|net|gross) )?margin|markup|(?:profits?|gains?)(?: (?:(?:and|or) )?loss(?:es)?)?',
  'insur(?:ance|ed) (?:value|price|amount|sum)|(?:sum|value|amount) insured|insured (?:for|at)',
  '(?:customer|client|buyer|purchaser|supplier|consignor|owner)(?: (?:name|e ?mail|phone|address))?|seller (?:name|e ?mail|phone|address)',
  '(?:customer|client|owner|internal|private|staff) (?:notes?|comments?|remarks?)',
  '(?:(?:watch|case|movement) )?serial(?: (?:no|nr|num|number))?|s n',
]
const others = [
  'h?ek|h?ek preis|einkauf|ankauf|(?:haendler|handler)?(?:ein|an)kaufspreis|(?:haendler|handler|einstands)preis|(?:ein|an)kaufsdatum|gekauft (?:von|bei|am|fur|fuer)',
  'marge|gewinn|rohertrag|versicherungs(?:wert|summe)|kunde|kaeufer|kaufer|lieferant|interne (?:notiz(?:en)?|bemerkung(?:en)?)',
  'eigentuemer|eigentumer|besitzer|serien ?(?:nr|nummer)|gehause(?:nr|nummer)',
  'prix (?:d )?achat|prix (?:de )?(?:revendeur|revient|gros)|couts?(?: d achat| de revient)?|date d achat|notes? internes?',
  'acheteur|fournisseur|proprietaire|valeur (?:assuree|d assurance)|(?:numero|no|n) (?:de )?serie',
  'prezzo (?:di |d )?(?:acquisto|costo|rivenditore)|costo(?: (?:di )?acquisto)?|margine|compratore|fornitore|proprietario|valore assicurato|(?:numero|n) (?:di )?serie|matricola',
  'precio (?:de |del )?(?:compra|coste|costo|distribuidor)|coste|margen|comprador|proveedor|propietario|valor asegurado|suma asegurada|notas internas',
  'preco (?:de )?(?:custo|compra)|custo|margem|fornecedor',
  'inkoop|inkoopprijs|koper|leverancier|eigenaar|serienummer|verzekerde waarde',
  'inkopspris|kostpris|indkobspris|innkjopspris',
  'cena zakupu|marza|klient|wlasciciel|numer seryjny',
  'закупка|закупочная цена|цена закупки|маржа|покупатель|закупівля|ціна закупівлі|покупець|владелец|власник|серийный номер|серійний номер',
  '仕入|仕入れ|仕入価格|仕入れ価格|仕入れ値|原価|粗利|所有者|シリアル|シリアル番号|シリアルナンバー|シリアルno|製造番号',
]
const names = namesOf([...english, ...others])
/** Names of something private if the cells are amounts: a commission may be that of a squadron, a reserve that of power. */
const doubtfulNames = namesOf(['commission', 'provision', 'kommission', 'provvigione', 'comision', 'reserve'])

/** `key` is the name of the column in snake_case, without accents. */
export function isPrivateColumn(key: string): boolean {
  return names.test(key.replaceAll('_', ' '))
}

/** Whether the name is that of something private if the cells are amounts or shares. */
export function isPrivateAmount(key: string): boolean {
  return doubtfulNames.test(key.replaceAll('_', ' '))
}

function namesOf(list: readonly string[]): RegExp {
  return new RegExp(
    `^(?:(?:our|my|net|total) )?(?:${list.join('|')})(?: (?:net|netto|brutto|gross|price|[a-z]{3}))?$`,
  )
}
