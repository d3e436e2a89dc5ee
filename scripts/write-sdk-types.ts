// Writes sdk/src/api-types.ts: the schemas of the OpenAPI document as TypeScript types, for `npm run types -w sdk`. With
// --check it writes nothing, and fails when the file is out of date.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { buildDocument } from '../src/http/contract/openapi/document.ts'

/** What the schemas of the document use of JSON Schema; anything else is refused, so that no type is quietly wrong. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number | null)[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

const file = path.resolve(import.meta.dirname, '../sdk/src/api-types.ts')
const opening = `// The types of all responses, request bodies and events. Made from the OpenAPI document by \`npm run types -w sdk\`: do not
// edit.
`
const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

if (import.meta.main) {
  const text = sdkTypes()
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write('sdk/src/api-types.ts is out of date: run npm run types -w sdk\n')
    process.exitCode = 1
  }
}

/** The text of the file. */
export function sdkTypes(): string {
  const { components } = buildDocument('') as { components: { schemas: Record<string, Schema> } }
  const types = Object.entries(components.schemas).map(([name, schema]) => declare(name, schema))
  return format([opening, ...types].join('\n'))
}

function declare(name: string, schema: Schema): string {
  const isObject = schema.properties !== undefined
  const declared = isObject ? `interface ${name} ${typeOf(schema)}` : `type ${name} = ${typeOf(schema)}`
  return `${comment(schema.description)}export ${declared}\n`
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, type } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' | ')
  if (type === undefined && schema.properties === undefined) return 'unknown'
  const types = typeof type === 'string' ? [type] : (type ?? ['object'])
  return [...new Set(types.map((one) => typeNamed(one, schema)))].join(' | ')
}

function typeNamed(type: string, schema: Schema): string {
  if (type === 'object') return objectType(schema)
  if (type === 'array') return `(${typeOf(schema.items ?? {})})[]`
  const plain = plainTypes[type]
  if (plain === undefined) throw new Error(`write-sdk-types.ts does not know the type ${type}`)
  return plain
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
    return `Record<string, ${values}>`
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    // Callers may write out `undefined`: in a body it is as if it were left out.
    const type = isRequired ? typeOf(schema) : `${typeOf(schema)} | undefined`
    return `${comment(schema.description)}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${type}`
  })
  return `{\n${members.join('\n')}\n}`
}

/** As `npm run format` would write it, or that would change the file. */
function format(text: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const args = [biome, 'format', `--stdin-file-path=${file}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the types could not be formatted: ${stderr}`)
  return stdout
}
