// In charge of a service that can be told to write down no requests, and to do so again: loaded before it (`--import`), so
// that a benchmark can tell what the log of requests costs within one and the same process.
import { RequestLog } from '../../src/access/request-log/request-log.ts'

const { note } = RequestLog.prototype
let isSilent = false

RequestLog.prototype.note = function (call) {
  if (!isSilent) note.call(this, call)
}
// Each one changes it to the other.
process.on('SIGUSR2', () => {
  isSilent = !isSilent
})
