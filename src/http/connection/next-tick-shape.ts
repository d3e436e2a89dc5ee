// In charge of `process.nextTick` staying as quick as it is, which every request calls several times. V8 forgets the
// shape of objects of which there are none; when a collection happens to run while no tick is waiting, the code that
// makes them finds another shape than it knows, and makes every later one ten times as slowly. One tick is kept.
import { createHook } from 'node:async_hooks'

let kept: object | undefined

export function keepNextTickShape(): void {
  if (kept !== undefined) return
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept = resource
    },
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
}
