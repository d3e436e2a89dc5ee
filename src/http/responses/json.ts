// The bytes of a JSON body.

export function jsonOf(body: object): Buffer {
  return Buffer.from(JSON.stringify(body))
}
