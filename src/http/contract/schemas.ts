// In charge of the shape of every answer, as schemas: the OpenAPI document is made from them, the tests hold real
// answers against them, and the types of those who call us are theirs. Zod takes its time to load, so whatever
// serves requests imports only types from here.
import * as z from 'zod'
import { planNames } from '../../access/plans/plans.ts'
import { catalogueSchemas } from './schemas/catalogue-schemas.ts'
import { eventSchemas } from './schemas/event-schemas.ts'
import { count } from './schemas/schema-parts.ts'
import { syncSchemas } from './schemas/sync-schemas.ts'
import { bodySchemas, webhookSchemas } from './schemas/webhook-schemas.ts'

export type {
  Brand,
  FilterReading,
  PriceLine,
  SpecKey,
  ValueCount,
  Watch,
} from './schemas/catalogue-schemas.ts'
export type { Attempt, Delivery, DeliveryDetails, Webhook } from './schemas/webhook-schemas.ts'

const usage = z
  .object({
    plan: z.enum(planNames).meta({ description: 'The plan of the account.' }),
    limit: count.meta({ description: 'Requests a day of the plan.' }),
    used: count.meta({ description: 'Requests of the account that were counted today, with all its keys.' }),
    remaining: count.meta({ description: 'Requests left today.' }),
    reset: z.iso.datetime().meta({ description: 'When the next day begins: 00:00 UTC, as RFC 3339.' }),
    days: z
      .array(z.object({ date: z.iso.date(), used: count }))
      .length(30)
      .meta({
        description:
          'The last 30 days, the oldest first and today last: the `date` in UTC, and what was `used`.',
      }),
  })
  .meta({ id: 'Usage', description: 'Where an account stands today, and its last 30 days.' })

const fieldErrors = z.record(z.string(), z.array(z.string()).min(1))

const problem = z
  .object({
    message: z.string().meta({ description: 'One plain sentence.' }),
    errors: fieldErrors.optional().meta({ description: 'What more there is to say; mostly absent.' }),
  })
  .meta({ id: 'Problem', description: 'Why a request was not answered.' })

const invalidProblem = problem
  .extend({
    errors: fieldErrors.meta({
      description: 'For each field what is wrong with it; a spec filter is named `spec.<key>`.',
    }),
  })
  .meta({ id: 'InvalidProblem', description: 'Which parameters are not valid, and why.' })

/** By the name that each has in the document; what they are made of is in it by its own. */
const answerSchemas = {
  ...catalogueSchemas,
  ...syncSchemas,
  ...webhookSchemas,
  UsageAnswer: z.object({ data: usage }).meta({ id: 'UsageAnswer' }),
  Problem: problem,
  InvalidProblem: invalidProblem,
}

/** The schema of the answer with this name, as TypeScript. */
export type Answer<Name extends keyof typeof answerSchemas> = z.infer<(typeof answerSchemas)[Name]>
export type AnswerName = keyof typeof answerSchemas
export type BodyName = keyof typeof bodySchemas
export type EventName = keyof typeof eventSchemas

export type Usage = z.infer<typeof usage>

/** Every schema as JSON Schema 2020-12, which is OpenAPI 3.1's, with references into its components. */
export function componentSchemas(): Record<string, object> {
  const { $defs } = z.toJSONSchema(z.object({ ...answerSchemas, ...bodySchemas, ...eventSchemas }), {
    // What a caller has to expect, not what we would take: so objects stay open.
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // The format says it already, in less than three lines of expression.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
      delete jsonSchema.propertyNames
    },
  })
  return JSON.parse(JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
