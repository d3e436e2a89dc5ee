// Every attack of the drill, in the order in which they are numbered.
import type { Attack } from './attack.ts'
import { dearViews, freeDay, freeRequestsOnly, guesses, letters } from './dear-requests.ts'
import { idleConnections, pipelinedReaders, slowReaders } from './slow-clients.ts'
import { slowhttptestAttacks } from './slowhttptest.ts'
import { rebirths, scraper, signUps } from './strangers.ts'

export const attacks: readonly Attack[] = [
  freeDay,
  dearViews,
  letters,
  pipelinedReaders,
  slowReaders,
  idleConnections,
  guesses,
  freeRequestsOnly,
  scraper,
  signUps,
  rebirths,
  ...slowhttptestAttacks,
]
