import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testShop } from '#tests/support/shop.ts'
import { signedInStaff } from '#tests/support/staff.ts'

test('OFFICE-68: a CSV has every row of its list once, in its order, also beyond the first page that is read', async () => {
  const shop = await testShop()
  const owner = await signedInStaff(shop, 'owner')
  // Equal names and times, so that only the ids tell the rows apart.
  await shop.db.execute(sql`
    insert into users (email, password_hash, first_name, last_name, created_at)
    select 'u' || i || '@list.example', '', 'N' || i % 7, '', ${shop.now().toISOString()}::timestamptz
    from generate_series(1, 4100) i`)
  for (const sort of ['-since', 'name']) {
    const file = await owner.ask('GET', `/api/office/people/export?sort=${sort}`)
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const [head, ...rows] = file.body.trim().split(/\r?\n/)
    expect(head).toContain('Email')
    expect(rows).toHaveLength(4100)
    expect(new Set(rows).size).toBe(4100)
  }
  const log = await owner.ask('GET', '/api/office/activity?kind=people%20export')
  expect(log.json().rows[0]).toMatchObject({ what: 'Downloaded 4,100 rows as CSV' })
  const activity = await owner.ask('GET', '/api/office/activity/export')
  expect(activity.body.trim().split(/\r?\n/)).toHaveLength(4)
  await shop.close()
})
