// Knows by the names of columns which may tell watches apart, and which says most.

/** Words of names of columns that number things, wherever they stand. */
const surelyNames = /(?:^|_)(?:sku|ean|ean13|upc|gtin|gtin13|barcode|isbn|asin|uid|uuid|guid|serial)(?:_|$)/
/** Words that name a key only at the end: `listing_id` is one, `active_listing_of_the_seller` a count. */
const namesAtEnd =
  /(?:^|_)(?:ids?|code|handle|slug|url|(?:hyper|perma)?link|lank|lien|enlace|number|no)$|^(?:id_|url_|link_)|nummer$|nr$|番号|コード|^(?:numero|num|no|n)_(?:de_|di_|du_)?(?:lote?|lotto|article|articulo|articolo|inventaire)$/
/** Names that mean a number of the dealer only if nothing else is said. */
const namesAlone = /^(?:inventory|stock|lot|lote|lotto|los|utrop|listing|item|article|label|custom_label)$/
/** Numbers of rows: the last resort. */
const namesRows = /^(?:unnamed_\d+|column_1|index|idx|row|row_(?:no|number))$/
/** Columns of these are not about one watch. */
const namesOther =
  /(?:^|_)(?:images?|img|photos?|pictures?|bild|foto|imagen|immagine|video|logo|seller|dealer|country|zip|postal)(?:_|$)/
/** Names of keys in order of preference: a dealer's own number says more than an address. */
const bestNames = [
  /(?:^|_)sku(?:_|$)/,
  /number$|nummer$|_no$|nr$|番号|^(?:numero|num|no|n)_/,
  /(?:^|_)id$|code$|コード/,
  namesAlone,
]
/** Whether a column whose spec has this key may tell watches apart. */
export function namesKey(key: string): boolean {
  if (surelyNames.test(key) || namesRows.test(key)) return true
  return (namesAtEnd.test(key) || namesAlone.test(key)) && !namesOther.test(key)
}

/** The lower, the better. */
export function rankKey(key: string): number {
  if (namesRows.test(key)) return bestNames.length + 2
  return bestNames.findIndex((name) => name.test(key)) + 1 || bestNames.length + 1
}
