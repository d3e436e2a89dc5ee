// The request headers of real clients, in the order in which each sends them. The coding of a response and the path
// that a request takes in the service depend on them.

/** Returns the headers of a request with this API key. */
export type Client = (key: string) => Readonly<Record<string, string>>

const chromeVersion = '142'
const chrome = {
  'sec-ch-ua-platform': '"Windows"',
  'User-Agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromeVersion}.0.0.0 Safari/537.36`,
  'sec-ch-ua': `"Chromium";v="${chromeVersion}", "Google Chrome";v="${chromeVersion}", "Not_A Brand";v="99"`,
  'sec-ch-ua-mobile': '?0',
}
const chromeAccepts = {
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en-US;q=0.9,en;q=0.8',
}

/** curl without --compressed: accepts no coding. */
export const curl: Client = (key) => ({
  Authorization: `Bearer ${key}`,
  'User-Agent': 'curl/8.17.0',
  Accept: '*/*',
})

export const nodeFetch: Client = (key) => ({
  connection: 'keep-alive',
  authorization: `Bearer ${key}`,
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
})

export const pythonRequests: Client = (key) => ({
  'User-Agent': 'python-requests/2.32.5',
  'Accept-Encoding': 'gzip, deflate',
  Accept: '*/*',
  Connection: 'keep-alive',
  Authorization: `Bearer ${key}`,
})

/** Safari's fetch(): of the browsers, the one that accepts br but not zstd. */
export const safariFetch: Client = (key) => ({
  Accept: '*/*',
  Authorization: `Bearer ${key}`,
  'Sec-Fetch-Site': 'cross-site',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Sec-Fetch-Mode': 'cors',
  'Accept-Encoding': 'gzip, deflate, br',
  Origin: 'https://shop.example.com',
  'User-Agent':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  Connection: 'keep-alive',
  'Sec-Fetch-Dest': 'empty',
})

/** fetch() in a page of another origin. */
export const chromeFetch: Client = (key) => ({
  Connection: 'keep-alive',
  Authorization: `Bearer ${key}`,
  ...chrome,
  Accept: '*/*',
  Origin: 'https://shop.example.com',
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
  Referer: 'https://shop.example.com/',
  ...chromeAccepts,
})

/** A visitor who follows a link. The pages are public: no API key. */
export const chromePage: Client = () => ({
  Connection: 'keep-alive',
  ...chrome,
  'Upgrade-Insecure-Requests': '1',
  Accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-User': '?1',
  'Sec-Fetch-Dest': 'document',
  ...chromeAccepts,
})
