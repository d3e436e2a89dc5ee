// A response that notes what its connection owes once the response is handed to Node. Where the operating system takes
// everything at once, as nearly always, there is nothing to note.
import { ServerResponse } from 'node:http'
import { noteOwed } from './peer.ts'
import { whenDone } from './pipeline.ts'
import type { LazyRequest } from './request.ts'

export class TrackedResponse extends ServerResponse<LazyRequest> {
  override [whenDone]: (() => void) | undefined = undefined

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    super.end(chunk, encoding as BufferEncoding, callback as () => void)
    const { socket } = this
    if (socket !== null && socket.writableLength > 0) noteOwed(socket)
    return this
  }
}
