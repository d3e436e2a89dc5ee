// The table of account operations.

import { example, type OperationRow } from './operation.ts'
import { quotaHeaders } from './response-headers.ts'

export const accountOperations: readonly OperationRow[] = [
  {
    id: 'getUsage',
    tag: 'Account',
    path: '/usage',
    summary: 'Get your usage',
    description:
      'The plan of your account, the requests remaining today, and the requests counted on each of the last 30 days. It costs no quota, and works even when no requests remain.',
    found: 'The usage of the account.',
    answers: ['UsageAnswer'],
    examples: [example('usage', 'A new account on its first day', '/usage', { headers: quotaHeaders })],
  },
]
