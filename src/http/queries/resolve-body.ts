// Parses the body of POST /resolve: `{"texts": […]}` or the list alone. Each item is a text, or an object with a text
// and what else is known of the watch. All errors are reported at once, by their place in the list.
import { type FieldErrors, Problem } from '../../errors.ts'
import type { Title } from '../../search/resolve/resolve.ts'
import { fieldsOf } from './json-body.ts'

export const resolveLimits = { texts: 100, textLength: 500, brandLength: 128 } as const
/** Of the items with errors. */
const toldMax = 5

export function parseResolveBody(body: unknown): Title[] {
  const list = Array.isArray(body) ? body : (fieldsOf({ body }, 'texts').texts ?? [])
  if (!Array.isArray(list)) refuse({ texts: ['The texts must be a list.'] })
  if (list.length === 0) refuse({ texts: ['The texts field is required.'] })
  if (list.length > resolveLimits.texts)
    refuse({ texts: [`The texts may not have more than ${resolveLimits.texts} items.`] })
  const errors: Record<string, string[]> = {}
  const titles = list.map((item, at) => readItem(item, `texts.${at}`, errors))
  const told = Object.entries(errors).slice(0, toldMax)
  if (told.length > 0) refuse(Object.fromEntries(told))
  return titles
}

function readItem(item: unknown, place: string, errors: Record<string, string[]>): Title {
  if (typeof item === 'string') return { text: readText(item, place, resolveLimits.textLength, errors) }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    errors[place] = [`The ${place} must be a string, or an object with a text.`]
    return { text: '' }
  }
  const { text, brand, price } = item as Record<string, unknown>
  const isGiven = (value: unknown) => value !== undefined && value !== null
  if (isGiven(price) && !(typeof price === 'number' && price >= 0)) {
    errors[`${place}.price`] = [`The ${place}.price must be a number that is not negative.`]
  }
  return {
    text: readText(text, `${place}.text`, resolveLimits.textLength, errors),
    ...(isGiven(brand) && { brand: readText(brand, `${place}.brand`, resolveLimits.brandLength, errors) }),
    ...(typeof price === 'number' && { price }),
  }
}

function readText(value: unknown, place: string, max: number, errors: Record<string, string[]>): string {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    errors[place] = [`The ${place} field is required.`]
  else if (typeof value !== 'string') errors[place] = [`The ${place} must be a string.`]
  else if ([...value].length > max)
    errors[place] = [`The ${place} may not be greater than ${max} characters.`]
  else return value
  return ''
}

function refuse(errors: FieldErrors): never {
  throw new Problem('invalid', { errors })
}
