// Finds a program on this machine, or installs it with apt-get if it is missing.
import { installPackage } from './apt.ts'
import { type BinarySearch, findBinary } from './binaries.ts'

export type ObtainedBinary =
  | { found: true; path: string; installed: boolean }
  | { found: false; reason: string }

export async function obtainBinary(search: BinarySearch, packageName: string): Promise<ObtainedBinary> {
  const present = findBinary(search)
  if (present) return { found: true, path: present, installed: false }
  const apt = await installPackage(packageName)
  if (!apt.installed) return { found: false, reason: `${describe(search)}, and ${apt.reason}` }
  const path = findBinary(search)
  if (path) return { found: true, path, installed: true }
  return { found: false, reason: `${describe(search)}, not even after installing ${packageName}` }
}

function describe(search: BinarySearch): string {
  return `no ${search.names.join(' or ')} on ${['PATH', ...(search.directories ?? [])].join(' or in ')}`
}
