// Preloaded into a measured server (`node --import`): prints for every second the longest time for which its
// event loop did not come round, and how much CPU its thread had meanwhile: much less says that it was kept
// waiting by others. A timer of its own, because the metric's histogram counts its own 10 ms as delay and
// loses what happens just after it is read.

import { isMainThread } from 'node:worker_threads'

const tickMs = 1
const reportMs = 1_000

let last = performance.now()
let lastCpuMs = threadCpuMs()
let longest = { wallMs: 0, cpuMs: 0 }
let reportAtMs = last + reportMs

// The thread that builds the index is preloaded as well, and may block its own loop.
if (isMainThread) setInterval(look, tickMs).unref()

function look(): void {
  const now = performance.now()
  const cpuMs = threadCpuMs()
  if (now - last - tickMs > longest.wallMs)
    longest = { wallMs: now - last - tickMs, cpuMs: cpuMs - lastCpuMs }
  last = now
  lastCpuMs = cpuMs
  if (now < reportAtMs) return
  process.stdout.write(`LOOP ${JSON.stringify(longest)}\n`)
  longest = { wallMs: 0, cpuMs: 0 }
  reportAtMs = now + reportMs
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
