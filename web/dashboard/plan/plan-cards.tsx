// Shows the plans as cards: what each includes, and the button that requests it.
import type { PlanOffer, PlanRequest } from '../../account-api.ts'
import { Mark } from '../parts/mark.tsx'
import { linesOf, priceOf } from './plan-compare.ts'

interface PlanCardsProps {
  readonly plans: readonly PlanOffer[]
  readonly current: PlanOffer | undefined
  readonly waiting: PlanRequest | undefined
  readonly onAsk: (plan: PlanOffer) => void
}

export function PlanCards({ plans, current, waiting, onAsk }: PlanCardsProps) {
  return (
    <section class="stack" aria-labelledby="plan-cards">
      <h2 id="plan-cards">Compare plans</h2>
      <ul class="plan-cards">
        {plans.map((plan) => (
          <li key={plan.id} class={plan.id === current?.id ? 'plan-card plan-current' : 'plan-card'}>
            <h3>{plan.name}</h3>
            <p class="plan-price">{priceOf(plan)}</p>
            <dl>
              {linesOf(plan).map(({ name, extent }) => (
                <div key={name} class={extent === undefined ? 'plan-lacking' : undefined}>
                  <dt>{name}</dt>
                  <dd>{extent ?? 'No'}</dd>
                </div>
              ))}
            </dl>
            <p class="plan-action">
              {plan.id === current?.id ? (
                <Mark tone="good">Your plan</Mark>
              ) : plan.id === waiting?.plan ? (
                <Mark tone="waiting">Requested</Mark>
              ) : (
                <button type="button" class={buttonClass(plan, current)} onClick={() => onAsk(plan)}>
                  Request {plan.name}
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function buttonClass(plan: PlanOffer, current: PlanOffer | undefined): string {
  return plan.usdPerMonth < (current?.usdPerMonth ?? 0) ? 'button quiet' : 'button'
}
