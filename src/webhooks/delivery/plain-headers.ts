// The headers that every post to an endpoint has, besides the signature headers.
import { version } from '../../version.ts'

export const plainHeaders = {
  'content-type': 'application/json',
  'user-agent': `watchdata/${version}`,
} as const
