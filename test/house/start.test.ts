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
