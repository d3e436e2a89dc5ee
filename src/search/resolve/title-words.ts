// The words of the trade that titles share: those that tell nothing about which watch it is, colours, metals, straps
// and functions, in the languages that dealers write. Words are folded, without diacritics.
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(rows).flatMap(([family, all]) => all.split(' ').map((word) => [word, family] as const)),
  )

/** Tell nothing about which watch it is. */
export const noiseWords = words(`
  a an the and or of in on at to by with w without wo from for as is it its i my me we us you your this that these has have was are be been will can do not no non per via plus only just very all any each other more most also both but so too if one two three first second own
  der die das ein eine einer einem einen mit ohne und fur von vom im am aus ist auf bei zu zum zur sehr nur oder auch inkl incl inklusive
  le la les l un une des de d du en et ou avec sans pour au aux sur par est tres dans
  il lo gli i con senza e per di da del della dei in al alla su ed o molto
  el los las sin y para muy del al con
  watch watches wrist wristwatch wristwatches timepiece timepieces uhr uhren armbanduhr herrenuhr damenuhr taucheruhr montre montres orologio orologi reloj relojes
  wts wtt wtb fs ft fsot ltb iso sale sell selling sold buy trade trades trading swap offer offers offered asking price prices obo ono firm shipped shipping ship ships free fedex ups usps dhl conus insured paypal zelle venmo wire cash usd eur gbp chf poa request tax vat msrp retail rrp list discount deal cheap bargain reduced drop lower net negotiable vb vhb fp dealer ad authorized authorised boutique purchased bought dated date dates delivery deliver pickup meet local stock available availability hold sku item lot los lotto inv inventory order listing ref refs reference referenz referencia riferimento referenznummer model models modell modele modello modelo number no nr num serial ser article art id ean upc
  new neu neue neuer nuovo nuova neuf neuve nuevo nueva unworn unused used mint nos bnib lnib nib nwt brand like near fresh pristine excellent exc good great fair perfect nice beautiful beautifully stunning gorgeous rare scarce unique amazing awesome superb fantastic lovely cool hot sexy sharp clean tight crisp immaculate flawless original originally orig genuine authentic authenticated verified real guaranteed honest serviced service regulated revised revisionato overhauled polished unpolished untouched running runs works working well keeps time accurate patina wear worn lightly signs scratches scratch marks hairlines dings condition cond state shape zustand etat stato condizioni estado gebraucht getragen ungetragen occasion usato usado preowned pre owned owner owners
  full set complete kit box boxes papers paper card cards warranty garantie garanzia garantia guarantee booklet manual booklets tags tag stickers sticker stickered sticker'd hangtag receipt invoice certificate extract archive archives year years yr yrs month months old current production discontinued release released limited edition ltd le special collectors collector collectible vintage modern contemporary classic circa ca c from mid late early era approx about
  mens men man gents gent gentleman gentlemans ladies lady womens women woman unisex boys damen herren homme femme uomo donna hombre mujer
  size sized dial dials face faced bezel case crystal glass strap straps band bracelet bracelets buckle clasp crown hands hand index indices markers marker hour hours minute minutes display back caseback lug lugs link links extra extras movement caliber calibre cal kaliber zifferblatt cadran quadrante esfera lunetta lunette armband stahlband lederband kautschukband gehause boitier cassa caja bracciale cinturino correa pulsera brazalete boucle fermoir wecker
  automatic automatik automatique automatico auto self winding winder mechanical manual manually handwound wound wind handaufzug quartz quarz quarzo solar chronometer certified swiss made japan japanese german germany switzerland swiss suisse geneva france french uk usa us europe european italy toronto dresden zurich hong kong dubai london
  stainless steel oystersteel edelstahl stahl acier acciaio acero solid
  mm cm m ft meters metres bar atm wr water resistant waterproof
  pm dm lmk thx thanks pls please hmu fyi lol haha sorry btw asap now today need gone got looking look find found want who anyone someone any which what whats yes quick sold pending contact email text tel phone call whatsapp message photos pics pictures more info details description see below above link reddit timestamp
  luxury premium high end quality top piece pieces grail daily beater sport sports sporty dress casual dressy everyday formal summer
  very tres sehr molto muy still always never lots many few some couple wearing wore wears fits fit
  inner outer international world registered complete sealed factory nearly almost only naked head seconds
  pouch travel leather bag hat pen gift free bonus including includes included include come comes coming comes
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  sealed protected plastics protectors film protective foils foil
  x t s st nd rd th
  collection collections kollektion line series serie
  diver divers diving dive pilot pilots flieger fliegeruhr
  sapphire saphir zaffiro zafiro crystals domed flat
  lume lumed superluminova c1 c3 bgw9 tritium
  anno annee jahr bj baujahr year
  sunray sunburst guilloche guilloched barleycorn satin brushed matte glossy gloss lacquer lacquered textured texture waffle honeycomb sandwich tilted tinted applied baton stick sector wave waves pattern patterned plated galvanic dark light bright deep pale
  beads rice bor tyre tread integrated quick change quickchange safe micro rotor column wheel seven eight five four ten six day days week
  reissue re-issue re-edition reedition recreation re edition design designed designer manufactured manufacture produced production retro military field nautical professional
  front rear side left right lefty linkshander linkshaender destro open exhibition see through closed solid engraved plain logo etikett lc lc100 lc75 lc121 kronenschutz ish less based ex retailer purchase stamp stamped code hybrid accents accent triple super large small medium reference driver drivers
  aed sgd hkd jpy cad aud sek
  seconde secondi sekunde
  nickname nicknamed aka called known so-called soi-disant sog
  moon gilt
  rotating unidirectional bidirectional screw down screwed
`)

/** Which of these a title says of the dial, and compatible ones, are compared with the colours of the watch. */
export const colorFamilies = table({
  black: 'black schwarz schwarzes schwarzem schwarze schwarzer noir noire nero nera negro negra onyx blk',
  white: 'white weiss weisses weissem weisse weisser blanc blanche bianco bianca blanco blanca wht porcelain',
  cream: 'cream creme ivory beige eggshell crema panna elfenbein off-white champagne-white sand',
  silver:
    'silver silvered silber silbern silbernes versilbert argent argente argentee argento argentato plata plateado opaline opalin opalin rhodium',
  blue: 'blue blau blaues blauem blaue blauer bleu bleue blu azul azzurro azzurra navy petrol aqua lapis sodalite',
  turquoise: 'turquoise tiffany turquesa turkis teal',
  grey: 'grey gray grau graues grauem graue gris grise grigio grigia anthracite anthrazit slate charcoal ruthenium ardoise meteor schiefer wimbledon',
  green: 'green grun grunes grunem grune vert verte verde olive emerald malachite mint-green jade',
  red: 'red rot rotes rotem rote rouge rosso rossa rojo roja burgundy bordeaux cherry',
  brown:
    'brown braun braunes braune brun brune marron marrone chocolate choco havana tobacco cognac cappuccino coffee',
  gold: 'champagne golden dore doree dorato dorado goldtone',
  yellow: 'yellow gelb gelbes jaune giallo amarillo lemon',
  orange: 'orange arancione naranja',
  pink: 'pink rosa salmon saumon lachs salmone copper kupfer',
  purple: 'purple violet violett lila aubergine viola',
  pearl: 'mop perlmutt nacre madreperla nacar pearl',
  skeleton:
    'skeleton skeletonised skeletonized openworked openwork skelettiert squelette skeletonne scheletrato skelet',
})
/** Colours that people call each other. */
export const nearColors: readonly (readonly [string, string])[] = [
  ['white', 'silver'],
  ['white', 'cream'],
  ['cream', 'silver'],
  ['silver', 'grey'],
  ['gold', 'yellow'],
  ['gold', 'silver'],
  ['gold', 'cream'],
  ['blue', 'turquoise'],
  ['green', 'turquoise'],
  ['white', 'pearl'],
  ['pink', 'orange'],
  ['pink', 'red'],
  ['brown', 'gold'],
  ['red', 'brown'],
  ['grey', 'black'],
]

/** Of two letters or words, the first that fits; `gold` alone is any gold. */
export const metalPatterns: readonly (readonly [family: string, pattern: RegExp])[] = [
  [
    'two-tone',
    /\b(?:two-?tone|two tone|2-?tone|tt|s ?& ?g|bi-?colou?r\w*|rolesor|half gold|(?:steel|ss|stahl|acier|acciaio)\s?[/&+-]\s?(?:\w+ )?(?:gold|or|oro|yg|rg|wg)\w*|(?:gold|yg|rg|wg)\s?[/&+-]\s?(?:steel|ss))\b/,
  ],
  ['white gold', /\b(?:white gold|wg|weissgold|weisgold|or gris|or blanc|oro bianco|oro blanco)\b/],
  [
    'rose gold',
    /\b(?:rose ?gold|rosegold|rg|pg|pink gold|red gold|rotgold|rosegold|or rose|oro rosa|oro rosso|everose|sedna|king gold|oro rojo)\b/,
  ],
  ['yellow gold', /\b(?:yellow gold|yg|gelbgold|or jaune|oro giallo|oro amarillo|moonshine)\b/],
  ['gold', /\b(?:gold|18k|18kt|18ct|14k|oro|massivgold)\b/],
  ['platinum', /\b(?:platinum|platin|platine|platino|plat|pt ?950|platinium)\b/],
  ['titanium', /\b(?:titanium|titan|titane|titanio|ti)\b/],
  ['bronze', /\b(?:bronze|bronzo|bronce|bronzegehause)\b/],
  ['ceramic', /\b(?:ceramic|keramik|ceramique|ceramica)\b/],
  ['carbon', /\b(?:carbon|carbotech|carbone|carbonio|quartz tpt|ntpt)\b/],
  [
    'steel',
    /\b(?:steel|stainless|ss|edelstahl|stahl|acier|acciaio|acero|oystersteel|316l|904l|inox|lucent)\b/,
  ],
  ['aluminium', /\b(?:alumin(?:i)?um|alluminio)\b/],
  ['tantalum', /\b(?:tantalum|tantal|tantale|tantalio)\b/],
  ['resin', /\b(?:resin|plastic|plastik|plastique|plastica|kunststoff|bioceramic)\b/],
]

export const strapPatterns: readonly (readonly [family: string, pattern: RegExp])[] = [
  [
    'rubber',
    /\b(?:rubber|oysterflex|kautschuk\w*|caoutchouc|gomma|caucciu|caucho|silicone|silikon|fkm|tropic)\b/,
  ],
  [
    'leather',
    /\b(?:leather|leder\w*|cuir|pelle|cuero|piel|alligator\w*|croco?\w*|calf\w*|cordovan|ostrich|deer\w*|suede|assouline|barenia|velour)\b/,
  ],
  [
    'textile',
    /\b(?:nato|nylon|canvas|textile|fabric|sailcloth|sail canvas|sail-canvas|velcro|woven|lona|zulu strap)\b/,
  ],
  [
    'metal',
    /\b(?:(?:steel|ss|titanium|metal|gold|platinum|full|mesh|jubilee|oyster|president|milanese|integrated|rouleaux) bracelet|on bracelet|stahlband|titanband|metallband|bracelet acier|bracciale|brazalete|bracelet (?:steel|titane|or)|jubilee|jubilé|jubile|president)\b/,
  ],
]

/** Functions that a watch has or has not; each with how the catalogue and titles write it. */
export const functionPatterns: readonly (readonly [family: string, pattern: RegExp])[] = [
  [
    'chronograph',
    /\b(?:chrono(?!m)\w{0,6}|flyback|monopusher|mono-?poussoir|rattrapante|split[- ]seconds?|pulsogra\w+|speedtimer|bicompax|tricompax|tri-compax)\b|クロノ/,
  ],
  [
    'gmt',
    /\b(?:gmt|dual time|dual-time|second time zone|world ?tim\w*|worldtimer|weltzeit|zulu time|geosphere|ore del mondo|heure universelle|utc|two time zones|zwei zeitzonen|time zone)\b/,
  ],
  [
    'moonphase',
    /\b(?:moon ?phases?|moon-phases?|mondphase|phases? de (?:la )?lune|fasi? lunar[ei]|fase lunar)\b|(?<!\b(?:the|blue|to|full|new|one) )\bmoon\b(?!-| (?:watch|landing|mission|to|race|walk))/,
  ],
  [
    'perpetual',
    /\b(?:perpetual calendar|qp|ewiger kalender|quantieme perpetuel|calendario perpetuo|perpetual(?! [a-z]+ oyster))\b/,
  ],
  ['annual', /\b(?:annual calendar|jahreskalender|quantieme annuel|calendario annuale)\b/],
  ['tourbillon', /\btourbillon\b/],
  ['alarm', /\b(?:alarm|wecker|reveil|sveglia|memovox|cricket)\b/],
  ['repeater', /\b(?:minute repeater|repeater|repetition)\b/],
]

/** Pairs of movements of which a watch has one. */
export const movementPatterns: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['spring drive', /\b(?:spring drive|springdrive)\b|スプリングドライブ/],
  ['solar', /\b(?:solar\w*|eco-?drive|tough solar)\b/],
  ['quartz', /\b(?:quartz|quarz\w*|quarzo|cuarzo|accutron|precisionist|battery|superquartz)\b(?! tpt)/],
  [
    'manual',
    /\b(?:manual(?:ly)?[ -](?:wind\w*|wound)|manual winding|manual wind|hand[ -]?(?:wound|wind\w*)|handaufzug|remontage manuel|carica manuale|cuerda manual|handwound|hand winding|manuale)\b/,
  ],
  [
    'automatic',
    /\b(?:automatic|automatik\w*|automatique|automatico|automatica|self-?winding|self winding|selfwinding|kinetic|automat|auto)\b/,
  ],
]

/** Say that something else than the watch is sold, or a watch that is only like it. */
export const otherGoods =
  /\b(?:(?:rubber|leather|nato|calf|alligator)?\s?(?:strap|band|bracelet|bezel|buckle|clasp|dial|crystal|crown|box|pouch|manual|papers|booklet|insert|link|links|hands|movement|endlinks?|head|parts?|end link|caseback)s? only(?!\w)|no watch\b|(?:bezel )?insert\b(?= (?:for|only))|for parts|spare parts?|parts? (?:for|only)|(?:watch )?winder\b|watch (?:roll|stand|case)\b|^\W*(?:[^\d\W]+\W+){0,5}watch box\b(?!\W*(?:(?:and|und|w|with|full|set) )?(?:papers?|cards?|warranty|certificate|booklet|manual|coa|full|set|\d))|replica|fake\b|clone\b|super-?clone|aaa quality|franken\w*|(?<!\b(?:not|never|un) ?)modded|custom build|nur (?:armband|band|box|schliesse)|bracelet seul|solo (?:cinturino|bracciale|scatola)|(?<=^\W*(?:\w+ )?)(?:servicing|service|repair|overhaul|revision|restoration|appraisal|insurance) (?:for|of|fur|pour|per|para) (?!sale|the price)|(?<!\b(?:with|w|and|on|has|a|inkl?) ?)replacement (?:watch )?(?:band|strap)s?\b|(?:catalog(?:ue)?|brochure|poster|keychain|key ring)\b)/

/** A part, and behind it what it is for. */
export const partFor =
  /\b(?:strap|straps|band|bands|bracelet|armband|bezel|insert|dial|crystal|glass|crown|buckle|clasp|links?|movement|hands|case|winder|pouch|manual|booklet|box|boxes|end ?links?|protector|tool|cinturino|bracciale|correa|cadran|zifferblatt|lunette|deployant|screw|screws|gasket|pusher|stem|spring ?bars?)s?\b[^,;|.–—]{0,34}?\b(?:for|fits|fit|fitting|to fit|fur|pour|per|para|passend)\b ?(?!sale|trade|trades|only|the price|men|women|ladies|gents|him|her|daily|[$€£]|a |\d{3,} ?(?:usd|eur|\$|€|£)|\d{1,3}[.,]\d{3}|\d+k\b|repair|service)/

/** Ends a title directly behind a reference, and says that only a part, or a thing with its picture, is sold. */
export const partBehind =
  /^ (?:(?:genuine|original|orig|oem|factory|authentic|replacement|aftermarket|spare|empty|used|nos|swiss) )*(?:(?:\w+ )?(?:bezel )?inserts?|wall clock|desk clock|clock|(?:warranty )?card (?:holder|case)|(?:empty|presentation|outer|inner|watch|travel) box(?:es)?|box empty|hand ?sets?|hands? (?:set|stack)|dial (?:and|&|\+) hands|(?:sapphire |replacement )?(?:crystal|glass)|clasp|buckle|(?:deployant|folding) clasp(?= (?:genuine|original|oem))|straps?|bands?|bezel|dial|crown|stem|case ?back|mid ?case|hands|(?:spare )?links?(?: x ?\d| \d ?x)?|end ?links?|gaskets?|screws?|spring ?bars?|pusher|movement|parts?|hang ?tags?|booklets?|manual|bezel protectors?|protectors?|tools?|cufflinks?|poster|case only)(?: (?:genuine|original|orig|oem|authentic|factory|replacement|aftermarket|spare|only|set|kit|assembly|new|used|nos|unused|x ?\d{1,2}|\d{1,2} ?x|\d{1,2}mm|empty|holder|for sale))*\W*$/

/** Directly before a reference: these are never said of a whole watch. */
export const partBefore =
  /\b(?:inserts?|gaskets?|hand ?sets?|end ?links?|card holder|wall clock|spring ?bars?) $/

/** Begins a title, directly before a brand or a reference. */
export const partFront =
  /^\W*(?:(?:\[?(?:wts|fs|sale|for sale|selling|new|genuine|original|oem)\]?)\W+)*(?:(?!with\b|on\b|w\b|inkl?\b|mit\b)\w+ ){0,3}(?:straps?|bands?|inserts?|dial|clasp|buckle|crystal|hands|hand ?set|crown|links?|end ?links?|gaskets?|spring ?bars?|case ?back|bezel|bezel protectors?|box|wall clock|card holder) $/

/** Kinds of dials and bezels by which a watch is described. */
export const partKinds: ReadonlySet<string> = words(
  'ceramic fluted smooth roman arabic diamond gold platinum domed sapphire two three extra',
)

/** Several watches are sold together, or it is open which one. */
export const severalGoods =
  /\b(?:pair of|the pair|a pair|bundle|package deal|job lot|sold together|both full|one of them|collection of|two [a-z ]{0,24}(?:divers|watches|chronos|chronographs)|which one|watches,? both|his (?:and|&) hers|choice of|set of (?:two|2|3|three|\d) watches)\b/

/** What stands behind it is wanted in exchange. */
export const offeredFor =
  /\b(?:(?:trad(?:e|es|ing)|swap(?:ping)?|exchange|tausch\w*|echange|scambio|permuta|cambio)\b(?: (?:my|it|this|these|only|towards?|up|down|possible|welcome|value))*,? (?:for|towards?|against|into|gegen|contre|con|por)|(?:looking|hunting) for|instead of|not (?:a|an|the)|upgrade from|similar to|compared to|vs\.?)\b[^.;|]*$/

/** At the start: what is named is given or wanted in exchange, and only a reader knows which. */
export const tradedFor =
  /^\W*(?:(?:i|we|want|wanting|looking|like|would|to|ll|will|wtt|wts|ft|fs|or|can)\W+){0,5}(?:trade|trading|swap|swapping|exchange|exchanging|tausche?|echange|scambio|permuto|cambio)\b(?! (?:only|value|price|in|ins|welcome|possible|ok|considered|offers?)\b)[^.;|]{2,160}? (?:for|towards?|against|gegen|contre|con|por) (?!sale|the price|[$€£]|\d{1,3}[.,]\d{3}|\d{3,6} ?(?:usd|eur|\$|€|£))/

/** A watch that is made to look like the one that it names. Some makers pay homage in the names of their watches. */
export const homage =
  /(?<!\b(?:no|not|not an?) )\b(?:homage|hommage|omaggio)\b(?! to (?:walter|f\.? ?a\b|the founder))/

/** Directly before a name: not this watch, but one that resembles it. */
export const resemblingBefore =
  /\b(?:(?:homage|hommage|omaggio|homenaje|tribute|ode) (?:to|of|for|an|a|al|alla|auf)|inspired (?:by|from)|inspiriert (?:von|durch)|inspire par|ispirato a|(?:(?:looks?|looking|styled|just) )?like|lookalike of|in the style of|im stil (?:von|der)|copy of|replica of|version of)(?: (?:the|an?|old|vintage|classic|die|der|eine?[rm]?|la|le|une?|il|un[ao]))* $/

/** Directly behind a name: not this watch, but one that resembles it. */
export const resembling =
  /^(?:homage|style|styled|lookalike|look-alike|inspired|mod|esque|alternative|rip|copy)$/
