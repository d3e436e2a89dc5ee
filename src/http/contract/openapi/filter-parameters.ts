// Builds the OpenAPI parameters of filters: `spec`, and one parameter for each operator of a price. They are declared in
// the spelling of one level, because generated clients write nothing deeper: an object below `spec` would be sent as
// `[object Object]`.
import {
  type ListParameter,
  type OperatorRow,
  operators,
  parameterNames,
  queryLimits,
} from '../../../search/query/operators.ts'
import type { Subject } from '../../../search/query/watch-query.ts'
import { code, markdownTable } from '../docs/markdown-table.ts'
import type { Parameter } from './parameter.ts'

/** The prices, which are numbers and have a parameter for each operator. */
export function priceParameters(row: ListParameter, subject: Subject): Parameter[] {
  const asked = [...new URLSearchParams(row.example)].map(
    ([written, value]) => [written, Number(value)] as const,
  )
  return operators
    .filter(({ subjects }) => subjects.includes(subject))
    .map(({ operator, meaning }) => {
      const { nested, oneLevel } = parameterNames({ subject, key: subject, operator })
      const [, example] = asked.find(([written]) => written === nested) ?? asked[0] ?? []
      return {
        name: oneLevel,
        in: 'query',
        description: oneLevel === nested ? row.meaning : ofPrice(meaning, subject),
        schema: { type: 'number' },
        example,
      }
    })
}

function ofPrice(meaning: string, subject: Subject): string {
  return meaning.replace('The value', `\`${subject}\``).replace(' or quantity', '')
}

export function specParameter(): Parameter {
  const ofSpecs = operators.filter(({ subjects }) => subjects.includes('spec'))
  return {
    name: 'spec',
    in: 'query',
    description: [
      `Filters on \`specs\`, by any key, at most ${queryLimits.filters} in a request. Filters on different keys must all match. A property is a key, or a key and an operator:`,
      markdownTable([
        ['property', 'meaning', 'example', 'in a URL'],
        ...ofSpecs.map((row) => [code(nameOf(row)), meaningOf(row), code(shown(row)), code(row.oneLevel)]),
      ]),
      'A comma within a value of `:any` is written `\\,`. A key that itself ends like an operator is followed by `:is`. In a URL, `spec[key:gte]` may also be written `spec[key][gte]`, and `spec[key:any]=a,b` as `spec[key][]=a&spec[key][]=b`.',
    ].join('\n\n'),
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { minLength: 1, maxLength: queryLimits.keyLength + longestSuffix },
      additionalProperties: {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: queryLimits.valueLength },
          { type: 'number' },
          { type: 'boolean' },
        ],
      },
    },
    example: { dial_color: 'Black', 'water_resistance:gte': '100 m' },
  }
}

const longestSuffix = Math.max(...operators.map(({ operator }) => operator.length + 1))

/** `key:gte` of `spec[key:gte]=value`. */
function nameOf({ oneLevel }: OperatorRow): string {
  return oneLevel.slice('spec['.length, oneLevel.indexOf(']'))
}

/** In a property, the values of a list are not repeated. */
function meaningOf({ operator, meaning }: OperatorRow): string {
  return operator === 'any' ? meaning.replace(/ Repeat.*/, ' Separate them with commas.') : meaning
}

function shown({ operator, example }: OperatorRow): string {
  return JSON.stringify(specProperties(example, operator)).replaceAll('":', '": ')
}

/** The properties of `spec` for a query string with filters of one key. */
function specProperties(query: string, operator: OperatorRow['operator']): Record<string, string> {
  const sent = [...new URLSearchParams(query)]
  const [, key = ''] = /^spec\[([^\]]+)\]/.exec(sent[0]?.[0] ?? '') ?? []
  const { oneLevel } = parameterNames({ subject: 'spec', key, operator })
  return {
    [oneLevel.slice('spec['.length, -1)]: sent.map(([, value]) => value.replaceAll(',', '\\,')).join(),
  }
}
