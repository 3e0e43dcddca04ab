import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDataDir, onPostgres } from '#tests/support/database.ts'
import { messages, RawClient, rowsOf, sqlState } from '#tests/support/raw-client.ts'
import { type OpenDatabase, openDatabase } from '../open.ts'
import { type Address, readRunFile } from './run-file.ts'
import { frame, query, sync, typeOf } from './wire.ts'

const { parse, bind, execute, flush, copyData, copyDone } = messages

describe.skipIf(onPostgres)('many clients on one session', () => {
  let dataDir: string
  let database: OpenDatabase
  let address: Address
  const clients: pg.Client[] = []

  beforeAll(async () => {
    dataDir = await freshDataDir()
    database = await openDatabase({ dataDir, embedded: { idleInTransactionMs: 1_000 } })
    address = readRunFile(dataDir)!
    await database.pool.query('CREATE TABLE notes (id serial PRIMARY KEY, text text UNIQUE)')
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
    await database.close()
    rmSync(dataDir, { recursive: true })
  })

  async function newClient(): Promise<pg.Client> {
    const client = new pg.Client({ ...address, user: 'postgres', database: 'postgres' })
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }
  const noteCount = async (text: string): Promise<number> => {
    const { rows } = await database.pool.query('SELECT count(*)::int FROM notes WHERE text = $1', [text])
    return rows[0].count
  }

  test('a transaction is never interleaved with what another client asks meanwhile', async () => {
    const [one, two] = [await newClient(), await newClient()]
    await one.query('BEGIN')
    await one.query("INSERT INTO notes (text) VALUES ('rolled back')")
    const order: string[] = []
    const inserted = two.query("INSERT INTO notes (text) VALUES ('kept')").then(() => order.push('two'))
    await one.query('SELECT 1')
    await one.query('ROLLBACK')
    order.push('one')
    await inserted
    expect(order).toEqual(['one', 'two'])
    expect(await noteCount('rolled back')).toBe(0)
    expect(await noteCount('kept')).toBe(1)
  })

  test('two clients give different statements the same name and both keep theirs', async () => {
    const [one, two] = [await newClient(), await newClient()]
    const ask = async (client: pg.Client, text: string) =>
      (await client.query({ name: 'mine', text, values: ['7'] })).rows[0].answer
    for (let round = 0; round < 3; round++) {
      expect(await ask(one, "SELECT 'one ' || $1 AS answer")).toBe('one 7')
      expect(await ask(two, "SELECT 'two ' || $1 AS answer")).toBe('two 7')
    }
  })

  test('statements are forgotten with the client that named them', async () => {
    const count = 'SELECT count(*)::int FROM pg_prepared_statements WHERE statement = $1'
    const text = "SELECT 'short-lived ' || $1"
    const client = await newClient()
    await client.query({ name: 'short', text, values: ['x'] })
    expect((await database.pool.query(count, [text])).rows[0].count).toBe(1)
    await client.end()
    await expect.poll(async () => (await database.pool.query(count, [text])).rows[0].count).toBe(0)
  })

  test('an unnamed statement survives another client between its Parse and its Bind', async () => {
    const [one, two] = [await RawClient.connect(address), await RawClient.connect(address)]
    one.send(parse('', "SELECT 'one ' || $1"), sync())
    await one.until('Z')
    two.send(parse('', "SELECT 'two ' || $1"), sync())
    await two.until('Z')
    one.send(bind('', ['a']), execute(), sync())
    const answer = await one.until('Z')
    expect(answer.map(typeOf).join('')).toBe('2DCZ')
    expect(rowsOf(answer)).toEqual([['one a']])
    two.send(bind('', ['b']), execute(), sync())
    expect(rowsOf(await two.until('Z'))).toEqual([['two b']])
  })

  test('no client ever gets the rows of another, whatever the size of the parameters', async () => {
    const several = await Promise.all(Array.from({ length: 12 }, newClient))
    const wrong: string[] = []
    await Promise.all(
      several.map(async (client, number) => {
        for (let round = 0; round < 40; round++) {
          const size = [10, 3_000, 70_000, 200_000][(number + round) % 4]!
          const mark = `${number}/${round}`
          const config = {
            text: 'SELECT $1::text AS mark, length($2) AS size',
            values: [mark, 'x'.repeat(size)],
          }
          const { rows } = await client.query(round % 2 ? { ...config, name: 'fuzz' } : config)
          if (rows.length !== 1 || rows[0].mark !== mark || rows[0].size !== size) wrong.push(mark)
        }
      }),
    )
    expect(wrong).toEqual([])
  })

  test('rows can be fetched in portions, and the session stays with the one who fetches', async () => {
    const [one, two] = [await RawClient.connect(address), await RawClient.connect(address)]
    one.send(parse('', 'SELECT generate_series(1, 3)'), bind('', [], 'p'), execute(2, 'p'), flush())
    expect(rowsOf(await one.until('s'))).toEqual([['1'], ['2']])
    two.send(query('SELECT 4'))
    one.send(execute(2, 'p'), sync())
    expect(rowsOf(await one.until('Z'))).toEqual([['3']])
    expect(rowsOf(await two.until('Z'))).toEqual([['4']])
  })

  test('a notification reaches everyone who listens on its channel, once it is committed', async () => {
    const [one, two, stranger] = [await newClient(), await newClient(), await newClient()]
    const heard: string[] = []
    const hear = (name: string, client: pg.Client) =>
      client.on('notification', ({ channel, payload }) => heard.push(`${name} ${channel} ${payload}`))
    hear('one', one)
    hear('two', two)
    hear('stranger', stranger)
    await one.query('LISTEN news')
    await two.query('LISTEN "news"')
    await stranger.query('LISTEN weather')

    await two.query("BEGIN; NOTIFY news, 'never'; ROLLBACK")
    await stranger.query("NOTIFY news, 'first'")
    await two.query('UNLISTEN news')
    await two.query("NOTIFY news, 'second'")
    await expect.poll(() => heard.length).toBe(3)
    // Each client gets its answers in order; between two sockets there is no order.
    expect(heard.filter((line) => line.startsWith('one'))).toEqual(['one news first', 'one news second'])
    expect(heard.filter((line) => line.startsWith('two'))).toEqual(['two news first'])
  })

  test('COPY takes rows in pieces and gives them back', async () => {
    const client = await RawClient.connect(address)
    client.send(query('CREATE TABLE copied (id int, text text)'))
    await client.until('Z')
    client.send(query('COPY copied FROM STDIN'))
    await client.until('G')
    client.send(copyData('1\tone\n2\t'))
    // Others are served while a slow client still sends.
    expect(await noteCount('nothing')).toBe(0)
    client.send(copyData('two\n'), copyDone())
    expect((await client.until('Z')).map(typeOf).join('')).toBe('CZ')
    client.send(query('COPY copied TO STDOUT'))
    const out = (await client.until('Z')).filter((each) => typeOf(each) === 'd')
    expect(Buffer.concat(out.map((each) => each.subarray(5))).toString()).toBe('1\tone\n2\ttwo\n')
  })

  test('a COPY that fails, or comes where it cannot be collected, leaves the database running', async () => {
    const before = database.processIds()
    const client = await RawClient.connect(address)
    client.send(query('COPY missing FROM STDIN'))
    await client.until('G')
    client.send(copyData('1\n'), copyDone())
    expect(sqlState(await client.until('Z'))).toBe('42P01')
    client.send(query('CREATE TABLE c (id int); COPY c FROM STDIN'), copyData('1\n'), copyDone())
    expect(sqlState(await client.until('Z'))).toBe('57014')
    client.send(query('SELECT 5'))
    expect(rowsOf(await client.until('Z'))).toEqual([['5']])
    expect(database.processIds()).toEqual(before)
  })

  test('a client that vanishes in a transaction is rolled back, and the next one is served', async () => {
    const client = await RawClient.connect(address)
    client.send(query("BEGIN; INSERT INTO notes (text) VALUES ('vanished')"))
    await client.until('Z')
    client.socket.destroy()
    expect(await noteCount('vanished')).toBe(0)
  })

  test('a client that says goodbye right after its last query still has it done', async () => {
    const client = await RawClient.connect(address)
    client.send(query("INSERT INTO notes (text) VALUES ('goodbye')"), frame('X'))
    client.socket.end()
    await expect.poll(() => noteCount('goodbye')).toBe(1)
  })

  test('who sits idle in a transaction while others wait is closed with 25P03', async () => {
    const idle = await newClient()
    const closed = new Promise<{ code?: string }>((resolve) => idle.once('error', resolve))
    await idle.query('BEGIN')
    await idle.query("INSERT INTO notes (text) VALUES ('idle')")
    expect(await noteCount('idle')).toBe(0)
    expect((await closed).code).toBe('25P03')
  })

  test('a long transaction that keeps asking is not taken for an idle one', async () => {
    const busy = await newClient()
    await busy.query('BEGIN')
    const waiting = noteCount('nobody')
    for (let i = 0; i < 4; i++) await busy.query('SELECT pg_sleep(0.4)')
    await busy.query('COMMIT')
    expect(await waiting).toBe(0)
  })

  test('settings of one client do not reach another', async () => {
    const [one, two] = [await newClient(), await newClient()]
    await one.query("SET search_path TO pg_catalog; SET timezone TO 'Asia/Tokyo'")
    const { rows } = await two.query(
      "SELECT current_setting('search_path') AS path, current_setting('timezone') AS zone",
    )
    expect(rows).toEqual([{ path: 'public', zone: 'UTC' }])
  })

  test('DISCARD ALL sends everyone away rather than leave them without their statements', async () => {
    const [one, two] = [await newClient(), await newClient()]
    await two.query({ name: 'kept', text: 'SELECT $1::int', values: [1] })
    const away = new Promise<{ code?: string }>((resolve) => two.once('error', resolve))
    await one.query('DISCARD ALL').catch(() => {})
    expect((await away).code).toBe('57P01')
    expect(await noteCount('after')).toBe(0)
  })

  test('messages that PostgreSQL does not know are refused before they reach it', async () => {
    const before = database.processIds()
    const client = await RawClient.connect(address)
    client.send(frame('z', 'nonsense'))
    expect(sqlState(await client.until('never'))).toBe('08P01')
    const other = await RawClient.connect(address)
    other.send(Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]))
    expect(sqlState(await other.until('never'))).toBe('08P01')
    expect(await noteCount('after')).toBe(0)
    expect(database.processIds()).toEqual(before)
  })

  test('nobody gets in without the password, and encryption is declined', async () => {
    const intruder = await RawClient.connect(address, 'guess')
    expect(intruder.socket.readableEnded).toBe(true)
    const client = new pg.Client({ ...address, user: 'postgres', ssl: true })
    await expect(client.connect()).rejects.toThrow('does not support SSL')
  })
})
