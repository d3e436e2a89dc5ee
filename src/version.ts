// The version of the package, read once.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from './config.ts'

const manifest: { version: string } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))
export const version = manifest.version
