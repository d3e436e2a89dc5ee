// The caller of a connection's last request. The property exists from the beginning of the connection: if sockets got it
// only once their caller is known, V8 would discard the compiled code of the whole request path when it meets a socket
// without it, as after a quiet time, when no key is cached.
import type { Socket } from 'node:net'
import type { CachedCaller } from '../../access/keys/key-cache.ts'

interface RememberedCaller extends CachedCaller {
  /** The Authorization header that named the caller. */
  readonly header: string
}

/** A property, because it costs less than a WeakMap. */
export const rememberedCaller = Symbol('remembered caller')

declare module 'node:net' {
  interface Socket {
    [rememberedCaller]?: RememberedCaller | undefined
  }
}

/** Call it when the connection opens. */
export function rememberNobody(socket: Socket): void {
  socket[rememberedCaller] = undefined
}
