import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { alone } from './alone.ts'
import type { OpenDatabase } from '#server/db/open.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('three instances that start the same work run it one after another, also after one failed', async () => {
  const done: string[] = []
  const work = (name: string) => async () => {
    done.push(`${name} begins`)
    await database.db.execute('select 1')
    await turn()
    done.push(`${name} ends`)
    if (name === 'one') throw new Error('one failed')
  }
  const answers = await Promise.allSettled(
    ['one', 'two', 'three'].map((name) => alone(database, 1, work(name))),
  )
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  const order = done.filter((_, index) => index % 2 === 0).map((line) => line.split(' ')[0]!)
  expect(done).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(new Set(order)).toEqual(new Set(['one', 'two', 'three']))
})
