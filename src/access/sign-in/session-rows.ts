// Reads and writes the rows of better-auth's models in plain SQL that works on both engines. `findOne` never returns a
// session of a suspended account. Accounts are created as everywhere else, on the free plan, whatever the input says.
import type { CleanedWhere, CustomAdapter, JoinConfig } from 'better-auth/adapters'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Reader, Tx } from '../../storage/database.ts'
import { createAccount } from '../accounts/accounts.ts'
import { emailOf } from './session-addresses.ts'

/** Where rows are read and written: the database, or one of its transactions. */
export interface Place {
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

type Row = Record<string, unknown>
type Rows = Record<string, Row>
type FieldName = (of: { model: string; field: string }) => string

export function rowsIn({ read, write }: Place, clock: Clock, fieldName: FieldName): CustomAdapter {
  return {
    create: <T extends Row>({ model, data }: { model: string; data: T }) =>
      write(async (tx) => (await insertRow(tx, clock, model, data)) as T),
    findOne: <T>({ model, where, join = {} }: Parameters<CustomAdapter['findOne']>[0]) =>
      read(async (reader) => (await findJoined(reader, model, where, join)) as T | null),
    findMany: <T>({
      model,
      where = [],
      limit,
      sortBy,
      offset = 0,
    }: Parameters<CustomAdapter['findMany']>[0]) =>
      read(async (reader) => {
        const found = select(reader, model, where).limit(limit).offset(offset)
        if (sortBy === undefined) return (await found.execute()) as T[]
        const column = fieldName({ model, field: sortBy.field })
        return (await found.orderBy(column, sortBy.direction).execute()) as T[]
      }),
    count: ({ model, where = [] }) =>
      read(async (reader) => {
        const rows = loose(reader).selectFrom(model).where(matching(where))
        const { total } = await rows.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
        return Number(total)
      }),
    update: <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) =>
      write(async (tx) => (await change(tx, model, where, update as Row)) as T | null),
    updateMany: ({ model, where, update }) =>
      write(async (tx) => {
        const query = loose(tx).updateTable(model).set(update).where(matching(where))
        return Number((await query.executeTakeFirst()).numUpdatedRows)
      }),
    delete: ({ model, where }) =>
      write(async (tx) => void (await loose(tx).deleteFrom(model).where(matching(where)).execute())),
    deleteMany: ({ model, where }) =>
      write(async (tx) => {
        const query = loose(tx).deleteFrom(model).where(matching(where))
        return Number((await query.executeTakeFirst()).numDeletedRows)
      }),
    // One statement, whose row lock lets exactly one of several concurrent callers get the row.
    consumeOne: <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
      write(async (tx) => {
        const one = loose(tx).selectFrom(model).select('id').where(matching(where)).limit(1)
        const query = loose(tx).deleteFrom(model).where('id', 'in', one).returningAll()
        return ((await query.executeTakeFirst()) ?? null) as T | null
      }),
    incrementOne: <T>({ model, where, increment, set }: Parameters<Increment>[0]) =>
      write(async (tx) => {
        const sums = Object.entries(increment).map(([field, by]) => [field, sql`${sql.ref(field)} + ${by}`])
        return (await change(tx, model, where, { ...set, ...Object.fromEntries(sums) })) as T | null
      }),
  }
}

type Increment = NonNullable<CustomAdapter['incrementOne']>

async function insertRow(tx: Tx, clock: Clock, model: string, data: Row): Promise<Row> {
  if (model !== 'accounts') {
    return loose(tx).insertInto(model).values(data).returningAll().executeTakeFirstOrThrow()
  }
  const draft = { email: emailOf(String(data.email)), name: String(data.name), plan: 'free' } as const
  const id = await createAccount(tx, clock, draft)
  return loose(tx).selectFrom(model).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function findJoined(
  reader: Reader,
  model: string,
  where: CleanedWhere[],
  join: JoinConfig,
): Promise<Row | null> {
  const row = await select(reader, model, where)
    .$if(model === 'sessions', (query) => query.where(ofActiveAccount))
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  for (const [other, { on, relation, limit = 1 }] of Object.entries(join)) {
    const found = loose(reader).selectFrom(other).selectAll().where(on.to, '=', row[on.from]).limit(limit)
    row[other] =
      relation === 'one-to-one' ? ((await found.executeTakeFirst()) ?? null) : await found.execute()
  }
  return row
}

function ofActiveAccount(eb: ExpressionBuilder<Rows, string>): Expression<SqlBool> {
  const account = eb.selectFrom('accounts').select('accounts.id').where('accounts.status', '=', 'active')
  return eb.exists(account.whereRef('accounts.id', '=', 'sessions.account_id'))
}

function select(reader: Reader, model: string, where: CleanedWhere[]) {
  return loose(reader).selectFrom(model).selectAll().where(matching(where))
}

async function change(tx: Tx, model: string, where: CleanedWhere[], values: Row): Promise<Row | null> {
  const query = loose(tx).updateTable(model).set(values).where(matching(where)).returningAll()
  return (await query.executeTakeFirst()) ?? null
}

const operators = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
  not_in: 'not in',
} as const

/** All of the AND conditions, and at least one of the OR conditions, as in better-auth's own adapters. */
function matching(where: CleanedWhere[]) {
  return (eb: ExpressionBuilder<Rows, string>): Expression<SqlBool> => {
    const conditions = (connector: 'AND' | 'OR') =>
      where.filter((one) => one.connector === connector).map((one) => condition(eb, one))
    const [all, any] = [conditions('AND'), conditions('OR')]
    return eb.and(any.length === 0 ? all : [...all, eb.or(any)])
  }
}

function condition(
  eb: ExpressionBuilder<Rows, string>,
  { field, operator = 'eq', value, mode }: CleanedWhere,
): Expression<SqlBool> {
  if (!(operator in operators) || mode === 'insensitive') throw new Error(`unsupported: ${mode} ${operator}`)
  if (value === null) return eb(field, operator === 'ne' ? 'is not' : 'is', null)
  const plain = field === 'email' ? emailOf(String(value)) : value
  return eb(field, operators[operator as keyof typeof operators], plain)
}

function loose<Door extends Reader | Tx>(door: Door) {
  return door.$extendTables<Rows>()
}
