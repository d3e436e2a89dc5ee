import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { killImports } from './import.ts'

/** Kills during each of the two imports, and during an undo. */
const kills = runs(1, 2)

describeEachEngine(`kill -9 during an import or an undo (${3 * kills} kills; at night 6)`, (engine) => {
  it('leaves the catalogue as it was, row for row, or whole, and a rerun finishes it', async () => {
    const settings = { ...(await engine.settings('migrated')) }
    const report = await killImports({ name: engine.name, settings }, { kills, rows: 3_000 })
    expect(report.findings).toEqual([])
    expect(report.kills).toBe(3 * kills)
  })
})
