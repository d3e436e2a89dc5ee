// Defines the shape of every response as schemas: the OpenAPI document is built from them, the tests validate real
// responses with them, and the rest of the code takes its types from them. Zod is slow to load, so code that serves
// requests imports only types from here.
import * as z from 'zod'
import { planNames } from '../../access/plans/plans.ts'
import { catalogueSchemas } from './schemas/catalogue-schemas.ts'
import { eventSchemas, syncSchemas } from './schemas/change-schemas.ts'
import { resolveBodies, resolveSchemas } from './schemas/resolve-schemas.ts'
import { count } from './schemas/schema-parts.ts'
import { bodySchemas, webhookSchemas } from './schemas/webhook-schemas.ts'

const usage = z
  .object({
    plan: z.enum(planNames).describe('The plan of the account.'),
    limit: count.describe('Requests per day that the plan allows.'),
    used: count.describe('Requests counted today, for all keys of the account.'),
    remaining: count.describe('Requests left today.'),
    reset: z.iso.datetime().describe('When the quota resets: the next 00:00 UTC, as RFC 3339.'),
    days: z
      .array(z.object({ date: z.iso.date(), used: count }))
      .length(30)
      .describe('The last 30 days, oldest first, today last: the `date` in UTC, and the requests `used`.'),
  })
  .meta({ id: 'Usage', description: 'The quota of an account today, and its usage over the last 30 days.' })

const fieldErrors = z.record(z.string(), z.array(z.string()).min(1))

const problem = z
  .object({
    message: z.string().describe('The error in one plain sentence.'),
    errors: fieldErrors.optional().describe('Further details; usually absent.'),
  })
  .meta({ id: 'Problem', description: 'Why a request failed.' })

const invalidProblem = problem
  .extend({
    errors: fieldErrors.describe('The errors of each field; a spec filter is named `spec.<key>`.'),
  })
  .meta({ id: 'InvalidProblem', description: 'Which parameters are not valid, and why.' })

/** By name in the document. The schemas they are composed of have names of their own there. */
const answerSchemas = {
  ...catalogueSchemas,
  ...resolveSchemas,
  ...syncSchemas,
  ...webhookSchemas,
  UsageAnswer: z.object({ data: usage }).meta({ id: 'UsageAnswer' }),
  Problem: problem,
  InvalidProblem: invalidProblem,
}

const requestSchemas = { ...bodySchemas, ...resolveBodies }

/** The TypeScript type of the response with this name. */
export type Answer<Name extends keyof typeof answerSchemas> = z.infer<(typeof answerSchemas)[Name]>
export type AnswerName = keyof typeof answerSchemas
export type BodyName = keyof typeof requestSchemas
export type EventName = keyof typeof eventSchemas

/** All schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1, with references into the document's components. */
export function componentSchemas(): Record<string, object> {
  const { $defs } = z.toJSONSchema(z.object({ ...answerSchemas, ...requestSchemas, ...eventSchemas }), {
    // Describes what a caller has to expect, not what we would accept: so objects stay open.
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // The format already says it; the pattern would be a long regular expression.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
      delete jsonSchema.propertyNames
    },
  })
  return JSON.parse(JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
