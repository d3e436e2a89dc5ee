import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { openListener } from './listener.ts'

test('a closed listener releases its handler and what the handler holds', async () => {
  const kept = await serveAndClose()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await expect
    .poll(
      () => {
        collect()
        return kept.deref() === undefined
      },
      { timeout: 10_000 },
    )
    .toBe(true)
})

test('a handler reads every header, in any spelling, with a body or without', async () => {
  const listener = await openListener(parseConfig({ PORT: '0', HOST: '127.0.0.1' }), {
    port: 0,
    portSetting: 'PORT',
  })
  onTestFinished(() => listener.close(1_000))
  await listener.serve(({ headers }, response) => response.end(JSON.stringify(headers)))
  const sent = { Accept: 'a/b', 'X-ONE': '1', cookie: 'c=d', 'If-None-Match': '"e"' }
  const received = { accept: 'a/b', 'x-one': '1', cookie: 'c=d', 'if-none-match': '"e"' }
  for (const more of [{}, { method: 'POST', body: 'body' }, { method: 'DELETE' }]) {
    const answer = await fetch(listener.url, { headers: sent, ...more })
    expect(await answer.json()).toMatchObject(received)
  }
})

async function serveAndClose(): Promise<WeakRef<object>> {
  const config = parseConfig({ PORT: '0', HOST: '127.0.0.1' })
  const listener = await openListener(config, { port: 0, portSetting: 'PORT' })
  const catalogue = { watches: ['one', 'two'] }
  await listener.serve((_request, response) => response.end(JSON.stringify(catalogue)))
  expect(await (await fetch(listener.url)).text()).toBe('{"watches":["one","two"]}')
  await listener.close(1_000)
  return new WeakRef(catalogue)
}
