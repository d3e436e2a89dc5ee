// The table of test projects: the name of each and the folders of its tests.

export interface Project {
  name: string
  folders: readonly string[]
}

export const testProjects: readonly Project[] = [
  { name: 'unit', folders: ['src', 'web'] },
  { name: 'search', folders: ['test/search'] },
  { name: 'house', folders: ['test/house'] },
  { name: 'conformance', folders: ['test/conformance'] },
  { name: 'api', folders: ['test/api'] },
  { name: 'clients', folders: ['test/clients'] },
  { name: 'sdk', folders: ['sdk/src', 'test/sdk'] },
  { name: 'cli', folders: ['test/cli'] },
  { name: 'faults', folders: ['test/faults'] },
  { name: 'bench', folders: ['test/bench'] },
  { name: 'browser', folders: ['test/browser'] },
]
