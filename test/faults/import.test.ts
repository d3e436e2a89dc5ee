import { expect, it } from 'vitest'
import { describeEachEngine } from '../engines.ts'
import { killImports } from './import.ts'

/** Ten processes start, beside whatever else the machine does. */
const maxMs = 120_000

describeEachEngine('kill -9 during an import', (engine) => {
  it(
    'a rerun ends with the catalogue and the log of one undisturbed import',
    async () => {
      const settings = { ...(await engine.settings('migrated')) }
      const report = await killImports({ name: engine.name, settings }, { kills: 3, rows: 3_000 })
      expect(report.findings).toEqual([])
      expect(report.kills).toBeGreaterThan(0)
    },
    maxMs,
  )
})
