// Faults of the watchdata processes: deploys, kills and wrong clocks.
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const quietMs = 5_000
/** haproxy needs two checks, one every 2 s, until it sends requests again. */
const checkedAgainMs = 5_000

export const quiet: Fault = {
  name: 'none',
  description: 'nothing happens',
  seconds: 5,
  mayFail: 'none',
  strike: () => delay(quietMs),
}

export function rollingRestarts(count: number): Fault {
  return {
    name: 'restarts',
    description: `${count} rolling restarts behind haproxy with its default checks`,
    seconds: count * 5,
    mayFail: 'none',
    async strike({ rig, note }) {
      for (let done = 0; done < count; done++) await rig.processes[done % rig.processes.length]?.restart(note)
    },
  }
}

export const kills: Fault = {
  name: 'kill',
  description: 'each process killed and started again at once',
  seconds: 30,
  mayFail: 'in flight',
  async strike({ rig, note }) {
    for (const one of rig.processes) {
      await one.killAndStart(note)
      await delay(checkedAgainMs)
    }
  },
}

export const wrongClocks: Fault = {
  name: 'clocks',
  description: 'one process with a clock 90 s ahead, one with a clock a day ahead',
  rig: { clocks: ['+90s', '+1d'] },
  seconds: 5,
  mayFail: 'none',
  strike: () => delay(quietMs),
}
