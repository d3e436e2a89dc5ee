// Preloaded into the service (`--import`): SIGUSR2 switches the request log off and on, so that a benchmark can measure
// its cost within one process.
import { RequestLog } from '../../src/access/request-log/request-log.ts'

const { note } = RequestLog.prototype
let isSilent = false

RequestLog.prototype.note = function (call) {
  if (!isSilent) note.call(this, call)
}
// Each signal toggles the switch.
process.on('SIGUSR2', () => {
  isSilent = !isSilent
})
