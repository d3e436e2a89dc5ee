// Adds the error for a parameter whose value is none of the allowed ones.
import { addError, type QueryErrors, spoken } from '../../search/query/paging.ts'

export function refuseChoice(errors: QueryErrors, field: string, choices: readonly string[]): void {
  const may = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  addError(errors, field, `The selected ${spoken(field)} is invalid: it may be ${may}.`)
}
