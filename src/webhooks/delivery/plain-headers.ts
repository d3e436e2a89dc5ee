// In charge of the headers that every post to an endpoint has, besides those that sign it.
import { version } from '../../version.ts'

export const plainHeaders = {
  'content-type': 'application/json',
  'user-agent': `watchdata/${version}`,
} as const
