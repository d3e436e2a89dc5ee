// Starts nginx as the second baseline: one process on the server's core that sends one static file.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../test/programs/free-port.ts'
import { obtainBinary } from '../../test/programs/obtain-binary.ts'
import { BenchProcess } from '../measure/processes.ts'

const lifeMaxMs = 3_600_000
const readyMaxMs = 5_000
const pollMs = 50

export interface Nginx {
  readonly process: BenchProcess
  readonly url: string
  readonly pathsFile: string
}

/** Returns the reason as a string if nginx is not available. */
export async function startNginx(directory: string, body: Buffer): Promise<Nginx | string> {
  const nginx = await obtainBinary({ names: ['nginx'], directories: ['/usr/sbin'] }, 'nginx-light')
  if (!nginx.found) return nginx.reason
  mkdirSync(directory, { recursive: true })
  const port = await findFreePort()
  const pathsFile = path.join(directory, 'paths')
  writeFileSync(path.join(directory, 'body.json'), body)
  writeFileSync(pathsFile, '/body.json\n')
  writeFileSync(path.join(directory, 'nginx.conf'), configuration(directory, port))
  const process_ = new BenchProcess([nginx.path, '-e', 'stderr', '-c', path.join(directory, 'nginx.conf')], {
    core: 'server',
    maxMs: lifeMaxMs,
  })
  try {
    await untilAnswers(`http://127.0.0.1:${port}/body.json`)
  } catch (error) {
    await process_.stop()
    throw error
  }
  return { process: process_, url: `http://127.0.0.1:${port}`, pathsFile }
}

async function untilAnswers(url: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < readyMaxMs; waitedMs += pollMs) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return void (await response.arrayBuffer())
    await delay(pollMs)
  }
  throw new Error(`nginx does not respond after ${readyMaxMs} ms`)
}

/** Without a master process, so that killing the one process that we started ends nginx. */
function configuration(directory: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${directory}/${name};`,
  )
  return `daemon off;
master_process off;
pid ${directory}/nginx.pid;
events { worker_connections 1024; }
http {
${temporary.join('\n')}
  access_log off;
  default_type application/json;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    root ${directory};
  }
}
`
}
