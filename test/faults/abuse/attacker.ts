// The process of an attacker: `node attacker.ts NUMBER TARGET` runs one attack and prints its result as JSON.
import os from 'node:os'
import type { Target } from './attack.ts'
import { attacks } from './attacks.ts'

// In reality the attacker has a machine of its own: it must not take the time of the honest caller's process.
os.setPriority(os.constants.priority.PRIORITY_LOW)
const [number, target] = process.argv.slice(2)
const told = await attacks[Number(number)]?.run(JSON.parse(target ?? '') as Target)
process.stdout.write(`RESULT ${JSON.stringify(told)}\n`, () => process.exit())
