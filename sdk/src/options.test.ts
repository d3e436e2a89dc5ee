// Tests which addresses the client sends its requests to.
import { expect, test } from 'vitest'
import { apiAddress, pathOf } from './options.ts'

test.each([
  ['https://watches.example.com', 'https://watches.example.com/api/v1'],
  ['https://watches.example.com/', 'https://watches.example.com/api/v1'],
  ['https://watches.example.com/api/v1', 'https://watches.example.com/api/v1'],
  ['https://watches.example.com/api/v1//', 'https://watches.example.com/api/v1'],
  ['https://example.com/watches/?x=1#y', 'https://example.com/watches/api/v1'],
  ['http://localhost:8080', 'http://localhost:8080/api/v1'],
])('%s leads to %s', (baseUrl, address) => {
  expect(apiAddress(baseUrl)).toBe(address)
})

test.each(['', 'watches.example.com', undefined as unknown as string])('%j is refused', (baseUrl) => {
  expect(() => apiAddress(baseUrl)).toThrow('baseUrl must be the address of the service')
})

test('a part of a path cannot lead to another resource', () => {
  expect(pathOf('a/b?c', 7)).toBe('/a%2Fb%3Fc/7')
  for (const part of ['', '.', '..', undefined as unknown as string]) {
    expect(() => pathOf(part)).toThrow(TypeError)
  }
})
