// Finds a free loopback port for a server that is about to start. Ports are taken from below the ephemeral range, so
// that no outgoing connection takes the port of a killed server before it restarts.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const portFirst = 20_000
const portLast = 32_000
const triesMax = 50

export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(portFirst, portLast)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${portFirst} and ${portLast} in ${triesMax} tries`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
