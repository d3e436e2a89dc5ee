// In charge of asking the examples, for the script that writes their answers down and the test that compares them. What
// an answer tells of the quota depends on what was asked before, so the order is settled here.
import { type PlanName, plans } from '../../access/plans.ts'
import { problems } from '../../errors.ts'
import { answerHeaders } from './answer-headers.ts'
import type { ExampleAnswer } from './examples.ts'
import { askerOf, ruleOf } from './operation-rules.ts'
import { type Example, type Operation, operations } from './operations.ts'

/** By an account of that plan, the same with every request. */
type Ask = (request: string, plan: PlanName) => Promise<Response>

/** So that the account has something to tell of its day. */
const requestsBefore = 12
const requestsMax = plans.platinum.requestsPerDay
const anyRequest = '/watches/1'
/** Whose day is told of, and spent. */
const usualPlan = 'free'
const spentStatus = problems.too_many_requests.status

/** For accounts whose day is new: what is free first, then the rest, and when the day is spent what is about that. */
export async function askExamples(ask: Ask): Promise<Record<string, ExampleAnswer>> {
  const examples = operations.flatMap((operation) =>
    operation.examples.map((example) => ({
      example,
      turn: turnOf(operation, example),
      plan: askerOf(operation),
    })),
  )
  const answers = new Map<string, ExampleAnswer>()
  const askThose = async (wanted: Turn) => {
    for (const { example, turn, plan } of examples) {
      if (turn !== wanted) continue
      answers.set(example.request, await toExampleAnswer(example, await ask(example.request, plan)))
    }
  }

  for (let asked = 0; asked < requestsBefore; asked++) await (await ask(anyRequest, usualPlan)).text()
  await askThose('free')
  await askThose('charged')
  await spendTheDay(ask)
  await askThose('spent')
  return Object.fromEntries(answers)
}

type Turn = 'free' | 'charged' | 'spent'

function turnOf(operation: Operation, { status }: Example): Turn {
  if (status === spentStatus) return 'spent'
  return ruleOf(operation).isFree ? 'free' : 'charged'
}

async function spendTheDay(ask: Ask): Promise<void> {
  for (let asked = 0; asked < requestsMax; asked++) {
    const response = await ask(anyRequest, usualPlan)
    await response.text()
    if (response.status === spentStatus) return
  }
}

/** What is kept of an answer. */
async function toExampleAnswer({ headers = [] }: Example, response: Response): Promise<ExampleAnswer> {
  const shown = headers.map((header) => {
    const { name } = answerHeaders[header]
    return [name, response.headers.get(name) ?? ''] as const
  })
  return {
    status: response.status,
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    body: await response.json(),
  }
}
