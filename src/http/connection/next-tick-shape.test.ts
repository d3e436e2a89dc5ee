import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prints whether the retained tick object, and another one, are still there after a garbage collection. */
const program = `
  import { createHook } from 'node:async_hooks'
  import { setTimeout } from 'node:timers/promises'
  import { keepNextTickShape } from ${JSON.stringify(path.join(import.meta.dirname, 'next-tick-shape.ts'))}
  const ticks = []
  const hook = createHook({
    init(_id, type, _trigger, tick) {
      if (type === 'TickObject') ticks.push(new WeakRef(tick))
    },
  }).enable()
  keepNextTickShape()
  process.nextTick(() => {})
  hook.disable()
  await setTimeout(10)
  gc()
  console.log(JSON.stringify(ticks.map((tick) => tick.deref() !== undefined)))
`

test('one tick object survives every garbage collection, and with it the hidden class of all', async () => {
  const flags = ['--expose-gc', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  expect(JSON.parse(stdout)).toEqual([true, false])
})
