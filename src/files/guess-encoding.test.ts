import { describe, expect, test } from 'vitest'
import { findEncoding, guessEncoding } from './guess-encoding.ts'

/** The text in an encoding of one byte. */
function encoded(text: string, label: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const byLetter = new Map(bytes.map((byte) => [new TextDecoder(label).decode(Buffer.from([byte])), byte]))
  return Buffer.from([...text].map((letter) => byLetter.get(letter) as number))
}

describe('the encoding of text that is not UTF-8 is recognised', () => {
  test.each([
    // ブランド,型番,価格,文字盤 / ロレックス,126234,125万円,ブルー
    [
      'shift_jis',
      '83758389839383682c8c5e94d42c89bf8a692c95b68e9a94d50a838d838c8362834e83582c3132363233342c313235969c897e2c8375838b815b0a',
    ],
    // 型番,価格,文字盤 / 126234,980000,黒
    ['shift_jis', '8c5e94d42c89bf8a692c95b68e9a94d50a3132363233342c3938303030302c8d950a'],
    // ブランド,型番,価格,文字盤 / ロレックス,126234,125万円,ブルー
    [
      'euc-jp',
      'a5d6a5e9a5f3a5c92cb7bfc8d62cb2c1b3ca2ccab8bbfac8d70aa5eda5eca5c3a5afa5b92c3132363233342c313235cbfcb1df2ca5d6a5eba1bc0a',
    ],
    // 品牌,型号,价格,表盘,材质 / 劳力士,126234,98000元,蓝色,不锈钢
    [
      'gb18030',
      'c6b7c5c62cd0cdbac52cbcdbb8f12cb1edc5cc2cb2c4d6ca0ac0cdc1a6cabf2c3132363233342c3938303030d4aa2cc0b6c9ab2cb2bbd0e2b8d60a',
    ],
    // 品牌,型號,價格,錶盤,材質 / 勞力士,126234,98000元,藍色,不鏽鋼
    [
      'big5',
      'ab7eb5502cabacb8b92cbbf9aee62cbff6bd4c2ca7f7bde80ab3d2a44fa4682c3132363233342c3938303030a4b82cc2c5a6e22ca4a3c4c3bffb0a',
    ],
    // 브랜드,모델,가격,다이얼 / 롤렉스,126234,350만원,파란색
    [
      'euc-kr',
      'baeab7a3b5e52cb8f0b5a82cb0a1b0dd2cb4d9c0ccbef30ab7d1b7babdba2c3132363233342c333530b8b8bff82cc6c4b6f5bbf60a',
    ],
    // Бренд,Артикул,Цена / Ролекс,126234,500000 руб. / Rolex,1,Часы
    [
      'windows-1251',
      'c1f0e5ede42cc0f0f2e8eaf3eb2cd6e5ede00ad0eeebe5eaf12c3132363233342c35303030303020f0f3e12e0a526f6c65782c312cd7e0f1fb0a',
    ],
    // Бренд,Артикул,Цена / Ролекс,126234,500000 руб.
    ['koi8-r', 'e2d2c5cec42ce1d2d4c9cbd5cc2ce3c5cec10af2cfccc5cbd32c3132363233342c35303030303020d2d5c22e0a'],
    // Μάρκα,Κωδικός,Τιμή / Ρόλεξ,126234,μπλε ατσάλι
    [
      'windows-1253',
      'ccdcf1eae12ccaf9e4e9eafcf22cd4e9ecde0ad1fcebe5ee2c3132363233342cecf0ebe520e1f4f3dcebe90a',
    ],
    // Značka,Průměr,Číselník / Rolex,40,modrý ocelový řemínek
    [
      'windows-1250',
      '5a6e61e86b612c5072f96dec722cc8ed73656c6eed6b0a526f6c65782c34302c6d6f6472fd206f63656c6f76fd20f8656ded6e656b0a',
    ],
    // Marka,Średnica,Materiał / Rolex,40,bransoletę złotą
    [
      'windows-1250',
      '4d61726b612c8c7265646e6963612c4d617465726961b30a526f6c65782c34302c6272616e736f6c6574ea207ab36f74b90a',
    ],
    // Marka,Ağırlık,Çelik kayış / Rolex,5,yeşil ışıltı
    [
      'windows-1254',
      '4d61726b612c41f0fd726cfd6b2cc7656c696b206b6179fdfe0a526f6c65782c352c7965fe696c20fdfefd6c74fd0a',
    ],
    // Marke,Gehäuse,Größe,Preis € / Cartier,Panthère,für 5 £,Übergröße – «neu»
    [
      'windows-1252',
      '4d61726b652c476568e47573652c4772f6df652c507265697320800a436172746965722c50616e7468e872652c66fc72203520a32cdc6265726772f6df65209620ab6e6575bb0a',
    ],
    // Année,Étanchéité / 1999,à 100 m
    ['windows-1252', '416e6ee9652cc974616e6368e96974e90a313939392ce020313030206d0a'],
    // n,Preis € / 1,5 €
    ['windows-1252', '6e2c507265697320800a312c3520800a'],
  ])('%s (%#)', (label, hex) => {
    const bytes = Buffer.from(hex, 'hex')
    expect(guessEncoding(bytes, true)).toBe(label)
    // The bytes may begin within a character, and end within another one.
    const many = Buffer.concat(Array(20).fill(bytes))
    expect(guessEncoding(many.subarray(1, -2), false)).toBe(label)
  })

  test.each([
    ['windows-1252', 'Marque;Modèle;Année;Matière\nCartier;Panthère;1999;acier\nCartier;Santos;2018;crème\n'],
    ['windows-1252', 'Brand;Reference;RRP CHF\nA. Lange & Söhne;191.039;38000\n'],
    ['windows-1252', 'Brand;Ref;Price\nRolex;114060;9.450,00 €\n'],
    [
      'windows-1250',
      `Brand;Note\n${'Omega;oţel\nOmega;bărbaţi\nOmega;în cutie\nOmega;piele, brăţară\n'.repeat(3)}`,
    ],
    ['macintosh', 'a;grün\n1;Söhne\n2;grün\n3;Höhe\n'],
    ['windows-1250', 'Márka;Ár\nCartier;vörös bőr\nOmega;kék\nSeiko;zöld tű\n'],
    ['windows-1250', 'Marka;Pasek\nOmega;żółty\nSeiko;skórzany, średni\n'],
    ['windows-1250', 'Znamka;Stanje\nSeiko;ročna ura\nOmega;črna, usnje, še nova\nCasio;rdeča z žepom\n'],
  ] as const)('%s by the letters of its words: %s', (label, text) => {
    expect(findEncoding(encoded(text, label), true)).toBe(label)
  })

  test('but not if a few letters may be others', () => {
    for (const text of ['Brand;Note\nOmega;Così\n', 'Brand;Note\nOmega;di più\n', 'Brand;°\nOmega;¡\n'])
      expect(findEncoding(encoded(text, 'windows-1252'), true)).toBeUndefined()
  })

  test('and is the usual one for everything else', () => {
    for (const hex of ['', '0a', '80', 'ff', '8080800a', 'b00a', 'e80a', '8192', '50616e7468e87265'])
      expect(guessEncoding(Buffer.from(hex, 'hex'), true)).toBe('windows-1252')
    expect(guessEncoding(Buffer.alloc(1_000_000, 0x80), false)).toBe('windows-1252')
  })
})
