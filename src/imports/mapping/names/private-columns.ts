// Knows the names of columns that are nobody else's business: what was paid for a watch, what is earned with it, who
// buys or owns it and how to reach them, where it is kept, its serial number. Every spec is public, so such a column becomes one only if a mapping says so.

/** Words for what was paid, what is insured and how somebody is reached: a name that has one is private, unless it is about the `things` below. */
const words = [
  'costs?|costes?|costos?|costi|custos?|couts?|selbstkosten|kostpr(?:is|ijs)|maliyeti?|acq|acquisition|acquisizione|adquisicion|aquisicao',
  'h?ek|(?:ein|an)kaufs?(?:preise?|datum|wert|kurs|quelle|nummer|nr)?|kauf(?:preis|datum|jahr)|anschaffungs?(?:preis|datum|wert|kosten)?',
  'achats?|acquisto|acquisti|compra|inkoops?(?:prijs|datum)?|aankoop(?:prijs|datum)?',
  'inkops?(?:pris|datum)?|indkobs?(?:pris|dato)?|innkjops?(?:pris|dato)?|zakupu?|nakup(?:ni)?|закуп(?:ка|ки|очная|очный|івля|івлі|івельна)',
  'insur(?:ance|ed)|versicher(?:t|te|ter|ung|ungswert|ungssumme)|assuree?s?|d assurance|assicurat[aoi]|assicurazione|assicurativo|asegurad[oa]',
  'kalk|kalkulation|pay|payed|(?<!(?:vat|tax|taxes|duty|duties) )paid|e ?mails?|(?:tele|mobile|cell|hand)?phones?|telefon[oe]?|telefonnummer|whats ?app|(?:did|have) (?:you|i|we) (?:buy|bought|purchased?|acquired?)',
  'forsakra(?:t|d|de)|forsakrings(?:varde|belopp)|forsikret|forsikringsverdi|verzekerd?e?|التكلفة|الشراء|التأمين',
].join('|')
/** What costs the buyer something, and ways to buy: `Shipping cost`, `Cost of service`, `Lien d'achat`. */
const things =
  'ship(?:ping|ment)?|postage|packaging|packing|parcel|courier|customs|import|delivery|versand|transports?|livraison|envio|spedizione|frakt|verzend|handling|services?|servicing|servicio|servizio|assistenza|repairs?|revisione?|maintenance|ownership|running|later|instal?lments?|immediate?|immediato|inmediata|options?|opcion|opzione|urls?|links?|lien|enlace'
const article = '(?:(?:of|for|to|d|de|du|del|dell|di|da|do|la|l) ){0,2}'
const privateWord = new RegExp(
  `(?:^| )(?:${words})\\d?(?= |$)|仕入|原価|粗利|成本|[進进][價价貨货]|同行[價价]|매입|원가`,
  'u',
)
const publicUse = new RegExp(
  `(?:^| )(?:(?:${things}) ${article}(?:${words})|(?:${words}) ${article}(?:${things}))(?: |$)`,
  'u',
)

/** In English by parts, since they are combined freely: `Our cost`, `Purchase price`, `Bought for`. */
const english = [
  'cogs|(?:purchase|purchased|buying|buy|trade|dealer|supply|supplier|invoice|wholesale) price|buy in|wholesale',
  '(?:purchased?|bought|acquired) (?:for|from|at|by|on|date)|(?:purchased|bought|acquired) (?:for|from|at|by|on)(?: [a-z]+){1,3}|(?:date|day) (?:of purchase|purchased|bought|acquired)',
  'purchase (?:currency|date|day|year)|(?:dealer|trade) net|(?:price )?net to (?:seller|consignor|owner)|payout',
  '(?:price|amount|(?:what )?(?:i|we|was)) paid|paid(?: price)?',
  '(?:auto pricing )?(?:min|minimum|bottom|floor|walk away|reserve) price|(?:price )?floor|(?:consignor )?split|auto pricing max price',
  '(?:(?:lowest|minimum|min) (?:acceptable|best)|minimum|min) offer(?: price)?|(?:best offer )?auto (?:accept|decline)(?: price)?',
  '(?:(?:profit|net|gross) )?margin|markup|(?:profits?|gains?)(?: (?:(?:and|or) )?loss(?:es)?)?',
  '(?:customer|client|buyer|purchaser|supplier|consignor|consignee|owner|bidder|paddle)(?: (?:name|e ?mail|phone|address|no|nr|number|code|id))?|seller (?:name|e ?mail|phone|address)',
  'default vendor(?: name)?|contact(?: (?:name|person|details|info))?|tel|fax|street|mobile(?: (?:no|number))?|(?:(?!web |url |link |page |site |image |ip )[a-z]+ )?address(?: line)?',
  'storage location|internal (?:no|nr|number)|shelf|drawer|locker|safe(?: (?:no|nr|number))?',
  '(?:customer|client|owner|internal|private|staff) (?:notes?|comments?|remarks?)',
  'consigned (?:by|from)|(?:agreed|scheduled|loan) (?:value|amount)|landed|break ?even|p (?:n )?l|pn ?l',
  '(?:(?:watch|case|movement) )?ser(?:ial)?(?: (?:no|nr|num|number))|(?:(?:watch|case|movement) )?serial|s ?n|(?:case|movement|mvt|mvmt) (?:no|n|nr|num|number)',
]
const others = [
  '(?:haendler|handler)(?:ein|an)kaufspreis|(?:haendler|handler|einstands)preis|gekauft (?:von|bei|am|fur|fuer)|kosten|bezahlt',
  'marge|spanne|aufschlag|deckungsbeitrag|handelsspanne|gewinn|rohertrag|(?:kunden?|kommittent|einlieferer|kaeufer|kaufer|lieferant(?:en)?)(?: ?(?:name|nr|nummer|e ?mail|tel|telefon|adresse))?|interne ?(?:notiz(?:en)?|bemerkung(?:en)?|nummer|nr)',
  'eigentuemer|eigentumer|besitzer|serien? ?(?:nr|no|nummer)|gehaeuse ?(?:nr|nummer)|gehause ?(?:nr|nummer)|werk ?(?:nr|nummer)',
  'handy|ansprechpartner|kontakt(?: ?(?:person|adresse))?|contatto|contacto|correo(?: electronico)?|courriel|adressen?|anschrift|strasse|domicilio|indirizzo|direccion|endereco|adres|lagerort|lagerplatz|tresor|schublade',
  'prix (?:de )?(?:revendeur|gros|revient)|notes? internes?|paye',
  'acheteur|fournisseur|proprietaire|(?:numero|num|no|n) (?:de |di )?serie|(?:numero|num|no|n) (?:de |du )?(?:boitier|mouvement)',
  'prezzo (?:di |d )?rivenditore|margine|compratore|fornitore|proprietario|(?:numero )?seriale|matricola|pagato',
  'precio (?:de |del )?distribuidor|margen|comprador|proveedor|propietario|cliente|suma asegurada|notas internas|pagado',
  'margem|fornecedor|koper|leverancier|eigenaar|betaald|marza|klient|wlasciciel|numer seryjny|alis fiyat[iı]',
  'маржа|покупатель|покупець|владелец|власник|серийный номер|серійний номер',
  '所有者|シリアル|シリアル番号|シリアルナンバー|シリアルno|製造番号|序列[號号]|客[戶户]|買[家主]|买家|電話|電話番号|(?:電子)?メール|メールアドレス|住所|担当者|保管場所|고객|일련번호',
]
const names = namesOf([...english, ...others])
/** Names of something private if the cells are amounts: a commission may be that of a squadron, a reserve that of power. */
const doubtfulNames = namesOf(
  'commission,provision,kommission,provvigione,comision,reserve,aufarb(?:eitung(?:skosten)?)?,refurb(?:ishment)?,p ?a(?: ?ht| ?ttc)?'.split(
    ',',
  ),
)
/** When, from whom and for how much a watch was bought, unless the cells only say yes or no. */
const boughtNames = namesOf(
  'bought|purchased?|acquired|gekauft|erworben|achete|comprad[oa]|acquistat[oa]'.split('|'),
)

/** `key` is the name of the column in snake_case, without accents. */
export function isPrivateColumn(key: string): boolean {
  const name = key.replaceAll('_', ' ')
  return names.test(name) || (privateWord.test(name) && !isPublicUse(key))
}

/** Whether a private word of the name is about what the buyer pays beside the price. */
export function isPublicUse(key: string): boolean {
  return publicUse.test(key.replaceAll('_', ' '))
}

/** Whether the name is that of something private if the cells are amounts or shares. */
export function isPrivateAmount(key: string): boolean {
  return doubtfulNames.test(key.replaceAll('_', ' '))
}

/** Whether the name is that of something private unless the cells are yes or no. */
export function isPurchaseName(key: string): boolean {
  return boughtNames.test(key.replaceAll('_', ' '))
}

function namesOf(list: readonly string[]): RegExp {
  return new RegExp(
    `^(?:(?:our|my|net|total) )?(?:${list.join('|')})(?: (?:net|netto|brutto|gross|price|in|(?!ref|sku)[a-z]{3}|\\d{1,2}))?$`,
  )
}
