import { expect, test } from 'vitest'
import { snakeCase, wordsOf } from '../header-words.ts'
import { isPrivateColumn } from './private-columns.ts'

const isPrivate = (name: string) => isPrivateColumn(snakeCase(wordsOf(name)))

test('what was paid, what is earned, who buys or owns and the serial number are private, in every language of the importer', () => {
  const names = `Cost, Cost Price, Our cost, Purchase price (EUR), Bought for, Wholesale, Dealer net, Price paid, Paid, Min. price,
    Margin, Profit, Gain/Loss, Profit or loss, Purchase Currency, Purchase Date, Insurance value, Customer, Buyer name, EK, EK netto, Einkaufspreis, Käufer, Prix d'achat, Prix achat,
    Prezzo acquisto, Prezzo di acquisto, Precio de compra, Preço de custo, Inkoopprijs, Cena zakupu, Закупочная цена, 仕入価格,
    HEK netto, Trade Price, Dealer Net Price, Sum Insured, Owner, Eigentümer, Propriétaire, Serial No., Serial Number,
    Seriennummer, Numéro de série, シリアル番号, S/N, Серийный номер,
    Insured for, What I paid, I paid, Purchased from, Bought from, Bought from dealer on, Bought on Date, Acquired from, Händlerpreis, Einstandspreis, Prezzo rivenditore,
    Prix revendeur, Precio distribuidor, Ankauf, Ankaufspreis, Coût, Coût d'achat, Cost of goods, cost_of_goods_sold, COGS,
    wc_cog_cost, Supply price, Default Unit Cost, Lowest acceptable offer, BestOfferAutoAcceptPrice, MinimumBestOfferPrice,
    Best offer auto accept price, auto_pricing_min_price, Reserve price, Seller name, Seller phone, Seller email, Consignor,
    Customer notes, Internal notes, Net to seller, Inköpspris,
    P_COSTE, P.COSTE, P.Costo, Pr. acquisto, Pagato, EK1, EK2, EK-Datum, EK Preis 2, 仕入値, 仕入先, Landed, Break-even, Spanne, P/L,
    Kaufdatum, Date d'achat, Data acquisto, Fecha de compra, Scheduled / Insured Amount, Agreed Value, Versichert mit,
    Assuré pour, Valore assicurato, Asegurado, Försäkrat värde, Insurance, Loan Value, SN, Ser. Nr., Num. Serie, Seriale, Serienr,
    Case No., Movement No., Kommittent, Consigned By, Cliente, Kunde, Einkauf Datum, Einkauf Preis, Prices (CHF) Cost,
    inventory.cost, Cost incl. shipping, Acquisition date, Inköpsdatum, Owner (2), 成本, 進貨價, Kostprijs, Werk-Nr., Case N°, Movement №,
    How much did you pay for it (in US$)?, Amount paid, Floor, Split, Net to consignor, Kalk., Kalkulation, Refurbishment cost,
    Default Vendor Name, Spanne %, Spanne in %, Aufschlag, Price floor, Consignor split, Where did you buy it?,
    同行价, 同行價, Paddle, Paddle no, Bidder`
  expect(names.split(/,\s+/).filter((name) => !isPrivate(name))).toEqual([])
})

test('how somebody is reached and where a watch is kept are private, whoever it is of', () => {
  const names = `Tel, Tel., Telefon, Phone, Phone 2, Mobile, Handy, Email, E-Mail, Email Address, Address, Adresse, Anschrift, Indirizzo,
    Dirección, Téléphone, 電話番号, メール, 住所, 電話, Contact, Ansprechpartner, Dealer phone, dealer.address, Shipping address, Lagerort, Storage location,
    Shelf, Drawer, Safe, Safe No., WhatsApp, Fax, Kontaktperson, Contacto, Correo electrónico, Courriel, 担当者, 保管場所,
    Lagerplatz, InternalNumber, Internal number, Interne Nummer`
  expect(names.split(/,\s+/).filter((name) => !isPrivate(name))).toEqual([])
})

test('what a watch costs its buyer, and everything else, is not', () => {
  const names = `Price, Retail price, Our price, Shipping cost, Service cost, Margin scheme, Paper, Paid service, Seller, Series,
    Minute track, Original price, Cost of ownership, Costa, Client edition, Market price, Trade-in, Buy now price,
    Retailer, Signed by retailer, Serial range, Notes, Offer, Acquired, Lowest price, Power reserve, Prix revente, Auto date,
    Costo de envío, Frais de livraison, Shipping insurance, Insured shipping, Cost of service, Achat immédiat, Compra inmediata,
    Lien d'achat, Postage and packaging cost, Insured parcel, Coûture, Vendor, Serie, Case, Movement, Bought, Kundenservice, Quality assurance, PA,
    Country, City, Location, Standort, Ubicazione, Emplacement, Storage, Web address, Microphone, Telemeter, Split seconds, VAT paid, Payment, Buy now pay later,
    From, Supplier Ref, Supplier SKU, Supplier Reference`
  expect(names.split(/,\s+/).filter(isPrivate)).toEqual([])
})
