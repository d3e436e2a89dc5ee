// `npm run bench -- start`: measures how long `watchdata --help` takes, and how long a second start with the sample
// catalogue takes until it is ready. Prints medians of 15 runs, compared with a bare `node -e 0`.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const runs = 15
const command = path.resolve(import.meta.dirname, '../bin/watchdata')

export async function benchStart(): Promise<void> {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'watchdata-bench-'))
  try {
    const bareMs = await median(async () => timed(process.execPath, ['-e', '0']))
    const helpMs = await median(async () => timed(command, ['--help']))
    await startAndStop(DATA_DIR)
    const secondStartMs = await median(() => startAndStop(DATA_DIR))
    const line = (name: string, ms: number) =>
      `${name.padEnd(22)} ${ms.toFixed(0).padStart(5)} ms  ${(ms / bareMs).toFixed(1).padStart(5)} × bare node\n`
    process.stdout.write(
      line('bare node', bareMs) +
        line('watchdata --help', helpMs) +
        line('second start, ready', secondStartMs),
    )
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
}

/** Returns the time until the server reports that it is ready. Waits until the server has exited. */
async function startAndStop(DATA_DIR: string): Promise<number> {
  const startedMs = performance.now()
  const child = spawn(command, ['serve', '--json'], {
    env: { ...process.env, DATA_DIR, PORT: '0', DRAIN_MS: '0' },
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('"dashboard"') && resolve())
  })
  const readyMs = performance.now() - startedMs
  child.kill('SIGTERM')
  await closed
  return readyMs
}

function timed(program: string, args: string[]): number {
  const startedMs = performance.now()
  spawnSync(program, args)
  return performance.now() - startedMs
}

async function median(run: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < runs; index++) times.push(await run())
  return times.sort((one, other) => one - other)[Math.floor(runs / 2)] ?? 0
}
