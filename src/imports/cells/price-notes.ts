// Removes from the text of a price what sellers write around the amount and what does not change it: that tax is
// included, that the price is negotiable, what it is in another currency. The text is in lower case.

const tax =
  'vat|tax|taxes|gst|sales tax|mwst\\.?|m\\.w\\.st\\.?|ust\\.?|umsatzsteuer|steuern?|iva|tva|btw|moms|taxes?'
const withTax =
  'inc|incl|inkl|including|inclusive(?: of)?|inklusive|einschl|includes|ex|exc|excl|exkl|excluding|exclusive(?: of)?|exklusive|without|with|plus|ohne|mit|zzgl|zuzüglich|hors|avec|sans|con|senza|sin|\\+'
const taxWith =
  'inc|incl|included|inclusive|excl|excluded|inklusive|inbegriffen|inclusa|incluso|inclusi|esclusa|escluso|incluida|incluido|excluida|incluse|comprise|incluses|comprises|inbegrepen|ingår'
/** `inc VAT`, `inkl. MwSt.`, `TTC`, `IVA inclusa`. */
const taxNotes = `margin scheme|differenzbesteuert|(?:${withTax})\\.? all taxes|(?:${withTax})\\.? ?(?:of )?(?:${tax})|(?:${tax}) (?:${taxWith})\\.?|ttc|ht|t\\.t\\.c\\.|h\\.t\\.|brutto|netto`
const offerNotes =
  'negotiable|neg|firm|fixed price|obo|o\\.b\\.o|or best offer|best offer|ono|o\\.n\\.o|or nearest offer|or near offer|vb|vhb|verhandlungsbasis|verhandelbar|festpreis|fp|fix|à débattre|négociable|prix ferme|trattabile|trattabili|negociable|negociables|onderhandelbaar|sold|verkauft|vendu|venduto|vendido|verkocht|reserved|reserviert'
const shippingNotes =
  '(?:\\+|plus|incl|including|inkl|zzgl|excl|excluding|ex|free)\\.? ?(?:shipping|postage|versand|delivery|p&p)|shipped|delivered|free shipping|versandkostenfrei'
const notesBehind = new RegExp(
  `(?:^| ?[,;/|–—-] ?| |(?=[([（]))[([（]?(?:${taxNotes}|${offerNotes}|${shippingNotes})[)\\]）]?\\.?$`,
)
const japaneseTax = / ?[(（]?(?:税込み?|税抜き?|税別|内税|外税)[)）]?$/
const notesBefore = new RegExp(`^(?:${offerNotes}) ?[:/|–—-]? ?(?=.)`)
/** A star that points to a footnote. */
const footnote = / ?\*{1,3}$/
/** `AU$355,000 (= $235,323)`: the second amount is the first in another currency. */
const converted = / ?[([](?:=|≈|~|approx\.?|ca\.?|about) ?[^()[\]]*[)\]]$/
const notesMax = 4

export function withoutConversion(text: string): string {
  return text.replace(converted, '')
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

/** Removes the notes before an amount: `SOLD $6,000`. */
export function withoutNotesBefore(text: string): string {
  return text.replace(notesBefore, '')
}
