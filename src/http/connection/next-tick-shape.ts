// Keeps `process.nextTick`, which every request calls several times, fast. V8 discards the hidden class of objects of
// which none is alive: if a garbage collection runs while no tick is queued, the optimised code meets a new hidden
// class and creates every later tick object ten times as slowly. One tick object is retained to prevent that.
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
