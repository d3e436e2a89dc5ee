// Preloaded into a measured server (`node --import`): prints for every second the longest time for which its
// event loop did not come round. A timer of its own, because the metric's histogram counts its own 10 ms as
// delay and loses what happens just after it is read.

const tickMs = 1
const reportMs = 1_000

let last = performance.now()
let longestMs = 0
let reportAtMs = last + reportMs

setInterval(() => {
  const now = performance.now()
  longestMs = Math.max(longestMs, now - last - tickMs)
  last = now
  if (now < reportAtMs) return
  process.stdout.write(`LOOP ${longestMs.toFixed(1)}\n`)
  longestMs = 0
  reportAtMs = now + reportMs
}, tickMs).unref()
