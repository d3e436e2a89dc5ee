// The receiver of the webhooks benchmark: reads and counts each POST and responds with 204. GET returns the count.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let count = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(count))
    return
  }
  request.resume().once('end', () => {
    count++
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`)
})
