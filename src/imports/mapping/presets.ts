// The table of known kinds of files: exports of shops and marketplaces, recognised by their headers. A preset says what
// columns mean where their names alone do not. A mapping file overrides it.
import { isCurrencyCode } from '../cells/currencies.ts'
import type { Preset, PresetColumn } from '../mapping.ts'
import { wordsOf } from './header-words.ts'

interface KnownFile {
  /** Lists of names, of which one must be in the header completely. */
  readonly signs: readonly string[]
  readonly preset: (columns: readonly string[]) => Preset
}

const market = 'current_market_price'
/** Shops have the measures of the parcel, not of the watch. Its unit is a setting of the shop, which few files name. */
const parcel = [/^(?:Product |dimensions\.)?(weight|width|height|depth|length)$/i, '$1 for shipping'] as const

const knownFiles: readonly KnownFile[] = [
  {
    signs: ['handle, title, vendor, variant price', 'url handle, title, vendor, option1 name'],
    preset: () => ({
      name: 'a Shopify product export',
      rows: 'shopify',
      hasNoCurrency: true,
      columns: [
        [/^Vendor$/i, 'Brand'],
        [/^Variant Price$/i, 'Price'],
        [/^(?:Variant )?(Compare.At.Price|SKU|Barcode)$/i, '$1'],
        [/^(?:Image Src|Product image URL)$/i, { to: 'specs.images' }],
        [/^Google Shopping \/ MPN$/i, 'MPN'],
        // What the dealer paid is nobody else's business.
        [/^Cost per item$/i, { to: null }],
        [/^Google Shopping \/ (Gender|Condition)$/i, '$1'],
      ],
    }),
  },
  {
    signs: ['title, vendor, variants', 'title, vendor, variants price'],
    preset: () => ({
      name: 'a list of Shopify products',
      hasNoCurrency: true,
      columns: [
        [/^vendor$/i, 'Brand'],
        [/^body_html$/i, 'Description'],
      ],
    }),
  },
  {
    signs: ['node title, node vendor', 'node id, node vendor'],
    preset: () => ({ name: 'a list of Shopify products', columns: [[/^node\.vendor$/i, 'Brand']] }),
  },
  {
    signs: [
      'type, sku, name, published, regular price',
      'typ, artikelnummer, name, veröffentlicht, regulärer preis',
    ],
    preset: () => ({
      name: 'a WooCommerce product export',
      rows: 'woocommerce',
      hasNoCurrency: true,
      columns: [
        [/^(?:Sale price|Angebotspreis)$/i, { to: market }],
        [/^(?:Regular price|Regulärer Preis)$/i, { to: market, isFallback: true }],
        [/^Artikelnummer$/i, 'SKU'],
        [/^Typ$/i, 'Type'],
        parcel,
        [/^(?:Weight|Gewicht)( \(.*\))?$/i, 'Shipping weight$1'],
        [/^(?:Length|Länge)( \(.*\))?$/i, 'Shipping length$1'],
        [/^(?:Width|Breite)( \(.*\))?$/i, 'Shipping width$1'],
        [/^(?:Height|Höhe)( \(.*\))?$/i, 'Shipping height$1'],
      ],
    }),
  },
  {
    signs: ['permalink, stock status, regular price, sale price'],
    preset: () => ({
      name: 'a list of WooCommerce products',
      hasNoCurrency: true,
      columns: [
        [/^sale_price$/, { to: market }],
        [/^(?:regular_)?price$/, { to: market, isFallback: true }],
        parcel,
      ],
    }),
  },
  {
    signs: ['sku, attribute set code, product type', 'sku, attribute set id, type id'],
    preset: () => ({
      name: 'a Magento product export',
      hasNoCurrency: true,
      columns: [parcel],
    }),
  },
  {
    signs: ['item number, title, custom label sku', 'item id, item title, custom label', 'action, title'],
    preset: (columns) => ({
      name: 'an eBay listing export',
      columns: [
        [actionShape, { to: null }],
        [/^(?:Private Notes|Reserve price)$/i, { to: null }],
        [/^\*?Custom ?label(?: \(SKU\))?$/i, 'SKU'],
        [/^\*?Item ?(?:number|ID)$/i, 'Item number'],
        [/^\*?Item ?Title$/i, 'Title'],
        [/^eBay /, 'Ebay '],
        [buyItNow, { to: market }],
        [currentPrice, marketAfter(columns, [buyItNow])],
        [startPrice, marketAfter(columns, [buyItNow, currentPrice, /^\*?price$/i])],
      ],
    }),
  },
  {
    signs: [
      'product id, name, price tax included',
      'product id, name, price tax excluded',
      'image, name, reference, category, price tax excl',
      'image, nom, référence, catégorie, quantité, état',
      'image, nom, référence, catégorie, prix ht',
      'id, bild, name, kategorie, menge, status',
    ],
    preset: (columns) => ({
      name: 'a PrestaShop product list',
      hasNoCurrency: true,
      columns: [
        parcel,
        [/^(Name|Reference|Supplier reference) ?[*#]$/i, '$1'],
        [/^Price tax included$/i, { to: market }],
        [/^Price tax excluded$/i, columns.some((one) => withTax.test(one)) ? 'Net amount' : 'Price'],
        [/^Wholesale price$/i, { to: null }],
        // Whether the product is shown in the shop.
        [/^(?:État|Status|Active \(0\/1\))$/i, 'Shop status'],
      ],
    }),
  },
  {
    signs: ['product id non editable, title, sku', 'product type non editable, title, sku'],
    preset: () => ({
      name: 'a Squarespace product export',
      hasNoCurrency: true,
      columns: [parcel, [/^(.+) \[Non Editable\]$/i, '$1'], [/^Hosted Image URLs$/i, { to: 'specs.images' }]],
    }),
  },
  {
    signs: ['handleid, fieldtype, name, price'],
    preset: () => ({
      name: 'a Wix product export',
      hasNoCurrency: true,
      columns: [
        parcel,
        [/^collection$/i, 'Categories'],
        [/^cost$/i, { to: null }],
        [/^productImageUrl$/i, { to: 'specs.images' }],
      ],
    }),
  },
  {
    signs: ['item type, product id, product name, brand name', 'product name, product code sku, brand name'],
    preset: () => ({
      name: 'a BigCommerce product export',
      hasNoCurrency: true,
      columns: [
        parcel,
        [/^Product Code\/SKU$/i, 'SKU'],
        [/^GPS Manufacturer Part Number$/i, 'MPN'],
        [/^GPS (Gender|Condition)$/i, '$1'],
        [/^Cost Price$/i, { to: null }],
      ],
    }),
  },
  {
    signs: [
      'brand, reference number, scope of delivery, condition',
      'hersteller, referenznummer, lieferumfang, zustand',
      'marke, referenznummer, lieferumfang, zustand',
    ],
    preset: () => ({ name: 'a list with the columns of Chrono24', columns: [] }),
  },
]

/** `*Action(SiteID=Germany|Country=DE|Currency=EUR|Version=1193)` */
const actionShape = /^\*?Action\((.*)\)$/i

const buyItNow = /^\*?(?:Auction )?Buy ?It ?Now ?Price$/i
const currentPrice = /^\*?Current ?price$/i
const startPrice = /^\*?Start ?price$/i
/** The price of PrestaShop that a buyer pays. */
const withTax = /^Price tax included$/i

/** A market price that fills in where the columns of these names are empty, if the file has one of them. */
function marketAfter(columns: readonly string[], others: readonly RegExp[]): PresetColumn {
  const isSecond = columns.some((column) => others.some((other) => other.test(column)))
  return isSecond ? { to: market, isFallback: true } : { to: market }
}

/** The currency of all prices of a file, which a template of eBay has in the name of its first column. */
export function findHeaderCurrency(columns: readonly string[]): string | undefined {
  const action = columns.map((column) => actionShape.exec(column)?.[1]).find((found) => found !== undefined)
  const code = /\bCurrency=([A-Z]{3})\b/.exec(action ?? '')?.[1] ?? ''
  return isCurrencyCode(code) ? code : undefined
}

export function findPreset(columns: readonly string[]): Preset | undefined {
  const names = new Set(columns.map((column) => folded(actionShape.test(column) ? 'Action' : column)))
  const isOf = (sign: string) => sign.split(', ').every((name) => names.has(folded(name)))
  return knownFiles.find(({ signs }) => signs.some(isOf))?.preset(columns)
}

/** The name that a column is read by. */
export function nameIn(preset: Preset | undefined, column: string): string {
  const [shape, read] = preset?.columns.find(([one]) => one.test(column)) ?? []
  return shape === undefined || typeof read !== 'string' ? column : column.replace(shape, read)
}

/** What the preset decides about a column; undefined: its name and its cells decide. */
export function decisionIn(preset: Preset | undefined, column: string): PresetColumn | undefined {
  const [, read] = preset?.columns.find(([shape]) => shape.test(column)) ?? []
  return typeof read === 'object' ? read : undefined
}

function folded(name: string): string {
  return wordsOf(name).join('')
}
