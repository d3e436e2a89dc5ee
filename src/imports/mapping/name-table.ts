// The table of names that operators' files use for the fields and specs of a watch, in the languages of the trade. Add
// new names here. Case, accents, spaces and punctuation do not matter; ä is also found as ae.

/** Prices and names of a watch, the currency of a row, and that of one of its prices. */
type Field =
  | 'brand'
  | 'collection'
  | 'reference_number'
  | 'currency'
  | 'retail_price_usd.currency'
  | 'current_market_price.currency'
  | 'retail_price_usd'
  | 'current_market_price'

/** Target → names, the most specific first. A question mark: only if the cells parse as such a quantity or price. */
export const fieldNames: Readonly<Record<Field, string>> = {
  brand: `brand, brand name, brands, watch brand, manufacturer, maker, make, watchmaker,
    marke, hersteller, marken, marque, fabricant, marca, produttore, fabricante, ブランド, ブランド名, メーカー, メーカー名`,
  collection: `collection, collection name, kollektion, collezione, coleccion, コレクション, family, model family, line,
    product line, series, serie, modellreihe, シリーズ, model name, modellname, nom du modele, nome modello, モデル名,
    model, modell, modele, modelo, modello, モデル`,
  reference_number: `reference number, reference no, reference nr, reference, ref number, ref no, ref nr, ref num, ref,
    watch reference, manufacturer reference, manufacturer reference number, referenznummer, referenz nr, referenz,
    ref nummer, numero de reference, reference fabricant, numero de referencia, referencia, numero di riferimento,
    numero di referenza, riferimento, referenza, リファレンスナンバー, リファレンス番号, リファレンス, ref番号,
    model reference, model ref, model number, model no, model nr, modellnummer, modell nr, 型番, メーカー型番, 型式,
    モデル番号, モデルナンバー, 品番, manufacturer part number, mpn, part number, part no, part nr`,
  currency: `currency, currency code, price currency, iso currency, currency iso, curr, ccy, währung, devise, valuta,
    moneda, divisa, moeda, waluta, 通貨, 通貨コード`,
  'retail_price_usd.currency': `retail currency, retail price currency, currency retail, msrp currency, rrp currency,
    list price currency, retail ccy, uvp währung, währung uvp`,
  'current_market_price.currency': `market currency, market price currency, currency market, asking price currency,
    current price currency, selling price currency, sale price currency, asking currency, market ccy`,
  retail_price_usd: `retail price usd, retail price, price retail, prices retail, msrp, rrp, mrp, srp, retail?, recommended retail price,
    suggested retail price, official price, list price, catalog price, catalogue price, new price, uvp, listenpreis,
    unverbindliche preisempfehlung, katalogpreis, ladenpreis, neupreis, prix public, prix public conseille,
    prix catalogue, prix neuf, prezzo di listino, prezzo al pubblico, precio de catalogo, precio recomendado, pvp,
    定価, 定価税込, メーカー希望小売価格, 希望小売価格, 参考定価, 標準価格`,
  current_market_price: `current market price, market price, price market, prices market, market value, marktpreis, current price, current value,
    price, preis, prix, prezzo, precio, 価格, asking price, selling price, sale price, listing price, listed price,
    offer price, resale price, resale value, resale?, secondary market price, pre owned price, used price,
    verkaufspreis, angebotspreis, bruttopreis, prix de vente, prezzo di vendita, precio de venta, 販売価格, 売価,
    現在価格, 税込価格, 価格税込, 販売価格税込, 中古価格, 市場価格`,
}

export const specNames: Readonly<Record<string, string>> = {
  movement_type: `movement type, movement, winding type, winding, drive, uhrwerk, werk, werkart, aufzug, aufzugsart,
    antrieb, antriebsart, mouvement, type de mouvement, remontage, movimento, tipo di movimento, carica, movimiento,
    tipo de movimiento, ムーブメント, 駆動方式, 駆動`,
  case_material: `case material, gehäusematerial, material gehäuse, materiau boitier, materiau du boitier,
    matiere boitier, matiere du boitier, materiale cassa, materiale della cassa, material de la caja, material caja,
    ケース素材, ケース材質, case, gehäuse, boitier, cassa, caja, ケース`,
  dial_color: `dial color, dial colour, zifferblattfarbe, farbe zifferblatt, couleur cadran, couleur du cadran,
    colore quadrante, colore del quadrante, color esfera, color de la esfera, 文字盤色, 文字盤カラー, ダイヤルカラー,
    dial, zifferblatt, cadran, quadrante, esfera, 文字盤, ダイヤル, ダイアル`,
  water_resistance: `water resistance, water resistance rating, depth rating, wasserdichtigkeit, etancheite,
    impermeabilita, resistenza all acqua, resistencia al agua, 防水性能, 防水性, 防水, wasserdicht bis,
    water resistant?, waterproof?, wasserdicht?, impermeabile?, etanche?, wr?`,
  crystal: `crystal, crystal material, crystal type, glass, glass type, glas, glasart, uhrglas, verre, type de verre,
    vetro, cristallo, cristal, 風防, 風防素材, ガラス, ガラス素材`,
  power_reserve: `power reserve, gangreserve, reserve de marche, riserva di carica, reserva de marcha,
    パワーリザーブ, 持続時間`,
  case_shape:
    'case shape, watch shape, shape, gehäuseform, forme du boitier, forma cassa, forma de la caja, ケース形状',
  bracelet_material: `bracelet material, strap material, band material, armbandmaterial, material armband,
    materiau bracelet, matiere bracelet, materiau du bracelet, matiere du bracelet, materiale cinturino,
    materiale del cinturino, material de la correa, material correa, material pulsera, ベルト素材, ベルト材質,
    バンド素材, ブレスレット素材, ストラップ素材, bracelet, strap, band, armband, cinturino, bracciale, correa, pulsera,
    brazalete, ベルト, バンド, ブレス, ブレスレット, ストラップ`,
  bracelet_color: `bracelet color, bracelet colour, strap color, strap colour, band color, band colour, armbandfarbe,
    farbe armband, couleur bracelet, couleur du bracelet, colore cinturino, color correa, ベルト色, ベルトカラー`,
  case_diameter: `case diameter, gehäusedurchmesser, durchmesser gehäuse, diametre boitier, diametre du boitier,
    diametro cassa, diametro della cassa, diametro caja, diametro de la caja, ケース径, ケース直径, diameter,
    durchmesser, diametre, diametro, 直径, case size?, watch size?, gehäusegröße?, taille boitier?, ケースサイズ?, size?,
    dimensions?, dimension?, größe?, サイズ?`,
  thickness: `thickness, case thickness, dicke, gehäusedicke, gehäusehöhe, bauhöhe, höhe?, epaisseur,
    epaisseur boitier, spessore, grosor, ケース厚, 厚さ, 厚み, case height?, height?`,
  lug_width: `lug width, lug size, strap width, band width, bandanstoss, bandanstoß, anstoßbreite, stegbreite,
    bandbreite, entre corne, entrecorne, largeur entre cornes, larghezza anse, ラグ幅, ベルト幅`,
  lug_to_lug: 'lug to lug, lug to lug distance, l2l',
  caliber: `caliber, calibre, kaliber, calibro, movement caliber, movement calibre, caliber number, calibre number,
    werkkaliber, calibre du mouvement, calibro movimento, キャリバー, キャリバー番号, キャリバーナンバー`,
  frequency: 'frequency, frequenz, frequence, frequenza, frecuencia, 振動数',
  jewels: 'jewels, number of jewels, jewel count, steine, anzahl steine, rubis, rubini, rubies, 石数',
  functions: `functions, function, funktionen, fonctions, funzioni, funciones, complications, complication,
    komplikationen, complicazioni, complicaciones, 機能`,
  bezel: 'bezel, lunette, lünette, lunetta, bisel, ベゼル',
  bezel_material: 'bezel material, lünettenmaterial, material lünette, materiau lunette, ベゼル素材',
  year: `year, year of production, production year, year of manufacture, year manufactured, baujahr, herstellungsjahr,
    produktionsjahr, jahr, annee, annee de production, annee de fabrication, anno, anno di produzione, ano,
    ano de produccion, 年式, 製造年, 年代`,
  year_introduced: 'year introduced, introduced, release year, launch year',
  gender: 'gender, sex, department, geschlecht, genre, sexe, sesso, genere, sexo, genero, 性別',
  case_back: 'case back, caseback, gehäuseboden, fond, fond de boite, fondello, 裏蓋, ケースバック',
  crown: 'crown, krone, couronne, corona, リューズ, 竜頭',
  strap_closure: `strap closure, clasp, clasp type, buckle, closure, schließe, schließentyp, fermoir, boucle, chiusura,
    fibbia, cierre, hebilla, バックル, 尾錠, クラスプ, 留め具`,
  numerals: 'numerals, dial numerals, ziffern, zahlen, インデックス',
  lume: 'lume, luminescence, luminous material',
  certification: 'certification, certificate, zertifizierung',
  limited_edition: 'limited edition, limited',
  weight: 'weight, total weight, gewicht, poids, peso, 重量, 重さ',
  condition:
    'condition, zustand, etat, condizione, condizioni, estado, 状態, コンディション, 商品状態, 商品の状態',
  scope_of_delivery: `scope of delivery, lieferumfang, contenu de la livraison, contenu livre, dotazione, corredo,
    contenido de la entrega, alcance de suministro, 付属品`,
  sku: 'sku, stock keeping unit, 商品コード, 管理番号, 商品番号',
  article_number: 'article number, article no, artikelnummer, artikel nr, art nr',
}

/** Unit → names of a frequency that imply this unit. */
export const unitNames: Readonly<Record<string, string>> = {
  vph: 'beat rate, beatrate, vph, bph, vibrations per hour, beats per hour, halbschwingungen',
}
