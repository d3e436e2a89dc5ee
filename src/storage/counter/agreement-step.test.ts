// Tests the steps by which processes agree on where to count, with every process seeing what it likes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Agreed, type Live, nextStep } from './agreement-step.ts'

const servers = fc.option(fc.constantFrom('one', 'two'), { nil: undefined })
const processes = fc.array(fc.record({ redisId: servers, generation: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 1,
  maxLength: 4,
})
const states = fc.record({
  generation: fc.integer({ min: 1, max: 3 }),
  redisId: servers,
  isSettled: fc.boolean(),
  ageMs: fc.integer({ min: 0, max: 3_000 }),
})

function liveOf(seen: readonly Omit<Live, 'id'>[]): Live[] {
  return seen.map((one, at) => ({ id: String(at), ...one }))
}

test('Redis counts only where every live process reaches the same one', () => {
  fc.assert(
    fc.property(states, processes, (agreed, seen) => {
      const step = nextStep(agreed, liveOf(seen))
      const isReached = (id: string | undefined) => seen.every(({ redisId }) => redisId === id)
      if (agreed.redisId !== undefined && !isReached(agreed.redisId)) {
        expect(step).toEqual({ kind: 'move', generation: agreed.generation + 1, redisId: undefined })
      }
      if (step?.kind === 'move' && step.redisId !== undefined) expect(isReached(step.redisId)).toBe(true)
    }),
  )
})

test('a generation is settled only when every live process has joined it', () => {
  fc.assert(
    fc.property(states, processes, (agreed, seen) => {
      const step = nextStep(agreed, liveOf(seen))
      if (step?.kind !== 'settle') return
      expect(seen.every(({ generation }) => generation >= agreed.generation)).toBe(true)
    }),
  )
})

test('whatever the processes see, they come to rest after a few steps, where all of them can count', () => {
  fc.assert(
    fc.property(states, processes, (start, seen) => {
      let agreed: Agreed = start
      let live = liveOf(seen)
      for (let steps = 0; steps < 8; steps++) {
        const step = nextStep(agreed, live)
        if (step?.kind === 'move') {
          agreed = { ...step, isSettled: false, ageMs: 0 }
          live = live.map((one) => ({ ...one, generation: agreed.generation }))
        } else if (step?.kind === 'settle') agreed = { ...agreed, isSettled: true }
        agreed = { ...agreed, ageMs: agreed.ageMs + 1_000 }
        if (!agreed.isSettled) {
          live = live.map((one) => ({ ...one, generation: Math.max(one.generation, agreed.generation) }))
        }
      }
      expect(nextStep(agreed, live)).toBeUndefined()
      const same = new Set(seen.map(({ redisId }) => redisId))
      expect(agreed).toMatchObject({ isSettled: true, redisId: same.size === 1 ? [...same][0] : undefined })
    }),
  )
})
