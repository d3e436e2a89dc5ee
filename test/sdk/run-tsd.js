// Runs tsd in the current folder as its command does, without the work that it throws away: tsd has TypeScript check every
// declaration of Node and of the language, and then drops what was found below node_modules.
import { createRequire } from 'node:module'
import path from 'node:path'

// Taken away: tsd has arguments of its own.
const [modules = ''] = process.argv.splice(2)
const load = createRequire(path.join(modules, 'tsd/package.json'))
const typescript = load('@tsd/typescript')
/** As in tsd's own filter. */
const notUnderTest = /[/\\]node_modules[/\\]/

/** @param {...unknown} args */
function createProgram(...args) {
  const program = typescript.createProgram(...args)
  const check = program.getSemanticDiagnostics
  const getSemanticDiagnostics = () =>
    program
      .getSourceFiles()
      .filter((/** @type {{ fileName: string }} */ { fileName }) => !notUnderTest.test(fileName))
      .flatMap((/** @type {object} */ file) => check(file))
  return Object.assign(program, { getSemanticDiagnostics })
}

// What the compiler exports cannot be set.
const loaded = load.cache[load.resolve('@tsd/typescript')]
if (loaded === undefined) throw new Error('the compiler of tsd was not found')
loaded.exports = Object.create(typescript, { createProgram: { value: createProgram } })
load(path.join(modules, 'tsd/dist/cli.js'))
