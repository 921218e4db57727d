import { accounts } from '@svc/devnet'
import { profilesSchema } from '@svc/profiles'
import { connectPool, createDatabase, createPersonalData, migrateSchema, type PersonalDataRules } from '@svc/serve'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifyData } from '../../apps/notifier/src/records/personalData.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { storeData } from '../../apps/store/src/records/personalData.ts'
import { storeSchema } from '../../apps/store/src/records/records.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

// What owners export and delete, against every table: a new table, or a new column with a wallet, fails here until it has a rule.

const [me, other] = [accounts.ada.address, accounts.emeka.address]
let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connectPool(database.url, 'test')
  for (const schema of [storeSchema, notifySchema, profilesSchema]) await migrateSchema(sql, schema)
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** A row of each table about a wallet; `$1` is the wallet, `$2` another, `$3` a number of its own. */
const rows: Readonly<Record<'store' | 'notify', Readonly<Record<string, string>>>> = {
  store: {
    session: `('token' || $3, $1, now() + interval '1 day', 's' || $3)`,
    statement: `('s' || $3, $1, 'message', '0x', 1, 2)`,
    vault: `($1, 'file')`,
    picture: `($1, 'hash', 'file')`,
    mailbox: `($1, 1)`,
    mail: `($1, 1, $2, 'received', 'x', now())`,
    mail_contact: `($1, $2, true, now(), true)`,
    mail_block: `($1, $2)`,
    mail_application: `($1, 'v2:micro:1', 1, now())`,
    mail_newcomer: `($1, 'v2:micro:1', 'question', 'stranger', '10.0.0.0/24', now())`,
    task: `('v2:micro:' || $3)`,
    part: `('v2:micro:' || $3, 'hash', 1, now(), now(), $1)`,
    bundle: `('bundle' || $3, 'v2:micro:' || $3, $1, 'delivery', 0, 0, false, 1, 'x', now())`,
    later_grant: `('bundle' || $3, $2, 'key', $1, 'x', now())`,
    room: `($1, '', true, 1)`,
  },
  notify: {
    session: `('token' || $3, $1, now() + interval '1 day', 's' || $3)`,
    statement: `('s' || $3, $1, 'message', '0x', 1, 2)`,
    notification: `($1 || $3, $1, 1, $3::bigint, 'paid', 'info', '', '', '', null, 1, '{}', 1)`,
    subscription: `('id' || $3, $1, 'webhook', 'secret-target', 'secret-key', null, false)`,
    search: `('search' || $3, $1, 0, 'name', '', null, null, null, true)`,
    low_deposit: `(0, $1)`,
    calendar: `($1, 'secret-token' || $3)`,
    verification_mail: `('secret-key', $1, now(), '')`,
    room: `($1, '', true, 1)`,
  },
}
/** Columns, where a row does not begin with the first ones. */
const columns: Readonly<Record<string, string>> = {
  'store.task': '(task)',
  'notify.notification':
    '(id, wallet, market, task, kind, urgency, title, text, url, deadline, created_at, data, block)',
  'notify.subscription': '(id, wallet, channel, target, target_key, kinds, is_second)',
  'notify.search': '(id, wallet, market, name, search, words, min_pay, max_pay, funded)',
}

async function plant(schema: 'store' | 'notify', wallet: Address, second: Address, number: number): Promise<void> {
  for (const [table, values] of Object.entries(rows[schema])) {
    await sql.unsafe(
      `with given as (select $1::text as w, $2::text as o, $3::text as n)
       insert into ${schema}.${table} ${columns[`${schema}.${table}`] ?? ''}
       select ${values.slice(1, -1).replaceAll('$1', 'w').replaceAll('$2', 'o').replaceAll('$3', 'n')} from given`,
      [wallet, second, String(number)],
    )
  }
}

/** Every table of a schema that mentions a wallet anywhere, with how often. */
async function findMentions(schema: string, wallet: Address): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = ${schema} and table_type = 'BASE TABLE'`
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(`${schema}.${name}`)} t where strpos(to_jsonb(t)::text, ${wallet}) > 0`
    if (row && row.count > 0) found[name] = row.count
  }
  return found
}

test.each([
  {
    schema: 'store' as const,
    rules: storeData,
    running: [],
    kept: [
      'bundle',
      'later_grant',
      'mail',
      'mail_application',
      'mail_contact',
      'mail_newcomer',
      'mailbox',
      'part',
      'room',
    ],
  },
  {
    schema: 'notify' as const,
    rules: notifyData,
    running: ['v2:micro:2'],
    kept: ['notification', 'room', 'verification_mail'],
  },
])(
  '$schema: what is exported is all that is stored, and what is deleted is all that nobody else needs',
  async ({ schema, rules, running, kept }) => {
    const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = ${schema} and table_type = 'BASE TABLE'`
    expect(Object.keys(rules).toSorted(), 'every table has a rule').toEqual(tables.map(({ name }) => name).toSorted())
    const about = Object.entries(rules).flatMap(([table, { of }]) => (of === null ? [] : [table]))
    expect(
      about.filter((table) => !(table in rows[schema])),
      'every table about wallets has a row here',
    ).toEqual([])

    await plant(schema, me, other, 1)
    await plant(schema, other, me, 11)
    if (schema === 'notify') await plantRunning()
    const data = createPersonalData(createDatabase(sql, schema === 'store' ? storeSchema : notifySchema), schema, rules)
    const before = await findMentions(schema, me)
    expect(before).toEqual(Object.fromEntries(Object.keys(before).map((table) => [table, expect.any(Number)])))
    expect(
      Object.keys(before).filter((table) => !about.includes(table)),
      'a column with a wallet that no rule knows',
    ).toEqual([])
    const exported = await exportAll(data)
    expect([...new Set(exported.map(({ table }) => table))].toSorted()).toEqual(about.toSorted())
    expect(JSON.stringify(exported)).not.toContain('secret-')

    const answer = await data.remove(me, running)
    expect(answer.kept.map(({ table }) => table).toSorted()).toEqual(kept)
    for (const { reason } of answer.kept) expect(reason.length).toBeGreaterThan(20)
    const left = await findMentions(schema, me)
    // What others have of it is theirs: their block list and mailbox.
    const ofOthers = schema === 'store' ? ['mail_block', 'later_grant'] : []
    expect(Object.keys(left).filter((table) => !kept.includes(table) && !ofOthers.includes(table))).toEqual([])
    expect(Object.keys(await findMentions(schema, other))).toEqual(
      expect.arrayContaining(Object.keys(rows[schema]).filter((table) => table !== 'task')),
    )
  },
)

/** One more notification, of a task that runs. */
const plantRunning = () =>
  sql`insert into notify.notification (id, wallet, market, task, kind, urgency, title, text, url, created_at, data, block)
    values ('running', ${me}, 1, 2, 'paid', 'info', '', '', '', 1, '{}', 1)`

async function exportAll({ list }: ReturnType<typeof createPersonalData>) {
  const all: { table: string; row: object }[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await list(me, after)
    all.push(...page.rows)
    after = page.next
  }
  return all
}

test('while the index cannot say which tasks run, what they need stays; afterwards it goes', async () => {
  const data = createPersonalData(createDatabase(sql, storeSchema), 'store', storeData)
  expect((await data.remove(other, null)).kept.map(({ table }) => table)).toContain('statement')
  expect((await data.remove(other, ['v2:micro:1'])).kept.map(({ table }) => table)).toContain('statement')
  expect((await data.remove(other, [])).kept.map(({ table }) => table)).not.toContain('statement')
})

test('a profile is public and signed: removing it is a statement of its own, and no other table of it has a wallet', async () => {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'profiles'`
  expect(tables.map(({ name }) => name).toSorted()).toEqual(['migration', 'profile'])
  const all: PersonalDataRules[] = [storeData, notifyData]
  for (const rules of all)
    for (const [table, { of, removes, keeps }] of Object.entries(rules))
      expect(of === null || removes === 'true' || keeps !== undefined, `${table} says why something stays`).toBe(true)
})
