import { expect, test } from 'vitest'
import { describeUserAgent } from './settings-user-agent.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge on Windows',
  ],
  [`${mac} ${webkit} Chrome/141.0.0.0 Safari/537.36 OPR/122.0.0.0`, 'Opera on macOS'],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iphone} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  ['curl/8.14.1', 'curl'],
  ['python-requests/2.32', 'A Python program'],
  ['node', 'A Node.js program'],
])('%s is named %s', (userAgent, told) => {
  expect(describeUserAgent(userAgent)).toBe(told)
})

test('an unknown user agent is called unknown, and none of its text is shown', () => {
  expect(describeUserAgent(null)).toBe('An unknown browser')
  expect(describeUserAgent('<script>alert(1)</script>')).toBe('An unknown browser')
  expect(describeUserAgent('Something/1.0 (Windows NT 10.0)')).toBe('An unknown browser on Windows')
})
