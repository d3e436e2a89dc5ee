// Starts a program of the rig (haproxy, pgbouncer, Redis) in a directory of its own, with a configuration file.
import { chown, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { obtainBinary } from '../../../programs/obtain-binary.ts'
import { findPlainAccount } from '../../../programs/postgres.ts'
import { type ServerProcess, startServer } from '../../../programs/server-process.ts'
import { RowSkipped } from '../fault.ts'

export interface DaemonPlan {
  readonly name: string
  readonly packageName: string
  readonly port: number
  /** The text of the configuration, given the directory in which it is. */
  readonly config: (directory: string) => string
  readonly args: (configFile: string) => readonly string[]
  /** For programs that refuse to run as root. */
  readonly isPlain?: boolean
}

const connectMaxMs = 500

export async function startDaemon(plan: DaemonPlan): Promise<ServerProcess> {
  const binary = await obtainBinary({ names: [plan.name], directories: ['/usr/sbin'] }, plan.packageName)
  if (!binary.found) throw new RowSkipped(`${plan.name} is missing: ${binary.reason}`)
  const directory = await mkdtemp(path.join(tmpdir(), `watchdata-${plan.name}-`))
  const configFile = path.join(directory, `${plan.name}.conf`)
  await writeFile(configFile, plan.config(directory))
  const account = plan.isPlain ? await findPlainAccount() : undefined
  if (account) {
    for (const file of [directory, configFile]) await chown(file, account.uid, account.gid)
  }
  return startServer({
    path: binary.path,
    args: plan.args(configFile),
    directory,
    ...(account && { account }),
    stopSignal: 'SIGTERM',
    answers: () => accepts(plan.port),
  })
}

function accepts(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', timeout: connectMaxMs })
  return new Promise((resolve) => {
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false)).once('error', () => end(false))
  })
}
