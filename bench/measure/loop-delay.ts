// Preloaded into the measured server (`node --import`): prints the longest time that the event loop was blocked, and how
// much CPU time its thread used meanwhile, once a second and at SIGUSR2. Much less CPU time means that other threads or
// programs kept it waiting. It uses its own timer, because the histogram of the metric counts its own 10 ms as delay and
// misses what happens just after it is read.

import { isMainThread } from 'node:worker_threads'

const tickMs = 1
const reportMs = 1_000

let last = performance.now()
let lastCpuMs = threadCpuMs()
let longest = { wallMs: 0, cpuMs: 0 }
let reportAtMs = last + reportMs

// Node preloads this module into the worker thread that builds the index as well; that thread may block its loop.
if (isMainThread) {
  setInterval(look, tickMs).unref()
  process.on('SIGUSR2', () => {
    look()
    report()
  })
}

function look(): void {
  const now = performance.now()
  const cpuMs = threadCpuMs()
  if (now - last - tickMs > longest.wallMs)
    longest = { wallMs: now - last - tickMs, cpuMs: cpuMs - lastCpuMs }
  last = now
  lastCpuMs = cpuMs
  if (now >= reportAtMs) report()
}

function report(): void {
  process.stdout.write(`LOOP ${JSON.stringify(longest)}\n`)
  longest = { wallMs: 0, cpuMs: 0 }
  reportAtMs = last + reportMs
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
