// Tests that the types of the SDK are those of the API.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sdkTypes } from '../../scripts/write-sdk-types.ts'
import { packageRoot } from '../../src/config.ts'

test('the types of the SDK are made from the current OpenAPI document', () => {
  const written = readFileSync(path.join(packageRoot, 'sdk/src/api-types.ts'), 'utf8')
  expect(written === sdkTypes(), 'run npm run types -w sdk').toBe(true)
})

test('the version of the SDK is that of the service', () => {
  const versionOf = (file: string) => JSON.parse(readFileSync(path.join(packageRoot, file), 'utf8')).version
  expect(versionOf('sdk/package.json')).toBe(versionOf('package.json'))
})
