import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

/** Prints the name and the niceness of each thread of the process. */
const printThreads = `
import { readdirSync, readFileSync } from 'node:fs'
for (const thread of readdirSync('/proc/self/task')) {
  const [, name, rest] = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').match(/\\((.*)\\) (.*)/)
  console.log(name, rest.split(' ')[16])
}`

describe.runIf(process.platform === 'linux')('the priority of threads', () => {
  test('is lower for the threads of V8 than for the one that serves requests', () => {
    const module = path.join(import.meta.dirname, 'thread-priority.ts')
    const script = `import { lowerPriorityOfV8 } from ${JSON.stringify(module)}\nlowerPriorityOfV8()${printThreads}`
    const args = ['--v8-pool-size=1', '--input-type=module', '--eval', script]
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n')
    const threads = printed.map((line) => line.split(' ') as [name: string, niceness: string])
    const own = Number(threads.find(([name]) => name === 'node-MainThread')?.[1])
    const v8 = threads.filter(([name]) => name === 'node-V8Worker').map(([, niceness]) => Number(niceness))
    expect(v8).toEqual([Math.max(own, 5)])
  })
})
