// Tests how the service is started: Node gets the same flags from npm start and from the command.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const flag = /--[a-z=\d-]+/g

test('npm start and the command give Node the same flags', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const command = await readFile('bin/watchdata', 'utf8')
  const flags = scripts.start.match(flag)
  expect(flags).not.toBeNull()
  expect(command.match(/^exec .*$/m)?.[0].match(flag)).toEqual(flags)
})

test('pre-scripts run `node` once, so that later commands find the Node that was just installed', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const before = Object.entries<string>(scripts).filter(([name]) => name.startsWith('pre'))
  expect(before.length).toBeGreaterThan(3)
  // A shell caches the path of `node`; before the install it finds another one.
  for (const [name, script] of before) expect([name, script.match(/\bnode /g)]).toEqual([name, ['node ']])
})
