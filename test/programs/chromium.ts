// Finds a Chromium for the browser tests: the one named by TEST_CHROMIUM, an installed one, or one from apt-get.
// Only checks its version; the tests launch it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { obtainBinary } from './obtain-binary.ts'
import { missing, type Program, reasonOf } from './program.ts'

const versionMaxMs = 20_000
// chromium-headless-shell renders no window, and uses a quarter less CPU.
const binaries = { names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'] }

const run = promisify(execFile)

export async function findChromium(): Promise<Program> {
  const named = process.env.TEST_CHROMIUM
  if (named) return examine(named, 'TEST_CHROMIUM')
  const binary = await obtainBinary(binaries, 'chromium-headless-shell')
  if (!binary.found) return missing('chromium', binary.reason)
  return examine(binary.path, `found at ${binary.path}${binary.installed ? ', from apt-get' : ''}`)
}

// Some systems ship a stub that only says to install a snap, so an existing file is not enough.
async function examine(path: string, origin: string): Promise<Program> {
  try {
    await run(path, ['--version'], { timeout: versionMaxMs })
    return { name: 'chromium', available: true, address: path, origin, stop: async () => {} }
  } catch (error) {
    return missing('chromium', `${path} --version failed (${reasonOf(error).split('\n')[0]})`)
  }
}
