// Tests which operation a path and a method name.
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../errors.ts'
import { operations } from '../operations/operations.ts'
import { routeFinder } from './route.ts'

const find = routeFinder('/api/v1', operations)

function refusalOf(path: string): Problem {
  try {
    return find(path).route.refusal
  } catch (error) {
    return error as Problem
  }
}

describe('a path', () => {
  test('of the table finds each of its operations, and HEAD finds that of GET', () => {
    for (const operation of operations) {
      const { route, parameters } = find(`/api/v1${operation.path.replaceAll(/:(\w+)/g, '$1-1')}`)
      expect(route.find(operation.method)).toBe(operation)
      if (operation.method === 'GET') expect(route.find('HEAD')).toBe(operation)
      for (const [name, value] of Object.entries(parameters)) expect(value).toBe(`${name}-1`)
    }
  })

  test('decodes its parameters', () => {
    expect(find('/api/v1/specs/a%2Fb%20%C3%A9').parameters).toMatchObject({ key: 'a/b é' })
  })

  test.each(['/api/v1', '/api/v1/', '/api/v1//watches', '/api/v1/Watches', '/watches', ''])(
    '%j is not found, with any method',
    (path) => {
      expect(find(path).route.find('GET')).toBeUndefined()
      expect(refusalOf(path).code).toBe('not_found')
    },
  )

  test('that cannot be decoded is a bad request', () => {
    for (const path of ['/api/v1/%zz', '/api/v1/watches/%ff'])
      expect(refusalOf(path).code).toBe('bad_request')
  })

  test('lists its methods where it lacks the one asked for', () => {
    expect(find('/api/v1/watches').route.find('POST')).toBeUndefined()
    expect(refusalOf('/api/v1/watches').details.headers).toEqual({ allow: 'GET, HEAD' })
    expect(refusalOf('/api/v1/webhooks/1').details.headers).toEqual({ allow: 'DELETE, GET, HEAD, PATCH' })
  })
})
