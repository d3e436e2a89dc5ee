import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { killImports } from './import.ts'

/** Of each of the two files. */
const kills = 2

describeEachEngine('kill -9 during an import', (engine) => {
  it('a rerun ends with the catalogue and the log of one undisturbed import', async () => {
    const settings = { ...(await engine.settings('migrated')) }
    const report = await killImports({ name: engine.name, settings }, { kills, rows: 3_000 })
    expect(report.findings).toEqual([])
    expect(report.kills).toBe(2 * kills)
  })
})
