// However the service is started, Node runs it with the same flags.
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

test('what runs after the install is started anew, so that it finds the Node that came with it', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const before = Object.entries<string>(scripts).filter(([name]) => name.startsWith('pre'))
  expect(before.length).toBeGreaterThan(3)
  // A shell remembers where it found `node` the first time, which was not there before the install.
  for (const [name, script] of before) expect([name, script.match(/\bnode /g)]).toEqual([name, ['node ']])
})
