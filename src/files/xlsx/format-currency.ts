// Reads the currency of a number format. Its sign alone may not tell the currency: the `$` of `[$$-C09]` is the
// Australian one, which the number after the dash says.

/** Signs that several currencies share: sign → language of the format, as a number or a name → ISO code. */
const sharedSigns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  $: {
    '409': 'USD',
    'en-us': 'USD',
    '540a': 'USD',
    'es-us': 'USD',
    c09: 'AUD',
    'en-au': 'AUD',
    '1009': 'CAD',
    'en-ca': 'CAD',
    c0c: 'CAD',
    'fr-ca': 'CAD',
    '1409': 'NZD',
    'en-nz': 'NZD',
    c04: 'HKD',
    'zh-hk': 'HKD',
    '3c09': 'HKD',
    'en-hk': 'HKD',
    '1004': 'SGD',
    'zh-sg': 'SGD',
    '4809': 'SGD',
    'en-sg': 'SGD',
    '404': 'TWD',
    'zh-tw': 'TWD',
    '80a': 'MXN',
    'es-mx': 'MXN',
    '2c0a': 'ARS',
    'es-ar': 'ARS',
    '340a': 'CLP',
    'es-cl': 'CLP',
    '240a': 'COP',
    'es-co': 'COP',
  },
  '¥': { '411': 'JPY', 'ja-jp': 'JPY', '804': 'CNY', '478': 'CNY', 'zh-cn': 'CNY' },
  '￥': { '411': 'JPY', 'ja-jp': 'JPY', '804': 'CNY', '478': 'CNY', 'zh-cn': 'CNY' },
  kr: {
    '41d': 'SEK',
    'sv-se': 'SEK',
    '414': 'NOK',
    'nb-no': 'NOK',
    '814': 'NOK',
    'nn-no': 'NOK',
    '406': 'DKK',
    'da-dk': 'DKK',
    '40f': 'ISK',
    'is-is': 'ISK',
  },
}

/** `mark` is what stands between `[$` and `]`. Empty for a format without a currency, such as `[$-409]`. */
export function currencyOfFormat(mark: string): string {
  const [, sign = mark, language = ''] = /^(.*?)-([\da-f]{1,8}|[a-z]{1,3}(?:-[a-z0-9]+)*)$/i.exec(mark) ?? []
  if (sign === '') return ''
  const shared = sharedSigns[sign.trim().replace(/^kr\.$/, 'kr')]
  if (shared === undefined || language === '') return sign
  // Language numbers above 0xffff also say how digits are written; the lower half is the language.
  const code = /^[\da-f]+$/i.test(language) ? language.slice(-4).replace(/^0+/, '') : language
  // A sign that is not known in this language stays with it: no reader may take it for US dollars.
  return shared[code.toLowerCase()] ?? `${sign}-${language} `
}
