// In charge of the table of test projects: where each one's tests live and which outside programs they need.
import type { ProgramName } from './programs/program.ts'

export interface Project {
  name: string
  folders: readonly string[]
  needs: readonly ProgramName[]
}

export const testProjects: readonly Project[] = [
  { name: 'unit', folders: ['src', 'web'], needs: [] },
  { name: 'search', folders: ['test/search'], needs: [] },
  { name: 'house', folders: ['test/house'], needs: [] },
  { name: 'conformance', folders: ['test/conformance'], needs: ['postgres', 'redis'] },
  { name: 'api', folders: ['test/api'], needs: ['postgres', 'redis'] },
  { name: 'cli', folders: ['test/cli'], needs: ['postgres', 'redis'] },
  { name: 'faults', folders: ['test/faults'], needs: ['postgres', 'redis'] },
  { name: 'browser', folders: ['test/browser'], needs: ['postgres', 'redis', 'chromium'] },
]
