// Tests the exclusive locks of long-running work: they hold across connections and processes, and end with their
// holder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { compileCache } from '../compile-cache.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { freshConfig, openUnmigrated } from '../databases/open-database.ts'

describeEachEngine('an exclusive lock', (engine) => {
  test('is held by one at a time, and the next is notified that it waits', async () => {
    const config = await freshConfig(engine)
    const [one, other] = [await openUnmigrated(config), await openUnmigrated(config)]
    const order: string[] = []
    const begun = Promise.withResolvers<void>()
    const waits = Promise.withResolvers<void>()
    const first = one.withExclusiveLock('catalogue', async () => {
      begun.resolve()
      await waits.promise
      order.push('first')
    })
    await begun.promise
    const onWait = () => waits.resolve()
    await other.withExclusiveLock('catalogue', async () => void order.push('second'), { onWait })
    await first
    expect(order).toEqual(['first', 'second'])
  })

  test('of another name can be held at the same time', async () => {
    const config = await freshConfig(engine)
    const [one, other] = [await openUnmigrated(config), await openUnmigrated(config)]
    const inside = await one.withExclusiveLock('catalogue', () =>
      other.withExclusiveLock('something', async () => 'both'),
    )
    expect(inside).toBe('both')
  })

  test('is released when the work fails', async () => {
    const database = await openUnmigrated(await freshConfig(engine))
    const failing = database.withExclusiveLock('catalogue', () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(await database.withExclusiveLock('catalogue', async () => 'next')).toBe('next')
  })

  test('is released when the process that holds it ends, even by SIGKILL', async () => {
    const config = await freshConfig(engine)
    const database = await openUnmigrated(config)
    const holder = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
      cwd: import.meta.dirname,
      env: {
        PATH: process.env.PATH,
        ...compileCache,
        DATA_DIR: config.dataDir,
        ...(config.databaseUrl === undefined ? {} : { DATABASE_URL: config.databaseUrl }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    const onWait = () => void holder.kill('SIGKILL')
    expect(await database.withExclusiveLock('catalogue', async () => 'mine', { onWait })).toBe('mine')
  })
})

/** Takes the lock, reports it and holds it. */
const program = `
  import { parseConfig } from '${import.meta.dirname}/../../src/config.ts'
  import { openLog } from '${import.meta.dirname}/../../src/log.ts'
  import { openDatabase } from '${import.meta.dirname}/../../src/storage/open-database.ts'
  const config = parseConfig({ ...process.env, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  await database.withExclusiveLock('catalogue', () => new Promise(() => {
    process.stdout.write('held')
    setInterval(() => {}, 1_000)
  }))
`
