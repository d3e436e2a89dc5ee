// In charge of the process that runs one command: whom it writes for, and the code it exits with.
import { exitCodes, run } from './program.js'

// Whoever reads us may have read enough (`watchdata settings | head`).
process.stdout.on('error', (error) =>
  process.exit('code' in error && error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
)
process.stderr.on('error', () => {})
process.exitCode = await run(process.argv)
