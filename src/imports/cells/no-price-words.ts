// Tells the words that stand in place of a price and say that there is none: that it is given on request, that the watch
// is sold. The text is in lower case.

const noPrice: ReadonlySet<string> = new Set(
  `n/a|na|n.a.|n. a.|#n/a|#n/d|#nv|#n/v|n/k|nan|none|null|nil|unknown|?|tba|tbc|tbd|
  poa|p.o.a.|por|p.o.r.|on request|upon request|price on request|price upon request|price on application|request price|
  price on demand|ask|ask for price|call|call for price|contact us|contact for price|inquire|enquire|inquiry|
  not available|unavailable|not for sale|sold|sold out|reserved|out of stock|discontinued|no longer available|temporarily unavailable|pm|dm|pm me|dm me|
  sale pending|pending|on hold|under offer|passed|withdrawn|bought in|unsold|not sold|
  k.a.|k. a.|auf anfrage|preis auf anfrage|a. a.|a.a.|verkauft|ausverkauft|vergriffen|nicht verfügbar|reserviert|
  sur demande|prix sur demande|nous consulter|nous contacter|vendu|vendue|réservé|réservée|épuisé|épuisée|rupture de stock|non disponible|op aanvraag|verkocht|uitverkocht|gereserveerd|
  su richiesta|a richiesta|trattativa riservata|venduto|venduta|riservato|riservata|esaurito|esaurita|consultar|a consultar|bajo consulta|sob consulta|vendido|vendida|agotado|esgotado|
  reservado|reservada|på förfrågan|på forespørsel|såld|slutsåld|osåld|återrop|inrop|solgt|utsolgt|udsolgt|usolgt|на запрос|по запросу|продано|
  お問い合わせ|お問い合わせください|お問合せ|お問合せください|要問い合わせ|要問合せ|応談|価格応談|売り切れ|売切れ|売約済み|売約済|完売|廃盤|廃番|生産終了|
  販売終了|価格未定|品切れ|在庫切れ|在庫なし|询价|詢價|面议|面議|私聊|私信|电议|電議|议价|議價|已预订|已預訂|已售|已售出|已售完|售罄|售完|停产|停產|已停产|已停產|缺货|缺貨|绝版|絕版|
  단종|단종품|판매완료|판매 완료|품절|문의|가격문의|가격 문의|예약중|예약 중`
    .split('|')
    .map((words) => words.trim()),
)
/** `(POA)`, `*SOLD*`, `Sold!`, `POA.` */
const aroundWords = /^[*([]{1,3}|[*)\].!]{1,3}$/g

export function isNoPrice(text: string): boolean {
  return noPrice.has(text) || noPrice.has(text.replace(aroundWords, ''))
}
