// Refuses a file that names the currency of its prices only after them, when they are read.
import { Failure } from '../errors.ts'

/** `currency`: that of prices without one, as the operator gives it; `assumed`: how many prices had none. */
export function refuseLateCurrency(
  file: string,
  late: string | undefined,
  { currency, assumed }: { readonly currency: string | undefined; readonly assumed: number },
): void {
  if (late === undefined || currency !== undefined || assumed === 0) return
  throw new Failure(`${file} names the currency of its prices after them (${late}): give it by --currency.`)
}
