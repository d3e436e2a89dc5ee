// In charge of what is said of a parameter that is none of what it may be.
import { addError, type QueryErrors, spoken } from '../../search/query/paging.ts'

export function refuseChoice(errors: QueryErrors, field: string, choices: readonly string[]): void {
  const may = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  addError(errors, field, `The selected ${spoken(field)} is invalid: it may be ${may}.`)
}
