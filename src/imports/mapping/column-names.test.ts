import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { readColumnName, readPriceName } from './column-names.ts'

const targets: readonly [string, readonly string[]][] = [
  ['brand', ['Brand', 'BRAND', 'brand_name', 'Manufacturer', 'Maker', 'Make', 'Marke', 'Marque']],
  [
    'collection',
    [
      'Collection',
      'Model',
      'Family',
      'Line',
      'model.line',
      'Series',
      'Model Name',
      'modelName',
      'Modell',
      'Modèle',
    ],
  ],
  [
    'reference_number',
    [
      'Reference',
      'Ref',
      'Ref.',
      'Ref No',
      'Ref. No.',
      'Ref #',
      'Reference Number',
      'reference_number',
      'RefNo',
    ],
  ],
  [
    'reference_number',
    ['Model No', 'Model Number', 'modelNumber', 'Model Ref', 'MPN', 'Referenz', 'Référence', 'Part Number'],
  ],
  ['retail_price_usd', ['MSRP', 'RRP', 'Retail Price', 'retailPrice', 'List Price', 'UVP', 'New Price']],
  [
    'current_market_price',
    [
      'Price',
      'Market Price',
      'current-price',
      'Asking Price',
      'Selling Price',
      'Listing Price',
      'Resale Value',
    ],
  ],
  [
    'specs.dial_color',
    ['Dial Colour', 'dialColor', 'DIAL_COLOR', 'Dial color', 'dial.color', 'Zifferblattfarbe'],
  ],
  ['specs.movement_type', ['Movement', 'Movement Type', 'Winding', 'movement_type']],
  ['specs.case_material', ['Case', 'Case Material', 'Gehäuse']],
  [
    'specs.bracelet_material',
    ['Bracelet', 'Strap', 'Bracelet Material', 'Strap Material', 'bracelet/strap'.slice(0, 8)],
  ],
  ['specs.crystal', ['Crystal', 'Glass']],
  [
    'specs.case_diameter',
    ['Diameter', 'Case Size', 'Case Diameter', 'Size', 'Dimensions', 'Ø Diameter'.slice(2)],
  ],
  ['specs.lug_to_lug', ['Lug to Lug', 'lug-to-lug', 'lugToLug']],
  ['specs.caliber', ['Calibre', 'Caliber', 'Movement Caliber', 'Kaliber']],
  ['specs.functions', ['Functions', 'Complications']],
  ['specs.year', ['Year', 'Year of production', 'Baujahr', 'Circa']],
  // German, with and without umlauts
  ['brand', ['Hersteller', 'MARKE']],
  ['reference_number', ['Ref.-Nr.', 'Referenznummer', 'Modellnummer', 'Modell-Nr.']],
  ['specs.case_material', ['Gehäusematerial', 'Gehaeusematerial', 'Material Gehäuse']],
  ['specs.case_diameter', ['Gehäusedurchmesser', 'Gehaeusedurchmesser', 'Durchmesser (mm)']],
  ['specs.water_resistance', ['Wasserdicht bis', 'Wasserdichtigkeit']],
  ['specs.movement_type', ['Werk', 'Uhrwerk', 'Aufzug']],
  ['specs.strap_closure', ['Schließe', 'Schliesse']],
  ['specs.condition', ['Zustand', 'État', 'Condizioni', 'Estado', '状態', 'Condition']],
  ['specs.scope_of_delivery', ['Lieferumfang', 'Scope of delivery', '付属品']],
  ['specs.sku', ['SKU', '管理番号']],
  ['specs.article_number', ['Artikelnummer', 'Art.-Nr.']],
  // Japanese, also in full width
  ['brand', ['ブランド', 'メーカー', 'ﾌﾞﾗﾝﾄﾞ']],
  ['reference_number', ['型番', '品番', 'リファレンス', 'Ref番号', 'モデル番号']],
  ['collection', ['モデル', 'モデル名', 'シリーズ']],
  [
    'current_market_price',
    ['価格', '販売価格', '価格（税込）', '販売価格(税抜)', '税込価格', 'Price (incl. VAT)'],
  ],
  ['retail_price_usd', ['定価', '定価（税込）', 'メーカー希望小売価格']],
  ['specs.dial_color', ['文字盤', '文字盤色', '文字盤カラー']],
  ['specs.case_material', ['ケース素材', 'ケース材質']],
  ['specs.case_diameter', ['ケース径', 'ケースサイズ', 'ケース径（mm）']],
  ['specs.water_resistance', ['防水', '防水性能', '防水（m）']],
  ['specs.movement_type', ['ムーブメント', '駆動方式']],
  ['specs.bracelet_material', ['ベルト素材', 'ブレス', 'ブレスレット', 'バンド']],
  ['specs.crystal', ['風防', 'ガラス']],
  ['specs.caliber', ['キャリバー']],
  ['specs.year', ['年式', '製造年']],
  // French, Italian, Spanish
  [
    'reference_number',
    ['Numéro de référence', 'Numero di riferimento', 'Referencia', 'Número de referencia'],
  ],
  ['specs.case_material', ['Matière du boîtier', 'Materiale cassa', 'Material de la caja']],
  ['specs.water_resistance', ['Étanchéité', 'Impermeabilità', "Resistenza all'acqua", 'Resistencia al agua']],
  ['specs.year', ['Année de production', 'Anno di produzione', 'Año']],
  ['specs.bracelet_material', ['Matière bracelet', 'Materiale cinturino', 'Correa']],
  ['specs.power_reserve', ['Réserve de marche', 'Riserva di carica', 'Reserva de marcha']],
  // More of the German, Dutch, Portuguese, Polish, Russian, Ukrainian
  ['specs.crystal', ['Material Glas', 'Szkło', 'Стекло']],
  [
    'specs.bracelet_material',
    ['Material Band', 'Bandmaterial', 'Band', 'Pulseira', 'Pasek', 'Ремешок', 'Ремінець'],
  ],
  ['brand', ['Merk', 'Marca', 'Marka', 'Марка', 'Бренд']],
  ['collection', ['Collectie', 'Modelo', 'Kolekcja', 'Модель']],
  ['reference_number', ['Referentie', 'Referência', 'Referencja', 'Референс', 'Артикул']],
  ['current_market_price', ['Prijs', 'Preço', 'Cena', 'Цена', 'Ціна', 'Цена (EUR)']],
  [
    'retail_price_usd',
    ['Adviesprijs', 'Preço de tabela', 'Cena katalogowa', 'Розничная цена', 'Роздрібна ціна'],
  ],
  ['specs.case_material', ['Kast', 'Caixa', 'Koperta', 'Корпус', 'Материал корпуса', 'Матеріал корпусу']],
  ['specs.case_diameter', ['Kastdiameter', 'Diâmetro', 'Średnica koperty', 'Диаметр', 'Діаметр']],
  ['specs.dial_color', ['Wijzerplaat', 'Mostrador', 'Tarcza', 'Циферблат', 'Колір циферблата']],
  [
    'specs.water_resistance',
    ['Waterdichtheid', 'Resistência à água', 'Wodoszczelność', 'Водонепроницаемость', 'Водонепроникність'],
  ],
  ['specs.movement_type', ['Uurwerk', 'Tipo de movimento', 'Mechanizm', 'Механизм', 'Механізм']],
  ['specs.caliber', ['Kaliber', 'Калибр', 'Калібр']],
  ['specs.year', ['Bouwjaar', 'Ano', 'Rok produkcji', 'Год', 'Рік']],
  ['specs.condition', ['Conditie', 'Condição', 'Stan', 'Состояние', 'Стан']],
  // Nordic, Czech, Hungarian, Turkish, Finnish
  ['brand', ['Varumärke', 'Märke', 'Mærke', 'Merke', 'Značka', 'Márka', 'Marka', 'Merkki']],
  ['collection', ['Modell', 'Model', 'Malli']],
  [
    'reference_number',
    [
      'Referensnummer',
      'Referens',
      'Referencenummer',
      'Referansenummer',
      'Referenční číslo',
      'Referenciaszám',
      'Referans no',
      'REFERANS NO',
      'Viitenumero',
    ],
  ],
  [
    'current_market_price',
    ['Pris', 'Pris (SEK)', 'Slutpris', 'Försäljningspris', 'Salgspris', 'Cena', 'Fiyat', 'Hinta'],
  ],
  ['retail_price_usd', ['Nypris', 'Veiledende pris']],
  ['specs.movement_type', ['Urverk', 'Urværk']],
  ['specs.case_material', ['Boettmaterial', 'Boett', 'Urkasse']],
  ['specs.dial_color', ['Urtavla', 'Urskive']],
  ['specs.year', ['Årtal', 'Årgang', 'Tillverkningsår']],
  ['specs.condition', ['Skick', 'Tilstand']],
  [
    'reference_number',
    ['Item model number', 'item_model_number', 'Model #', 'Model#', 'Ref #', 'Ref.#', 'Style #', 'Part #'],
  ],
  // Chinese, Korean and Arabic, alone or beside another language
  ['brand', ['品牌', 'Brand 品牌', '品牌 Brand', 'Brand / الماركة', '브랜드', 'الماركة / Brand']],
  [
    'reference_number',
    ['型號', '型号', 'Ref 型號', 'Ref. No. / الرقم المرجعي', '모델번호', 'Model 型號', 'Ref (型號)'],
  ],
  ['collection', ['系列', 'Series 系列']],
  ['current_market_price', ['價錢', '價格', '价格', '售價', '售价', 'Price HKD 價錢', '가격', 'السعر']],
  ['retail_price_usd', ['公價', '公价', 'RRP 公價']],
  ['specs.case_diameter', ['錶徑', '表径', '錶徑 (mm)', 'Size (mm) 錶徑']],
  ['specs.case_material', ['錶殼', '表壳']],
  ['specs.dial_color', ['錶盤', '表盘']],
  ['specs.movement_type', ['機芯', '机芯']],
  ['specs.year', ['年份', 'Year 年份']],
  ['specs.bracelet_material', ['錶帶', '表带']],
  ['reference_number', ['REF_FABRICANTE', 'Ref. fabricante', 'Réf. fournisseur', 'Reference / Model No.']],
  ['specs.crystal', ['Glass/Crystal']],
  // Nested, and with the prefixes of shops
  [
    'reference_number',
    ['specifications.Reference number', 'attributes.Ref. No.', 'product.details.reference'],
  ],
  [
    'reference_number',
    ['C:Reference Number', '*C:MPN', 'Meta: _reference', 'Ref (product.metafields.custom.ref)'],
  ],
  ['brand', ['brand.name', 'product.brand', 'C:Brand', 'attributes.Marke']],
  [
    'specs.case_material',
    ['case.material', 'specifications.case.material', 'attributes.case_material.value'],
  ],
  ['specs.case_diameter', ['Case Diameter (product.metafields.custom.case_diameter)', 'case.diameter']],
  ['specs.caliber', ['movement.caliber', 'movement.calibre']],
  ['specs.power_reserve', ['movement.power_reserve']],
  ['specs.lug_width', ['Between lugs', 'Lug distance']],
  ['specs.water_resistance', ['Waterproofness']],
  ['retail_price_usd', ['pricing.retail', 'pricing.retail.amount', 'price.retail', 'retail.price']],
  [
    'specs.caliber',
    ['Movement/Caliber', 'Caliber/movement', 'Movement / Calibre', 'Kaliber/Werk', 'Kaliber/Räderwerk'],
  ],
  // Groups of a page that have other things than their names say
  ['specs.power_reserve', ['Caliber.Power reserve', 'page.Caliber.Power reserve']],
  ['specs.jewels', ['Caliber.Number of jewels']],
  ['specs.case_material', ['Case.Case material', 'page.Case.Material']],
  ['specs.case_diameter', ['Case.Case diameter', 'Basic.Gehäusedurchmesser', 'Gehäuse.Gehäusedurchmesser']],
  ['specs.dial_color', ['Case.Dial', 'Dial.Color']],
  ['specs.water_resistance', ['Case.Water resistance']],
  ['specs.bracelet_material', ['Strap.Material', 'Bracelet/strap.Bracelet material']],
  ['specs.strap_closure', ['Bracelet/strap.Buckle']],
  ['retail_price_usd', ['price_new_usd', 'New price', 'Preis neu']],
  ['current_market_price', ['price_preowned_usd', 'Pre-owned price', 'Used price', 'Secondary market price']],
  ['current_market_price', ['pricing.market', 'price.amount', 'offers.price', 'price.value', 'prices.eur']],
  // Short forms, names of suppliers, and asides
  ['specs.water_resistance', ['Wasserd.', 'Wasserd. bar', 'Water Resist. (ft)', 'Imperm.', 'Case_W/R']],
  ['specs.water_resistance', ['case_water_resistance', 'Water resistant depth', 'Water Resist.']],
  ['specs.dial_color', ['Zifferbl.', 'dial_color_name']],
  ['specs.case_diameter', ['Gehäusegr.', 'Gehaeusegr. mm', 'Diameter (without crown)']],
  ['specs.case_material', ['Werkstoff Gehäuse', 'Case material type', 'case_material_name']],
  ['specs.crystal', ['Case Glass']],
  ['reference_number', ['Supplier Ref', 'Supplier Reference', 'Supplier SKU', 'Lief.-Art.-Nr.']],
  ['reference_number', ['Lieferanten-Artikelnummer', 'Manufact. SKU', 'Manufacturer SKU']],
  [
    'reference_number',
    ['Model no. (inside back?)', 'Reference (if known)', 'Ref. [optional]', 'Model # (inside)'],
  ],
  ['brand', ['Brand (maker)', 'Brand (if any)']],
  ['currency', ['pricing.currency', 'offers.priceCurrency', 'price.currency']],
]

test.each(targets)('%s is recognised by many names, however they are spelled', (target, names) => {
  expect(names.map((name) => [name, readColumnName(name).to])).toEqual(names.map((name) => [name, target]))
})

test.each([
  ['Water Resistance (M)', 'specs.water_resistance', 'm'],
  ['Water Resistance [ATM]', 'specs.water_resistance', 'atm'],
  ['water_resistance_bar', 'specs.water_resistance', 'bar'],
  ['Diameter (mm)', 'specs.case_diameter', 'mm'],
  ['Case Size [mm]', 'specs.case_diameter', 'mm'],
  ['Case (mm)', 'specs.case_diameter', 'mm'],
  ['Gehäuse mm', 'specs.case_diameter', 'mm'],
  ['Size in mm', 'specs.case_diameter', 'mm'],
  ['caseSizeMm', 'specs.case_diameter', 'mm'],
  ['power_reserve_hours', 'specs.power_reserve', 'h'],
  ['Power reserve (days)', 'specs.power_reserve', 'days'],
  ['Weight (g)', 'specs.weight', 'g'],
  ['frequency_hz', 'specs.frequency', 'Hz'],
  ['Beat Rate', 'specs.frequency', 'vph'],
])('%s gives its unit', (name, to, unit) => {
  expect(readColumnName(name)).toMatchObject({ to, unit, isDoubtful: false })
})

test.each([
  ['Price (EUR)', 'current_market_price', 'EUR'],
  ['Price EUR', 'current_market_price', 'EUR'],
  ['price_eur', 'current_market_price', 'EUR'],
  ['priceEur', 'current_market_price', 'EUR'],
  ['Preis in €', 'current_market_price', 'EUR'],
  ['EUR Price', 'current_market_price', 'EUR'],
  ['Price ($)', 'current_market_price', 'USD'],
  ['Retail Price CHF', 'retail_price_usd', 'CHF'],
  ['UVP [€]', 'retail_price_usd', 'EUR'],
  ['Price€', 'current_market_price', 'EUR'],
  ['Price HK$', 'current_market_price', 'HKD'],
  ['€ price', 'current_market_price', 'EUR'],
  ['Price HKD 價錢', 'current_market_price', 'HKD'],
  ['Price (HKD) 價錢', 'current_market_price', 'HKD'],
  ['Retail AED / سعر الوكالة', 'retail_price_usd', 'AED'],
])('%s gives its currency', (name, to, currency) => {
  expect(readColumnName(name)).toMatchObject({ to, currency })
})

test.each([
  ['Condition Category', 'condition_category', undefined],
  ['strapLength', 'strap_length', undefined],
  ['Strap length (mm)', 'strap_length', 'mm'],
  ['Warranty (years)', 'warranty', 'years'],
  ['Diamonds (ct)', 'diamonds_ct', undefined],
  ['Strap_length_mm', 'strap_length_mm', undefined],
  ['Model Year', 'model_year', undefined],
  ['Price All', 'price_all', undefined],
  ['Utropspris', 'utropspris', undefined],
  ['Ár', 'ar', undefined],
  ['Lot #', 'lot', undefined],
  ['GMTHand', 'gmt_hand', undefined],
  ['Größe & Höhe', 'grosse_hohe', undefined],
  ['文字盤 の色', '文字盤_の色', undefined],
  ['Цвет йода', 'цвет_йода', undefined],
  ['__proto__', 'proto', undefined],
  ['#', '', undefined],
  ['Price (%)', 'price', undefined],
  ['文字盤 の色 ', '文字盤_の色', undefined],
  ['specifications.Lume color', 'lume_color', undefined],
  ['seller.name', 'seller_name', undefined],
  ['seller.brand', 'seller_brand', undefined],
  ['movement.reference', 'movement_reference', undefined],
  ['Brand / Model', 'brand_model', undefined],
  ['Case Material (mm)', 'case_material', 'mm'],
  ['Note 備註', 'note_備註', undefined],
  ['strap.size', 'strap_size', undefined],
  ['movement.diameter', 'movement_diameter', undefined],
  ['specs.reference', 'specs_reference', undefined],
  ['Case.Case finish', 'case_finish', undefined],
  ['shipping.Case material', 'shipping_case_material', undefined],
  ['page.weight', 'page_weight', undefined],
  ['Meta: _yoast_title', 'yoast_title', undefined],
  ['Strap (spare)', 'strap_spare', undefined],
  ['Year (purchased)', 'year_purchased', undefined],
  ['Reference (internal)', 'reference_internal', undefined],
  ['Price (if new)', 'price_if_new', undefined],
  ['価格（ドル以外）', '価格_ドル以外', undefined],
])('%s is a spec of its own', (name, key, unit) => {
  expect(readColumnName(name)).toMatchObject({ to: undefined, key, unit })
})

test('any name becomes a key of at most 128 characters: letters and digits, and single underscores between them', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 300 }), (name) => {
      const { key } = readColumnName(name)
      expect(key.length).toBeLessThanOrEqual(128)
      expect(key).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:_[\p{L}\p{M}\p{N}]+)*)?$/u)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['mvmt', 'specs.movement_type'],
  ['casem', 'specs.case_material'],
  ['bracem', 'specs.bracelet_material'],
  ['yop', 'specs.year'],
  ['cond', 'specs.condition'],
  ['Matière', 'specs.case_material'],
  ['素材', 'specs.case_material'],
  ['Lunette.Matière', undefined],
  ['Artist/Maker', 'brand'],
  ['WaDi', 'specs.water_resistance'],
])('%s stands for %s', (name, to) => {
  expect(readColumnName(name).to).toBe(to)
})

test.each([
  ['Price (incl. VAT) €', 'EUR'],
  ['Price€ (incl. VAT)', 'EUR'],
  ['Retail price CHF (excl. tax)', 'CHF'],
])('the currency beside a note on tax counts: %s', (name, currency) => {
  expect(readColumnName(name).currency ?? readPriceName(name)?.currency).toBe(currency)
})
