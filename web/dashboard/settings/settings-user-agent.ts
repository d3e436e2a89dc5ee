// Names the browser and system of a user agent: enough for users to recognise their own devices, and no more.

type Known = readonly (readonly [RegExp, string])[]

/** The first match wins: browsers that also name another browser in their user agent come before that one. */
const browsers: Known = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (Mobile\/\w+ )?Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(python-|Python\/)/, 'A Python program'],
  [/^(node|undici)\b/, 'A Node.js program'],
]

const systems: Known = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** `Firefox on Windows`, `Safari on iPhone`. */
export function describeUserAgent(userAgent: string | null): string {
  const browser = findName(browsers, userAgent ?? '') ?? 'An unknown browser'
  const system = findName(systems, userAgent ?? '')
  return system === undefined ? browser : `${browser} on ${system}`
}

function findName(known: Known, userAgent: string): string | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}
