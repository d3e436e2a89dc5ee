// In charge of what can be asked about the account of the key, as a table.

import { example, type Operation } from './operation.ts'
import { quotaHeaders } from './response-headers.ts'

export const accountOperations: readonly Operation[] = [
  {
    id: 'getUsage',
    tag: 'Account',
    path: '/usage',
    summary: 'Get your usage',
    description:
      'The plan of your account, what is left of today, and how many requests were counted on each of the last 30 days. Costs nothing, and is answered even when no request is left.',
    found: 'Where the account stands.',
    pathParameters: [],
    query: [],
    answers: ['UsageAnswer'],
    headers: [],
    problems: [],
    examples: [
      example('usage', 'A new account on its first day', {
        request: '/usage',
        answer: 'UsageAnswer',
        headers: quotaHeaders,
      }),
    ],
  },
]
