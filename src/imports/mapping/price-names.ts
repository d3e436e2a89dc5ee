// Knows which names of columns sound like prices, beyond those of the name table.

/** In the languages of the name table. */
const priceWords = /price|preis|prix|prezzo|precio|preco|prijs|(?:^|_)cena(?:_|$)|価格|цена|ціна/
/** Columns that may be prices as well, if no other column is. */
const valueWords = /(?:^|_)(?:value|wert|valeur|valore|valor|msrp|rrp|uvp)(?:_[a-z]{3})?$/
/** Prices other than the current price of the watch. */
const otherPrices =
  /purchase|paid|cost|buy|insur|deposit|ship|month|old|previous|original|compare|reserve|wholesale|unit|bid|estimate|einkauf/
/** A price that holds until the usual one does again. It may be there for some watches only. */
const saleWords =
  /(?:^|_)(?:sale|special|discounted?|reduced|offer|angebots?|aktions?|promo|oferta|offerta)(?:_?(?:price|preis))?(?:_|$)/
/** `Price (k€)`, `Preis in TEUR`, `Price in 1000 USD`, `Price ($000)`. */
const thousands =
  /(?:^|[\s(_])(?:in )?(?:[kt] ?[€$£]|[€$£] ?k|t(?:eur|usd|chf|gbp)|k(?:eur|usd|chf|gbp)|tsd\.?|thousands?|1[.,' ]?000s?|[€$£]?['’]?000s?)(?:[\s)_]|$)/i

/** `key` is the name in snake_case. */
export function isPriceName(key: string): boolean {
  return priceWords.test(key) && !otherPrices.test(key)
}

export function isValueName(key: string): boolean {
  return (priceWords.test(key) || valueWords.test(key)) && !otherPrices.test(key)
}

export function isSaleName(key: string): boolean {
  return saleWords.test(key)
}

/** Whether the name says that its amounts are thousands. */
export function isInThousands(name: string): boolean {
  return thousands.test(name)
}
