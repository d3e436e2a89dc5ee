// The entry point of the watchdata process: runs one command, sets the exit code, and handles closed output pipes.
import { exitCodes, run } from './program.js'

// The reader may close the pipe early (`watchdata settings | head`).
process.stdout.on('error', (error) =>
  process.exit('code' in error && error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
)
process.stderr.on('error', () => {})
process.exitCode = await run(process.argv)
