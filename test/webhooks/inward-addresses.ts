// The list of addresses that no webhook may be sent to: internal addresses in every spelling and embedding, as they
// would stand in a URL, and host names that resolve to them.

/** Hosts as written in a URL, without the port, grouped by kind. */
export const inwardHosts: Readonly<Record<string, readonly string[]>> = {
  loopback: words(`
    127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.254 127.0.0.1. [::1] [0:0:0:0:0:0:0:1] [::0001] [0::1]
    [0000:0000:0000:0000:0000:0000:0000:0001]`),
  'loopback in other notations': words(`
    2130706433 2130706433. 0x7f000001 0X7F000001 0x7f.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1
    00000177.0.0.1 127.1 127.0.1 127.65537 0x7F.0.1 127.0x1 0177.0x0.1 0000000000000000000000000177.0.0.1`),
  'loopback in other characters': words(`
    １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 %31%32%37.0.0.1 127%2e0%2e0%2e1 %3127.0.0.1 ①②⑦.⓪.⓪.①
    𝟏𝟐𝟕.𝟎.𝟎.𝟏 １２７.1 0ｘ7f.1 2130706４33 127\u00ad.0.0.1 %EF%BC%9127.0.0.1`),
  'names of this machine': words(`
    localhost LOCALHOST localhost. sub.localhost a.b.localhost. ｌｏｃａｌｈｏｓｔ loc%61lhost ⓛocalhost lo\u00adcalhost`),
  'the unspecified network': words('0.0.0.0 0 0.0 0x0 00 0.0.0.1 0.1.2.3 0.255.255.255 [::] [0::0]'),
  private: words(`
    10.0.0.1 10.255.255.255 167772161 0xa.1 012.0.0.1 172.16.0.1 172.31.255.255 172.16.1 192.168.0.1 192.168.255.255
    192.168.257 0xc0a80001 3232235521 0300.0250.0.1`),
  'link-local, with cloud metadata': words(`
    169.254.0.1 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2 [fe80::1]
    [fe80::a9fe:a9fe] [febf:ffff::1] [fe80::1%25eth0] [fe80::1%eth0] [::1%25lo]`),
  'carrier-grade NAT': words('100.64.0.1 100.127.255.254 100.100.100.200 0x64400001 100.4194305'),
  'cloud platform services': words('168.63.129.16 0xa83f8110 192.0.0.192 [fd00:ec2::254] [fd20:ce::254]'),
  'reserved for protocols, documentation and benchmarks': words(`
    192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 192.31.196.1
    192.52.193.1 192.175.48.1`),
  'multicast, broadcast and reserved': words(`
    224.0.0.1 224.0.0.251 239.255.255.250 232.1.1.1 240.0.0.1 250.1.2.3 254.255.255.255 255.255.255.255 4294967295
    0xffffffff 037777777777 [ff00::1] [ff02::1] [ff02::fb] [ff05::2] [ff0e::1]`),
  'mapped from IPv4': words(`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe]
    [::ffff:192.168.0.1] [::ffff:0:0] [::ffff:8.8.8.8] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]`),
  'compatible with IPv4': words('[::127.0.0.1] [::7f00:1] [::10.0.0.1] [::a9fe:a9fe] [::8.8.8.8] [::2]'),
  'translated to IPv4': words(`
    [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::8.8.8.8] [64:ff9b:1::7f00:1]
    [64:ff9b:1:ffff::1] [64:ff9b:1:7f00:0:100::]`),
  'embedded in tunnel addresses': words(`
    [2002:7f00:1::] [2002:7f00:0001::1] [2002:a00:1::1] [2002:a9fe:a9fe::1] [2002:808:808::1] [2001:0:7f00:1::]
    [2001::80ff:fffe] [2001:0:4136:e378:8000:63bf:80ff:fffe] [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:10.0.0.1]`),
  'IPv6 outside the public range': words(`
    [fc00::1] [fd00::1] [fdff:ffff::1] [fec0::1] [feff::1] [100::1] [100:0:0:1::1] [200::1] [400::1] [2001:1::1] [2001:2::1]
    [2001:3::1] [2001:4:112::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:db8::1] [2620:4f:8000::1] [3fff::1]
    [3fff:fff::1] [4000::1] [5f00::1] [8000::1] [e000::1] [f000::1] [fe00::1]`),
  'not an address': words(`
    256.256.256.256 127.0.0.1.1 [::1 ::1 [127.0.0.1] 127.0.0.1.. 0x7g.1 4294967296 [v1.1] 127.0.0.1%00 127.0.0.1%20 a..b`),
  'names that resolve to internal addresses': words(`
    inward.example INWARD.example inward.example. 127.0.0.1.nip.example six.example mapped.example translated.example
    zero.example metadata.internal router.local printer both.example both-kinds.example last-of-many.example alias.example
    ｉｎｗａｒｄ.example inward%2eexample`),
}

/** The test DNS server's responses for these names. One public address does not excuse an internal one. */
export const inwardNames: Readonly<Record<string, readonly string[]>> = {
  'inward.example': ['127.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'translated.example': ['64:ff9b::7f00:1'],
  'zero.example': ['0.0.0.0', '::'],
  'metadata.internal': ['169.254.169.254'],
  'router.local': ['192.168.0.1'],
  printer: ['10.0.0.7'],
  'both.example': ['8.8.8.8', '127.0.0.1'],
  'both-kinds.example': ['8.8.8.8', '::1'],
  'last-of-many.example': ['8.8.8.8', '8.8.4.4', '1.1.1.1', '1.0.0.1', '9.9.9.9', '127.0.0.1'],
  'alias.example': ['cname:inward.example', '127.0.0.1'],
}

/** Whole URLs; `{port}` is the port of the canary server. */
export const inwardUrls: readonly string[] = [
  ...words(`
    ftp://127.0.0.1:{port}/ file:///etc/passwd gopher://127.0.0.1:{port}/_x ws://127.0.0.1:{port}/ wss://127.0.0.1:{port}/
    data:text/plain,x javascript:alert(1) blob:https://127.0.0.1:{port}/x unix:/var/run/docker.sock about:blank
    http+unix://%2Fvar%2Frun%2Fdocker.sock/ https:127.0.0.1:{port} https:/127.0.0.1:{port}/ https:///127.0.0.1:{port}/
    https:\\\\127.0.0.1:{port}\\ //127.0.0.1:{port}/ 127.0.0.1:{port} https:// https://:{port}/ https://? https://#
    https://8.8.8.8@127.0.0.1:{port}/ https://8.8.8.8:443@127.0.0.1:{port}/ https://user:word@127.0.0.1:{port}/
    https://@127.0.0.1:{port}/ https://8.8.8.8%40127.0.0.1:{port}/ https://127.0.0.1:{port}#@8.8.8.8/
    https://127.0.0.1:{port}\\@8.8.8.8/ https://127.0.0.1:{port}/@8.8.8.8 https://127.0.0.1:0{port}/
    https://127.0.0.1:{port}?8.8.8.8 https://127.0.0.1:99999/ https://127.0.0.1:-1/ https://127.0.0.1:22/
    https://127.0.0.1:25/ https://127.0.0.1:6379/`),
  '',
  ' ',
  ' https://127.0.0.1:{port}/',
  'https://127.0.0.1:{port}/\n',
  'ht\ttps://127.0.0.1:{port}/',
  'https://127.0.\n0.1:{port}/',
]

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
