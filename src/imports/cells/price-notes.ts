// Removes from the text of a price what sellers write around the amount and what does not change it: that tax is
// included, that the price is negotiable, what it is in another currency. The text is in lower case.

const tax =
  'vat|v\\.a\\.t\\.?|tax|taxes|gst|sales tax|mwst\\.?|m\\.w\\.st\\.?|ust\\.?|umsatzsteuer|mehrwertsteuer|steuern?|iva|i\\.v\\.a\\.?|tva|t\\.v\\.a\\.?|btw|moms|mva|alv|dph'
/** What houses of auctions, banks and customs add. */
const fees =
  "(?:buyer[’']?s )?premium|bp|aufgeld|provision|commission|fees?|(?:pp|paypal|wire|cc|card|bank) fees?|(?:import )?dut(?:y|ies)|customs"
const charges = `${tax}|${fees}`
const withTax =
  'inc|incl|inkl|including|inclusive(?: of)?|inklusive|einschl|includes|ex|exc|excl|exkl|excluding|exclusive(?: of)?|exklusive|without|with|plus|no|ohne|mit|keine|zzgl|zuzüglich|hors|avec|sans|con|senza|oltre|più|sin|eks|ekskl|bez|vč|\\+'
const taxWith =
  'inc|incl|inkl|included|inclusive|excl|excluded|free|exempt|qualifying|(?:not |non[ -])?(?:reclaimable|deductible|recoverable)|inklusive|inbegriffen|(?:nicht |n\\. ?)?(?:ausweisbar|ausgewiesen|abzugsfähig|absetzbar)|inclusa|incluso|inclusi|esclusa|escluso|(?:non )?(?:esposta|detraibile|deducibile)|incluida|incluido|excluida|incluse|comprise|incluses|comprises|(?:non )?récupérable|inbegrepen|ingår'
/** The tax is due on the margin of the dealer only. */
const marginNotes =
  'margin scheme|(?:vat|tax) margin(?: scheme)?|margin (?:vat|tax)|marge|btw[ -]marge|marge[ -]btw|margeregeling|tva sur (?:la )?marge|régime de la marge|(?:iva )?regime del margine|iva a margine|diff(?:erenz|\\.)? ?-?(?:besteuert|besteuerung|best\\.?)|margenbesteuert|margenbesteuerung'
/** `inc VAT`, `inkl. MwSt.`, `TTC`, `IVA inclusa`. */
const taxNotes = `${marginNotes}|(?:${withTax})\\.? (?:of )?all taxes|(?:${withTax})\\.? ?(?:of )?(?:${charges})|(?:${charges}) (?:${taxWith})\\.?|ttc|ht|t\\.t\\.c\\.|h\\.t\\.|i\\.i\\.?|brutto|netto|nett?(?: price)?|net vendeur|net to (?:me|seller)`
/** Whether the watch can still be bought. */
const availability =
  'sold|verkauft|vendue?|vendut[oa]|vendid[oa]|verkocht|såld|solgt|reserved|reserviert|réservée?|riservat[oa]|reservad[oa]|gereserveerd|(?:sale )?pending|sale agreed|on hold|under offer'
const offerNotes = `only|mrp|negotiable|neg|nego|firm|fixed price|obo|o\\.b\\.o|(?:obo|o\\.b\\.o\\.?) ?(?:/|or) ?trades?|no trades?|or best offer|best offer|ono|o\\.n\\.o|ovno|or nearest offer|or near offer|asking(?: price)?|all[ -]in|hammer(?: price)?|zuschlag|vb|vhb|verhandlungsbasis|verhandelbar|festpreis|fp|fix|à débattre|à négocier|négociable|(?:prix )?ferme|tratt|(?:poco |non )?trattabil[ei]|intrattabil[ei]|negociable|negociables|onderhandelbaar|vraagprijs|t\\.?e\\.?a\\.?b|${availability}`
/** Not `usdt`, which is a currency of its own. */
const payment =
  '(?:bank |domestic )?wire(?: transfer)?|bank transfer|cash|zelle|venmo|crypto|(?:pp|paypal)(?: (?:ff|f&f|f/f|g&s|friends (?:and|&) family))?'
const paymentNotes = `(?:(?:via|by|with) )?(?:${payment})(?: (?:or|and|&) (?:${payment}))?(?: price| only)?`
const shipping =
  'shipping(?: costs?)?|ship|label|postage|versand(?:kosten)?|porto|frakt|fragt|delivery|p&p|livraison|frais de port|fdp|port|spedizione|spese di spedizione|envío|gastos(?: de envío)?|verzending|verzendkosten'
const shippedTo = '(?: (?:and|&) insured)?(?: (?:to )?(?:conus|usa?|uk|eu|worldwide))?'
const shippingNotes = `(?:\\+|plus|incl|including|inkl|zzgl|excl|excluding|ex|free)\\.? ?(?:${shipping})|(?:${shipping}) (?:${taxWith}|inclus|incluidos|compris|offerts?|extra|gratis|free)\\.?|(?:shipped|delivered)${shippedTo}|conus|fdpi?n?|spedit[oa]|free shipping|versandkostenfrei`
const eachNotes =
  'ea|each|/ ?(?:ea|each|pcs?|piece|stk|stück)|per (?:pc|piece|unit|watch|stuk)|pro stück|je stück|la pièce'
const words = `${taxNotes}|${offerNotes}|${paymentNotes}|${shippingNotes}|${eachNotes}`

const share = '\\d{1,2}(?:[.,]\\d{1,2})? ?%'
const section = '§§? ?25 ?a?(?: (?:abs\\.? ?\\d )?ustg)?'
/** Less than a thousand, so that no price of a watch is taken for that of its shipping. */
const smallAmount =
  '(?:\\p{Sc}|[a-z]{2,4}\\.?)? ?\\d{1,3}(?:[.,]\\d{2}|[.,][-–—]{1,2})? ?(?:\\p{Sc}|[a-z]{2,4}\\.?)?'
/** Notes with a number that is no price: `inkl. 19% MwSt.`, `20% off`, `differenzbesteuert §25a`, `+ $50 shipping`. */
const numbers = [
  `(?:${withTax})\\.? ?(?:of )?${share} ?(?:${charges})`,
  `(?:${charges}) (?:${withTax}|${taxWith})?\\.? ?${share}`,
  `${share} ?(?:${charges})(?: (?:${taxWith})\\.?)?`,
  `(?:(?:${marginNotes}) )?(?:gem\\.?|gemäß|nach|lt\\.?|laut|i\\. ?s\\. ?d\\.?)? ?${section}(?: (?:${marginNotes}))?`,
  `(?:\\+|plus|zzgl\\.?|zuzüglich|excl\\.?|exkl\\.?)? ?(?:${shipping}):? ?${smallAmount}`,
  `(?:\\+|plus|zzgl\\.?|zuzüglich) ?${smallAmount} (?:für )?(?:${shipping})`,
  `(?:税込み?|税抜き?|税別|消費税) ?${share}(?:込み?|別)?`,
  '(?<=[([])(?:税抜き?|税別|本体)(?:価格)?:? ?¥? ?\\d[\\d,]*円?',
].join('|')

/** Only in brackets, as shops show it beside the price that is asked: `5,000 - 20% discount` may ask for less. */
const discount = `[-−–]${share}|save ${share}|${share} (?:off|discount|rabatt|de réduction|de remise|di sconto|de descuento|korting)`

/** What every note with a number contains. Most texts contain none, and this takes far less time to find. */
const hint = new RegExp(`[%§税本]|${shipping}`)

const notesBehind = new RegExp(`(?:^| ?[,;/|–—-] ?| |(?=[([（]))[([（]?(?:${words})[)\\]）]?\\.?$`)
/** Its own separator, because a comma or a space before a digit may belong to the amount. */
const numberedBehind = new RegExp(
  `(?: [,;/|–—-] |[,;/|] | (?!\\d)|(?<=\\D) |(?=[([])|(?<=\\p{Sc}))[([]?(?:${numbers}|(?<=[([])(?:${discount}))[)\\]]?\\.?$`,
  'u',
)
const wordsBehind = new RegExp(`(?: ?[,;/|–—-] ?| |(?=[([]))[([]?(?:${words})[)\\]]?\\.?$`)
const japaneseTax = / ?[(（]?(?:税込み?|税抜き?|税別|内税|外税|送料(?:無料|込み?|別))[)）]?$/
/** A dash without a space behind it is a minus sign. */
const notesBefore = new RegExp(
  `^(?:${offerNotes}|${paymentNotes})(?: ?[:/|] ?| ?[–—-] (?=.)| |$|(?=[^\\p{L}\\p{N} –—-]))`,
  'u',
)
/** What the price is. */
const label =
  /^(?:sale(?= ?[:=$€£¥])|(?:our |asking |sale |selling |list |retail |current |special )?price|retail|msrp|rrp|srp|mrp|m\.r\.p\.?|uvp|hammer(?: price)?|zuschlag|adjugé|preis|verkaufspreis|listenpreis|neupreis|angebotspreis|sonderpreis|prix(?: de vente| public)?|prezzo(?: di listino)?|listino|precio|pvp|prijs|verkoopprijs|vraagprijs|cena|preço|pris|цена|now|only|nur|(?:販売)?価格|特価|定価|税込み?|税抜き?|税別)\*{0,3}(?![\p{L}\p{N}]) ?[:=]? ?/u
/** A star that points to a footnote. */
const footnote = / ?\*{1,3}$/
/** `AU$355,000 (= $235,323)`: the second amount is the first in another currency. */
const converted = / ?[([](?:=|≈|~|(?:approx|ca|about)(?!\p{L})\.?) ?[^()[\]]*[)\]]$/u
const notesMax = 4
const ofAvailability = new RegExp(`(?<![\\p{L}-])(?:${availability})(?!\\p{L})`, 'iu')

/** Whether the text of a price also says that the watch is sold or reserved, which the price does not keep. */
export function tellsAvailability(text: string): boolean {
  return ofAvailability.test(text)
}

export function withoutConversion(text: string): string {
  if (!/[)\]]/.test(text)) return text
  if (converted.test(text)) return text.replace(converted, '')
  const bare = text.replace(wordsBehind, '')
  return converted.test(bare) ? bare.replace(converted, '') : text
}

/** Removes the notes at the end of the whole text as far as the last one with a number, which would be a second amount. */
export function withoutNumberedNotes(text: string): string {
  if (!hint.test(text)) return text
  let [rest, kept] = [text, text]
  for (let count = 0; count < notesMax; count++) {
    const bare = rest.replace(footnote, '')
    const next = bare.replace(numberedBehind, '').trim()
    const isNumbered = next !== bare
    rest = isNumbered ? next : bare.replace(wordsBehind, '').trim()
    if (isNumbered) kept = rest
    else if (rest === bare) break
  }
  return /\d/.test(kept) ? kept : text
}

/** Removes the notes behind an amount. A price may have several: `inc VAT, negotiable`. */
export function withoutNotesBehind(text: string): string {
  let rest = text
  for (let count = 0; count < notesMax && rest !== ''; count++) {
    const next = rest.replace(footnote, '').replace(japaneseTax, '').replace(notesBehind, '').trim()
    if (next === rest) break
    rest = next
  }
  return rest
}

/** Removes the notes before an amount: `SOLD $6,000`, `Preis: VB 3.200 €`. */
export function withoutNotesBefore(text: string): string {
  let rest = text
  for (let count = 0; count < notesMax; count++) {
    const next = rest.replace(notesBefore, '').replace(label, '')
    if (next === rest) break
    rest = next
  }
  return rest
}
