import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { killImports } from './import.ts'

/** Kills during an import of new prices, and during its undo; at night also during an import of new watches. */
const kills = runs(1, 2)
const firstKills = runs(0, 2)

describeEachEngine(
  `kill -9 during an import or an undo (${2 * kills + firstKills} kills; at night 6)`,
  (engine) => {
    it('leaves the catalogue as it was, row for row, or whole, and a rerun finishes it', async () => {
      const settings = { ...(await engine.settings('migrated')) }
      const report = await killImports({ name: engine.name, settings }, { kills, firstKills, rows: 2_000 })
      expect(report.findings).toEqual([])
      expect(report.kills).toBe(2 * kills + firstKills)
    })
  },
)
