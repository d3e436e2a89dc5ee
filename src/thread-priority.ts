// Lowers the priority of threads that serve no requests, so that on a busy core they take little of the time of the one
// that does. Only on Linux: elsewhere a thread has the priority of its process.
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** The calling thread. */
const self = 0
const tasks = '/proc/self/task'
/** The name of the threads in which V8 marks its heap and compiles. */
const v8Name = 'node-V8Worker'
/** About a third of the weight of a thread that serves requests: compiled code is needed soon. */
const v8Niceness = 5

export function lowerPriority(niceness: number): void {
  lower(self, niceness)
}

/**
 * Without this, on a single core, each marking of a large heap takes half of the time from the requests for about
 * 100 ms.
 */
export function lowerPriorityOfV8(): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync(tasks)) {
    if (nameOf(thread) === v8Name) lower(Number(thread), v8Niceness)
  }
}

function nameOf(thread: string): string {
  try {
    return readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim()
  } catch {
    // The thread has ended.
    return ''
  }
}

function lower(thread: number, niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    if (getPriority(thread) < niceness) setPriority(thread, niceness)
  } catch {
    // A sandbox may forbid it, and the thread may have ended.
  }
}
