// Tells which keys of an object are array indexes. JavaScript puts these first in any object, in numeric order.
const indexShape = /^(?:0|[1-9]\d{0,9})$/
const indexMax = 2 ** 32 - 2

export function isIndexKey(key: string): boolean {
  return indexShape.test(key) && Number(key) <= indexMax
}
