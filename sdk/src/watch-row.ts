// The type of a row of a list of watches: a whole watch, or the fields that were asked for.
import type { FilterReading, Meta, ValueCount, Watch } from './api-types.ts'
import type { WatchField } from './watch-query.ts'

/** A watch with `Fields` only. Where the fields are not known before the program runs, any may be missing. */
export type WatchRow<Fields extends readonly WatchField[] | undefined> = Fields extends readonly WatchField[]
  ? number extends Fields['length']
    ? Partial<Watch>
    : Flat<WholeFields<Fields[number]> & SingleSpecs<Fields[number]>>
  : Watch

type WholeFields<Field> = Pick<Watch, Extract<Field, keyof Watch>>

/** `specs` with the single keys that were asked for. A watch may lack them. */
type SingleSpecs<Field> = 'specs' extends Field
  ? unknown
  : [KeyOf<Field>] extends [never]
    ? unknown
    : { specs: { [Key in KeyOf<Field>]?: unknown } }

type KeyOf<Field> = Field extends `specs.${infer Key}` ? Key : never

/** One object type instead of an intersection, as editors show it. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] }

export interface WatchPage<Row = Watch> {
  data: Row[]
  meta: Meta
  /** With `facets`: the values of each key, and how many watches have them. */
  facets?: Record<string, ValueCount[]> | undefined
  /** With `explain`: how each filter was read. */
  explain?: FilterReading[] | undefined
}
