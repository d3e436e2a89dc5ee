import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { killImports } from './import.ts'

/** Kills during each of the two imports. */
const kills = runs(1, 2)

describeEachEngine(`kill -9 during an import (${2 * kills} kills; at night 4)`, (engine) => {
  it('a rerun produces the catalogue and the change log of one uninterrupted import', async () => {
    const settings = { ...(await engine.settings('migrated')) }
    const report = await killImports({ name: engine.name, settings }, { kills, rows: 3_000 })
    expect(report.findings).toEqual([])
    expect(report.kills).toBe(2 * kills)
  })
})
